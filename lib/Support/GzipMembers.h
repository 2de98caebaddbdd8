//===- GzipMembers.h - The members of a gzipped file ------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_SUPPORT_GZIPMEMBERS_H
#define MLIR_PROF_LIB_SUPPORT_GZIPMEMBERS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>
#include <zlib.h>

namespace mlirprof {

/// Inflates all gzip members of a file, one after another, piece by piece.
class GzipMembers {
public:
  /// `bytes` must remain valid. More than `limit` inflated bytes are an error.
  GzipMembers(llvm::StringRef bytes, llvm::StringRef path, uint64_t limit)
      : bytes(bytes), rest(bytes), path(path), limit(limit) {}
  ~GzipMembers();
  GzipMembers(const GzipMembers &) = delete;
  GzipMembers &operator=(const GzipMembers &) = delete;

  bool isDone() const {
    return isPadded ||
           (status == Z_STREAM_END && rest.empty() && !stream.avail_in);
  }
  /// Inflates at most `room` bytes to `out`. Sets `count` to their number, even
  /// before an error; fewer than `room` only then and at the end.
  llvm::Error read(char *out, size_t room, size_t &count);

private:
  /// An error at the last byte read.
  llvm::Error fail(const llvm::Twine &what, const llvm::Twine &hint) const;
  llvm::Error prepare();

  llvm::StringRef bytes;
  /// Input not passed to zlib yet.
  llvm::StringRef rest;
  std::string path;
  uint64_t limit;
  uint64_t total = 0;
  z_stream stream = {};
  int status = Z_OK;
  bool isStarted = false;
  /// Whether only zeros followed the last member.
  bool isPadded = false;
};

} // namespace mlirprof

#endif // MLIR_PROF_LIB_SUPPORT_GZIPMEMBERS_H
