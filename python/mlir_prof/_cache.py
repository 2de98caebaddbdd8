# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The folder of compiled models, which the tool uses, too."""

from __future__ import annotations

import contextlib
import hashlib
import os
import pathlib
import shutil
import typing

from . import _files
from .tool import find_tool

#: The tool removes the oldest files with this prefix.
_PREFIX = "llvmcache-"


def find_folder() -> typing.Optional[pathlib.Path]:
    """$MLIR_PROF_CACHE, by default mlir-prof in the user's folder of caches; None
    if the variable is "off"."""
    named = os.environ.get("MLIR_PROF_CACHE")
    if named is not None:
        return None if named == "off" else pathlib.Path(named)
    caches = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return pathlib.Path(caches) / "mlir-prof"


def find_limit() -> int:
    """The size of the folder in bytes: $MLIR_PROF_CACHE_SIZE megabytes."""
    text = os.environ.get("MLIR_PROF_CACHE_SIZE", "1024")
    if not text.isascii() or not text.isdigit():
        raise ValueError(f"$MLIR_PROF_CACHE_SIZE is {text!r}, which is not a number "
                         "of megabytes")
    return int(text) << 20


def describe_machine() -> str:
    """The tool and the processor, on which code depends."""
    tool = find_tool()
    status = os.stat(tool)
    processor = ""
    with contextlib.suppress(OSError):
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            processor = "".join(sorted({line for line in file if line.startswith(
                ("model name", "flags", "Features", "CPU part"))}))
    return repr((os.path.realpath(tool), status.st_size, status.st_mtime_ns,
                 processor))


def hash_file(path: _files.PathLike, *more: str) -> str:
    """The hash of a file and of texts."""
    digest = hashlib.blake2b(digest_size=20)
    with open(path, "rb") as file:
        for block in iter(lambda: file.read(1 << 20), b""):
            digest.update(block)
    for text in more:
        digest.update(f"\0{text}".encode())
    return digest.hexdigest()


def _prune(folder: pathlib.Path, limit: int) -> None:
    """Removes the files that were not used for the longest time."""
    found = []
    for path in folder.glob(_PREFIX + "*"):
        with contextlib.suppress(OSError):
            status = path.stat()
            found.append((max(status.st_atime_ns, status.st_mtime_ns),
                          status.st_size, path))
    size = sum(size for _, size, _ in found)
    for _, freed, path in sorted(found):
        if size <= limit:
            return
        with contextlib.suppress(OSError):
            path.unlink()
        size -= freed


def find(name: str) -> typing.Optional[pathlib.Path]:
    """A file of the cache, which counts as used now; None if it is missing. Whoever
    runs it checks that nobody else wrote it."""
    folder = find_folder()
    if folder is None:
        return None
    path = folder / (_PREFIX + name)
    try:
        os.utime(path)
    except OSError:
        return None
    return path


def keep(name: str, path: pathlib.Path) -> None:
    """Copies a file into the cache, unless it is larger than a quarter of it."""
    folder, limit = find_folder(), find_limit()
    if folder is None or path.stat().st_size > limit // 4:
        return
    with contextlib.suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
        with _files.replacing(folder / (_PREFIX + name)) as new:
            shutil.copyfile(path, new)
            os.chmod(new, 0o600)
        _prune(folder, limit)
