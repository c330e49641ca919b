"""`python -m tieout` is the command `tieout`."""

from tieout import main

if __name__ == "__main__":  # processes that are started look at this file again
    main()
