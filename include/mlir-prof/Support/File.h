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

/// Opens /dev/null for each of the descriptors 0 to 2 that is closed, so that
/// no file that is opened later is taken for a standard stream. Reading such an
/// input and writing such an output fails; messages to such an error output go
/// nowhere.
void openStandardStreams();

/// Maps the file `path` into memory, or reads standard input when it is "-".
/// The buffer's identifier is `path`. Fails on a missing or unreadable file, on
/// a directory, and on an empty file. A file that shrinks while the buffer is
/// read does not end the process; ask checkUnchanged() at the end.
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
openInput(llvm::StringRef path);

/// Fails when the file that openInput() gave as `input` is not any more what it
/// was then: parts of it may have been read before the change and parts after.
/// A file that was replaced as a whole is still there for its reader. Other
/// buffers never change.
llvm::Error checkUnchanged(const llvm::MemoryBuffer &input);

/// What was read from `input`, or the error that it has changed meanwhile,
/// which comes before what that made of its content.
template <typename T>
llvm::Expected<T> unlessChanged(const llvm::MemoryBuffer &input,
                                llvm::Expected<T> read) {
  llvm::Error error = checkUnchanged(input);
  if (!error)
    return read;
  llvm::consumeError(read.takeError());
  return std::move(error);
}

/// The same where the bytes were read for what is not returned.
inline llvm::Error unlessChanged(const llvm::MemoryBuffer &input,
                                 llvm::Error read) {
  llvm::Error error = checkUnchanged(input);
  if (!error)
    return read;
  llvm::consumeError(std::move(read));
  return error;
}

/// Where a buffer's bytes are.
enum class Backing : uint8_t {
  Memory,
  /// A mapped file: pages that were given back are read from it again.
  MappedFile,
};
Backing getBacking(const llvm::MemoryBuffer &buffer);

/// Gives the memory of a buffer back while it is read from front to back, so
/// that a large file does not fill it. Does nothing to what is no mapped file.
class ReadPages {
public:
  ReadPages(const char *begin, Backing backing)
      : begin(begin), backing(backing) {}

  /// Says that everything before `at` has been read. Cheap; acts once a step.
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

/// Where a chain of symbolic links leads, which need not exist.
std::string followLinks(llvm::StringRef path);

/// The reader of standard output has gone. Tools that write to a pipe end
/// without a word then.
class ClosedPipeError
    : public llvm::ErrorInfo<ClosedPipeError, llvm::ErrorInfoBase> {
public:
  static char ID;

  void log(llvm::raw_ostream &os) const override;
  std::error_code convertToErrorCode() const override;
};

/// Writes a file whole or not at all: `write` fills a temporary file beside
/// `path`, which then takes its place. "-" is standard output.
llvm::Error
writeOutput(llvm::StringRef path,
            llvm::function_ref<llvm::Error(llvm::raw_ostream &)> write);

/// Fails when writeOutput(path) would, as far as that can be known before: the
/// work may be long.
llvm::Error checkOutput(llvm::StringRef path);

/// openInput(), and gunzip() where the file is compressed.
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
openPlainInput(llvm::StringRef path);

/// Whether `bytes` start a gzip member.
bool isGzip(llvm::StringRef bytes);

/// Inflates all gzip members in `bytes`, which came from `path`. Fails on
/// broken or truncated data, and when the result would pass `limit` bytes.
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

/// 128 bits of XXH3 of `bytes` as 32 hexadecimal digits; of more than 4 MiB,
/// of the hashes of its pieces of 4 MiB, in order and in binary (high half
/// first, little endian), so that a large file need not be in memory at once.
/// Identifies content; it does not protect against forgery.
std::string contentHash(llvm::StringRef bytes,
                        Backing backing = Backing::Memory);

} // namespace mlirprof

#endif // MLIR_PROF_SUPPORT_FILE_H
