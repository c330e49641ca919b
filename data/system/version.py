"""The version of the program as it is installed, looked up once: each time it takes half a millisecond."""

from importlib.metadata import version

OWN = version("tieout")
