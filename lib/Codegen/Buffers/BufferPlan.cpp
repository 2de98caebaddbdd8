//===- BufferPlan.cpp - Placing buffers in one allocation -----------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BufferPlan.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;

int64_t codegen::getNumberBytes(Type type) {
  if (type.isIndex())
    return 8;
  if (!type.isIntOrFloat())
    return 0;
  uint64_t bytes = llvm::divideCeil(type.getIntOrFloatBitWidth(), 8u);
  return int64_t(llvm::PowerOf2Ceil(bytes));
}

int64_t codegen::getBufferBytes(MemRefType type) {
  Type element = type.getElementType();
  if (!type.hasStaticShape() || !type.getLayout().isIdentity() ||
      type.getMemorySpace())
    return 0;
  int64_t bytes = getNumberBytes(element);
  // Each bit is stored in a byte.
  if (!element.isIndex() && !element.isInteger(1) && bytes != 0 &&
      bytes * 8 != int64_t(element.getIntOrFloatBitWidth()))
    return 0;
  for (int64_t size : type.getShape())
    if (llvm::MulOverflow(bytes, size, bytes))
      return 0;
  // Sums of many sizes must not overflow.
  constexpr int64_t most = int64_t(1) << 40;
  return bytes <= most ? bytes : 0;
}

/// The lowest offset for `life` that does not overlap `placed`, which are
/// sorted by offset.
static int64_t findPlace(const BufferLife &life,
                         llvm::ArrayRef<BufferLife *> placed) {
  int64_t offset = 0;
  for (const BufferLife *other : placed) {
    if (other->end < life.begin || life.end < other->begin)
      continue;
    if (other->offset - offset >= life.bytes)
      break;
    offset = std::max(
        offset,
        int64_t(llvm::alignTo(other->offset + other->bytes, kBufferAlignment)));
  }
  return offset;
}

namespace {
/// Places buffers one after the other, in different orders.
class BufferPlanner {
public:
  explicit BufferPlanner(llvm::MutableArrayRef<BufferLife> lives);

  int64_t run();

private:
  int64_t place();
  bool moveHighest(int64_t bytes);

  llvm::MutableArrayRef<BufferLife> lives;
  llvm::SmallVector<BufferLife *> order;
};
} // namespace

BufferPlanner::BufferPlanner(llvm::MutableArrayRef<BufferLife> lives)
    : lives(lives) {
  for (BufferLife &life : lives)
    order.push_back(&life);
  // Buffers of the same size keep their order.
  llvm::sort(order, [](const BufferLife *a, const BufferLife *b) {
    return a->bytes != b->bytes ? a->bytes > b->bytes : a < b;
  });
}

/// The bytes of all if each is placed as low as it fits among those before it.
int64_t BufferPlanner::place() {
  llvm::SmallVector<BufferLife *> placed;
  int64_t bytes = 0;
  for (BufferLife *life : order) {
    life->offset = findPlace(*life, placed);
    bytes = std::max(bytes, life->offset + life->bytes);
    auto next = llvm::upper_bound(placed, life,
                                  [](const BufferLife *a, const BufferLife *b) {
                                    return a->offset < b->offset;
                                  });
    placed.insert(next, life);
  }
  return bytes;
}

/// Lets the buffer that ends last be the first to choose a place. Returns false
/// if it already was.
bool BufferPlanner::moveHighest(int64_t bytes) {
  auto highest = llvm::find_if(order, [&](const BufferLife *life) {
    return life->offset + life->bytes == bytes;
  });
  if (highest == order.begin())
    return false;
  std::rotate(order.begin(), highest, std::next(highest));
  return true;
}

/// The bytes of the buffers that are alive together, at most.
static int64_t getMostAlive(llvm::ArrayRef<BufferLife> lives) {
  int64_t most = 0;
  for (const BufferLife &life : lives) {
    int64_t bytes = 0;
    for (const BufferLife &other : lives)
      if (other.begin <= life.begin && life.begin <= other.end)
        bytes += other.bytes;
    most = std::max(most, bytes);
  }
  return most;
}

int64_t BufferPlanner::run() {
  // Each order takes time that grows with the square of the buffers.
  constexpr size_t mostOrders = 64, mostPlaces = 1 << 14;
  int64_t least = place(), bytes = least, bound = getMostAlive(lives);
  llvm::SmallVector<int64_t> best;
  auto keep = [&] {
    best.clear();
    for (const BufferLife &life : lives)
      best.push_back(life.offset);
  };
  keep();
  for (size_t tried = 1;
       tried < mostOrders && least > bound &&
       tried * lives.size() < mostPlaces && moveHighest(bytes);
       ++tried) {
    bytes = place();
    if (bytes >= least)
      continue;
    least = bytes;
    keep();
  }
  for (auto [life, offset] : llvm::zip_equal(lives, best))
    life.offset = offset;
  return least;
}

int64_t codegen::planBuffers(llvm::MutableArrayRef<BufferLife> lives) {
  return BufferPlanner(lives).run();
}
