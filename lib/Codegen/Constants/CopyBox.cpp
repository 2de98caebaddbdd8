//===- CopyBox.cpp - Elements of constants in another order ---------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CopyBox.h"
#include "mlir-prof/Support/Workers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/Threading.h"

#include <cstdlib>
#include <cstring>

using namespace llvm;
using namespace mlirprof;
using namespace mlirprof::codegen;

void codegen::forParts(int64_t count, int64_t bytes,
                       function_ref<void(int64_t, int64_t)> work) {
  // Starting a thread takes as long as copying some 100 KiB.
  constexpr int64_t kBytesPerThread = 1 << 20;
  int64_t parts =
      std::min({count, bytes / kBytesPerThread,
                int64_t(hardware_concurrency().compute_thread_count())});
  if (parts <= 1)
    return work(0, count);
  Workers workers;
  for (int64_t part = 1; part < parts; ++part) {
    auto doPart = [=] {
      work(count * part / parts, count * (part + 1) / parts);
    };
    if (!workers.start(doPart))
      doPart();
  }
  work(0, count / parts);
}

namespace {
/// A loop over one dimension of the box.
struct CopyLoop {
  int64_t size = 1;
  int64_t sourceStride = 0;
  int64_t targetStride = 0;
  /// Whether it is the loop over the pieces of a row.
  bool isOfPieces = false;
};

/// A box whose rows are copied in pieces.
struct Box {
  const char *source = nullptr;
  char *target = nullptr;
  /// All loops but those within pieces, the outermost first.
  SmallVector<CopyLoop> loops;
  /// The loop over the pieces of a row, and the elements of a row, of a piece,
  /// and between two elements of the source.
  size_t pieceLoop = 0;
  int64_t row = 1, piece = 1, stride = 1;
};
} // namespace

/// The source need not be aligned.
template <typename ElementT>
static void copyPiece(const Box &box, int64_t from, int64_t to, int64_t count) {
  constexpr size_t kBytes = sizeof(ElementT);
  const char *source = box.source + from * int64_t(kBytes);
  char *target = box.target + to * int64_t(kBytes);
  if (box.stride == 1) {
    std::memcpy(target, source, size_t(count) * kBytes);
    return;
  }
  for (int64_t i = 0; i < count; ++i)
    std::memcpy(target + i * int64_t(kBytes),
                source + i * box.stride * int64_t(kBytes), kBytes);
}

/// Copies the pieces `begin` to `end` in the order of the loops.
template <typename ElementT>
static void copyPieces(const Box &box, int64_t begin, int64_t end) {
  SmallVector<int64_t> index(box.loops.size());
  int64_t from = 0, to = 0, rest = begin;
  for (size_t i = box.loops.size(); i-- > 0;) {
    const CopyLoop &loop = box.loops[i];
    index[i] = rest % loop.size;
    rest /= loop.size;
    from += index[i] * loop.sourceStride;
    to += index[i] * loop.targetStride;
  }
  for (int64_t i = begin; i < end; ++i) {
    int64_t first = index[box.pieceLoop] * box.piece;
    copyPiece<ElementT>(box, from, to, std::min(box.piece, box.row - first));
    for (size_t dim = index.size(); dim-- > 0;) {
      const CopyLoop &loop = box.loops[dim];
      from += loop.sourceStride;
      to += loop.targetStride;
      if (++index[dim] != loop.size)
        break;
      from -= loop.size * loop.sourceStride;
      to -= loop.size * loop.targetStride;
      index[dim] = 0;
    }
  }
}

/// An element of any other number of bytes is copied as bytes.
static void addByteLoop(SmallVectorImpl<int64_t> &sizes,
                        SmallVectorImpl<int64_t> &from,
                        SmallVectorImpl<int64_t> &to, unsigned bytes) {
  for (SmallVectorImpl<int64_t> *strides : {&from, &to}) {
    for (int64_t &stride : *strides)
      stride *= bytes;
    strides->push_back(1);
  }
  sizes.push_back(bytes);
}

void codegen::copyBox(const char *source, ArrayRef<int64_t> givenSizes,
                      ArrayRef<int64_t> sourceStrides,
                      ArrayRef<int64_t> targetStrides, unsigned bytes,
                      char *target) {
  SmallVector<int64_t> sizes(givenSizes), from(sourceStrides),
      to(targetStrides);
  if (is_contained(sizes, 0))
    return;
  if (sizes.empty() || !is_contained({1u, 2u, 4u, 8u}, bytes)) {
    addByteLoop(sizes, from, to, bytes);
    bytes = 1;
  }
  Box box;
  box.source = source;
  box.target = target;
  box.row = sizes.pop_back_val();
  box.stride = from.pop_back_val();
  to.pop_back();
  // A transpose writes whole lines, and reads along as many streams as a line
  // has elements.
  constexpr int64_t kLineBytes = 64;
  box.piece = box.stride == 1 ? box.row : kLineBytes / bytes;
  box.loops.push_back({divideCeilSigned(box.row, box.piece),
                       box.stride * box.piece, box.piece, true});
  int64_t count = box.loops.front().size;
  for (auto [size, fromStride, toStride] : zip_equal(sizes, from, to)) {
    box.loops.push_back({size, fromStride, toStride});
    count *= size;
  }
  if (box.stride == 1)
    std::rotate(box.loops.begin(), box.loops.begin() + 1, box.loops.end());
  else
    stable_sort(box.loops, [](const CopyLoop &a, const CopyLoop &b) {
      return std::abs(a.sourceStride) > std::abs(b.sourceStride);
    });
  while (!box.loops[box.pieceLoop].isOfPieces)
    ++box.pieceLoop;
  forParts(count, count * box.piece * bytes, [&](int64_t begin, int64_t end) {
    switch (bytes) {
    case 1:
      return copyPieces<uint8_t>(box, begin, end);
    case 2:
      return copyPieces<uint16_t>(box, begin, end);
    case 4:
      return copyPieces<uint32_t>(box, begin, end);
    default:
      return copyPieces<uint64_t>(box, begin, end);
    }
  });
}
