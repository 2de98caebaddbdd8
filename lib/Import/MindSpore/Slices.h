//===- Slices.h - Raw files of a device, cut into slices --------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The driver of Ascend's devices cuts what it records into files NAME.slice_0,
// NAME.slice_1 and so on, anywhere: a record may begin in one and end in the
// next.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_IMPORT_MINDSPORE_SLICES_H
#define MLIR_PROF_LIB_IMPORT_MINDSPORE_SLICES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Endian.h"

#include <string>
#include <vector>

namespace mlirprof::importer::mindspore {

/// Contents of the slices of one file, in order.
using Slices = std::vector<llvm::StringRef>;

/// Reads slices as one sequence of bytes.
class SliceReader {
public:
  explicit SliceReader(llvm::ArrayRef<llvm::StringRef> slices)
      : slices(slices) {}

  /// The next `size` bytes, without moving on; fewer at the end. Valid until
  /// the next call.
  llvm::StringRef peek(size_t size) {
    while (next != slices.size() && at == slices[next].size()) {
      ++next;
      at = 0;
    }
    if (next == slices.size())
      return "";
    llvm::StringRef rest = slices[next].drop_front(at);
    if (rest.size() >= size)
      return rest.take_front(size);
    joined = rest;
    for (size_t i = next + 1; i != slices.size() && joined.size() < size; ++i)
      joined += slices[i].take_front(size - joined.size());
    return joined;
  }
  void skip(size_t size) {
    while (size && next != slices.size()) {
      size_t step = std::min(size, slices[next].size() - at);
      at += step;
      size -= step;
      if (at == slices[next].size()) {
        ++next;
        at = 0;
      }
    }
  }

private:
  llvm::ArrayRef<llvm::StringRef> slices;
  size_t next = 0;
  size_t at = 0;
  llvm::SmallString<256> joined;
};

/// All bytes of the slices of a text.
inline std::string joinSlices(llvm::ArrayRef<llvm::StringRef> slices) {
  std::string text;
  for (llvm::StringRef slice : slices)
    text += slice;
  return text;
}

/// A little-endian integer at `offset` of `record`, which holds it.
template <typename T>
T readLittle(llvm::StringRef record, size_t offset) {
  return llvm::support::endian::read<T>(record.data() + offset,
                                        llvm::endianness::little);
}

} // namespace mlirprof::importer::mindspore

#endif // MLIR_PROF_LIB_IMPORT_MINDSPORE_SLICES_H
