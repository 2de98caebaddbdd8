//===- StructuralHash.h - Knowing an op again -------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A hash is contentHash (128 bits of XXH3) of an op's canonical form, a text.
// It starts with kCanonicalFormat, whose number changes whenever the form does,
// and "exact" or "shape-erased". A line follows for the op and for each part:
//
//   op NAME                 then, in this order:
//   attribute NAME VALUE    inherent ones by name; no discardable ones, no
//                           locations, no documentation; of functions neither
//                           visibility nor attributes of arguments and results
//   operand %N / result %N  values are numbered in the order in which they
//   come;
//                           at its first mention a value tells its type after a
//                           colon, and what it is: an "argument" of a block or
//                           result "#I", of a constant with its value
//   region, block, argument, successor, end
//                           the ops in them, with what they refer to
//
// Texts are written as LENGTH:TEXT. Constants and attributes with more than 16
// elements count by their type and, when all are equal, by the element;
// floating point numbers count by their bits. Shape-erased, static sizes are
// "?", arrays named static_* tell their length only, and constants of type
// index nothing.
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

/// The canonical form of `op`, as above. Ops more than 64 regions deep in it
/// are left out, and so is what stands as deep in attributes.
std::string getCanonicalForm(mlir::Operation *op, ShapeForm form);

/// Computes signatures, and keeps the hashes of neighbors: for one module,
/// which must not change meanwhile.
class SignatureBuilder {
public:
  /// The neighborhood: the form's name, the op's name, for each operand and
  /// each value of outside that its regions use the hash of its producer, and
  /// for each result those of its consumers with the number of the operand
  /// (for a use inside of a consumer's regions none), sorted.
  tuning::OpSignature get(mlir::Operation *op);

private:
  struct Own {
    std::string exact, shapeErased;
  };
  Own getOwn(mlir::Operation *op);
  std::string getNeighborhood(mlir::Operation *op);

  llvm::DenseMap<mlir::Operation *, Own> known;
};

/// Whether decisions may be about `op`: it computes something, as itself. Ops
/// with results, structured ones (linalg), branches and loops without, and
/// functions; no constants, no terminators and nothing inside of a structured
/// op.
bool isDecidable(mlir::Operation *op);

struct SignedOp {
  mlir::Operation *op = nullptr;
  tuning::OpSignature signature;
};
/// All that isDecidable in `root`, in pre-order, less what stands more than 256
/// regions deep.
std::vector<SignedOp> getSignatures(mlir::Operation *root);

/// The properties of a machine that times depend on, for DecisionKey:
/// "znver4 v512 r32 l1:32768 l2:1048576 threads:2".
std::string getMachineKey(const codegen::TargetModel &target);

} // namespace mlirprof::optimize

#endif // MLIR_PROF_OPTIMIZE_STRUCTURALHASH_H
