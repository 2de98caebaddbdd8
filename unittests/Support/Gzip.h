//===- Gzip.h - Compressed input for tests --------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIRPROF_UNITTESTS_SUPPORT_GZIP_H
#define MLIRPROF_UNITTESTS_SUPPORT_GZIP_H

#include "llvm/ADT/StringRef.h"
#include "gtest/gtest.h"

#include <string>
#include <zlib.h>

namespace mlirprof::test {

/// One gzip member, made by zlib.
inline std::string gzip(llvm::StringRef bytes) {
  z_stream stream = {};
  EXPECT_EQ(
      deflateInit2(&stream, 9, Z_DEFLATED, 16 + 15, 8, Z_DEFAULT_STRATEGY),
      Z_OK);
  std::string out(deflateBound(&stream, bytes.size()), 0);
  stream.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(bytes.data()));
  stream.avail_in = uInt(bytes.size());
  stream.next_out = reinterpret_cast<Bytef *>(out.data());
  stream.avail_out = uInt(out.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

} // namespace mlirprof::test

#endif // MLIRPROF_UNITTESTS_SUPPORT_GZIP_H
