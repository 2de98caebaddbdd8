//===- CodeReaderTest.cpp - Instructions and their ops --------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Profile/CodeReader.h"
#include "gtest/gtest.h"

using namespace mlirprof;
using namespace mlirprof::profile;
using namespace mlirprof::trace;

namespace {

/// Reads a loop of four instructions: the first has the line of node 0, the
/// last that of node 1, those between, a call or a nop among them, have none.
Program readLoop(llvm::StringRef middle) {
  std::string code;
  code += llvm::StringRef("\x48\xff\xc7", 3); // incq %rdi
  code += middle;                             // callq or nopl, 5 bytes
  code += llvm::StringRef("\x48\xff\xce", 3); // decq %rsi
  code += llvm::StringRef("\x75\xf3", 2);     // jne to the begin
  code += llvm::StringRef("\xc3", 1);         // retq
  Program program;
  program.levels = {"llvm"};
  program.strings = {""};
  program.nodes.resize(2);
  CodeSource source;
  source.triple = llvm::Triple("x86_64-unknown-linux-gnu");
  source.functions = {{"loop", 0, code.size()}};
  source.lines = {{0, 1}, {3, 0}, {11, 2}};
  source.getBytes = [&](uint64_t begin, uint64_t end) {
    return llvm::StringRef(code).slice(begin, end);
  };
  source.getCallee = [](uint64_t) { return std::string("callee"); };
  llvm::cantFail(readCode(source, program));
  return program;
}

std::vector<uint32_t> getNodes(const Program &program) {
  std::vector<uint32_t> nodes;
  for (const Instruction &instruction : program.instructions)
    nodes.push_back(instruction.node);
  return nodes;
}

TEST(CodeReader, FillsGapsInLoopsThatCall) {
  Program program = readLoop(llvm::StringRef("\xe8\x00\x00\x00\x00", 5));
  ASSERT_EQ(program.loops.size(), 1u);
  EXPECT_TRUE(program.loops[0].calls);
  // They prepare the next instruction that has a line.
  EXPECT_EQ(getNodes(program), (std::vector<uint32_t>{0, 1, 1, 1, 1}));
}

TEST(CodeReader, KeepsGapsInLoopsThatAreSplit) {
  Program program = readLoop(llvm::StringRef("\x0f\x1f\x44\x00\x00", 5));
  ASSERT_EQ(program.loops.size(), 1u);
  EXPECT_FALSE(program.loops[0].calls);
  EXPECT_EQ(getNodes(program), (std::vector<uint32_t>{0, kNone, kNone, 1, 1}));
}

} // namespace
