"""What a backend and tieout exchange: message (Request and Reply), tool (how a tool is declared)."""
