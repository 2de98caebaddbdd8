//===- HloMatcher.h - HLO instructions to ops -------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_MATCH_HLO_HLOMATCHER_H
#define MLIR_PROF_LIB_MATCH_HLO_HLOMATCHER_H

#include "../KeyMatcher.h"
#include "../MatchBuilder.h"
#include "DataGraph.h"
#include "HloWalk.h"
#include "Tiers.h"
#include "mlir-prof/Profile/Profile.h"
#include "llvm/ADT/StringSet.h"

#include <memory>
#include <optional>

namespace mlirprof::match {

/// The evidence of one instruction's metadata about its op: for each name the
/// candidates that the tiers left, and the weakest tier that was needed.
struct InstructionMatch {
  struct Name {
    std::string name;
    OwnerCandidates candidates;
    attribution::MatchTier tier = attribution::MatchTier::LocationPath;
  };
  llvm::SmallVector<Name, 1> names;
  /// Whether it computes all of its candidates, which the compiler merged.
  bool isMerged = false;

  /// The op if there is exactly one, else kNone.
  uint32_t getOnlyOp() const;
};

/// One HLO module and the matches of its instructions.
struct HloProgram {
  explicit HloProgram(const profile::HloModule &module);

  const profile::HloModule &module;
  profile::HloIndex index;
  HloWalk walk;
  /// Names of the program's arguments ("params['W1']"). Instructions that the
  /// compiler adds to prepare one have its name too, which is not that of an
  /// op.
  llvm::StringSet<> arguments;
  std::vector<InstructionMatch> matches;
  /// Whether alignByData made the matches.
  bool isAligned = false;
};

/// Data about a module that alignByData uses for all programs.
struct ModuleData {
  explicit ModuleData(const module::ModuleIndex &index);

  DataGraph graph;
  /// The names of its ops without numbers (ScopeName::getText).
  llvm::StringSet<> names;
};

/// Replaces the matches if they show that the program was made from another
/// state of the module, in which the matrix products and convolutions have
/// other sizes or a different number, or if one product may still be several
/// ops. Returns whether it did. Products are then matched by names, sizes and
/// their order along the data, other instructions by the products before and
/// after them; equally good ops are kept together.
bool alignByData(const module::ModuleIndex &index, PathResolver &resolver,
                 const ModuleData &data, HloProgram &program);

/// Narrows the candidates of products by sizes, those of the whole for products
/// that are computed in parts.
void narrowBySizes(const module::ModuleIndex &index, HloProgram &program);
/// Finds the ops of products that the compiler merged into one instruction,
/// which has the name of the first.
void addMergedProducts(const module::ModuleIndex &index, HloProgram &program);
/// Gives the instructions that add up the parts of a product its match.
void copyToSums(HloProgram &program);

/// Opcodes that the compiler moves and creates freely: a search for the op that
/// computed a value continues after them.
bool isMovedFreely(llvm::StringRef opcode);
/// The only op of kind `opcode` whose result reaches `op` through ops that pass
/// data on, or kNone.
uint32_t findFoldedWork(const module::ModuleIndex &index, uint32_t op,
                        llvm::StringRef opcode);
/// Narrows candidates that the tiers before left, by the matches of the
/// operands and users of `instruction`.
void narrowByNeighbors(const module::ModuleIndex &index, HloProgram &program);
/// If as many instructions as ops remain for one name, the n-th instruction is
/// the n-th op.
void narrowByOrder(const module::ModuleIndex &index, HloProgram &program);
/// The instructions with names that fit an instruction created by the compiler:
/// its users, or else its operands.
llvm::SmallVector<uint32_t> findNamedNeighbors(const HloProgram &program,
                                               uint32_t instruction);

/// Matches instructions of XLA's programs.
class HloMatcher : public KeyMatcher {
public:
  HloMatcher(const module::ModuleIndex &index, PathResolver &resolver,
             const profile::Profile &profile, const MatchOptions &options);

  attribution::Match match(uint32_t key) override;

private:
  HloProgram &getProgram(const profile::HloModule &module);
  void align(HloProgram &program);
  InstructionMatch matchInstruction(const HloProgram &program,
                                    const profile::HloInstruction &instruction);
  void addMembers(const HloProgram &program, llvm::ArrayRef<uint32_t> members,
                  MatchBuilder &builder) const;
  void addNames(llvm::ArrayRef<std::string> names, MatchBuilder &builder);
  llvm::SmallVector<std::string, 1>
  getNames(const HloProgram &program,
           const profile::HloInstruction &instruction);
  /// Weights of the owners of a fusion that only adds up the parts of a product
  /// which other work computed.
  void addSumCosts(const HloProgram &program, llvm::ArrayRef<uint32_t> members,
                   attribution::Match &match) const;
  /// Weights of the owners of a collective, whose time is proportional to the
  /// data.
  void addSendCosts(llvm::StringRef opcode, attribution::Match &match) const;
  const OwnerCandidates &resolve(llvm::StringRef name);

  const module::ModuleIndex &index;
  PathResolver &resolver;
  const profile::Profile &profile;
  MatchRule rule;
  llvm::DenseMap<const profile::HloModule *, std::unique_ptr<HloProgram>>
      programs;
  std::unique_ptr<ModuleData> data;
  /// Number of products of the module, computed on first use.
  std::optional<uint32_t> products;
};

} // namespace mlirprof::match

#endif // MLIR_PROF_LIB_MATCH_HLO_HLOMATCHER_H
