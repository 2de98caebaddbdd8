//===- InlineProbes.cpp - The code of inline probes -----------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProbeCode.h"

#include "mlir-prof/Runtime/prof_rt.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::profile;
using namespace mlirprof::trace;
using namespace mlirprof::transforms;

InlineProbes::InlineProbes(RuntimeModule &runtime, ThreadBlocks &blocks,
                           const CalledProbes &calledProbes,
                           const NestedProbes &nestedProbes,
                           const Program &program, int64_t firstOpen,
                           InlineOptions options)
    : runtime(runtime), blocks(blocks), calledProbes(calledProbes),
      nestedProbes(nestedProbes), program(program), options(options),
      firstOpen(firstOpen) {}

InlineProbes::CallSums InlineProbes::getCallSums(prof::BeginOp begin) const {
  auto function = begin->getParentOfType<FunctionOpInterface>();
  bool isCalled = calledProbes.isCalled(function);
  bool isOutermost = program.probes[begin.getProbe()].parent == kNone;
  // Inlined code runs in its caller's probe like a call. The program does not
  // record that, since the code may run elsewhere too.
  CallSums sums;
  sums.collects = nestedProbes.holdsInlined(begin) ||
                  (begin.getCalls() && calledProbes.callsProbes(function));
  sums.handsOn = isOutermost && (isCalled || nestedProbes.isInlined(begin));
  sums.counted = !sums.handsOn && (isCalled || nestedProbes.isInInlined(begin));
  sums.recurses = begin.getCalls() && calledProbes.callsItself(function);
  return sums;
}

Value InlineProbes::readClock(OpBuilder &builder, Location location) {
  if (options.clock == ProbeClock::Runtime)
    return runtime
        .call(builder, location, "prof_rt_ticks", builder.getI64Type(), {})
        .getResult();
  return LLVM::CallIntrinsicOp::create(
             builder, location, builder.getI64Type(),
             builder.getStringAttr("llvm.readcyclecounter"), ValueRange{})
      .getResult(0);
}

InlineProbes::Started InlineProbes::lowerBegin(prof::BeginOp begin,
                                               CallSums sums) {
  BlockAddresses block = blocks.get(begin);
  OpBuilder builder(begin);
  BlockWords header(builder, begin.getLoc(), block.header);
  Started started;
  if (sums.collects || sums.handsOn) {
    started.calledTicks = header.load(PROF_RT_WORD_CALLED_TICKS);
    started.calledExecutions = header.load(PROF_RT_WORD_CALLED_EXECUTIONS);
  }
  if (sums.handsOn)
    started.executions = header.load(PROF_RT_WORD_EXECUTIONS);
  if (sums.recurses) {
    BlockWords open(builder, begin.getLoc(), block.open);
    started.open = open.add(firstOpen + begin.getProbe(), open.constant(1));
  }
  started.ticks = readClock(builder, begin.getLoc());
  return started;
}

/// Time within a recursive execution counts once.
void InlineProbes::addTicks(BlockWords &slots, int64_t slot, Value ticks,
                            const Started &started) {
  if (!started.open) {
    slots.add(slot + PROF_RT_SLOT_TICKS, ticks);
    return;
  }
  Value nested = slots.onlyIf(slots.isSome(started.open), ticks);
  slots.add(slot + PROF_RT_SLOT_TICKS, slots.subtract(ticks, nested));
  slots.add(slot + PROF_RT_SLOT_CALLED_TICKS,
            slots.subtract(slots.constant(0), nested));
}

void InlineProbes::lowerEnd(prof::EndOp end, const Started &started,
                            CallSums sums) {
  BlockAddresses block = blocks.get(end);
  OpBuilder builder(end);
  Location location = end.getLoc();
  BlockWords words(builder, location, block.header);
  BlockWords slots(builder, location, block.slots);
  int64_t slot = int64_t(end.getProbe()) * PROF_RT_SLOT_WORDS;
  auto plus = [&](Value a, Value b) -> Value {
    return LLVM::AddOp::create(builder, location, a, b);
  };
  auto minus = [&](Value a, Value b) -> Value {
    return LLVM::SubOp::create(builder, location, a, b);
  };

  Value now = readClock(builder, location);
  Value ticks = minus(now, started.ticks);
  addTicks(slots, slot, ticks, started);
  if (sums.recurses)
    BlockWords(builder, location, block.open)
        .store(firstOpen + end.getProbe(), started.open);
  Value one = words.constant(1);
  Value count = slots.add(slot + PROF_RT_SLOT_COUNT, one);

  Value executions;
  if (sums.collects || sums.handsOn)
    executions = words.load(PROF_RT_WORD_CALLED_EXECUTIONS);
  if (sums.collects) {
    slots.add(
        slot + PROF_RT_SLOT_CALLED_TICKS,
        minus(words.load(PROF_RT_WORD_CALLED_TICKS), started.calledTicks));
    slots.add(slot + PROF_RT_SLOT_CALLED_EXECUTIONS,
              minus(executions, started.calledExecutions));
  }
  if (sums.counted)
    words.add(PROF_RT_WORD_EXECUTIONS, one);
  if (sums.handsOn) {
    // For its caller this execution is one unit: its callees are within its
    // ticks, and its own nested probes have left the scratch word.
    words.store(PROF_RT_WORD_CALLED_TICKS, plus(started.calledTicks, ticks));
    Value own = minus(words.load(PROF_RT_WORD_EXECUTIONS), started.executions);
    words.store(PROF_RT_WORD_CALLED_EXECUTIONS,
                plus(executions, plus(own, one)));
    words.store(PROF_RT_WORD_EXECUTIONS, started.executions);
  }
  if (options.instances > 0)
    keepInstance(end, count, started.ticks, now);
}

void InlineProbes::keepInstance(prof::EndOp end, Value count, Value from,
                                Value to) {
  OpBuilder builder(end);
  Location location = end.getLoc();
  BlockWords words(builder, location, {});
  Value early =
      LLVM::ICmpOp::create(builder, location, LLVM::ICmpPredicate::ult, count,
                           words.constant(options.instances));
  Block *aside = branchTo(builder, location, early);
  builder.setInsertionPointToStart(aside);
  Value id = runtime.getProbe(builder, location, end, end.getProbe());
  runtime.call(builder, location, "prof_rt_instance",
               LLVM::LLVMVoidType::get(builder.getContext()),
               {runtime.getAddress(builder, location, end), id, from, to});
}

void InlineProbes::lower(prof::BeginOp begin) {
  CallSums sums = getCallSums(begin);
  Started started = lowerBegin(begin, sums);
  for (Operation *user :
       llvm::make_early_inc_range(begin.getToken().getUsers())) {
    lowerEnd(cast<prof::EndOp>(user), started, sums);
    user->erase();
  }
  begin.erase();
}
