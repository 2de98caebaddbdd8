//===- File.h - Reading and writing whole files -----------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_SUPPORT_FILE_H
#define MLIR_PROF_SUPPORT_FILE_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include <memory>
#include <string>
#include <system_error>

namespace mlirprof {

/// Opens /dev/null for each of the descriptors 0 to 2 that is closed, so that a
/// file opened later is not mistaken for a standard stream. Reading such an
/// input and writing such an output fails; messages to such an error output are
/// dropped.
void openStandardStreams();

/// Maps the file `path` into memory, or reads standard input when it is "-".
/// The buffer's identifier is `path`. Fails on a missing or unreadable file, on
/// a directory, and on an empty file. A file that shrinks while the buffer is
/// read does not end the process; call checkUnchanged() at the end.
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
openInput(llvm::StringRef path);

/// Fails if the file that openInput() returned as `input` has changed since:
/// parts of it may have been read before the change and parts after. A file
/// that was replaced as a whole still exists for its reader. Other buffers
/// never change.
llvm::Error checkUnchanged(const llvm::MemoryBuffer &input);

/// The result of reading `input`, or the error that it has changed in the
/// meantime, which takes precedence over errors in its content.
template <typename T>
llvm::Expected<T> unlessChanged(const llvm::MemoryBuffer &input,
                                llvm::Expected<T> read) {
  llvm::Error error = checkUnchanged(input);
  if (!error)
    return read;
  llvm::consumeError(read.takeError());
  return std::move(error);
}

/// The same for a read that does not return anything.
inline llvm::Error unlessChanged(const llvm::MemoryBuffer &input,
                                 llvm::Error read) {
  llvm::Error error = checkUnchanged(input);
  if (!error)
    return read;
  llvm::consumeError(std::move(read));
  return error;
}

/// The storage of a buffer's bytes.
enum class Backing : uint8_t {
  Memory,
  /// A mapped file: released pages are read from it again.
  MappedFile,
};
Backing getBacking(const llvm::MemoryBuffer &buffer);

/// Releases the memory of a buffer while it is read from front to back, so that
/// a large file does not fill it. Does nothing for buffers other than mapped
/// files.
class ReadPages {
public:
  ReadPages(const char *begin, Backing backing)
      : begin(begin), backing(backing) {}

  /// Marks everything before `at` as read. Cheap; acts once per step.
  void readTo(const char *at) {
    if (backing == Backing::MappedFile && at - begin >= kStep)
      release(at);
  }

private:
  static constexpr ptrdiff_t kStep = ptrdiff_t(1) << 20;
  void release(const char *at);

  const char *begin;
  Backing backing;
};

/// The target of a chain of symbolic links, which need not exist.
std::string followLinks(llvm::StringRef path);

/// The reader of standard output has closed the pipe. Tools that write to a
/// pipe then end silently.
class ClosedPipeError
    : public llvm::ErrorInfo<ClosedPipeError, llvm::ErrorInfoBase> {
public:
  static char ID;

  void log(llvm::raw_ostream &os) const override;
  std::error_code convertToErrorCode() const override;
};

/// Writes a file completely or not at all: `write` fills a temporary file next
/// to `path`, which then replaces it. "-" is standard output.
llvm::Error
writeOutput(llvm::StringRef path,
            llvm::function_ref<llvm::Error(llvm::raw_ostream &)> write);

/// Checks early whether writeOutput(path) can succeed, as far as that is known
/// in advance, so that long work is not lost.
llvm::Error checkOutput(llvm::StringRef path);

/// openInput(), plus gunzip() if the file is compressed.
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
openPlainInput(llvm::StringRef path);

/// Whether `bytes` start a gzip member.
bool isGzip(llvm::StringRef bytes);

/// Inflates all gzip members in `bytes`, which came from `path`. Fails on
/// broken or truncated data, and if the result would exceed `limit` bytes.
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
gunzip(llvm::StringRef bytes, llvm::StringRef path,
       uint64_t limit = uint64_t(16) << 30);

/// Compresses `bytes` as one zstd frame and appends it to `out`.
void zstdCompress(llvm::StringRef bytes, llvm::SmallVectorImpl<char> &out,
                  int level = 3);

/// Inflates one zstd frame whose content has exactly `size` bytes.
/// `where` names the place for the error.
llvm::Error zstdDecompress(llvm::StringRef frame, uint64_t size,
                           llvm::StringRef where,
                           llvm::SmallVectorImpl<char> &out);

/// 128 bits of XXH3 of `bytes` as 32 hexadecimal digits. Above 4 MiB, the hash
/// of the hashes of its pieces of 4 MiB, in order and in binary (high half
/// first, little endian), so that a large file need not be in memory at once.
/// Identifies content; it does not protect against forgery.
std::string contentHash(llvm::StringRef bytes,
                        Backing backing = Backing::Memory);

} // namespace mlirprof

#endif // MLIR_PROF_SUPPORT_FILE_H
