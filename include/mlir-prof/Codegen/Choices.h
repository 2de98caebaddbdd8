//===- Choices.h - Choices made for an op -----------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// If an op carries a choice, the pass responsible for it follows the choice
// instead of its own rules, as far as possible. The pass checks its
// preconditions, so a choice meant for another op costs time but never
// correctness. Choices are stored in the discardable attribute
//
//   mlirprof.choice = {algorithm = {name = "winograd4"}, threads = {count =
//   "1"}}
//
// which passes hand on to the ops that they make of it.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_CODEGEN_CHOICES_H
#define MLIR_PROF_CODEGEN_CHOICES_H

#include "mlir/IR/Operation.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace mlirprof::codegen {

inline constexpr llvm::StringLiteral kChoiceAttribute = "mlirprof.choice";

/// Techniques and their parameters, as passes know them.
namespace choice {
/// How a convolution or product is computed; parameter `name`: "direct",
/// "product" (as a matrix product), "winograd2", "winograd4".
inline constexpr llvm::StringLiteral kAlgorithm = "algorithm";
/// Threads that the op's loops use; parameter `count`.
inline constexpr llvm::StringLiteral kThreads = "threads";
/// The elementwise ops computed together; parameter `with`: "none" (the op is
/// not fused into its consumer), "all" (the op is fused into each of its
/// consumers, recomputed as often as they need it).
inline constexpr llvm::StringLiteral kFusion = "fusion";
/// The register tile of a matrix product: parameters `rows` and `vectors`.
inline constexpr llvm::StringLiteral kTiles = "tiles";
/// The goal of the generated code; parameter `for`: "size".
inline constexpr llvm::StringLiteral kCode = "code";
/// On a function: its versions, see Versions.cpp.
inline constexpr llvm::StringLiteral kVersions = "versions";
/// Profile counts of branches and loops: parameters `taken` and `not-taken`
/// (how often the first region ran and did not run), `trips` (mean trip count
/// of a loop per entry), and `always` ("true": every entry had this trip
/// count).
inline constexpr llvm::StringLiteral kBranches = "branches";

/// The largest numbers that passes accept.
inline constexpr int64_t kMostThreads = int64_t(1) << 16;
inline constexpr int64_t kMostTileRows = 32;
inline constexpr int64_t kMostTileVectors = 16;
/// Runs of a region, and trips of a loop.
inline constexpr int64_t kMostCounts = int64_t(1) << 48;
} // namespace choice

/// The value of a technique's parameter on `op`; none if the op does not have
/// such a choice or the choice has another form.
std::optional<llvm::StringRef> getChoice(mlir::Operation *op,
                                         llvm::StringRef technique,
                                         llvm::StringRef parameter);
/// The same for a number from 0 to `most`.
std::optional<int64_t> getNumberChoice(mlir::Operation *op,
                                       llvm::StringRef technique,
                                       llvm::StringRef parameter, int64_t most);

/// Sets all parameters of a technique. Without parameters, removes the choice.
void setChoice(mlir::Operation *op, llvm::StringRef technique,
               const std::map<std::string, std::string> &parameters);

/// Copies the choices of `from` to `to`, except techniques that `to` already
/// has and the technique `without`. The algorithm is not copied, since it is
/// already carried out, unless it is "direct", which leaves no trace in the op.
void copyChoices(mlir::Operation *from, mlir::Operation *to,
                 llvm::StringRef without = "");

/// Copies the choices of an op to the structured ops and loops created while it
/// is rewritten.
class ChoiceKeeper : public mlir::RewriterBase::Listener {
public:
  /// The op that is being rewritten; null for none.
  void setSource(mlir::Operation *op);
  void notifyOperationInserted(mlir::Operation *op,
                               mlir::OpBuilder::InsertPoint before) override;

private:
  /// The source's attribute, copied because the op may be erased before the
  /// last new op is created.
  mlir::Attribute choices;
};

/// Copies choices to the branches and loops that replace another one in a
/// pattern. For GreedyRewriteConfig::setListener.
class RebuildKeeper : public mlir::RewriterBase::Listener {
public:
  void notifyPatternBegin(const mlir::Pattern &pattern,
                          mlir::Operation *op) override;
  void notifyPatternEnd(const mlir::Pattern &pattern,
                        mlir::LogicalResult status) override;
  void notifyOperationInserted(mlir::Operation *op,
                               mlir::OpBuilder::InsertPoint before) override;

private:
  /// The op on which the pattern was called, recorded because the op may be
  /// erased.
  std::optional<mlir::OperationName> kind;
  mlir::Value condition;
  mlir::Attribute choices;
};

/// Removes the choices from all ops in `root`.
void stripChoices(mlir::Operation *root);

} // namespace mlirprof::codegen

#endif // MLIR_PROF_CODEGEN_CHOICES_H
