"""What the command line does with graphs: each module is loaded when one of its commands is called."""
