//===- PaddleTest.cpp - Reading PaddlePaddle's traces ---------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReadText.h"
#include "mlir-prof/Profile/KeyTraits.h"
#include "mlir-prof/Profile/ProfileFile.h"
#include "mlir-prof/Scope/Recording.h"
#include "mlir-prof/Scope/Scope.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

#include <random>

using namespace mlirprof;
using namespace mlirprof::profile;
using namespace mlirprof::reading;
using namespace mlirprof::trace;

namespace {

TEST(Paddle, ExactTimes) {
  Profile profile = readSeed("paddle", "paddle/synthetic-train.json");
  // 10.3 to 210.7 us; the content ends with it to the nanosecond, which begins
  // truncated to microseconds would not show.
  OpTotal product = getTotal(profile, "matmul compute");
  // On the host, and in the kernel that it launched.
  EXPECT_EQ(product.keys, 2u);
  EXPECT_EQ(product.executePs, 100125000 + 30250000);
  EXPECT_EQ(getTotal(profile, "matmul").executePs, 200400000);
  EXPECT_EQ(getTotal(profile, "matmul").selfPs, 200400000 - 100125000);
  EXPECT_EQ(getTotal(profile, "matmul_grad").executePs, 150750000);
  EXPECT_TRUE(profile.runs[0].clock.hasAnchor);
  EXPECT_EQ(profile.runs[0].clock.anchorNs, 1700000000000100000);
  EXPECT_EQ(getLoss(profile,
                    "start_time that contradicts the timestamp, which is used"),
            0u);
}

TEST(Paddle, Ops) {
  Profile profile = readSeed("paddle", "paddle/synthetic-train.json");
  const OpKey *product = findKey(profile, "matmul");
  ASSERT_TRUE(product);
  EXPECT_EQ(getKeyTraits(*product).shapes->print(), "[[16,64],[64,32]]");
  EXPECT_EQ(getKeyTraits(*product).phase, CallPhase::Forward);
  EXPECT_EQ(getKeyTraits(*product).ordinal, 0u);
  const OpKey *inner = findKey(profile, "matmul compute");
  ASSERT_TRUE(inner);
  EXPECT_EQ(inner->get<FrameworkCallKey>().callers,
            std::vector<std::string>{"matmul"});
  // The kernel belongs to the op that launched it.
  const OpKey *kernel = findKey(profile, "matmul compute", "sgemm_32x32");
  ASSERT_TRUE(kernel);
  // Within the annotation of Python, on the other timeline of the thread.
  const OpKey *gradient = findKey(profile, "matmul_grad");
  ASSERT_TRUE(gradient);
  EXPECT_EQ(getKeyTraits(*gradient).phase, CallPhase::Backward);
  EXPECT_EQ(getKeyTraits(*gradient).shapes->print(), "");
}

std::string makeEvent(llvm::StringRef name, llvm::StringRef timestamp,
                      llvm::StringRef begin) {
  return ("{\"name\":\"" + name + "\",\"ph\":\"X\",\"pid\":1,\"tid\":\"2(C++)" +
          "\",\"cat\":\"Operator\",\"ts\":" + timestamp +
          ",\"dur\":0.5,\"args\":{\"start_time\":\"" + begin + " us\"}}")
      .str();
}

TEST(Paddle, NamesAndContradictions) {
  Profile profile = readGood(
      "paddle", "{\"traceEvents\":[" + makeEvent("a[0.500 us]", "100", "0.0") +
                    "," + makeEvent("b[2]", "101", "77.0") + "," +
                    makeEvent("c [x us]", "102", "2.25") + "," +
                    makeEvent("d[1.000 ms]", "20000100", "20000000.5") + "]}");
  EXPECT_EQ(getTotal(profile, "a").count, 1u);
  EXPECT_EQ(getTotal(profile, "b[2]").count, 1u);
  EXPECT_EQ(getTotal(profile, "c [x us]").count, 1u);
  EXPECT_EQ(getLoss(profile,
                    "start_time that contradicts the timestamp, which is used"),
            1u);
  for (const OpSummary &op : profile.runs[0].ops) {
    llvm::StringRef name = profile.opKeys[op.op].op;
    if (name == "b[2]")
      EXPECT_EQ(op.firstBeginPs, 1000000);
    if (name == "c [x us]")
      EXPECT_EQ(op.firstBeginPs, 2250000);
    // After the first seconds the text is coarser than the timestamp.
    if (name == "d")
      EXPECT_EQ(op.firstBeginPs, 20000000000000);
  }
}

/// The scope of that name, which must exist.
const scope::ScopeEvent &findScope(const scope::Recording &scopes,
                                   llvm::StringRef name) {
  for (const scope::ScopeEvent &event : scopes.events)
    if (scopes.sites[event.site].name == name)
      return event;
  ADD_FAILURE() << "no scope " << name.str();
  return scopes.events.front();
}

llvm::StringRef getParentName(const scope::Recording &scopes,
                              llvm::StringRef name) {
  uint32_t parent = findScope(scopes, name).parent;
  return parent == scope::kNoScope
             ? llvm::StringRef()
             : llvm::StringRef(scopes.sites[scopes.events[parent].site].name);
}

/// A step with an op, its kernels on a device, a copy, and memory; and events
/// that Paddle does not write.
TEST(PaddleTree, WorkOfDevices) {
  Profile profile = readSeed("paddle-pb", "paddle-pb/synthetic-gpu.pb");
  const OpKey *launch = findKey(profile, "matmul kernel launch", "sgemm_32x32");
  ASSERT_TRUE(launch);
  EXPECT_EQ(launch->get<FrameworkCallKey>().callers,
            std::vector<std::string>{"matmul"});
  const OpKey *product = findKey(profile, "matmul");
  ASSERT_TRUE(product);
  EXPECT_EQ(getKeyTraits(*product).shapes->print(), "[[16,64],[64,32]]");
  OpTotal kernels = getTotal(profile, "matmul kernel launch");
  EXPECT_EQ(kernels.executePs, 700000 + 1000000 + 100000);
  EXPECT_EQ(profile.runs[0].steps.size(), 1u);
  EXPECT_EQ(profile.runs[0].steps[0].number, 5);
  EXPECT_EQ(profile.runs[0].clock.anchorNs, 1700000000000000100);
  EXPECT_EQ(getLoss(profile, "call stack of an op"), 1u);
  EXPECT_EQ(getLoss(profile, "type of an event that is unknown"), 1u);
  EXPECT_EQ(getLoss(profile, "event whose parent is missing"), 1u);
  EXPECT_EQ(getLoss(profile, "event that ends before it begins"), 1u);
  EXPECT_EQ(
      getLoss(profile, "details of work on a device (grid, occupancy, bytes)"),
      2u);

  ASSERT_TRUE(profile.runs[0].scopes);
  const scope::Recording &scopes = *profile.runs[0].scopes;
  EXPECT_EQ(scopes.process, 77u);
  EXPECT_EQ(scopes.events.size(), 12u);
  EXPECT_EQ(scopes.threads.size(), 3u);
  const scope::ScopeEvent &kernel = findScope(scopes, "sgemm_32x32");
  EXPECT_TRUE(kernel.isLinked && kernel.isOutside);
  EXPECT_TRUE(scopes.threads[kernel.thread].isDevice);
  EXPECT_EQ(scopes.threads[kernel.thread].id, 7u);
  EXPECT_EQ(scopes.threads[kernel.thread].name, "device 1 stream");
  EXPECT_EQ(kernel.beginPs, 400000);
  EXPECT_EQ(getParentName(scopes, "sgemm_32x32"), "cudaLaunchKernel");
  EXPECT_EQ(getParentName(scopes, "cudaLaunchKernel"), "matmul kernel launch");
  EXPECT_EQ(getParentName(scopes, "lost"), "");
  // Without the launch inside, but with the kernel, which ran elsewhere.
  EXPECT_EQ(findScope(scopes, "matmul kernel launch").selfPs, 600000);
  EXPECT_EQ(scopes.sites[findScope(scopes, "all_reduce").site].type,
            uint16_t(scope::ScopeType::Communication));
  ASSERT_EQ(scopes.memory.size(), 2u);
  EXPECT_EQ(scopes.places[scopes.memory[0].place], "gpu:1");
  EXPECT_EQ(scopes.memory[0].bytes, 2048);
  EXPECT_EQ(scopes.memory[0].atPs, 150000);
  EXPECT_EQ(scopes.sites[scopes.events[scopes.memory[0].event].site].name,
            "matmul kernel launch");
  EXPECT_EQ(scopes.memory[1].bytes, -2048);
  EXPECT_EQ(scopes.memory[1].type, scope::MemoryType::Free);
}

/// The same of a trace of events.
/// Numbers of nodes may be any; a root may have inputs.
TEST(PaddleTree, OddNumbers) {
  Profile profile = readSeed("paddle-pb", "paddle-pb/odd-ids.pb");
  const scope::Recording &scopes = *profile.runs[0].scopes;
  EXPECT_EQ(scopes.events.size(), 3u);
  EXPECT_EQ(getParentName(scopes, "outer"), "");
  EXPECT_EQ(getParentName(scopes, "own parent"), "");
  EXPECT_EQ(getParentName(scopes, "inner"), "own parent");
  EXPECT_EQ(getLoss(profile, "event whose parent is missing"), 1u);
}

TEST(Paddle, ScopesOfDevices) {
  Profile profile = readSeed("paddle", "paddle/synthetic-train.json");
  const scope::Recording &scopes = *profile.runs[0].scopes;
  const scope::ScopeEvent &kernel = findScope(scopes, "sgemm_32x32");
  EXPECT_TRUE(kernel.isLinked && kernel.isOutside);
  EXPECT_TRUE(scopes.threads[kernel.thread].isDevice);
  EXPECT_EQ(getParentName(scopes, "sgemm_32x32"), "cudaLaunchKernel");
  EXPECT_EQ(getParentName(scopes, "matmul compute"), "matmul");
}

/// Names with slashes, also at their end, and the lives of allocations.
TEST(PaddleFirst, PathsAndMemory) {
  Profile profile =
      readSeed("paddle-profile", "paddle-profile/synthetic-gpu.profile");
  const scope::Recording &scopes = *profile.runs[0].scopes;
  EXPECT_EQ(getParentName(scopes, "b/c"), "a");
  EXPECT_EQ(getParentName(scopes, "d"), "b/c");
  // Below "a", whose path "a/" continues with nothing.
  EXPECT_EQ(getParentName(scopes, ""), "a");
  EXPECT_EQ(findScope(scopes, "a").selfPs, 50000);
  EXPECT_EQ(findScope(scopes, "b").beginPs, 200000);
  const scope::ScopeEvent &kernel = findScope(scopes, "sgemm");
  EXPECT_TRUE(scopes.threads[kernel.thread].isDevice);
  EXPECT_EQ(kernel.parent, scope::kNoScope);
  ASSERT_EQ(scopes.memory.size(), 3u);
  EXPECT_EQ(scopes.places[scopes.memory[0].place], "gpu:1");
  EXPECT_EQ(scopes.memory[0].bytes, 4096);
  EXPECT_EQ(scopes.sites[scopes.events[scopes.memory[0].event].site].name,
            "b/c");
  EXPECT_EQ(scopes.memory[1].bytes, -4096);
  EXPECT_EQ(scopes.sites[scopes.events[scopes.memory[1].event].site].name, "");
  EXPECT_EQ(scopes.memory[2].type, scope::MemoryType::Allocate);
}

/// Damaged files are an error, or a profile that can be written and read.
void expectSurvival(llvm::StringRef format, llvm::StringRef seed) {
  auto buffer =
      llvm::MemoryBuffer::getFile(MLIRPROF_TEST_DIR "/data/fuzz/" + seed);
  ASSERT_TRUE(bool(buffer)) << seed.str();
  std::mt19937_64 random(1);
  unsigned readable = 0;
  for (unsigned round = 0; round != 4000; ++round) {
    std::string bytes = (*buffer)->getBuffer().str();
    for (uint64_t changes = 1 + random() % 4; changes != 0; --changes)
      bytes[random() % bytes.size()] = char(random());
    if (round % 8 == 0)
      bytes.resize(random() % bytes.size());
    llvm::Expected<Profile> profile = readText(format, bytes);
    if (!profile) {
      llvm::consumeError(profile.takeError());
      continue;
    }
    ++readable;
    profile->runs[0].hash = std::string(32, 'a');
    std::string file;
    llvm::raw_string_ostream os(file);
    ASSERT_FALSE(llvm::errorToBool(writeProfile(*profile, os)));
    llvm::Expected<Profile> again = readProfile(file, "again");
    ASSERT_TRUE(bool(again)) << llvm::toString(again.takeError());
  }
  EXPECT_GT(readable, 100u);
}

void addVarint(uint64_t value, std::string &out) {
  for (; value >= 128; value >>= 7)
    out += char(value | 128);
  out += char(value);
}

/// An event of Paddle's first profiler.
std::string makeFirstEvent(llvm::StringRef path, uint64_t begin, uint64_t end) {
  std::string fields = "\x0a";
  addVarint(path.size(), fields);
  fields += path;
  for (auto [tag, value] : {std::make_pair(0x10, begin),
                            {0x18, end},
                            {0x28, uint64_t(0)},
                            {0x30, uint64_t(0)}}) {
    fields += char(tag);
    addVarint(value, fields);
  }
  std::string event = "\x0a";
  addVarint(fields.size(), event);
  return event + fields;
}

/// The paths alone tell which scopes without a duration at one moment are in
/// one another.
TEST(PaddleFirst, EmptyScopesOfOneMoment) {
  std::string bytes =
      makeFirstEvent("a/b/c", 1000, 1000) + makeFirstEvent("a/b", 1000, 1000) +
      makeFirstEvent("a", 1000, 1000) + makeFirstEvent("d", 1000, 1000) +
      // Names with slashes, without any around.
      makeFirstEvent("e/f", 1000, 1000) +
      // The next moment has others.
      makeFirstEvent("a/x", 1001, 1001) +
      // At the end of scopes that take time, these are around it, although an
      // empty one of the outer name follows.
      makeFirstEvent("o/p/q", 2000, 2000) + makeFirstEvent("o/p", 1500, 2000) +
      makeFirstEvent("o", 1400, 2000) + makeFirstEvent("o", 2000, 2000);
  Profile profile = readGood("paddle-profile", bytes);
  const scope::Recording &scopes = *profile.runs[0].scopes;
  ASSERT_EQ(scopes.events.size(), 10u);
  EXPECT_EQ(getParentName(scopes, "c"), "b");
  EXPECT_EQ(getParentName(scopes, "b"), "a");
  EXPECT_EQ(findScope(scopes, "a").parent, scope::kNoScope);
  EXPECT_EQ(findScope(scopes, "d").parent, scope::kNoScope);
  EXPECT_EQ(findScope(scopes, "e/f").parent, scope::kNoScope);
  EXPECT_EQ(findScope(scopes, "a/x").parent, scope::kNoScope);
  EXPECT_EQ(getParentName(scopes, "q"), "p");
  EXPECT_EQ(findScope(scopes, "q").parent,
            uint32_t(&findScope(scopes, "p") - scopes.events.data()));
  EXPECT_EQ(getParentName(scopes, "p"), "o");
  EXPECT_EQ(findScope(scopes, "b").isOverlapping, false);
}

TEST(PaddleTree, SurvivesDamage) {
  expectSurvival("paddle-pb", "paddle-pb/synthetic-gpu.pb");
  expectSurvival("paddle-pb", "paddle-pb/threads.pb");
}

TEST(PaddleFirst, SurvivesDamage) {
  expectSurvival("paddle-profile", "paddle-profile/synthetic-gpu.profile");
}

TEST(Paddle, SurvivesDamage) {
  expectSurvival("paddle", "paddle/synthetic-train.json");
}

} // namespace
