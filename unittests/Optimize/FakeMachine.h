//===- FakeMachine.h - A machine that is not there --------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_UNITTESTS_OPTIMIZE_FAKEMACHINE_H
#define MLIR_PROF_UNITTESTS_OPTIMIZE_FAKEMACHINE_H

#include "NoiseSource.h"
#include "mlir-prof/Optimize/Optimizer.h"

#include <functional>
#include <map>
#include <set>
#include <vector>

using namespace mlirprof::compile;
using namespace mlirprof::optimize;
using namespace mlirprof::record;
using namespace mlirprof::tuning;

namespace mlirprof::test {

inline constexpr Noise kQuiet = {0.001, 0, 0, 0};

/// Those that chose something.
size_t countDecisions(const DecisionDatabase &database);
/// How often what was tried is in the database: its newest outcome of each.
std::map<Choice, unsigned> countTrials(const DecisionDatabase &database);
/// Whether a note of `result` has `text` in it.
bool hasNote(const OptimizerResult &result, llvm::StringRef text);

/// The behavior of a candidate when it is built and run.
enum class Fault : uint8_t {
  None,
  /// Its build crashes.
  BuildCrash,
  /// Its first run does.
  RunCrash,
  /// It never returns, so that all of its time is used.
  Hang,
  WrongResults,
  /// Only for requests that are not one: FakeMachine::search measures with one.
  WrongOnOthers,
};

/// The only choice of a technique for one of the model's ops.
struct FakeChoice {
  /// As part of the model's time.
  double gain = 0;
  Fault fault = Fault::None;
  /// The part of the code, and of the time to build it, that goes away. Not 0:
  /// the choice is for size, so it is kept when it is as fast.
  double smaller = 0;
  /// How much slower the model is by it for FakeMachine::unseen.
  double unseenLoss = 0;
  /// Whether results for these are wrong.
  bool isWrongOnUnseen = false;
};

/// Whether a decision for one op is found again for another one.
enum class Likeness : uint8_t { Different, Similar };

/// Indices into FakeMachine::choices.
using ChoiceSet = std::set<size_t>;

/// Builds and runs a model in no time, on a clock of its own, with
/// noise from a seed. The model has one op for each entry of `choices`; a
/// technique proposes one choice for each.
class FakeMachine {
public:
  FakeMachine(std::vector<FakeChoice> choices, uint64_t seed,
              const Noise &noise, Likeness likeness = Likeness::Different);
  ~FakeMachine();

  /// Searches, with all requests alike. `options` are what is measured with;
  /// `tune` may change the others.
  OptimizerResult
  search(DecisionDatabase &database,
         llvm::function_ref<void(OptimizerOptions &)> tune = nullptr);
  /// For parts of a search, or for one with other techniques: its processes
  /// and its clock. The machine outlives them.
  SearchTools getTools();
  mlir::ModuleOp getModule() const;
  /// The choices with which `result` is built.
  ChoiceSet getChoices(const OptimizerResult &result) const;
  /// The receipt of the trial of a choice, or null.
  static const Receipt *findTrial(const OptimizerResult &result, size_t choice);

  std::vector<FakeChoice> choices;
  /// Sizes that searches measure choices on, too: requests of one array.
  std::vector<int64_t> unseen;
  /// One of them that no model runs on.
  std::optional<int64_t> crashing;
  /// How many times as long everything takes now.
  double slowness = 1;
  /// Something else runs: each measurement takes another multiple of the time.
  bool isDisturbed = false;
  /// Seconds for a build and a run of the model without choices.
  double buildSeconds = 0.5, runSeconds = 1e-3;
  /// Seconds to start another process with a finished build.
  double startSeconds = 0;
  /// Gains count this much.
  double gainFactor = 1;
  /// Called with the choices of each process, before it is started.
  std::function<void(const ChoiceSet &)> onStart;
  /// All builds of the default pipeline, and the runs that servers were asked
  /// for.
  std::vector<ChoiceSet> builds;
  unsigned unoptimizedBuilds = 0;
  /// The unoptimized model takes too long for requests that are not one.
  bool isUnoptimizedSlowOnOthers = false;
  uint64_t runs = 0;
  /// A build with these choices dies after this many more runs; none: never.
  std::optional<std::pair<ChoiceSet, uint64_t>> doomed;

  double now() const { return time; }
  ModelSites &getSites();
  /// Gives the model a constant of twenty elements, or its first element
  /// another value.
  void setConstant(float first);

private:
  class Server;
  llvm::Expected<std::unique_ptr<ModelServer>>
  serve(const CompileOptions &compile, llvm::ArrayRef<Arguments> requests,
        const ServerOptions &options);
  ChoiceSet readChoices(const CompileOptions &compile) const;
  /// The part of the code that is left with `set`.
  double getSize(const ChoiceSet &set) const;

  struct Model;
  std::unique_ptr<Model> model;
  NoiseSource noise, disturbance;
  double time = 1000;
};

} // namespace mlirprof::test

#endif // MLIR_PROF_UNITTESTS_OPTIMIZE_FAKEMACHINE_H
