//===- Inflate.cpp - Compressed packets -----------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Inflate.h"
#include "../Wire.h"
#include "llvm/ADT/ScopeExit.h"

#include <zlib.h>

using namespace mlirprof;

bool perfetto::inflate(llvm::StringRef bytes, MemoryBudget &budget,
                       llvm::SmallVectorImpl<char> &out) {
  constexpr size_t kStep = size_t(1) << 18;
  // Told by its first bytes whether it is zlib's or gzip's form.
  constexpr int kEitherForm = 15 + 32;
  z_stream stream = {};
  if (bytes.size() > std::numeric_limits<uInt>::max() ||
      inflateInit2(&stream, kEitherForm) != Z_OK)
    return false;
  llvm::scope_exit end([&] { inflateEnd(&stream); });
  stream.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(bytes.data()));
  stream.avail_in = uInt(bytes.size());
  out.clear();
  for (int state = Z_OK; state != Z_STREAM_END;) {
    size_t size = out.size();
    charge(budget, kStep);
    out.resize_for_overwrite(size + kStep);
    stream.next_out = reinterpret_cast<Bytef *>(out.data() + size);
    stream.avail_out = uInt(kStep);
    state = ::inflate(&stream, Z_NO_FLUSH);
    out.truncate(size + kStep - stream.avail_out);
    if (state != Z_OK && state != Z_STREAM_END)
      return false;
  }
  return true;
}
