//===- SearchParts.h - The parts of a search on a fake machine --*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_UNITTESTS_OPTIMIZE_SEARCHPARTS_H
#define MLIR_PROF_UNITTESTS_OPTIMIZE_SEARCHPARTS_H

#include "../../lib/Optimize/Search/UnseenCheck.h"
#include "FakeMachine.h"

namespace mlirprof::test {

/// Parts of a search, for tests of each of them.
struct SearchParts {
  explicit SearchParts(
      FakeMachine &machine,
      llvm::function_ref<void(OptimizerOptions &)> tune = nullptr)
      : machine(machine), options(makeOptions(machine, tune)),
        tools(machine.getTools()) {
    options.save = [this](DecisionDatabase &) { ++saves; };
  }

  /// Measures the model as it is, so that candidates can be compared with it.
  void start() {
    std::vector<std::string> notes;
    llvm::cantFail(reference.compute(notes));
    ModelVersion version;
    version.server = llvm::cantFail(builder.build(ChoiceMap()));
    auto results = llvm::cantFail(version.server->getResults());
    version.error = llvm::cantFail(reference.acceptBaseline(results, notes));
    incumbent.setBaseline(std::move(version));
    llvm::cantFail(unseen.setShapes(reference.takeUnseen(), options.tolerance));
    llvm::cantFail(comparer.calibrate(incumbent.getBaselineServer()));
    double seconds = comparer.getControl()->incumbentSeconds;
    incumbent.setBaselineSeconds(seconds);
    budget.setModelSeconds(seconds);
    budget.setRoundSeconds(comparer.getRoundSeconds());
  }

  /// The model with the `index`-th choice of the machine, not measured.
  ModelVersion build(size_t index) {
    ModelVersion version;
    version.choices = keys.apply(proposals[index], {});
    version.server = llvm::cantFail(builder.build(version.choices));
    return version;
  }

  FakeMachine &machine;
  OptimizerOptions options;
  SearchTools tools;
  DecisionDatabase database;
  /// How often the database was saved.
  unsigned saves = 0;
  TimeBudget budget{tools.clock, options.budgetSeconds, options.usedSeconds,
                    options.requests.size()};
  SearchSpace space{tools.techniques, options.techniques};
  SearchKeys keys{machine.getSites(), "machine"};
  Journal journal{machine.getSites(), space, keys, database, options.save};
  Incumbent incumbent;
  SearchProgress progress{options, budget, journal, incumbent};
  ModelBuilder builder{machine.getModule(), options, tools, budget};
  ModelComparer comparer{builder, options, tools, progress};
  Reference reference{builder, machine.getSites(), options};
  UnseenCheck unseen{builder, comparer, incumbent, progress, budget};
  std::vector<PlannedProposal> proposals = space.propose(machine.getSites());

private:
  static OptimizerOptions
  makeOptions(const FakeMachine &machine,
              llvm::function_ref<void(OptimizerOptions &)> tune) {
    OptimizerOptions options;
    options.requests.resize(1);
    options.budgetSeconds = 1000;
    for (int64_t size : machine.unseen) {
      HostTensor tensor;
      tensor.shape = {size};
      options.unseenRequests.push_back({tensor});
    }
    if (tune)
      tune(options);
    return options;
  }
};

} // namespace mlirprof::test

#endif // MLIR_PROF_UNITTESTS_OPTIMIZE_SEARCHPARTS_H
