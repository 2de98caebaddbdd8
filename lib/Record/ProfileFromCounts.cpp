//===- ProfileFromCounts.cpp - Counts of instructions as a profile --------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Profile/CountedUnit.h"
#include "mlir-prof/Profile/MachineCode.h"
#include "mlir-prof/Profile/ProfileFile.h"
#include "mlir-prof/Record/Emulator.h"
#include "mlir-prof/Record/ProfileFromRun.h"
#include "mlir-prof/Support/Error.h"
#include "mlir-prof/Support/File.h"
#include "mlir-prof/Support/Version.h"
#include "mlir-prof/Trace/Time.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace mlirprof;
using namespace mlirprof::compile;
using namespace mlirprof::profile;
using namespace mlirprof::record;
using namespace mlirprof::trace;

namespace {
/// Adds up the executions of each instruction and of each other function.
class Counter {
public:
  Counter(const Program &program, uint64_t codeBegin,
          ArrayRef<OtherFunction> others)
      : program(program), codeBegin(codeBegin), others(others) {}

  void add(uint64_t address, uint64_t executed);
  /// Moves the sums into `profile` and `run`.
  void finish(Profile &profile, Run &run) const;

private:
  void addOp(OpKey key, uint64_t executed, Profile &profile, Run &run) const;

  const Program &program;
  uint64_t codeBegin;
  ArrayRef<OtherFunction> others;
  std::map<uint32_t, uint64_t> instructions;
  std::map<std::string, uint64_t> functions;
};
} // namespace

void Counter::add(uint64_t address, uint64_t executed) {
  uint64_t offset = address - codeBegin;
  uint32_t instruction =
      findFunction(program, offset) ? findInstruction(program, offset) : kNone;
  if (instruction != kNone) {
    instructions[instruction] += executed;
    return;
  }
  const auto *next =
      llvm::upper_bound(others, address, [](uint64_t at, const auto &function) {
        return at < function.begin;
      });
  if (next != others.begin() && address < std::prev(next)->end)
    functions[std::prev(next)->name] += executed;
}

/// Each execution is one unit of the count.
void Counter::addOp(OpKey key, uint64_t executed, Profile &profile,
                    Run &run) const {
  Summary one, sum;
  one.add(1);
  // By doubling, as there may be millions of them.
  for (uint64_t left = executed; left != 0; left /= 2) {
    if (left % 2)
      sum.merge(one);
    one.merge(Summary(one));
  }
  OpSummary op;
  op.op = uint32_t(profile.opKeys.size());
  profile.opKeys.push_back(std::move(key));
  op.measurements.push_back({Quantity::Execute, sum});
  op.measurements.push_back({Quantity::Self, sum});
  run.opBusyPs = saturatingAdd(run.opBusyPs, sum.sum);
  run.ops.push_back(std::move(op));
}

void Counter::finish(Profile &profile, Run &run) const {
  for (auto [instruction, executed] : instructions)
    addOp(makeCodeKey(program, instruction, ""), executed, profile, run);
  for (const auto &[name, executed] : functions)
    addOp(makeOutsideKey(name, OutsideKind::Outside), executed, profile, run);
  run.opInflightPs = run.opBusyPs;
}

/// Names the content of the run.
static std::string hashCounts(const Program &program,
                              const InstructionCounts &counts) {
  std::string bytes = program.fingerprint;
  for (auto [address, executed] : counts)
    bytes += std::to_string(address) + ' ' + std::to_string(executed) + '\n';
  return contentHash(bytes);
}

Error record::addCounts(const CompiledModel &model,
                        const InstructionCounts &counts, uint64_t codeBegin,
                        ArrayRef<OtherFunction> others, uint64_t calls,
                        Profile &profile) {
  auto added = addProgram(model, profile);
  if (!added)
    return added.takeError();
  const Program &program = profile.programs[*added];
  Counter counter(program, codeBegin, others);
  for (auto [address, executed] : counts)
    counter.add(address, executed);
  Run run;
  counter.finish(profile, run);
  if (run.ops.empty())
    return inputError("the run", "did not execute the model");
  setCountedUnit(run, "instructions");
  run.hash = hashCounts(program, counts);
  run.producer = {"mlir-prof", "mlir-prof record", getVersion().str()};
  run.machine.cpu = program.target;
  run.facts.emplace_back("entry", program.entry);
  run.facts.emplace_back("pipeline", program.pipeline);
  run.facts.emplace_back("calls", std::to_string(calls));
  for (const Loss &loss : model.losses)
    run.losses.push_back(loss);
  profile.runs.push_back(std::move(run));
  return Error::success();
}
