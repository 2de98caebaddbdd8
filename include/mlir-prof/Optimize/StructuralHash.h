//===- StructuralHash.h - Knowing an op again -------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The hash of an op is the contentHash (128 bits of XXH3) of its canonical
// form, a text. The text starts with kCanonicalFormat, whose number changes
// whenever the form does, and "exact" or "shape-erased". One line follows for
// the op and for each of its parts:
//
//   op NAME                 then, in this order:
//   attribute NAME VALUE    inherent ones by name; no discardable ones, no
//                           locations, no documentation; of functions neither
//                           visibility nor attributes of arguments and results
//   operand %N / result %N  values are numbered in order of appearance; the
//                           first mention of a value has its type after a
//                           colon, and its origin: an "argument" of a block or
//                           result "#I", for a constant with its value
//   region, block, argument, successor, end
//                           the ops in them, with their references
//
// Texts are written as LENGTH:TEXT. Constants and attributes with more than 16
// elements are written as their type and, if all elements are equal, the
// element; floating point numbers as their bits. In the shape-erased form
// static sizes are "?", arrays named static_* have their length only, and
// constants of type index do not have a value.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_OPTIMIZE_STRUCTURALHASH_H
#define MLIR_PROF_OPTIMIZE_STRUCTURALHASH_H

#include "mlir-prof/Tuning/Decision.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"

#include <string>
#include <vector>

namespace mlirprof::codegen {
struct TargetModel;
} // namespace mlirprof::codegen

namespace mlirprof::optimize {

inline constexpr llvm::StringLiteral kCanonicalFormat = "mlir-prof.op/1";

/// Whether a canonical form has static sizes.
enum class ShapeForm : uint8_t { Exact, Erased };

/// The canonical form of `op`, as above. Ops nested more than 64 regions deep
/// in it are left out, and so are attributes nested as deep.
std::string getCanonicalForm(mlir::Operation *op, ShapeForm form);

/// Computes signatures for one module and caches the hashes of neighbors; the
/// module must not change in the meantime.
class SignatureBuilder {
public:
  /// The neighborhood consists of the form's name, the op's name, the hash of
  /// the producer of each operand and of each outside value that its regions
  /// use, and for each result the sorted hashes of its consumers with the
  /// number of the operand (without a number for a use inside a consumer's
  /// regions).
  tuning::OpSignature get(mlir::Operation *op);

private:
  struct Own {
    std::string exact, shapeErased;
  };
  Own getOwn(mlir::Operation *op);
  std::string getNeighborhood(mlir::Operation *op);

  llvm::DenseMap<mlir::Operation *, Own> known;
};

/// Whether `op` can have decisions: ops with results, structured ops (linalg),
/// branches and loops even without results, and functions; but not constants,
/// terminators, and ops inside a structured op.
bool isDecidable(mlir::Operation *op);

struct SignedOp {
  mlir::Operation *op = nullptr;
  tuning::OpSignature signature;
};
/// All ops in `root` with isDecidable, in pre-order, except those nested more
/// than 256 regions deep.
std::vector<SignedOp> getSignatures(mlir::Operation *root);

/// The properties of a machine on which times depend, for DecisionKey: "znver4
/// v512 r32 l1:32768 l2:1048576 threads:2".
std::string getMachineKey(const codegen::TargetModel &target);

} // namespace mlirprof::optimize

#endif // MLIR_PROF_OPTIMIZE_STRUCTURALHASH_H
