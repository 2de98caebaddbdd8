//===- ProgramData.cpp - A small recording by mlir-prof -------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProgramData.h"

using namespace mlirprof;
using namespace mlirprof::profile;
using namespace mlirprof::test;
using namespace mlirprof::trace;

static uint32_t addString(Program &program, llvm::StringRef text) {
  for (uint32_t i = 0; i < program.strings.size(); ++i)
    if (program.strings[i] == text)
      return i;
  program.strings.push_back(text.str());
  return uint32_t(program.strings.size() - 1);
}

static ProgramNode &addNode(Program &program, uint32_t level, NodeKind kind,
                            llvm::StringRef op, llvm::StringRef name,
                            uint32_t container, std::vector<uint32_t> parents) {
  uint32_t position = 1;
  for (const ProgramNode &other : program.nodes)
    position += other.level == level;
  ProgramNode &node = program.nodes.emplace_back();
  node.level = level;
  node.kind = kind;
  node.op = addString(program, op);
  node.name = addString(program, name);
  node.container = container;
  node.position = position;
  node.cost = kind == NodeKind::Operation ? 10 : 0;
  node.parents = std::move(parents);
  return node;
}

static void addNodes(Program &program) {
  constexpr NodeKind kOp = NodeKind::Operation, kLoop = NodeKind::Loop,
                     kFunction = NodeKind::Function;
  auto add = [&](uint32_t level, NodeKind kind, llvm::StringRef op,
                 llvm::StringRef name, uint32_t container,
                 std::vector<uint32_t> parents) -> ProgramNode & {
    return addNode(program, level, kind, op, name, container,
                   std::move(parents));
  };
  add(0, kFunction, "func.func", "main", kNone, {});
  add(0, kOp, "linalg.matmul", "fc1", 0, {});
  add(0, kOp, "linalg.generic", "relu", 0, {});
  add(0, kOp, "arith.maximumf", "", 2, {});
  add(0, kFunction, "func.func", "helper", kNone, {});
  add(0, kOp, "linalg.generic", "exp", 4, {});
  add(0, NodeKind::Call, "func.call", "use", 0, {});

  add(1, kFunction, "func.func", "main", kNone, {0});
  add(1, kLoop, "scf.for", "fc1", 7, {1}).trips = 4;
  add(1, kLoop, "scf.for", "fc1", 8, {1});
  add(1, kOp, "arith.mulf", "fc1", 9, {1});
  add(1, kLoop, "scf.for", "relu", 8, {2}).trips = 8;
  add(1, kOp, "arith.maximumf", "relu", 11, {3});
  add(1, kOp, "arith.addf", "fc1", 8, {1});
  add(1, kOp, "math.exp", "exp", 7, {5}).callers = {6};

  add(2, kFunction, "llvm.func", "main", kNone, {7});
  add(2, kOp, "llvm.fmul", "fc1", 15, {10});
  add(2, kOp, "llvm.intr.maximum", "relu", 15, {12});
  add(2, kOp, "llvm.fadd", "fc1", 15, {13});
  add(2, kOp, "llvm.call", "exp", 15, {14});
}

static Program makeProgram() {
  Program program;
  program.fingerprint = "p";
  program.entry = "main";
  program.levels = {"input", "loops", "llvm"};
  program.strings = {""};
  addNodes(program);
  program.functions = {{"main", 0x100, 0x118}};
  program.loops = {{0x100, 0x108, false}, {0x108, 0x10c, false}};
  struct Code {
    uint32_t node;
    const char *text;
    uint32_t loop;
  };
  uint64_t address = 0x100;
  for (const Code &code :
       {Code{16, "vmulps", 0}, Code{16, "jne", 0}, Code{17, "vmaxps", 1},
        Code{18, "vaddps", kNone}, Code{19, "callq", kNone},
        Code{kNone, "ret", kNone}}) {
    program.instructions.push_back(
        {address, code.node, addString(program, code.text), code.loop});
    address += 4;
  }
  return program;
}

OpKey test::codeKey(uint32_t instruction, llvm::StringRef name,
                    llvm::StringRef kernel) {
  return OpKey(name.str(), kernel.str(), CodeKey{"p", instruction});
}

OpKey test::probeKey(uint32_t probe) {
  return OpKey("", "", ProbeKey{"p", probe});
}

void test::addSamples(Profile &profile, OpKey key, unsigned count) {
  OpSummary op;
  op.op = uint32_t(profile.opKeys.size());
  for (unsigned i = 0; i < count; ++i) {
    op.get(Quantity::Execute).add(1000);
    op.get(Quantity::Self).add(1000);
  }
  profile.opKeys.push_back(std::move(key));
  profile.runs.front().ops.push_back(std::move(op));
}

Profile test::makeRecording() {
  Profile profile;
  profile.programs.push_back(makeProgram());
  Run &run = profile.runs.emplace_back();
  run.source = "model.mlir";
  run.samplePeriodPs = 1000;
  int64_t number = 0, begin = 0;
  for (int64_t timePs : {30, 10, 50, 20}) {
    run.iterations.add(timePs);
    run.steps.push_back({number++, begin, timePs, 0, 0});
    begin += timePs;
  }
  addSamples(profile, codeKey(0, "main+0x0"), 5);
  addSamples(profile, codeKey(1, "main+0x4"), 3);
  addSamples(profile, codeKey(2, "main+0x8"), 2);
  addSamples(profile, codeKey(3, "main+0xc"), 1);
  addSamples(profile, codeKey(4, "main+0x10", "libm.so.6:expf"), 4);
  addSamples(profile, codeKey(5, "main+0x14"), 1);
  addSamples(profile, makeOutsideKey("libomp.so:wait", "waiting"), 2);
  addSamples(profile, makeOutsideKey("libc.so:read", "outside"), 1);
  return profile;
}
