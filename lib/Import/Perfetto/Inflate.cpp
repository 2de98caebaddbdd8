//===- Inflate.cpp - Compressed packets -----------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Inflate.h"
#include "../Common/Wire.h"

#include <zlib.h>

using namespace mlirprof;
using namespace mlirprof::importer;
using namespace mlirprof::importer::perfetto;

/// Null if zlib cannot start.
struct Inflater::State {
  z_stream stream = {};
};

Inflater::Inflater() = default;

Inflater::~Inflater() {
  if (state)
    inflateEnd(&state->stream);
}

/// Whether `stream` is ready for new input.
static bool restart(z_stream &stream, bool isNew) {
  // The first bytes tell zlib's form from gzip's.
  constexpr int kEitherForm = 15 + 32;
  return (isNew ? inflateInit2(&stream, kEitherForm) : inflateReset(&stream)) ==
         Z_OK;
}

std::optional<llvm::StringRef> Inflater::inflate(llvm::StringRef bytes,
                                                 MemoryBudget &budget) {
  constexpr size_t kStep = size_t(1) << 18;
  bool isNew = !state;
  if (isNew)
    state = std::make_unique<State>();
  z_stream &stream = state->stream;
  if (bytes.size() > std::numeric_limits<uInt>::max() ||
      !restart(stream, isNew))
    return std::nullopt;
  stream.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(bytes.data()));
  stream.avail_in = uInt(bytes.size());
  out.clear();
  for (int status = Z_OK; status != Z_STREAM_END;) {
    size_t size = out.size();
    charge(budget, kStep);
    out.resize_for_overwrite(size + kStep);
    stream.next_out = reinterpret_cast<Bytef *>(out.data() + size);
    stream.avail_out = uInt(kStep);
    status = ::inflate(&stream, Z_NO_FLUSH);
    out.truncate(size + kStep - stream.avail_out);
    if (status != Z_OK && status != Z_STREAM_END)
      return std::nullopt;
  }
  return llvm::StringRef(out.data(), out.size());
}
