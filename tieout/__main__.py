"""`python -m tieout` is the command `tieout`."""

from tieout import main

main()
