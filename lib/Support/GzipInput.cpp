//===- GzipInput.cpp - Inflating a file while reading it ------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Support/GzipInput.h"
#include "GzipMembers.h"
#include "llvm/Support/MathExtras.h"

#include <sys/mman.h>

using namespace mlirprof;

/// Minimum number of bytes inflated at a time, which suits zlib and the cache.
static constexpr size_t kPiece = size_t(1) << 20;
/// Deflate's maximum expansion factor.
static constexpr uint64_t kMostOfDeflate = 1032;

/// Addresses without memory, beginning at a multiple of `step`; null if there
/// are none.
static char *reserve(size_t size, size_t step) {
  void *mapped = mmap(nullptr, size + step, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapped == MAP_FAILED)
    return nullptr;
  char *begin = static_cast<char *>(mapped);
  size_t before = llvm::alignTo(uintptr_t(begin), step) - uintptr_t(begin);
  if (before)
    munmap(begin, before);
  munmap(begin + before + size, step - before);
  madvise(begin + before, size, MADV_HUGEPAGE);
  return begin + before;
}

GzipInput::GzipInput(std::unique_ptr<GzipMembers> members, char *first,
                     size_t room)
    : members(std::move(members)), first(first), last(first), released(first),
      room(room) {}

uint64_t mlirprof::getInflationLimit(uint64_t size, uint64_t ratio) {
  constexpr uint64_t kAlways = uint64_t(512) << 20;
  return std::max(kAlways, llvm::SaturatingMultiply(size, ratio));
}

std::unique_ptr<GzipInput>
GzipInput::open(llvm::StringRef bytes, llvm::StringRef path, uint64_t limit) {
  // One byte more than the limit allows, so that the byte exceeding it fits,
  // and never fewer than needed.
  uint64_t most = std::min(limit, llvm::SaturatingMultiply<uint64_t>(
                                      bytes.size() + 1, kMostOfDeflate)) +
                  1;
  size_t room = llvm::alignTo(most, kStep);
  char *first = reserve(room, size_t(kStep));
  if (!first)
    return nullptr;
  return std::unique_ptr<GzipInput>(new GzipInput(
      std::make_unique<GzipMembers>(bytes, path, limit), first, room));
}

GzipInput::~GzipInput() {
  llvm::consumeError(std::move(error));
  munmap(first, room);
}

void GzipInput::inflate(const char *at, size_t count) {
  while (!complete && size_t(last - at) < count) {
    size_t left = room - size_t(last - first);
    size_t wanted = std::max(kPiece, count - size_t(last - at));
    size_t inflated = 0;
    llvm::Error now = members->read(last, std::min(left, wanted), inflated);
    last += inflated;
    complete = now || members->isDone();
    error = llvm::joinErrors(std::move(error), std::move(now));
  }
}

void GzipInput::releaseSteps(const char *at) {
  char *until = released + (at - released) / kStep * kStep;
  madvise(released, size_t(until - released), MADV_DONTNEED);
  released = until;
}

llvm::Error GzipInput::finish() {
  while (!complete) {
    require(last, kPiece);
    release(last);
  }
  return std::move(error);
}
