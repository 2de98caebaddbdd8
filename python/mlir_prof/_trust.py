# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The key by which a user's own files are known."""

from __future__ import annotations

import contextlib
import os
import secrets
import typing

from . import _cache

_NAME = "key"
_BYTES = 32


def find_key(*, makes: bool = False) -> typing.Optional[bytes]:
    """The key in the folder of the cache, which only the user may read; None if
    there is none, or others may have written it.

    With `makes` it is made if it is missing."""
    folder = _cache.find_folder()
    if folder is None:
        return None
    path = folder / _NAME
    if makes and not path.exists():
        _make(os.fspath(path))
    try:
        # Not another file of the user's, by a link that somebody else made.
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW |
                             os.O_NONBLOCK)
        with open(descriptor, "rb") as file:
            status = os.fstat(file.fileno())
            if status.st_uid != os.geteuid() or status.st_mode & 0o077:
                return None
            key = file.read(_BYTES + 1)
    except OSError:
        return None
    return key if len(key) == _BYTES else None


def _make(path: str) -> None:
    """Several processes may do it at once: the first one wins."""
    with contextlib.suppress(OSError):
        os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
        new = f"{path}.{os.getpid()}.{secrets.token_hex(4)}"
        try:
            descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with open(descriptor, "wb") as file:
                file.write(secrets.token_bytes(_BYTES))
            os.link(new, path)
        finally:
            os.unlink(new)
