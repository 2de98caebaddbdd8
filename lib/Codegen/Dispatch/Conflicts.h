//===- Conflicts.h - Which dispatches wait for which ------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_CODEGEN_DISPATCH_CONFLICTS_H
#define MLIR_PROF_LIB_CODEGEN_DISPATCH_CONFLICTS_H

#include "mlir/IR/Value.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

#include <bitset>
#include <map>
#include <vector>

namespace mlirprof::codegen {

/// Bytes of a buffer that a dispatch reads or writes.
struct ByteAccess {
  /// The buffer that these are bytes of. Two of them do not overlap, but for
  /// null: some argument of the function.
  mlir::Value base;
  int64_t begin = 0, end = INT64_MAX;
  bool isWrite = false;
  /// It may be any memory.
  bool isAnywhere = false;
};

/// Finds, for the dispatches of a program in order, the earlier ones that they
/// wait for. Takes time about in proportion to their number.
class ConflictFinder {
public:
  /// The dispatches for which the next one waits, ascending. Those for which
  /// others of them wait are left out, as far as they are not too many
  /// dispatches ago.
  std::vector<uint32_t> add(llvm::ArrayRef<ByteAccess> accesses);

private:
  static constexpr uint32_t kNone = UINT32_MAX;
  /// Dispatches of which is remembered who waits for whom.
  static constexpr size_t kWindow = 256;
  /// Neighboring bytes that were accessed alike.
  struct Piece {
    int64_t end;
    uint32_t writer;
    llvm::SmallVector<uint32_t, 2> readers;
  };
  using Pieces = std::map<int64_t, Piece>;

  void access(const ByteAccess &access, std::vector<uint32_t> &found);
  static void cut(Pieces &pieces, int64_t at);
  std::vector<uint32_t> reduce(std::vector<uint32_t> found);

  uint32_t count = 0;
  /// The last dispatch that may have accessed anything.
  uint32_t barrier = kNone;
  llvm::DenseMap<mlir::Value, Pieces> memory;
  /// By dispatch: bit k is set if it waits for the one k + 1 before it.
  std::vector<std::bitset<kWindow>> waits;
};

} // namespace mlirprof::codegen

#endif // MLIR_PROF_LIB_CODEGEN_DISPATCH_CONFLICTS_H
