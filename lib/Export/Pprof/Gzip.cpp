//===- Gzip.cpp - Gzip streams --------------------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Gzip.h"
#include "llvm/Support/ErrorHandling.h"

#include <algorithm>
#include <limits>

using namespace mlirprof;
using namespace mlirprof::exporter;

GzipWriter::GzipWriter(llvm::raw_ostream &os) : os(os) {
  // 15 is the largest window, plus 16 for the gzip header; 8 is zlib's default
  // memory level. It fails only if memory is exhausted.
  if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 15 + 16, 8,
                   Z_DEFAULT_STRATEGY) != Z_OK)
    llvm::report_bad_alloc_error("no memory for compression");
}

GzipWriter::~GzipWriter() { deflateEnd(&stream); }

void GzipWriter::deflate(llvm::StringRef bytes, int flush) {
  char out[1 << 14];
  do {
    size_t size =
        std::min<size_t>(bytes.size(), std::numeric_limits<uInt>::max());
    // zlib does not change its input.
    stream.next_in =
        reinterpret_cast<Bytef *>(const_cast<char *>(bytes.data()));
    stream.avail_in = uInt(size);
    bytes = bytes.drop_front(size);
    do {
      stream.next_out = reinterpret_cast<Bytef *>(out);
      stream.avail_out = sizeof(out);
      ::deflate(&stream, bytes.empty() ? flush : Z_NO_FLUSH);
      os << llvm::StringRef(out, sizeof(out) - stream.avail_out);
    } while (stream.avail_out == 0);
  } while (!bytes.empty());
}
