"""What differs from system to system: processes beside this one, one that is asked line by line, locks of files."""
