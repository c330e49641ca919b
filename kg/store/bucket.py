"""Objects in a bucket, named by one URL: read, put in whole, and replaced only where nobody else did meanwhile.

What is said of a failure names the URL and the way out, and nothing that a server or a library says: that may hold
addresses and headers.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from typing import Any, NamedTuple, TypeVar
from urllib.parse import urlsplit

from tieout.data.printed.pattern import later
from tieout.kg.store.store import StoreError

SCHEMES = ("s3", "gs", "az")
ENDPOINTS = ("AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL", "AWS_ENDPOINT")
TRIES, PATIENCE = 3, timedelta(seconds=20)  # again after a failure that may pass, and for how long in all
NO_BUCKET = later("NoSuchBucket|ContainerNotFound|specified bucket does not exist")
Made = TypeVar("Made")


class BucketError(StoreError):
    """A bucket that is not there, not reached, or does not let in."""


class Put(NamedTuple):
    """An object that is there. modified: when it was put in, by the clock of the server."""

    name: str
    modified: datetime


def endpoint() -> str:
    """The address of a server that is not Amazon's, "" where none is set."""
    return next((os.environ[name] for name in ENDPOINTS if os.environ.get(name)), "")


class Bucket:
    """The objects under a URL. Several threads may share it. Raises BucketError, as all of it does."""

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        if "@" in parts.netloc or parts.query or parts.fragment or not parts.netloc:
            raise BucketError(
                f"the URL of a bucket is {parts.scheme}://BUCKET/PREFIX and holds no credentials: those are variables, "
                "such as AWS_ACCESS_KEY_ID"
            )
        self.url = f"{parts.scheme}://{parts.netloc}/{parts.path.strip('/')}".rstrip("/")
        try:
            import obstore
            from obstore.store import from_url
        except ImportError as error:
            raise BucketError(f"{self.url} needs the extra `bucket`: pip install 'tieout[bucket]'") from error
        self._of: Any = obstore
        self._store: Any = self._told(
            lambda: from_url(
                self.url,
                client_options={"allow_http": endpoint().startswith("http://"), "connect_timeout": "5s"},
                retry_config={"max_retries": TRIES, "retry_timeout": PATIENCE},
            )
        )

    def get(self, name: str) -> tuple[bytes | None, str]:
        """An object, None where there is none, and the tag of this state of it."""
        try:
            found = self._told(lambda: self._of.get(self._store, name))
            return self._told(lambda: bytes(found.bytes())), found.meta["e_tag"] or ""
        except FileNotFoundError:
            return None, ""

    def put(self, name: str, content: bytes) -> None:
        """Puts an object in, in place of one that has the name."""
        self._told(lambda: self._of.put(self._store, name, content, use_multipart=False))

    def replace(self, name: str, content: bytes, tag: str) -> bool:
        """Puts an object in where its state is still that of this tag, "" for none; returns whether it did."""
        mode: Any = {"e_tag": tag} if tag else "create"
        exceptions = self._of.exceptions
        try:
            self._told(lambda: self._of.put(self._store, name, content, mode=mode, use_multipart=False))
        except (exceptions.PreconditionError, exceptions.AlreadyExistsError):
            # What answered a try that was cut off may be this very content.
            return self.get(name)[0] == content
        return True

    def modified(self, name: str) -> datetime | None:
        """When an object was put in; None where there is none."""
        try:
            found: datetime = self._told(lambda: self._of.head(self._store, name))["last_modified"]
        except FileNotFoundError:
            return None
        return found

    def listed(self, under: str = "") -> list[Put]:
        """The objects whose names begin so."""
        parts = self._told(lambda: list(self._of.list(self._store, under or None)))
        return [Put(each["path"], each["last_modified"]) for part in parts for each in part]

    def delete(self, names: Iterable[str]) -> None:
        """Takes objects away."""
        if given := list(names):
            self._told(lambda: self._of.delete(self._store, given))

    def _told(self, do: Callable[[], Made]) -> Made:
        """Turns what goes wrong into one line. Raises FileNotFoundError for an object that is not there, and as they
        are the errors of a condition."""
        exceptions = self._of.exceptions
        try:
            return do()
        except (FileNotFoundError, exceptions.NotFoundError) as error:
            if NO_BUCKET.search(str(error)):
                raise BucketError(f"there is no bucket at {self.url!r}") from None
            raise FileNotFoundError from None
        except (exceptions.PreconditionError, exceptions.AlreadyExistsError):
            raise
        except (exceptions.PermissionDeniedError, exceptions.UnauthenticatedError):
            way_out = "look at the credentials that its variables hold, such as AWS_ACCESS_KEY_ID"
            raise BucketError(f"{self.url!r} does not let these credentials in: {way_out}") from None
        except exceptions.NotSupportedError:
            raise BucketError(f"{self.url!r} cannot replace an object on a condition, which a store needs") from None
        except (exceptions.BaseError, OSError, ValueError) as error:
            raise BucketError(f"{self.url!r} is not reached{_status(error)}: try again") from None


def _status(error: Exception) -> str:
    """What a server answered, as a number."""
    found = re.search(r"\b([45]\d\d) [A-Z][a-z]+", str(error))
    return f" (status {found[1]})" if found else ""
