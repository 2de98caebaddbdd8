//===- ProfRawTest.cpp - Reading the runtime's files ----------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Import/ProfRaw.h"
#include "mlir-prof/Import/Importer.h"
#include "mlir-prof/Profile/ProfileFile.h"
#include "mlir-prof/Runtime/prof_raw.h"
#include "mlir-prof/Runtime/prof_rt.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CRC.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

#include <cstring>

using namespace mlirprof;
using namespace mlirprof::importer;
using namespace mlirprof::profile;
using namespace mlirprof::trace;

namespace {

/// A function with a loop in it.
Program makeProgram() {
  Program program;
  program.entry = "main";
  program.levels = {"input"};
  program.strings = {"", "main", "func.func", "scf.for"};
  program.nodes.resize(2);
  program.nodes[0].kind = NodeKind::Function;
  program.nodes[0].op = 2;
  program.nodes[0].name = 1;
  program.nodes[1].kind = NodeKind::Loop;
  program.nodes[1].op = 3;
  program.nodes[1].container = 0;
  program.probes.resize(2);
  program.probes[0].kind = ProbeKind::Function;
  program.probes[0].node = 0;
  program.probes[1].kind = ProbeKind::Loop;
  program.probes[1].node = 1;
  program.probes[1].parent = 0;
  program.sites = {{ValueKind::Trips, 1, {"trips"}}};
  program.fingerprint = fingerprintProgram(program);
  return program;
}

/// Builds files word by word.
struct Writer {
  std::string body;
  uint64_t sections = 0;

