# Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Files that appear whole or not at all, and files that nobody can remove."""

from __future__ import annotations

import contextlib
import fcntl
import os
import pathlib
import shutil
import stat
import tempfile
import typing
import weakref

PathLike = typing.Union[str, "os.PathLike[str]"]


@contextlib.contextmanager
def replacing(path: PathLike) -> typing.Iterator[pathlib.Path]:
    """Yields the path of a new file, which takes the place of `path` once the body
    has written it."""
    final = pathlib.Path(path).absolute()
    folder = tempfile.mkdtemp(prefix=f".{final.name}.", dir=final.parent)
    new = pathlib.Path(folder) / final.name
    try:
        yield new
        os.replace(new, final)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextlib.contextmanager
def scratch() -> typing.Iterator[pathlib.Path]:
    """A private folder for temporary files."""
    with tempfile.TemporaryDirectory(prefix="mlir-prof-") as folder:
        yield pathlib.Path(folder)


def _remove(folder: str, process: int) -> None:
    # Not in a child that was forked.
    if os.getpid() == process:
        shutil.rmtree(folder, ignore_errors=True)


def remove_with(owner: typing.Any, folder: PathLike
                ) -> typing.Callable[[], typing.Any]:
    """Removes a folder when `owner` goes, or at the call of the result."""
    return weakref.finalize(owner, _remove, os.fspath(folder), os.getpid())


class HeldFile:
    """A file that stays readable while the object lives, even if its name is
    removed."""

    def __init__(self, path: PathLike) -> None:
        #: As its opener knew it.
        self.name = os.fspath(path)
        # Not to wait for the writer of a pipe.
        self._hold(os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK))
        if not stat.S_ISREG(os.fstat(self._descriptor).st_mode):
            raise ValueError(f"{os.fspath(path)!s} is not a file; hint: pass the path "
                             "of one")

    def _hold(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._close = weakref.finalize(self, os.close, descriptor)

    @property
    def is_own(self) -> bool:
        """Whether nobody but this user, or the system, can have written it, or can
        change it."""
        status = os.fstat(self._descriptor)
        return status.st_uid in (0, os.geteuid()) and not status.st_mode & 0o022

    def freeze(self) -> HeldFile:
        """A copy in memory, which nobody can change."""
        frozen = HeldFile.__new__(HeldFile)
        frozen.name = self.name
        frozen._hold(os.memfd_create("mlir-prof-model",
                                     os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING))
        with open(self.path, "rb") as source, open(frozen.path, "wb") as target:
            shutil.copyfileobj(source, target, 1 << 20)
        fcntl.fcntl(frozen.descriptor, fcntl.F_ADD_SEALS,
                    fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_GROW | fcntl.F_SEAL_WRITE |
                    fcntl.F_SEAL_SEAL)
        return frozen

    @property
    def descriptor(self) -> int:
        """The descriptor of the open file."""
        return self._descriptor

    @property
    def path(self) -> str:
        """A path under which this process and its children read it."""
        return f"/proc/{os.getpid()}/fd/{self._descriptor}"

    def link(self, path: pathlib.Path) -> pathlib.Path:
        """Gives it a name in a temporary folder."""
        path.symlink_to(self.path)
        return path

    def copy(self, path: PathLike) -> None:
        """Copies it to a file, which appears whole or not at all."""
        with replacing(path) as new:
            shutil.copyfile(self.path, new)
