//===- Technique.h - Techniques that propose choices ------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A technique proposes choices for ops by their profile; the search tries them.
// Adding one is a file in lib/Optimize/Techniques, a line in Techniques.def
// there, and a pass (or rule) of the compiler that obeys the choice
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

/// Values that a place of the program had in a run.
struct ObservedValues {
  profile::ValueKind kind = profile::ValueKind::Dimensions;
  /// One for each element of a tuple ("arg0.dim0").
  std::vector<std::string> names;
  /// Those with the largest share first.
  std::vector<profile::ValueCount> entries;
  /// All observations, with those of values that lack an entry.
  uint64_t total = 0;
  /// The part of the time of all observations that each entry took; empty where
  /// times are not known.
  std::vector<double> weights;

  /// The part that an entry is of all: of the time where that is known, else of
  /// the observations.
  double getShare(size_t entry) const {
    if (!weights.empty())
      return weights[entry];
    return total ? double(entries[entry].count) / double(total) : 0;
  }
};

/// Ops that are alike: decisions about them are one. Functions, loops and
/// branches are sites, too.
struct OpSite {
  /// At least one, in pre-order.
  std::vector<mlir::Operation *> ops;
  tuning::OpSignature signature;
  /// "linalg.matmul transformer/feed_forward/...", of the first.
  std::string label;
  /// In one run of the model, all ops together; 0 where the profile saw none.
  double seconds = 0;
  /// The least time that the machine needs for their operations and bytes, in
  /// the same unit; 0 where it is not known.
  double boundSeconds = 0;
  std::vector<ObservedValues> values;
  /// In the requests that it is measured on, of all of the ops.
  tuning::MeasuredSizes sizes;
};

/// The source of the observed values of sites.
enum class ValueOrigin : uint8_t {
  /// A profile that was given.
  Profile,
  /// A run on the requests that a search measures with.
  Requests,
};

/// Which ops are worth trials.
enum class Effort : uint8_t {
  /// Those that take a part of the time that can be measured.
  Hot,
  /// All of them, whatever the profile says.
  All,
};

/// The model as techniques see it. The module has the form in which decisions
/// know ops: that after the input stage of the pipelines, without choices.
struct ModelSites {
  mlir::ModuleOp module;
  /// The function that is run.
  mlir::Operation *entry = nullptr;
  std::vector<OpSite> sites;
  codegen::TargetModel target;
  /// Seconds of one run of the model.
  double seconds = 0;
  /// Floating point operations of all ops in one run, as far as they are known;
  /// 0: not known.
  double operations = 0;
  /// Whether `seconds` of the sites and their values are of a profile. Without
  /// one techniques go by what ops are.
  bool hasProfile = false;
  ValueOrigin valueOrigin = ValueOrigin::Profile;
  Effort effort = Effort::Hot;
};

/// Choices that are tried together; one for each site.
struct Proposal {
  std::vector<std::pair<size_t, tuning::Choice>> choices;
  /// Probability that it is faster, before anything is known.
  double success = 0.3;
  /// The part of the distance to the bound that it then closes.
  double closes = 0.2;
  /// Whether it is kept even when it is not faster, as long as it is not
  /// slower (smaller code).
  bool isKeptWhenEqual = false;
  /// Whether results change in their last bits or more, so that the error of
  /// each op is to be measured.
  bool changesNumbers = false;
};

struct Technique {
  /// The name in decisions, and in the attribute `mlirprof.choice`.
  llvm::StringRef name;
  llvm::StringRef description;
  tuning::DecisionScope scope;
  /// Whether a profile alone is reason enough for the first proposal, where
  /// nothing can be measured: it costs little where it does not help.
  bool isTrusted;
  /// Proposals in the order in which equally promising ones are tried. Leaves
  /// out choices that the compiler would refuse or makes already.
  std::vector<Proposal> (*propose)(const ModelSites &model);
};

/// All techniques, in the order of Techniques.def.
llvm::ArrayRef<Technique> getTechniques();
/// The technique called `name`, or null.
const Technique *findTechnique(llvm::StringRef name);

} // namespace mlirprof::optimize

#endif // MLIR_PROF_OPTIMIZE_TECHNIQUE_H
