//===- Technique.h - Techniques that propose choices ------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A technique proposes choices for ops by their profile; the search tries them.
// To add one, add a file in lib/Optimize/Techniques, a line in Techniques.def
// there, and a pass (or rule) of the compiler that follows the choice
// (Codegen/Choices.h).
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_OPTIMIZE_TECHNIQUE_H
#define MLIR_PROF_OPTIMIZE_TECHNIQUE_H

#include "mlir-prof/Compile/Compiler.h"
#include "mlir-prof/Tuning/Decision.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/ArrayRef.h"

#include <string>
#include <utility>
#include <vector>

namespace mlirprof::optimize {

/// The values observed at one place of the program in a run.
struct ObservedValues {
  profile::ValueKind kind = profile::ValueKind::Dimensions;
  /// One for each element of a tuple ("arg0.dim0").
  std::vector<std::string> names;
  /// Sorted by share, the largest first.
  std::vector<profile::ValueCount> entries;
  /// The number of all observations, including those of values without an
  /// entry.
  uint64_t total = 0;
  /// The part of the time of all observations that each entry took; empty if
  /// times are unknown.
  std::vector<double> weights;

  /// The share of an entry: of the time if that is known, else of the
  /// observations.
  double getShare(size_t entry) const {
    if (!weights.empty())
      return weights[entry];
    return total ? double(entries[entry].count) / double(total) : 0;
  }
};

/// Ops that are alike and share their decisions. Functions, loops and branches
/// are sites, too.
struct OpSite {
  /// At least one, in pre-order.
  std::vector<mlir::Operation *> ops;
  tuning::OpSignature signature;
  /// The label of the first op: "linalg.matmul transformer/feed_forward/...".
  std::string label;
  /// The time of all ops together in one run of the model; 0 if the profile
  /// does not have it.
  double seconds = 0;
  /// The least time that the machine needs for their operations and bytes, in
  /// the same unit; 0 if unknown.
  double boundSeconds = 0;
  std::vector<ObservedValues> values;
  /// The sizes of all of the ops in the measured requests.
  tuning::MeasuredSizes sizes;
};

/// The source of the observed values of sites.
enum class ValueOrigin : uint8_t {
  /// A given profile.
  Profile,
  /// A run on the requests that the search measures.
  Requests,
};

/// The ops that get trials.
enum class Effort : uint8_t {
  /// Those with a measurable share of the time.
  Hot,
  /// All ops, independent of the profile.
  All,
};

/// The model for techniques. The module has the form in which decisions
/// identify ops: that after the input stage of the pipelines, without choices
/// (StageForm::Canonical).
struct ModelSites {
  mlir::ModuleOp module;
  /// The function that is run.
  mlir::Operation *entry = nullptr;
  std::vector<OpSite> sites;
  codegen::TargetModel target;
  /// Seconds of one run of the model.
  double seconds = 0;
  /// Floating point operations of all ops in one run, as far as they are known;
  /// 0 if unknown.
  double operations = 0;
  /// Whether `seconds` of the sites and their values come from a profile.
  /// Without one, techniques use only the properties of ops.
  bool hasProfile = false;
  ValueOrigin valueOrigin = ValueOrigin::Profile;
  Effort effort = Effort::Hot;
};

/// Choices that are tried together, one for each site.
struct Proposal {
  std::vector<std::pair<size_t, tuning::Choice>> choices;
  /// Prior probability that it is faster.
  double success = 0.3;
  /// The part of the distance to the bound that it closes if it is faster.
  double closes = 0.2;
  /// Whether it is also kept if it is equally fast (for smaller code).
  bool isKeptWhenEqual = false;
  /// Whether results change, if only in their last bits, so that the error of
  /// each op has to be measured.
  bool changesNumbers = false;
};

struct Technique {
  /// The name in decisions, and in the attribute `mlirprof.choice`.
  llvm::StringRef name;
  llvm::StringRef description;
  tuning::DecisionScope scope;
  /// Whether a profile alone justifies the first proposal if nothing can be
  /// measured, since it costs little if it does not help.
  bool isTrusted;
  /// Proposals in the order in which equally promising ones are tried. Leaves
  /// out choices that the compiler would reject or makes anyway.
  std::vector<Proposal> (*propose)(const ModelSites &model);
  /// Choices for `op` of a kernel, in the form in which rules see it, that act
  /// within the kernel: the most promising first, without the rules' own. Null
  /// if those of the technique change the host side.
  std::vector<tuning::Choice> (*proposeInKernel)(
      mlir::Operation *op, const codegen::TargetModel &target) = nullptr;
};

/// All techniques, in the order of Techniques.def.
llvm::ArrayRef<Technique> getTechniques();
/// The technique called `name`, or null.
const Technique *findTechnique(llvm::StringRef name);

} // namespace mlirprof::optimize

#endif // MLIR_PROF_OPTIMIZE_TECHNIQUE_H