  static std::string words(llvm::ArrayRef<uint64_t> list) {
    std::string bytes;
    for (uint64_t word : list)
      for (unsigned byte = 0; byte < 8; ++byte)
        bytes.push_back(char(word >> (8 * byte)));
    return bytes;
  }
  Writer &section(uint64_t type, std::string payload, uint64_t module = 0) {
    body += words({type, module, payload.size()});
    payload.resize((payload.size() + 7) / 8 * 8);
    body += payload;
    ++sections;
    return *this;
  }
  Writer &list(uint64_t type, llvm::ArrayRef<uint64_t> list) {
    return section(type, words(list));
  }
  std::string finish() const {
    return words({PROF_RAW_MAGIC, uint64_t(1) << 32, 40 + body.size(), sections,
                  llvm::crc32(llvm::arrayRefFromStringRef(body))}) +
           body;
  }
};

/// 2 ticks a nanosecond; a probe's window is 3 ticks, its cost 5.
Writer startFile() {
  Writer writer;
  writer.list(PROF_RAW_CLOCK, {1000, 500, 3000, 1500, 9000, 0, 1000, 42,
                               3 * 1024, 5 * 1024, 0, 0});
  writer.list(PROF_RAW_MODULE, {PROF_RT_ABI, 2, 1, 1, 0});
  writer.section(PROF_RAW_METADATA, serializeProgram(makeProgram()));
  return writer;
}

/// One execution of the function with 4 of the loop; on another thread the same
/// without the loop.
std::string makeFile() {
  Writer writer = startFile();
  writer.list(PROF_RAW_SLOTS, {0, 0, 1000, 1, 400, 4, 4, 1, 400, 4, 0, 0, 0});
  writer.list(PROF_RAW_SLOTS, {1, 0, 100, 1, 0, 0, 0});
  writer.list(PROF_RAW_INSTANCES, {1, 0, 1200, 1300, 0, 0, 0, 0, 1100, 2100, 0,
                                   0, 0, 7, 1150, 1250, 0, 0});
  writer.list(PROF_RAW_VALUES, {0, 1, 2, 3, 1, uint64_t(-8), 2, 16});
  writer.list(PROF_RAW_LOSSES, {PROF_RAW_LOSS_HANDLER, 6});
  return writer.finish();
}

llvm::Expected<Profile> read(const std::string &bytes,
                             const ProfRawOptions &options = {}) {
  Profile profile;
  ProfileBuilder builder(profile);
  if (llvm::Error error = readProfRaw(bytes, "test.raw", builder, options))
    return std::move(error);
  builder.finish();
  return std::move(profile);
}

Profile readGood(const std::string &bytes) {
  llvm::Expected<Profile> profile = read(bytes);
  if (!profile) {
    ADD_FAILURE() << llvm::toString(profile.takeError());
    return {};
  }
  return std::move(*profile);
}

std::string readBad(const std::string &bytes) {
  llvm::Expected<Profile> profile = read(bytes);
  return profile ? "" : llvm::toString(profile.takeError());
}

/// A kernel with a loop, which two dispatches run.
Program makeKernel() {
  Program program = makeProgram();
  program.levels = {"linalg", "dispatch"};
  program.nodes[0].level = program.nodes[1].level = 1;
  ProgramNode op;
  program.nodes.resize(4);
  program.nodes[2].parents = program.nodes[3].parents = {};
  program.nodes[2].level = program.nodes[3].level = 1;
  program.nodes.push_back(op);
  program.nodes[1].parents = {4};
  program.instances = {{2, 0, {{1, 4}}}, {3, 0, {{1, 4}}}};
  program.fingerprint.clear();
  program.fingerprint = fingerprintProgram(program);
  return program;
}

Writer startKernelFile() {
  Writer writer;
  writer.list(PROF_RAW_CLOCK,
              {1000, 500, 3000, 1500, 9000, 0, 1000, 42, 0, 0, 0, 0});
  writer.list(PROF_RAW_MODULE, {PROF_RT_ABI, 2, 1, 1, 0});
  writer.section(PROF_RAW_METADATA, serializeProgram(makeKernel()));
  return writer;
}

TEST(ProfRaw, ProbesAndValuesNameTheirDispatch) {
  uint32_t none = kNone;
  Writer writer = startKernelFile();
  writer.list(PROF_RAW_SLOTS, {0, PROF_RAW_PLACE(0, 0), 100, 1, 60, 1, 1,
                               PROF_RAW_PLACE(1, 0), 60, 1, 0, 0, 0});
  writer.list(PROF_RAW_SLOTS,
              {1, PROF_RAW_PLACE(0, 1), 900, 3, 0, 0, 0, PROF_RAW_PLACE(1, 0),
               40, 1, 0, 0, 0, PROF_RAW_PLACE(1, none), 7, 1, 0, 0, 0});
  writer.list(PROF_RAW_INSTANCES, {PROF_RAW_PLACE(1, 0), 0, 1200, 1260, 0, 0});
  writer.list(PROF_RAW_VALUES, {PROF_RAW_PLACE(0, 1), 1, 1, 0, 4, 8});
  writer.list(PROF_RAW_SPREAD, {PROF_RAW_PLACE(0, 1), 300, 300, 40, 1, 3, 900});
  Profile profile = readGood(writer.finish());
  std::vector<std::string> seen;
  for (const OpSummary &op : profile.runs[0].ops) {
    const auto &key = profile.opKeys[op.op].get<ProbeKey>();
    seen.push_back(std::to_string(key.probe) + "|" +
                   std::to_string(int(key.instance)) + "|" +
                   std::to_string(op.getCount()) + "|" +
                   std::to_string(op.getTimePs()));
  }
  // In ticks of 500 ps.
  llvm::sort(seen);
  EXPECT_EQ(seen, (std::vector<std::string>{"0|0|1|20000", "0|1|3|450000",
                                            "1|-1|1|3500", "1|0|2|50000"}));
  ASSERT_EQ(profile.runs[0].values.size(), 1u);
  EXPECT_EQ(profile.runs[0].values[0].instance, 1u);
  ASSERT_EQ(profile.runs[0].kept.size(), 1u);
  EXPECT_EQ(getInstance(profile.opKeys[profile.runs[0].kept.op[0]]), 0u);
  // All indices are checked.
  for (uint64_t place :
       {PROF_RAW_PLACE(0, 2), PROF_RAW_PLACE(2, 0), uint64_t(1) << 63}) {
    EXPECT_NE(readBad(Writer(startKernelFile())
                          .list(PROF_RAW_SLOTS, {0, place, 1, 1, 0, 0, 0})
                          .finish()),
              "");
    EXPECT_NE(readBad(Writer(startKernelFile())
                          .list(PROF_RAW_INSTANCES, {place, 0, 1, 2, 0, 0})
                          .finish()),
              "");
    EXPECT_NE(readBad(Writer(startKernelFile())
                          .list(PROF_RAW_SPREAD, {place, 1, 1, 0, 0})
                          .finish()),
              "");
  }
  EXPECT_NE(readBad(Writer(startKernelFile())
                        .list(PROF_RAW_VALUES, {PROF_RAW_PLACE(0, 2), 1, 0, 0})
                        .finish()),
            "");
}

TEST(ProfRaw, GivesTimesWithAndWithoutTheCostOfProbes) {
  Profile profile = readGood(makeFile());
  ASSERT_EQ(profile.opKeys.size(), 2u);
  ASSERT_TRUE(profile.opKeys[0].is<ProbeKey>());
  EXPECT_EQ(profile.opKeys[0].op, "main");
  EXPECT_EQ(profile.opKeys[1].op, "scf.for");
  const auto &probe = profile.opKeys[1].get<ProbeKey>();
  EXPECT_EQ(probe.probe, 1u);
  EXPECT_EQ(probe.program, makeProgram().fingerprint);
  ASSERT_EQ(profile.programs.size(), 1u);
  const OpSummary &function = profile.runs[0].ops[0];
  const OpSummary &loop = profile.runs[0].ops[1];
  EXPECT_EQ(function.getCount(), 2u);
  EXPECT_EQ(loop.getCount(), 4u);
  // A tick is 500 ps.
  EXPECT_EQ(function.getSum(Quantity::RawExecute), 1100 * 500);
  EXPECT_EQ(function.getSum(Quantity::RawSelf), 700 * 500);
  EXPECT_EQ(loop.getSum(Quantity::RawExecute), 400 * 500);
  // Twice its own window; 4 probes cost 5 each, of which they read 3.
  EXPECT_EQ(function.getSum(Quantity::Execute), (1100 - 6 - 20) * 500);
  EXPECT_EQ(function.getSum(Quantity::Self), (700 - 6 - 8) * 500);
  EXPECT_EQ(loop.getSum(Quantity::Execute), (400 - 12) * 500);
  EXPECT_EQ(loop.getSum(Quantity::Self), (400 - 12) * 500);
  EXPECT_EQ(function.getSum(Quantity::Cycles), 1100 - 6 - 20);
  // Self times add up to the outermost inclusive time.
  EXPECT_EQ(function.getSum(Quantity::Self) + loop.getSum(Quantity::Self),
            function.getSum(Quantity::Execute));
  EXPECT_EQ(function.getTimePs(), function.getSum(Quantity::Self));
}

TEST(ProfRaw, KnowsTheSpreadWhereAllWasRecorded) {
  Profile profile = readGood(makeFile());
  const Summary *function = profile.runs[0].ops[0].find(Quantity::RawExecute);
  EXPECT_EQ(function->min, 100 * 500);
  EXPECT_EQ(function->max, 1000 * 500);
  const Summary *loop = profile.runs[0].ops[1].find(Quantity::RawExecute);
  EXPECT_EQ(loop->min, 100 * 500);
  EXPECT_EQ(loop->max, 100 * 500);
}

TEST(ProfRaw, KeepsInstancesOnTracksOfThreads) {
  Profile profile = readGood(makeFile());
  const profile::Run &run = profile.runs[0];
  ASSERT_EQ(run.tracks.size(), 2u);
  EXPECT_EQ(run.tracks[0].id, 0);
  EXPECT_EQ(run.tracks[1].id, 7);
  ASSERT_EQ(run.kept.size(), 3u);
  // In order of time, from the start of the clock.
  EXPECT_EQ(run.kept.beginPs, (std::vector<int64_t>{50000, 75000, 100000}));
  EXPECT_EQ(run.kept.durationPs, (std::vector<int64_t>{500000, 50000, 50000}));
  EXPECT_EQ(run.kept.op, (std::vector<uint32_t>{0, 0, 1}));
  EXPECT_EQ(run.kept.track, (std::vector<uint32_t>{0, 1, 0}));
  EXPECT_TRUE(run.clock.hasAnchor);
  EXPECT_EQ(run.clock.anchorNs, 8000);
}

TEST(ProfRaw, ReadsValuesAndLosses) {
  Profile profile = readGood(makeFile());
  const profile::Run &run = profile.runs[0];
  ASSERT_EQ(run.values.size(), 1u);
  EXPECT_EQ(run.values[0].kind, ValueKind::Trips);
  EXPECT_EQ(run.values[0].node, 1u);
  EXPECT_EQ(run.values[0].other, 3u);
  ASSERT_EQ(run.values[0].entries.size(), 2u);
  EXPECT_EQ(run.values[0].entries[0].tuple, (std::vector<int64_t>{16}));
  EXPECT_EQ(run.values[0].entries[0].count, 2u);
  EXPECT_EQ(run.values[0].entries[1].tuple, (std::vector<int64_t>{-8}));
  ASSERT_EQ(run.losses.size(), 1u);
  EXPECT_EQ(run.losses[0].count, 6u);
}

TEST(ProfRaw, RoundTripsThroughAProfile) {
  Profile profile = readGood(makeFile());
  profile.runs[0].hash = std::string(32, 'a');
  std::string bytes;
  llvm::raw_string_ostream os(bytes);
  ASSERT_FALSE(bool(writeProfile(profile, os)));
  llvm::Expected<Profile> again = readProfile(bytes, "again");
  ASSERT_TRUE(bool(again)) << llvm::toString(again.takeError());
  EXPECT_EQ(again->runs[0].ops[0].getSum(Quantity::Self),
            profile.runs[0].ops[0].getSum(Quantity::Self));
}

TEST(ProfRaw, NeverGivesNegativeTimes) {
  Writer writer = startFile();
  writer.list(PROF_RAW_SLOTS, {0, 0, 4, 2, 30, 1, 1});
  Profile profile = readGood(writer.finish());
  const profile::Run &run = profile.runs[0];
  EXPECT_EQ(run.ops[0].getSum(Quantity::Execute), 0);
  EXPECT_EQ(run.ops[0].getSum(Quantity::Self), 0);
  EXPECT_EQ(run.ops[0].getSum(Quantity::RawSelf), -26 * 500);
  ASSERT_EQ(run.losses.size(), 1u);
  EXPECT_EQ(run.losses[0].count, 2u);
}

TEST(ProfRaw, TimesBeyondAllBounds) {
  Writer writer = startFile();
  writer.list(
      PROF_RAW_SLOTS,
      {0, 0, uint64_t(std::numeric_limits<int64_t>::max()), 1, 0, 0, 0});
  Profile profile = readGood(writer.finish());
  const Summary *all = profile.runs[0].ops[0].find(Quantity::RawExecute);
  ASSERT_TRUE(all);
  EXPECT_EQ(all->count, 1u);
  EXPECT_EQ(all->sum, std::numeric_limits<int64_t>::max());
  EXPECT_EQ(all->max, std::numeric_limits<int64_t>::max());
}

TEST(ProfRaw, TakesAProgramThatIsKnownBetter) {
  Program program = makeProgram();
  program.target = "znver4";
  program.fingerprint = fingerprintProgram(program);
  ProfRawOptions options;
  options.program = &program;
  llvm::Expected<Profile> profile = read(makeFile(), options);
  ASSERT_TRUE(bool(profile)) << llvm::toString(profile.takeError());
  EXPECT_EQ(profile->opKeys[0].get<ProbeKey>().program, program.fingerprint);
  EXPECT_EQ(profile->programs[0].target, "znver4");
  program.probes.pop_back();
  EXPECT_TRUE(llvm::errorToBool(read(makeFile(), options).takeError()));
}

TEST(ProfRaw, SkipsSectionsOfNewerRuntimes) {
  Writer writer = startFile();
  writer.section(99, "whatever");
  Profile profile = readGood(writer.finish());
  ASSERT_EQ(profile.runs[0].losses.size(), 1u);
}

TEST(ProfRaw, CountsTicksOfUnknownLengthAsNanoseconds) {
  Writer writer;
  writer.list(PROF_RAW_CLOCK, {0, 0, 9, 0, 0, 0, 0, 0, 0, 0, 0, 0});
  writer.list(PROF_RAW_MODULE, {PROF_RT_ABI, 2, 1, 1, 0});
  writer.section(PROF_RAW_METADATA, serializeProgram(makeProgram()));
  writer.list(PROF_RAW_SLOTS, {0, 0, 4, 1, 0, 0, 0});
  Profile profile = readGood(writer.finish());
  EXPECT_EQ(profile.runs[0].ops[0].getSum(Quantity::Execute), 4000);
  EXPECT_EQ(profile.runs[0].losses.size(), 1u);
}

TEST(ProfRaw, RefusesDamage) {
  std::string good = makeFile();
  EXPECT_TRUE(
      llvm::StringRef(readBad("")).contains("not a file of the runtime"));
  for (size_t size = 0; size < good.size(); size += 7)
    EXPECT_NE(readBad(good.substr(0, size)), "") << size;
  for (size_t at = 0; at < good.size(); at += 5) {
    // Any minor version is read.
    if (at >= 8 && at < 12)
      continue;
    std::string bad = good;
    bad[at] = char(bad[at] ^ 0x41);
    EXPECT_NE(readBad(bad), "") << at;
  }
  good[12] = 2;
  EXPECT_TRUE(llvm::StringRef(readBad(good)).contains("version 2"));
}

TEST(ProfRaw, RefusesWhatDoesNotFitTogether) {
  auto bad = [](uint64_t type, llvm::ArrayRef<uint64_t> words,
                uint64_t module = 0) {
    Writer writer = startFile();
    writer.section(type, Writer::words(words), module);
    return readBad(writer.finish());
  };
  auto has = [](const std::string &text, llvm::StringRef part) {
    return llvm::StringRef(text).contains(part);
  };
  EXPECT_TRUE(has(bad(PROF_RAW_SLOTS, {0, 2, 1, 1, 0, 0, 0}), "probe 2 of 2"));
  EXPECT_TRUE(has(bad(PROF_RAW_SLOTS, {0, 0, 1}), "within a record"));
  EXPECT_TRUE(has(bad(PROF_RAW_SLOTS, {}), "without a thread"));
  EXPECT_TRUE(has(bad(PROF_RAW_SLOTS, {0, 0, 1, ~uint64_t(0), 0, 0, 0}),
                  "out of range"));
  EXPECT_TRUE(has(bad(PROF_RAW_INSTANCES, {5, 0, 0, 0, 0, 0}), "probe 5"));
  EXPECT_TRUE(has(bad(PROF_RAW_VALUES, {1, 1, 0, 0}), "does not describe"));
  EXPECT_TRUE(has(bad(PROF_RAW_VALUES, {0, 1, 2, 0, 1, 1}), "wrong length"));
  EXPECT_TRUE(has(bad(PROF_RAW_SLOTS, {0}, 3), "module 3"));
  EXPECT_TRUE(has(bad(PROF_RAW_MODULE, {1, 1, 1, 1, 1}, 9), "module 9"));
  Writer writer;
  writer.list(PROF_RAW_MODULE, {PROF_RT_ABI, 3, 1, 1, 0});
  writer.section(PROF_RAW_METADATA, serializeProgram(makeProgram()));
  EXPECT_TRUE(has(readBad(writer.finish()), "has 3 probes"));
  writer = startFile();
  writer.section(PROF_RAW_METADATA, serializeProgram(makeProgram()));
  EXPECT_TRUE(has(readBad(writer.finish()), "second description"));
  writer = Writer();
  writer.list(PROF_RAW_MODULE, {PROF_RT_ABI, 0, 0, 0, 0});
  writer.section(PROF_RAW_METADATA, "nonsense");
  EXPECT_TRUE(has(readBad(writer.finish()), "description"));
}

/// The real runtime, as linked.
TEST(ProfRaw, ReadsWhatTheRuntimeWrites) {
  std::string metadata = serializeProgram(makeProgram());
  uint32_t parents[] = {PROF_RT_NO_PARENT, 0}, lengths[] = {1};
  prof_rt_module module = {};
  module.abi = PROF_RT_ABI;
  module.probes = 2;
  module.tables = 1;
  module.instances = 2;
  module.parents = parents;
  module.tuple_lengths = lengths;
  module.metadata = metadata.data();
  module.metadata_size = metadata.size();
  auto call = [&](uint32_t id, uintptr_t address) {
    prof_rt_handler(&module, id, reinterpret_cast<void *>(address));
  };
  for (int round = 0; round < 3; ++round) {
    call(0, 0x10);
    call(1, 0x20);
    call(1, 0x30);
    call(0, 0x40);
  }
  int64_t trips = 128;
  prof_rt_value(&module, 0, 1, &trips);
  std::string bytes(prof_rt_serialize(nullptr, 0), 0);
  ASSERT_EQ(prof_rt_serialize(bytes.data(), bytes.size()), bytes.size());
  Profile profile = readGood(bytes);
  const profile::Run &run = profile.runs[0];
  ASSERT_EQ(run.ops.size(), 2u);
  EXPECT_EQ(run.ops[0].getCount(), 3u);
  EXPECT_EQ(run.ops[1].getCount(), 3u);
  EXPECT_EQ(run.kept.size(), 4u);
  // Each of the three is rounded to picoseconds.
  EXPECT_NEAR(double(run.ops[0].getSum(Quantity::RawExecute) -
                     run.ops[0].getSum(Quantity::RawSelf)),
              double(run.ops[1].getSum(Quantity::RawExecute)), 2);
  ASSERT_EQ(run.values.size(), 1u);
  EXPECT_EQ(run.values[0].entries[0].tuple, (std::vector<int64_t>{128}));
}

TEST(ProfRaw, ReadsRecordsOfOtherMinorVersions) {
  // With words after the known ones.
  Writer writer;
  writer.list(PROF_RAW_CLOCK, {1000, 500, 3000, 1500, 9000, 0, 1000, 42,
                               3 * 1024, 5 * 1024, 0, 0, 0, 77, 78});
  writer.list(PROF_RAW_MODULE, {PROF_RT_ABI, 2, 1, 1, 0, 0, 99});
  writer.section(PROF_RAW_METADATA, serializeProgram(makeProgram()));
  writer.list(PROF_RAW_SLOTS, {0, 0, 1000, 1, 0, 0, 0});
  EXPECT_EQ(readGood(writer.finish()).runs[0].ops.size(), 1u);
  Writer shorter;
  shorter.list(PROF_RAW_CLOCK, {1000, 500, 3000, 1500, 9000, 0, 1000});
  EXPECT_TRUE(
      llvm::StringRef(readBad(shorter.finish())).contains("wrong length"));
}

TEST(ProfRaw, KeepsWhereTheCodeWas) {
  Writer writer;
  writer.list(PROF_RAW_CLOCK,
              {1000, 500, 3000, 1500, 9000, 0, 1000, 42, 0, 0, 0, 0, 0});
  writer.list(PROF_RAW_MODULE, {PROF_RT_ABI, 2, 1, 3, 1, 0x5000});
  writer.section(PROF_RAW_METADATA, serializeProgram(makeProgram()));
  writer.list(PROF_RAW_SLOTS, {0, 0, 1000, 1, 400, 2, 2, 1, 400, 2, 0, 0, 0});
  writer.list(PROF_RAW_INSTANCES,
              {1, 0, 1200, 1300, 0x5010, 0x5020, 1, 0, 1300, 1400, 0, 0x5040, 0,
               0, 1100, 2100, 0x4ff0, 0x5080});
  Profile profile = readGood(writer.finish());
  const EventColumns &kept = profile.runs[0].kept;
  EXPECT_EQ(kept.beginCode, (std::vector<int64_t>{-0x10, 0x10, 0}));
  EXPECT_EQ(kept.endCode, (std::vector<int64_t>{0x80, 0x20, 0x40}));
  // They remain in a file.
  profile.runs[0].hash = std::string(32, 'a');
  std::string bytes;
  llvm::raw_string_ostream os(bytes);
  ASSERT_FALSE(llvm::errorToBool(writeProfile(profile, os)));
  llvm::Expected<Profile> again = readProfile(bytes, "again");
  ASSERT_TRUE(bool(again)) << llvm::toString(again.takeError());
  EXPECT_EQ(again->runs[0].kept.beginCode, kept.beginCode);
  EXPECT_EQ(again->runs[0].kept.endCode, kept.endCode);
}

TEST(ProfRaw, SubtractsTheCostOfRecords) {
  // 2 ticks a nanosecond; a record takes 10 ticks, a probe none.
  Writer writer;
  writer.list(PROF_RAW_CLOCK, {1000, 500, 3000, 1500, 9000, 0, 1000, 42, 0, 0,
                               0, 0, 10 * 1024});
  writer.list(PROF_RAW_MODULE, {PROF_RT_ABI, 2, 1, 2, 0, 0});
  writer.section(PROF_RAW_METADATA, serializeProgram(makeProgram()));
  writer.list(PROF_RAW_SLOTS, {0, 0, 1000, 1, 400, 9, 9, 1, 400, 9, 0, 0, 0});
  writer.list(PROF_RAW_INSTANCES, {1, 0, 1200, 1300, 0, 0, 1, 0, 1300, 1400, 0,
                                   0, 0, 0, 1100, 2100, 0, 0});
  Profile profile = readGood(writer.finish());
  const OpSummary &outer = profile.runs[0].ops[0];
  // Two records were made within.
  EXPECT_EQ(outer.getSum(Quantity::Execute), (1000 - 20) * 500);
  EXPECT_EQ(outer.getSum(Quantity::Self), (1000 - 400 - 20) * 500);
  EXPECT_EQ(profile.runs[0].ops[1].getSum(Quantity::Execute), 400 * 500);
}

/// Executions of the loop: 18 of 60 to 70 ticks, one of 640.
Writer startSpread() {
  Writer writer = startFile();
  writer.list(PROF_RAW_SLOTS,
              {0, 0, 8000, 1, 1836, 19, 19, 1, 1836, 19, 0, 0, 0});
  return writer;
}

TEST(ProfRaw, TakesTheSpreadOfAProbe) {
  // From 60 ticks on, from 64 on, and 640 ticks, 26 buckets behind.
  std::vector<uint64_t> words = {1, 61, 640, 31, 28, 2, 124, 16, 1072};
  words.resize(4 + 1 + 2 * 28);
  words[words.size() - 2] = 1;
  words[words.size() - 1] = 640;
  Profile profile =
      readGood(startSpread().list(PROF_RAW_SPREAD, words).finish());
  const OpSummary &loop = profile.runs[0].ops[1];
  const Summary &raw = *loop.find(Quantity::RawSelf);
  EXPECT_EQ(raw.count, 19u);
  EXPECT_EQ(raw.sum, 1836 * 500);
  EXPECT_EQ(raw.min, 61 * 500);
  EXPECT_EQ(raw.max, 640 * 500);
  // The means of their buckets are 62, 67 and 640 ticks.
  EXPECT_EQ(raw.histogram.get(Histogram::bucketOf(62 * 500)), 2u);
  EXPECT_EQ(raw.histogram.get(Histogram::bucketOf(67 * 500)), 16u);
  EXPECT_EQ(raw.histogram.get(Histogram::bucketOf(640 * 500)), 1u);
  // Each execution minus the window of 3 ticks.
  const Summary &self = *loop.find(Quantity::Self);
  EXPECT_EQ(self.sum, (1836 - 19 * 3) * 500);
  EXPECT_EQ(self.min, 58 * 500);
  EXPECT_EQ(self.max, 637 * 500);
  EXPECT_TRUE(*loop.find(Quantity::Execute) == self);
  // 640 ticks are a stall.
  const Summary &steady = *loop.find(Quantity::SteadySelf);
  EXPECT_EQ(steady.count, 18u);
  EXPECT_EQ(steady.sum, (124 + 1072 - 18 * 3) * 500);
  EXPECT_EQ(steady.max, 64 * 500);
  // For the function around it, only the sum is known.
  EXPECT_EQ(profile.runs[0].ops[0].find(Quantity::SteadySelf), nullptr);
}

TEST(ProfRaw, KnowsSumsAloneWhereASpreadIsNotOfAll) {
  Profile profile =
      readGood(startSpread()
                   .list(PROF_RAW_SPREAD, {1, 61, 70, 31, 1, 18, 1196})
                   .finish());
  const OpSummary &loop = profile.runs[0].ops[1];
  const Summary &self = *loop.find(Quantity::Self);
  EXPECT_EQ(self.sum, (1836 - 19 * 3) * 500);
  EXPECT_LE(self.max - self.min, 1);
  EXPECT_EQ(loop.find(Quantity::SteadySelf), nullptr);
}

TEST(ProfRaw, RefusesSpreadsOutOfRange) {
  auto getError = [](llvm::ArrayRef<uint64_t> words) {
    return readBad(startSpread().list(PROF_RAW_SPREAD, words).finish());
  };
  auto has = [](llvm::StringRef text, llvm::StringRef part) {
    return text.contains(part);
  };
  uint64_t most = PROF_RAW_SPREAD_BUCKETS;
  EXPECT_PRED2(has, getError({1, 64, 640}), "spread without a header");
  for (std::vector<uint64_t> words : {std::vector<uint64_t>{2, 64, 640},
                                      {1, 640, 64},
                                      {1, uint64_t(-1), 64}}) {
    words.insert(words.end(), {0, 1, 15, 960});
    EXPECT_PRED2(has, getError(words), "spread of a probe out of range");
  }
  for (std::vector<uint64_t> words : {std::vector<uint64_t>{most, 1},
                                      {most - 1, 2},
                                      {0, 2},
                                      {0, uint64_t(1) << 63}}) {
    words.insert(words.begin(), {1, 64, 640});
    words.insert(words.end(), {15, 960});
    EXPECT_PRED2(has, getError(words), "spread with buckets out of range");
  }
  EXPECT_PRED2(has, getError({1, 64, 640, 0, 1, uint64_t(1) << 50, 960}),
               "count or ticks of a spread out of range");
  EXPECT_PRED2(has, getError({1, 64, 640, 0, 1, 15, uint64_t(-1)}),
               "count or ticks of a spread out of range");
}

} // namespace
