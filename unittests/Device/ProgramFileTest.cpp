//===- ProgramFileTest.cpp - Programs of devices in files -----------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Device/ProgramFile.h"
#include "TestProgram.h"
#include "mlir-prof/Device/RunFile.h"

using namespace mlirprof;
using namespace mlirprof::device;

namespace {

std::string encode(const Program &program) {
  std::string bytes;
  llvm::raw_string_ostream os(bytes);
  writeProgram(program, os);
  return bytes;
}

llvm::Expected<Program> decode(llvm::StringRef bytes) {
  return readProgram(llvm::MemoryBuffer::getMemBufferCopy(bytes, "p.gpu"));
}

std::string getError(llvm::StringRef bytes) {
  auto program = decode(bytes);
  return program ? "" : llvm::toString(program.takeError());
}

TEST(DeviceProgramFile, keepsEverything) {
  Program program = makeTestProgram();
  program.probeBytes = 128;
  program.profile = llvm::ArrayRef<char>("levels", 6);
  std::string bytes = encode(program);
  EXPECT_TRUE(isProgramFile(bytes));
  EXPECT_EQ(bytes.size() % 64, 0u);
  Program read = llvm::cantFail(decode(bytes));
  EXPECT_EQ(encode(read), bytes);
  EXPECT_EQ(read.target, "sm_80");
  EXPECT_EQ(read.kernels[0].node, 7u);
  EXPECT_EQ(read.kernels[1].assembly, "one text");
  EXPECT_EQ(read.kernels[1].sharedBytes, 64u << 10);
  EXPECT_EQ(read.kernels[1].block, (std::array<uint32_t, 3>{2, 2, 1}));
  EXPECT_EQ(read.arenaBytes, 272u);
  EXPECT_EQ(read.probeBytes, 128u);
  EXPECT_EQ(llvm::StringRef(read.profile.data(), read.profile.size()),
            "levels");
  EXPECT_EQ(read.results[0].shape, (std::vector<int64_t>{2, 2}));
  const auto &launch = std::get<Launch>(read.steps[1]);
  EXPECT_EQ(launch.parameters, (std::vector<int64_t>{10}));
  EXPECT_EQ(launch.bindings[0].offset, 256u);
  EXPECT_EQ(read.constants[0],
            llvm::ArrayRef(reinterpret_cast<const char *>(kTestFactors), 16));
  // The text of both kernels is there once.
  EXPECT_EQ(bytes.find("one text"), bytes.rfind("one text"));
}

TEST(DeviceProgramFile, refusesEveryShorterFile) {
  std::string bytes = encode(makeTestProgram());
  for (size_t size = 0; size != bytes.size() - 64; ++size)
    EXPECT_NE(getError(llvm::StringRef(bytes).take_front(size)), "") << size;
}

TEST(DeviceProgramFile, refusesEveryChangedByte) {
  std::string bytes = encode(makeTestProgram());
  unsigned accepted = 0;
  for (size_t at = 0; at != bytes.size(); ++at) {
    std::string changed = bytes;
    changed[at] = char(changed[at] ^ 0x15);
    accepted += getError(changed).empty();
  }
  // Padding and what follows the fields of a header.
  EXPECT_LT(accepted, bytes.size());
  for (size_t at : {8, 64, 68, 72, 128}) {
    std::string changed = bytes;
    changed[at] = char(changed[at] ^ 0x15);
    EXPECT_NE(getError(changed), "") << at;
  }
}

TEST(DeviceProgramFile, saysWhatIsWrong) {
  EXPECT_EQ(getError("ML\xefR"),
            "p.gpu: is not a program for a device\n  hint: 'mlir-prof compile "
            "--device=cuda' writes one.");
  std::string bytes = encode(makeTestProgram());
  bytes[8] = 2;
  EXPECT_EQ(getError(bytes).rfind(
                "p.gpu: has version 2 of the format, and this program reads "
                "version 1",
                0),
            0u);
}

TEST(DeviceProgramFile, refusesProgramsThatCannotRun) {
  auto check = [](llvm::function_ref<void(Program &)> change,
                  llvm::StringRef expected) {
    Program program = makeTestProgram();
    change(program);
    EXPECT_EQ(
        getError(encode(program)),
        ("p.gpu: " + expected + "\n  hint: Compile the model again.").str());
  };
  auto getLaunch = [](Program &program) -> Launch & {
    return std::get<Launch>(program.steps[0]);
  };
  check([&](Program &p) { getLaunch(p).kernel = 2; },
        "step 0 runs a kernel that the program does not have");
  check([&](Program &p) { getLaunch(p).bindings[0].index = 1; },
        "step 0 uses memory that the program does not have");
  check([&](Program &p) { getLaunch(p).bindings[2].offset = 257; },
        "step 0 uses memory that the program does not have");
  check([&](Program &p) { getLaunch(p).bindings[2].offset = ~uint64_t(0); },
        "step 0 uses memory that the program does not have");
  check(
      [&](Program &p) { getLaunch(p).bindings[0].place = Binding::Place(77); },
      "step 0 uses memory that the program does not have");
  check([&](Program &p) { getLaunch(p).parameters.resize(600); },
        "step 0 has more arguments than a kernel can take");
  check([&](Program &p) { std::get<Copy>(p.steps[2]).to.bytes = 8; },
        "step 2 copies between ranges of different sizes");
  check([](Program &p) { p.kernels[0].block = {1024, 2, 1}; },
        "a workgroup of kernel 'scale' does not have between 1 and 1024 "
        "threads");
  check([](Program &p) { p.kernels[0].block = {0, 1, 1}; },
        "a workgroup of kernel 'scale' does not have between 1 and 1024 "
        "threads");
  check([](Program &p) { p.kernels[0].name = ""; },
        "a kernel does not have a name");
  check([](Program &p) { p.kernels[1].assembly = ""; },
        "kernel 'add' does not have assembly");
  check([](Program &p) { p.results[0].shape = {3, 2}; },
        "the bytes of 'sum' do not fit its type");
  check([](Program &p) { p.arguments[0].shape = {-4}; },
        "the bytes of 'x' do not fit its type");
  check([](Program &p) { p.arenaBytes = ~uint64_t(0); },
        "the program needs more memory than any device has");
  check([](Program &p) { p.target = ""; },
        "the program does not name its target");
}

//===----------------------------------------------------------------------===//
// Runs
//===----------------------------------------------------------------------===//

std::string getRunText(const Program &program) {
  FakeDriver driver;
  auto executor = llvm::cantFail(Executor::create(driver, program));
  MeasureOptions options;
  options.iterations = 8;
  DeviceRun run = llvm::cantFail(measure(*executor, options));
  run.samples = {{{"scale", 16, 8, 100}, {"scale", 32, 0, 3}}, 5};
  std::string text;
  llvm::raw_string_ostream os(text);
  writeRun(run, program, "hash", os);
  return text;
}

TEST(DeviceRunFile, keepsEverything) {
  Program program = makeTestProgram();
  std::string text = getRunText(program);
  DeviceRun run = llvm::cantFail(readRun(text, program, "hash", "run.json"));
  // Written again it is the same.
  std::string again;
  llvm::raw_string_ostream os(again);
  writeRun(run, program, "hash", os);
  EXPECT_EQ(again, text);
  ASSERT_EQ(run.iterations.size(), 8u);
  EXPECT_EQ(run.iterations[1].stepPs,
            (std::vector<int64_t>{1050000, 1050000, 250000}));
  EXPECT_EQ(run.device.name, "Fake");
  EXPECT_EQ(run.functions.size(), 2u);
  EXPECT_EQ(run.samples.dropped, 5u);
  ASSERT_EQ(run.samples.places.size(), 2u);
  EXPECT_EQ(run.samples.places[0].line, 8u);
}

TEST(DeviceRunFile, refusesOthers) {
  Program program = makeTestProgram();
  std::string text = getRunText(program);
  auto getError = [&](llvm::StringRef changed, llvm::StringRef hash = "hash") {
    auto run = readRun(changed, program, hash, "run.json");
    return run ? "" : llvm::toString(run.takeError());
  };
  EXPECT_EQ(getError(text), "");
  EXPECT_EQ(
      getError(text, "other").rfind("run.json: is a run of another program", 0),
      0u);
  EXPECT_EQ(getError("{}").rfind("run.json: is not a run on a device", 0), 0u);
  EXPECT_EQ(getError("[").rfind("run.json: is not JSON", 0), 0u);
  std::string negative = text;
  negative.replace(negative.find("\"wall_ns\":") + 10, 1, "-");
  EXPECT_NE(getError(negative), "");
  program.steps.pop_back();
  EXPECT_EQ(getError(text).rfind(
                "run.json: the member \"step_ps\" is missing or wrong", 0),
            0u);
}

} // namespace
