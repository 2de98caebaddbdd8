//===- Choices.h - What was chosen for an op --------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where a choice stands on an op, the pass that it is for follows it and not
// its own rules, as far as it can: a pass checks what it needs, so that a
// choice for another op costs time and never correctness. An op has its choices
// as the discardable attribute
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

/// Techniques, and their parameters, that passes know.
namespace choice {
/// How a convolution or product is computed; parameter `name`: "direct",
/// "product" (a product of matrices), "winograd2", "winograd4".
inline constexpr llvm::StringLiteral kAlgorithm = "algorithm";
/// Threads that the op's loops use; parameter `count`.
inline constexpr llvm::StringLiteral kThreads = "threads";
/// Which elementwise ops are computed together; parameter `with`: "none" (the
/// op is not fused into its consumer), "all" (into each of its consumers, as
/// often as they need it).
inline constexpr llvm::StringLiteral kFusion = "fusion";
/// The register tile of a product: parameters `rows` and `vectors`.
inline constexpr llvm::StringLiteral kTiles = "tiles";
/// What the code is to be good at; parameter `for`: "size".
inline constexpr llvm::StringLiteral kCode = "code";
/// On a function: its versions, see Versions.cpp.
inline constexpr llvm::StringLiteral kVersions = "versions";
/// On branches and loops: parameters `taken` and `not-taken` (how often the
/// first region ran, and how often not), `trips` (of a loop each time that it
/// is entered, the mean), and `always` ("true": these trips were the only
/// ones).
inline constexpr llvm::StringLiteral kBranches = "branches";

/// The largest numbers that passes follow.
inline constexpr int64_t kMostThreads = int64_t(1) << 16;
inline constexpr int64_t kMostTileRows = 32;
inline constexpr int64_t kMostTileVectors = 16;
/// Runs of a region, and trips of a loop.
inline constexpr int64_t kMostCounts = int64_t(1) << 48;
} // namespace choice

/// The value of a parameter of a technique on `op`; none when there is no such
/// choice, or it has another form.
std::optional<llvm::StringRef> getChoice(mlir::Operation *op,
                                         llvm::StringRef technique,
                                         llvm::StringRef parameter);
/// The same for a number of at least 0 and at most `most`.
std::optional<int64_t> getNumberChoice(mlir::Operation *op,
                                       llvm::StringRef technique,
                                       llvm::StringRef parameter, int64_t most);

/// Sets all parameters of a technique; without any, takes its choice off.
void setChoice(mlir::Operation *op, llvm::StringRef technique,
               const std::map<std::string, std::string> &parameters);

/// Gives `to` the choices of `from` that it has none of the same technique for,
/// less that of `without`. An algorithm stays behind, as it is carried out by
/// then, unless it is "direct", which is nothing that ops show.
void copyChoices(mlir::Operation *from, mlir::Operation *to,
                 llvm::StringRef without = "");

/// Gives structured ops and loops that are made meanwhile the choices of an op.
class ChoiceKeeper : public mlir::RewriterBase::Listener {
public:
  /// The op that is being rewritten; null: none.
  void setSource(mlir::Operation *op);
  void notifyOperationInserted(mlir::Operation *op,
                               mlir::OpBuilder::InsertPoint before) override;

private:
  /// Its attribute: the op itself may be gone before the last one is made.
  mlir::Attribute choices;
};

/// Gives branches and loops that a pattern makes anew the choices of the one
/// that it replaces. For GreedyRewriteConfig::setListener.
class RebuildKeeper : public mlir::RewriterBase::Listener {
public:
  void notifyPatternBegin(const mlir::Pattern &pattern,
                          mlir::Operation *op) override;
  void notifyPatternEnd(const mlir::Pattern &pattern,
                        mlir::LogicalResult status) override;
  void notifyOperationInserted(mlir::Operation *op,
                               mlir::OpBuilder::InsertPoint before) override;

private:
  /// What the pattern was called for, as it was: it may be gone.
  std::optional<mlir::OperationName> kind;
  mlir::Value condition;
  mlir::Attribute choices;
};

/// Takes the choices off all ops in `root`.
void stripChoices(mlir::Operation *root);

} // namespace mlirprof::codegen

#endif // MLIR_PROF_CODEGEN_CHOICES_H
