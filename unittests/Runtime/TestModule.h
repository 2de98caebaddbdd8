//===- TestModule.h - Instrumented code for tests ---------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_UNITTESTS_RUNTIME_TESTMODULE_H
#define MLIR_PROF_UNITTESTS_RUNTIME_TESTMODULE_H

#include "mlir-prof/Runtime/prof_rt.h"

#include <string>
#include <vector>

/// A module as the passes make one.
struct TestModule {
  TestModule(std::string name, std::vector<uint32_t> parents,
             std::vector<uint32_t> tupleLengths = {}, uint32_t instances = 0)
      : name(std::move(name)), parents(std::move(parents)),
        tupleLengths(std::move(tupleLengths)) {
    module.abi = PROF_RT_ABI;
    module.probes = uint32_t(this->parents.size());
    module.tables = uint32_t(this->tupleLengths.size());
    module.instances = instances;
    module.parents = this->parents.data();
    module.tuple_lengths = this->tupleLengths.data();
    module.metadata = this->name.data();
    module.metadata_size = this->name.size();
    discard.resize(PROF_RT_HEADER_WORDS + cellOf(module.tables) +
                   module.probes);
    module.discard = discard.data() + PROF_RT_HEADER_WORDS;
  }
  TestModule(const TestModule &) = delete;

  /// Position of a table's cell in a block.
  size_t cellOf(uint32_t table) const {
    size_t position = parents.size() * PROF_RT_SLOT_WORDS;
    for (uint32_t index = 0; index < table; ++index)
      position += PROF_RT_CELL_WORDS(tupleLengths[index]);
    return position;
  }

  std::string name;
  std::vector<uint32_t> parents;
  std::vector<uint32_t> tupleLengths;
  std::vector<int64_t> discard;
  prof_rt_module module = {};
};

inline void addTo(int64_t *word, int64_t value) {
  // Generated code uses plain words; the tests tell the race detector that it
  // is meant.
  __atomic_store_n(word, __atomic_load_n(word, __ATOMIC_RELAXED) + value,
                   __ATOMIC_RELAXED);
}

/// One execution of an inline probe. Its duration is given, not measured, so
/// that the tests know what must come out.
class InlineProbe {
public:
  InlineProbe(const TestModule &module, int64_t *block, uint32_t probe)
      : module(module), block(block), probe(probe),
        calledTicks(block[PROF_RT_WORD_CALLED_TICKS]),
        calledExecutions(block[PROF_RT_WORD_CALLED_EXECUTIONS]),
        executions(block[PROF_RT_WORD_EXECUTIONS]) {}

  void end(int64_t ticks) {
    int64_t *slot = block + probe * PROF_RT_SLOT_WORDS;
    addTo(&slot[PROF_RT_SLOT_TICKS], ticks);
    addTo(&slot[PROF_RT_SLOT_COUNT], 1);
    addTo(&slot[PROF_RT_SLOT_CALLED_TICKS],
          block[PROF_RT_WORD_CALLED_TICKS] - calledTicks);
    addTo(&slot[PROF_RT_SLOT_CALLED_EXECUTIONS],
          block[PROF_RT_WORD_CALLED_EXECUTIONS] - calledExecutions);
    ++block[PROF_RT_WORD_EXECUTIONS];
    if (module.parents[probe] != PROF_RT_NO_PARENT)
      return;
    block[PROF_RT_WORD_CALLED_TICKS] = calledTicks + ticks;
    block[PROF_RT_WORD_CALLED_EXECUTIONS] =
        calledExecutions + block[PROF_RT_WORD_EXECUTIONS] - executions;
  }

private:
  const TestModule &module;
  int64_t *block;
  uint32_t probe;
  int64_t calledTicks;
  int64_t calledExecutions;
  int64_t executions;
};

/// A whole execution of a probe with nothing inside.
inline void runProbe(TestModule &module, uint32_t probe, int64_t ticks) {
  InlineProbe(module, prof_rt_base(&module.module), probe).end(ticks);
}

/// Observes a tuple as generated code does at places that run often.
inline void observeInline(TestModule &module, uint32_t table,
                          const std::vector<int64_t> &tuple) {
  int64_t *cell = prof_rt_base(&module.module) + module.cellOf(table);
  int64_t *seen = cell + PROF_RT_CELL_TUPLE;
  bool same = true;
  for (size_t index = 0; index < tuple.size(); ++index)
    same &= seen[index] == tuple[index];
  if (same)
    return addTo(&cell[PROF_RT_CELL_COUNT], 1);
  for (size_t index = 0; index < tuple.size(); ++index)
    seen[tuple.size() + index] = tuple[index];
  prof_rt_value_changed(&module.module, table, cell);
}

#endif // MLIR_PROF_UNITTESTS_RUNTIME_TESTMODULE_H
