"""What a backend and tieout exchange: message (Request and Reply, kinds of answers), tool (how a tool is declared)."""
