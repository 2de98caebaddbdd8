//===- Sequence.h - Ops in order, and their repeats ----------- -*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_COMPILE_REPEATS_SEQUENCE_H
#define MLIR_PROF_LIB_COMPILE_REPEATS_SEQUENCE_H

#include "mlir/IR/Block.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <optional>
#include <vector>

namespace mlirprof::compile {

/// The value of the constant op that defines `value`; null for other values.
mlir::Attribute getConstant(mlir::Value value);

/// The ops of a block in their order, without constants and the terminator.
class Sequence {
public:
  explicit Sequence(mlir::Block &block);

  llvm::ArrayRef<mlir::Operation *> getOps() const { return ops; }
  size_t size() const { return ops.size(); }
  /// The position of the op that defines `value`; none if that is not an op of
  /// the sequence.
  std::optional<size_t> find(mlir::Value value) const;

private:
  std::vector<mlir::Operation *> ops;
  llvm::DenseMap<mlir::Operation *, size_t> positions;
};

/// `count` pieces of `length` ops each, one after the other, from `begin` on.
struct Run {
  size_t begin = 0, length = 0, count = 0;
  /// The end of the ops that are like those `length` before: of the last piece,
  /// or of the beginning of one more.
  size_t likeEnd = 0;

  size_t getEnd() const { return begin + length * count; }
};

/// Whether two ops may use one constant in place of the other.
using ConstantRelation =
    llvm::function_ref<bool(mlir::Attribute, mlir::Attribute)>;

/// The pieces that follow each other so that each is like the one before: its
/// ops are, they use equal or related constants, and other values that are the
/// same or in the same place of the piece before. The most ops that are in such
/// pieces, at least `fewest` of them; none if there are no such pieces.
std::optional<Run> findRun(const Sequence &sequence, size_t fewest,
                           ConstantRelation areRelated);

} // namespace mlirprof::compile

#endif // MLIR_PROF_LIB_COMPILE_REPEATS_SEQUENCE_H
