//===- ProfileFileTest.cpp - Reading and writing *.mlprof -----------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Profile/ProfileFile.h"
#include "TestProfiles.h"
#include "mlir-prof/Profile/KeyOrder.h"
#include "mlir-prof/Support/File.h"

#include "gtest/gtest.h"

using namespace mlirprof;
using namespace mlirprof::profile;
using namespace mlirprof::test;
using namespace mlirprof::trace;

namespace {

Profile read(llvm::StringRef bytes) {
  llvm::Expected<Profile> profile = readProfile(bytes, "f.mlprof");
  if (profile)
    return std::move(*profile);
  ADD_FAILURE() << llvm::toString(profile.takeError());
  return Profile();
}

/// The error of reading `bytes`, which must fail.
std::string readError(llvm::StringRef bytes) {
  llvm::Expected<Profile> profile = readProfile(bytes, "f.mlprof");
  EXPECT_FALSE(bool(profile));
  return profile ? "" : llvm::toString(profile.takeError());
}

/// Tags of Profile.hlo_modules and HloModule.instructions.
constexpr char kModuleTag = char(5 << 3 | 2);
constexpr char kInstructionTag = char(7 << 3 | 2);

/// The field Run.hash with some hash.
const std::string kHash = "\x0a\x20" + std::string(32, 'a');

bool contains(llvm::StringRef text, llvm::StringRef part) {
  return text.contains(part);
}

/// A file with `edit` applied to its sections (the end section is created
/// again).
template <typename Edit>
std::string editFile(const Profile &profile, Edit edit, uint16_t minor = 0) {
  std::vector<RawSection> sections = parseFile(toBytes(profile));
  sections.pop_back();
  edit(sections);
  return buildFile(sections, 1, minor);
}

RawSection makeSection(uint32_t type, std::string content) {
  uint32_t length = uint32_t(content.size());
  return {type, 0, length, std::move(content)};
}

TEST(ProfileFile, GivesEveryFieldBack) {
  Profile profile = makeFixedProfile();
  Profile again = read(toBytes(profile));
  EXPECT_EQ(toBytes(again), toBytes(profile));

  EXPECT_EQ(again.strings, profile.strings);
  EXPECT_EQ(again.opKeys, profile.opKeys);
  ASSERT_TRUE(again.opKeys[1].is<HloInstructionKey>());
  EXPECT_EQ(again.opKeys[1].get<HloInstructionKey>().programId, 10);
  const HloInstruction &add = again.hloModules[0].instructions[0];
  ASSERT_EQ(add.shape.tuple.size(), 2u);
  EXPECT_EQ(add.shape.tuple[0].dimensions, (std::vector<int64_t>{2, -1}));
  EXPECT_EQ(again.hloModules[0].frames[1].endColumn, 8u);
  EXPECT_EQ(again.irModules[0].bytecode, profile.irModules[0].bytecode);
  const auto &run = again.runs[0];
  EXPECT_EQ(run.facts, profile.runs[0].facts);
  EXPECT_EQ(run.machine.features, profile.runs[0].machine.features);
  EXPECT_EQ(run.clock.anchorNs, 1700000000000000000);
  ASSERT_EQ(run.events.size(), 2u);
  EXPECT_EQ(run.events[0].total, profile.runs[0].events[0].total);
  EXPECT_EQ(run.events[0].self, profile.runs[0].events[0].self);
  EXPECT_EQ(run.events[1].total, Summary());
  EXPECT_EQ(*run.ops[0].find(Quantity::Samples),
            *profile.runs[0].ops[0].find(Quantity::Samples));
  EXPECT_EQ(run.steps.size(), 2u);
  EXPECT_EQ(run.kept.beginPs, profile.runs[0].kept.beginPs);
  EXPECT_EQ(run.kept.op, profile.runs[0].kept.op);
  EXPECT_EQ(run.losses[0].timePs, 42);
}

TEST(ProfileFile, GivesAnEmptyProfileBack) {
  Profile again = read(toBytes(Profile()));
  EXPECT_TRUE(again.runs.empty());
  EXPECT_EQ(toBytes(again), toBytes(Profile()));
}

TEST(ProfileFile, GivesRandomProfilesBack) {
  std::mt19937_64 random(1);
  for (unsigned i = 0; i != 50; ++i) {
    std::string bytes = toBytes(makeRandomProfile(random));
    EXPECT_EQ(toBytes(read(bytes)), bytes);
  }
}

TEST(ProfileFile, SpreadsManyEventsOverBlocks) {
  Profile profile = makeFixedProfile();
  EventColumns &kept = profile.runs[0].kept;
  kept = EventColumns();
  // Its sums and tracks belong to other events.
  profile.runs[0].events.clear();
  profile.runs[0].tracks.resize(2);
  for (TrackInfo &track : profile.runs[0].tracks)
    track.events = track.partialOverlaps = 0;
  size_t count = (size_t(1) << 20) + 7;
  for (size_t i = 0; i != count; ++i) {
    kept.track.push_back(i % 2);
    kept.name.push_back(i % 3);
    kept.op.push_back(i % 4 ? kNone : 1);
    kept.beginPs.push_back(int64_t(i * 1000));
    kept.durationPs.push_back(int64_t(i % 977));
  }
  std::string bytes = toBytes(profile);
  EXPECT_LT(bytes.size(), count);
  Profile again = read(bytes);
  EXPECT_EQ(again.runs[0].kept.beginPs, kept.beginPs);
  EXPECT_EQ(again.runs[0].kept.durationPs, kept.durationPs);
  EXPECT_EQ(again.runs[0].kept.op, kept.op);
  EXPECT_EQ(toBytes(again), bytes);
}

TEST(ProfileFile, NoticesTruncationAtEveryByte) {
  std::string bytes = toBytes(makeFixedProfile());
  for (size_t size = 0; size != bytes.size(); ++size)
    EXPECT_NE(readError(llvm::StringRef(bytes).take_front(size)), "");
  EXPECT_TRUE(
      contains(readError(llvm::StringRef(bytes).drop_back()), "truncated"));
}

TEST(ProfileFile, NoticesEveryChangedBit) {
  std::string bytes = toBytes(makeFixedProfile());
  for (size_t i = 0; i != bytes.size(); ++i) {
    for (unsigned bit = 0; bit != 8; ++bit) {
      bytes[i] ^= char(1 << bit);
      EXPECT_NE(readError(bytes), "") << "byte " << i << " bit " << bit;
      bytes[i] ^= char(1 << bit);
    }
  }
}

TEST(ProfileFile, NamesTheBrokenSection) {
  std::string bytes = toBytes(makeFixedProfile());
  std::vector<RawSection> sections = parseFile(bytes);
  ASSERT_EQ(sections[1].type, 2u);
  size_t strings = 12 + 16 + sections[0].payload.size() + 8;
  bytes[strings + 16] ^= 1;
  std::string error = readError(bytes);
  EXPECT_TRUE(contains(error, "f.mlprof: section 1 (strings) at byte " +
                                  std::to_string(strings)))
      << error;
  EXPECT_TRUE(contains(error, "checksum")) << error;
  EXPECT_TRUE(contains(error, "hint: ")) << error;
}

TEST(ProfileFile, NoticesMissingSwappedAndDoubledSections) {
  std::string bytes = toBytes(makeFixedProfile());
  llvm::StringRef text(bytes);
  size_t first = 16 + parseFile(bytes)[0].payload.size() + 8;
  size_t second = 16 + parseFile(bytes)[1].payload.size() + 8;
  llvm::StringRef head = text.take_front(12), a = text.substr(12, first),
                  b = text.substr(12 + first, second),
                  rest = text.substr(12 + first + second);
  for (std::string changed :
       {(head + a + rest).str(), (head + b + a + rest).str(),
        (head + a + b + b + rest).str()})
    EXPECT_TRUE(contains(readError(changed), "sections differ from those"));
  EXPECT_TRUE(contains(readError(bytes + "x"), "data follows"));
  EXPECT_TRUE(contains(readError(bytes + bytes), "data follows"));
}

TEST(ProfileFile, NoticesTextTransfers) {
  std::string bytes = toBytes(makeFixedProfile());
  std::string unixEnds = bytes;
  unixEnds.erase(4, 1);
  EXPECT_TRUE(isProfileFile(unixEnds));
  EXPECT_TRUE(contains(readError(unixEnds), "text transfer"));
  EXPECT_FALSE(isProfileFile(""));
  EXPECT_FALSE(isProfileFile("\x0a\x10"));
}

TEST(ProfileFile, RefusesANewerMajorVersion) {
  std::string error = readError(buildFile({}, 2, 5));
  EXPECT_TRUE(contains(error, "version 2.5")) << error;
  EXPECT_TRUE(contains(error, "hint: Use a newer mlir-prof")) << error;
}

TEST(ProfileFile, KeepsWhatANewerMinorVersionWrote) {
  // An unknown field in the outermost message, in a run, in a measurement's
  // summary; an unknown section; an unknown quantity.
  std::string field("\xf2\x06\x03new", 6); // Field 110, 3 bytes.
  Profile fixed = makeFixedProfile();
  std::string bytes = editFile(
      fixed,
      [&](std::vector<RawSection> &sections) {
        sections[0].payload += field;
        sections[0].contentLength += uint32_t(field.size());
        // runs: { hash: "aaa..." (new) ops: { op: 1 measurements: { quantity: 9
        //   summary: { count: 5 histogram_counts: [5] (new, 2 bytes long) }
        //   (new) } } }
        std::string summary =
            "\x08\x05\x4a\x01\x05" + std::string("\xf2\x06\x01y", 4);
        std::string measurement = "\x08\x09\x12" +
                                  std::string(1, char(summary.size())) +
                                  summary + field;
        std::string op = "\x08\x01\x1a" +
                         std::string(1, char(measurement.size())) + measurement;
        std::string run =
            kHash + field + "\x4a" + std::string(1, char(op.size())) + op;
        sections.insert(
            sections.end() - 1,
            makeSection(6, "\x3a" + std::string(1, char(run.size())) + run));
        sections.push_back({77, 5, 1234, "opaque"});
      },
      8);
  Profile profile = read(bytes);
  EXPECT_EQ(profile.minor, 8);
  ASSERT_EQ(profile.runs.size(), 2u);
  EXPECT_EQ(unsigned(profile.runs[1].ops[0].measurements[0].quantity), 9u);
  EXPECT_EQ(profile.runs[1].ops[0].measurements[0].summary.count, 5u);
  EXPECT_EQ(profile.unknownFields.size(), 4u);
  ASSERT_EQ(profile.unknownSections.size(), 1u);
  EXPECT_EQ(profile.unknownSections[0].payload, "opaque");

  // Nothing of it is lost, in either form.
  Profile again = read(toBytes(profile));
  EXPECT_EQ(toBytes(again), toBytes(profile));
  EXPECT_EQ(again.minor, 8);
  EXPECT_EQ(again.unknownFields.size(), 4u);
  std::string rewritten = parseFile(toBytes(profile))[0].payload;
  EXPECT_TRUE(llvm::StringRef(rewritten).ends_with(field));
  auto fromJson = readProfileJson(toJson(profile), "f.json");
  ASSERT_TRUE(bool(fromJson)) << llvm::toString(fromJson.takeError());
  EXPECT_EQ(toBytes(*fromJson), toBytes(profile));
}

/// As other protobuf readers do.
TEST(ProfileFile, JoinsAMessageThatComesInPieces) {
  // producer: { format: "f" (new "a") } producer: { name: "n" (new "b") }
  std::string a("\xf2\x06\x01"
                "a",
                4),
      b("\xf2\x06\x01"
        "b",
        4);
  std::string pieces = kHash +
                       "\x1a\x07\x0a\x01"
                       "f" +
                       a + "\x1a\x07\x12\x01n" + b;
  std::string run = "\x3a" + std::string(1, char(pieces.size())) + pieces;
  std::string bytes =
      editFile(Profile(), [&](std::vector<RawSection> &sections) {
        sections.push_back(makeSection(6, run));
      });
  Profile profile = read(bytes);
  EXPECT_EQ(profile.runs[0].producer.format, "f");
  EXPECT_EQ(profile.runs[0].producer.name, "n");
  ASSERT_EQ(profile.unknownFields.size(), 1u);
  EXPECT_EQ(profile.unknownFields[0].fields, a + b);
  EXPECT_EQ(toBytes(read(toBytes(profile))), toBytes(profile));
}

TEST(ProfileFile, ChecksLengthsBeforeAllocating) {
  std::string base = toBytes(Profile());
  for (unsigned word : {2u, 3u}) {
    for (char top : {'\x7f', '\xff'}) {
      std::string bytes = base;
      for (unsigned i = 0; i != 4; ++i)
        bytes[12 + 4 * word + i] = i == 3 ? top : '\xff';
      EXPECT_NE(readError(bytes), "");
    }
  }
  // A tiny frame that claims nearly 2 GiB, with a good checksum.
  RawSection bomb = {6, 1, 0x7fffffff, "\x28\xb5\x2f\xfd"};
  EXPECT_TRUE(contains(readError(buildFile(bomb)), "inflates the file"));
  RawSection codec = {6, 9, 0, ""};
  EXPECT_TRUE(contains(readError(buildFile(codec)), "unknown codec 9"));
}

/// One change to the fixed profile that makes an index dangling.
struct Breakage {
  const char *error;
  void (*apply)(Profile &profile);
};

const Breakage breakages[] = {
    {"track", [](Profile &p) { p.runs[0].events[0].track = 2; }},
    {"name", [](Profile &p) { p.runs[0].events[0].name = 4; }},
    {"op key", [](Profile &p) { p.runs[0].ops[0].op = 10; }},
    {"two measurements",
     [](Profile &p) {
       p.runs[0].ops[0].measurements[1].quantity = Quantity::Execute;
     }},
    {"kept event", [](Profile &p) { p.runs[0].kept.track[0] = 2; }},
    {"kept event", [](Profile &p) { p.runs[0].kept.name[0] = 4; }},
    {"kept event", [](Profile &p) { p.runs[0].kept.op[0] = 10; }},
    {"a kept event was launched",
     [](Profile &p) { p.runs[0].kept.launch[0] = 1; }},
    {"a track is of a device",
     [](Profile &p) { p.runs[0].tracks[1].device = 1; }},
    {"computation",
     [](Profile &p) { p.hloModules[0].computations[1].size = 2; }},
    {"computation",
     [](Profile &p) { p.hloModules[0].instructions[0].computation = 2; }},
    {"frame", [](Profile &p) { p.hloModules[0].instructions[0].frame = 3; }},
    {"caller", [](Profile &p) { p.hloModules[0].frames[0].parent = 3; }},
    {"instruction or probe",
     [](Profile &p) { p.opKeys[2].get<CodeKey>().instruction = 3; }},
    {"instruction or probe",
     [](Profile &p) { p.opKeys[3].get<ProbeKey>().probe = 2; }},
    {"values were recorded", [](Profile &p) { p.runs[0].values[0].node = 5; }},
    {"tuple", [](Profile &p) { p.runs[0].values[0].names.clear(); }},
    {"work", [](Profile &p) { p.runs[0].work[0].node = 5; }},
    {"one fingerprint",
     [](Profile &p) { p.programs.push_back(p.programs[0]); }},
    {"a level", [](Profile &p) { p.programs[0].nodes[0].level = 2; }},
    {"a string", [](Profile &p) { p.programs[0].nodes[0].op = 5; }},
    {"a string", [](Profile &p) { p.programs[0].nodes[0].name = 5; }},
    {"a string", [](Profile &p) { p.programs[0].nodes[0].location = 5; }},
    {"a string", [](Profile &p) { p.programs[0].nodes[0].file = 5; }},
    {"first string", [](Profile &p) { p.programs[0].strings[0] = "x"; }},
    {"is in a node", [](Profile &p) { p.programs[0].nodes[1].container = 5; }},
    {"another level", [](Profile &p) { p.programs[0].nodes[2].container = 1; }},
    {"contains itself",
     [](Profile &p) { p.programs[0].nodes[0].container = 1; }},
    {"contains itself",
     [](Profile &p) { p.programs[0].nodes[0].container = 0; }},
    {"comes from", [](Profile &p) { p.programs[0].nodes[2].parents = {5}; }},
    {"comes from", [](Profile &p) { p.programs[0].nodes[1].parents = {0}; }},
    {"order", [](Profile &p) { p.programs[0].nodes[2].parents = {1, 1}; }},
    {"inlined", [](Profile &p) { p.programs[0].nodes[2].callers = {2}; }},
    {"a probe measures", [](Profile &p) { p.programs[0].probes[0].node = 5; }},
    {"a probe is in", [](Profile &p) { p.programs[0].probes[1].parent = 1; }},
    {"values are recorded",
     [](Profile &p) { p.programs[0].sites[0].node = 5; }},
    {"function ends",
     [](Profile &p) {
       p.programs[0].functions[0].end = 0, p.programs[0].functions[0].begin = 1;
     }},
    {"loop ends", [](Profile &p) { p.programs[0].loops[0].end = 0; }},
    {"out of order",
     [](Profile &p) { p.programs[0].instructions[2].address = 7; }},
    {"belongs to a node",
     [](Profile &p) { p.programs[0].instructions[1].node = 5; }},
    {"last level", [](Profile &p) { p.programs[0].instructions[1].node = 1; }},
    {"a text", [](Profile &p) { p.programs[0].instructions[1].text = 5; }},
    {"a loop", [](Profile &p) { p.programs[0].instructions[1].loop = 2; }},
    {"an op key has a dispatch",
     [](Profile &p) { p.opKeys[7].get<CodeKey>().instance = 2; }},
    {"an op key has a dispatch",
     [](Profile &p) { p.opKeys[8].get<ProbeKey>().instance = 2; }},
    {"an op key has a dispatch",
     [](Profile &p) { p.opKeys[2].get<CodeKey>().instance = 0; }},
    {"values were recorded in a dispatch",
     [](Profile &p) { p.runs[0].values[2].instance = 2; }},
    {"a dispatch has a node",
     [](Profile &p) { p.programs[1].instances[0].node = 6; }},
    {"a dispatch has a node",
     [](Profile &p) { p.programs[1].instances[1].kernel = 6; }},
    {"is not a function",
     [](Profile &p) { p.programs[1].instances[0].kernel = 3; }},
    {"of several levels",
     [](Profile &p) { p.programs[1].instances[1].node = 0; }},
    {"not in its kernel",
     [](Profile &p) { p.programs[1].instances[0].origins[0].first = 4; }},
    {"not in its kernel",
     [](Profile &p) { p.programs[1].instances[0].origins[0].first = 6; }},
    {"not a parent",
     [](Profile &p) { p.programs[1].instances[0].origins[0].second = 2; }},
    {"the origins of a dispatch",
     [](Profile &p) { p.programs[1].instances[0].origins.push_back({3, 0}); }},
    {"a call is of a dispatch",
     [](Profile &p) { p.programs[1].calls[1].instance = 2; }},
    {"calls of dispatches",
     [](Profile &p) { p.programs[1].calls[1].address = 12; }},
    {"in code that the program lacks",
     [](Profile &p) { p.programs[1].instructions.clear(); }},
    {"a call is of a dispatch",
     [](Profile &p) {
       p.opKeys.resize(7);
       p.programs[1].instances.clear();
       p.runs[0].values.pop_back();
     }},
};

TEST(ProfileFile, ChecksEveryIndex) {
  for (const Breakage &breakage : breakages) {
    Profile profile = makeFixedProfile();
    breakage.apply(profile);
    std::string error = readError(toBytes(profile));
    EXPECT_TRUE(contains(error, breakage.error)) << error;
  }
}

/// Changes to the fixed profile that make its values impossible. The fixed
/// profile has one run, in which events[0].total has the values 5 and 10^12.
const Breakage impossible[] = {
    {"runs[0].events[0].total: sum, sum of squares, min or max without",
     [](Profile &p) {
       Summary &total = p.runs[0].events[0].total;
       total.count = 0;
       total.histogram = Histogram();
     }},
    {"runs[0].events[0].total: histogram_counts do not add up",
     [](Profile &p) { p.runs[0].events[0].total.histogram.add(7); }},
    {"runs[0].events[0].total: histogram_counts has values below min",
     [](Profile &p) { p.runs[0].events[0].total.min = 1000; }},
    {"runs[0].events[0].total: min is larger than max",
     [](Profile &p) { p.runs[0].events[0].total.max = 4; }},
    {"runs[0].events[0].total: min or sum is negative",
     [](Profile &p) { p.runs[0].events[0].total.sum = -5; }},
    {"runs[0].events[0].total: sum is not between",
     [](Profile &p) { p.runs[0].events[0].total.sum = 9; }},
    {"runs[0].events[0].total: sum is not between",
     [](Profile &p) { p.runs[0].events[0].total.sum = 2000000000001; }},
    {"runs[0].events[0].total: the sum of squares",
     [](Profile &p) { p.runs[0].events[0].total.sumSquares = 49; }},
    {"runs[0].events[0].total: the sum of squares",
     [](Profile &p) { p.runs[0].events[0].total.sumSquares *= 3; }},
    {"runs[0].events[0].total: min or sum is negative",
     [](Profile &p) { p.runs[0].events[0].total.add(-1); }},
    {"runs[0].events[2]: the same name",
     [](Profile &p) { p.runs[0].events.push_back(p.runs[0].events[0]); }},
    {"runs[0].ops[0].measurements[0].summary: min or sum is negative",
     [](Profile &p) { p.runs[0].ops[0].get(Quantity::Execute).add(-3); }},
    {"runs[0].ops[1]: the same op",
     [](Profile &p) { p.runs[0].ops.push_back(p.runs[0].ops[0]); }},
    {"runs[0].iterations: min or sum is negative",
     [](Profile &p) { p.runs[0].iterations.add(-1); }},
    {"runs[0].steps[1]: duration_ps",
     [](Profile &p) { p.runs[0].steps[1].durationPs = -1000000000000; }},
    {"runs[0].steps[0]: duration_ps",
     [](Profile &p) { p.runs[0].steps[0].durationPs = INT64_MAX; }},
    {"runs[0].steps[0]: op_busy_ps",
     [](Profile &p) { p.runs[0].steps[0].opInflightPs = -1; }},
    {"runs[0].steps[2]: the same step",
     [](Profile &p) { p.runs[0].steps.push_back(p.runs[0].steps[1]); }},
    {"runs[0].losses[0]: has a time",
     [](Profile &p) {
       p.runs[0].losses[0].count = 0;
       p.runs[0].losses[0].timePs = 5;
     }},
    {"runs[0].op_busy_ps", [](Profile &p) { p.runs[0].opBusyPs = -1; }},
    {"runs[0].op_inflight_ps", [](Profile &p) { p.runs[0].opInflightPs = -1; }},
    {"runs[0].sample_period_ps",
     [](Profile &p) { p.runs[0].samplePeriodPs = -1; }},
    {"runs[0].kept events[0]: duration_ps",
     [](Profile &p) { p.runs[0].kept.durationPs[0] = -5; }},
    {"runs[0].kept events[2]: duration_ps",
     [](Profile &p) { p.runs[0].kept.durationPs[2] = INT64_MAX; }},
    {"runs[0].kept events[1]: begin_delta_ps",
     [](Profile &p) { p.runs[0].kept.beginPs[1] = -6; }},
    {"runs[0].tracks[1]: partial_overlaps",
     [](Profile &p) { p.runs[0].tracks[1].partialOverlaps = 4; }},
    {"runs[0].losses[0]: time_ps",
     [](Profile &p) { p.runs[0].losses[0].timePs = -5; }},
    {"runs[0].losses[1]: the same name",
     [](Profile &p) { p.runs[0].losses[1].name = p.runs[0].losses[0].name; }},
    {"runs[0].values[0]: one tuple",
     [](Profile &p) { p.runs[0].values[0].entries.push_back({{1}, 1}); }},
    {"runs[0].work[1]: the same node",
     [](Profile &p) { p.runs[0].work.push_back(p.runs[0].work[0]); }},
    {"runs[0].hash: hash is not", [](Profile &p) { p.runs[0].hash = "xyz"; }},
    {"runs[0].hash: hash is not", [](Profile &p) { p.runs[0].hash = ""; }},
    {"runs[1].hash: the same run",
     [](Profile &p) { p.runs.push_back(p.runs[0]); }},
    {"runs[1].folded: recording 0b is in an earlier run",
     [](Profile &p) {
       p.runs.push_back(p.runs[0]);
       p.runs[1].hash[0] = '1';
       p.runs[1].folded = {"0b"};
     }},
    {"runs[0].folded: the hashes are out of order",
     [](Profile &p) { p.runs[0].folded = {"0b", "0a"}; }},
    {"runs[0].folded: a hash does not consist",
     [](Profile &p) { p.runs[0].folded = {"x"}; }},
    {"runs[0].devices[0]: a busy time",
     [](Profile &p) { p.runs[0].devices[0].copyBusyPs = -1; }},
    {"runs[0].devices[0]: a part is busy",
     [](Profile &p) { p.runs[0].devices[0].kernelBusyPs = 31; }},
    {"runs[0].devices[0]: waits",
     [](Profile &p) { p.runs[0].devices[0].waits[1].host = ""; }},
    {"runs[0].tracks[0]: busy_ps",
     [](Profile &p) { p.runs[0].tracks[0].busyPs = 1; }},
    {"op_keys[10]: the same key",
     [](Profile &p) { p.opKeys.push_back(p.opKeys[0]); }},
    {"ir_modules[0]: fingerprint",
     [](Profile &p) { p.irModules[0].fingerprint[0] ^= 1; }},
    {"ir_modules[2]: the same level",
     [](Profile &p) { p.irModules.push_back(p.irModules[0]); }},
    {"programs[0]: fingerprint is empty",
     [](Profile &p) { p.programs[0].fingerprint = ""; }},
    {"runs[0].steps[0]: op_busy_ps or op_inflight_ps is longer than the step",
     [](Profile &p) {
       p.runs[0].opBusyPs = 5000;
       p.runs[0].steps[0].opBusyPs = 1003;
     }},
    {"runs[0].steps[0]: op_busy_ps or op_inflight_ps is longer than the step",
     [](Profile &p) {
       p.runs[0].opInflightPs = 5000;
       p.runs[0].steps[0].opInflightPs = 1003;
     }},
    {"runs[0].steps[0]: op_busy_ps or op_inflight_ps is longer than that of",
     [](Profile &p) { p.runs[0].opBusyPs = 3; }},
    {"runs[0].tracks[2]: the same track",
     [](Profile &p) { p.runs[0].tracks.push_back(p.runs[0].tracks[1]); }},
    // Kept are one event of 20 ps of events[0] at -5, and one of op 1 at 10.
    {"runs[0].events[0].total: the kept events",
     [](Profile &p) { p.runs[0].kept.durationPs[0] = 4; }},
    {"runs[0].events[0].total: the kept events",
     [](Profile &p) { p.runs[0].kept.durationPs[0] = 1000000000001; }},
    {"runs[0].events[0].total: the kept events",
     [](Profile &p) {
       p.runs[0].kept.name[2] = 2;
       p.runs[0].kept.durationPs[2] = 30;
     }},
    {"runs[0].events[0].total: the kept events",
     [](Profile &p) {
       p.runs[0].events[0].total = Summary();
       p.runs[0].events[0].total.add(20);
       p.runs[0].kept.name[2] = 2;
       p.runs[0].kept.durationPs[2] = 20;
     }},
    {"runs[0].tracks[1].events: more events",
     [](Profile &p) { p.runs[0].tracks[1].events = 1; }},
    {"runs[0].ops[0].first_begin_ps: the kept events",
     [](Profile &p) {
       p.runs[0].samplePeriodPs = 0;
       p.runs[0].ops[0].firstBeginPs = 9;
       // All events were kept.
       p.runs[0].tracks[0].events = 1;
       p.runs[0].tracks[1].events = 2;
     }},
    {"runs[0].machine.threads: are more",
     [](Profile &p) { p.runs[0].machine.threads = 1u << 31; }},
    {"runs[0].machine: one thread does more",
     [](Profile &p) { p.runs[0].machine.flopsOneThread = 3; }},
    {"runs[0].machine: one thread does more",
     [](Profile &p) { p.runs[0].machine.bytesOneThread = 5; }},
    {"runs[0].clock.anchor_ns: is before",
     [](Profile &p) { p.runs[0].clock.anchorNs = -1; }},
    {"runs[0].clock.anchor_ns: is present without",
     [](Profile &p) { p.runs[0].clock.hasAnchor = false; }},
    {"programs[0]: one level occurs twice",
     [](Profile &p) { p.programs[0].levels = {"llvm", "llvm"}; }},
    {"programs[0]: fingerprint is not",
     [](Profile &p) {
       p.programs[0].fingerprint = "00112233445566778899aabbccddeeff";
     }},
    {"ir_modules[0]: values[1] does not belong to an op",
     [](Profile &p) { p.irModules[0].values[1].op = 36; }},
    {"ir_modules[0]: values[1] does not belong to an op",
     [](Profile &p) { p.irModules[0].values[1].op = 3; }},
    {"ir_modules[1]: belongs to a level",
     [](Profile &p) { p.irModules[1].level = "loops"; }},
    {"hlo_modules[1]: the same module",
     [](Profile &p) { p.hloModules.push_back(p.hloModules[0]); }},
    {"hlo_modules[0].computations[1]: the same name",
     [](Profile &p) { p.hloModules[0].computations[1].name = "fused"; }},
    {"hlo_modules[0].computations[1]: the same id",
     [](Profile &p) { p.hloModules[0].computations[1].id = 13; }},
    {"hlo_modules[0].instructions[1]: the same name",
     [](Profile &p) { p.hloModules[0].instructions[1].name = "add.1"; }},
    {"hlo_modules[0].instructions[1]: the same id",
     [](Profile &p) { p.hloModules[0].instructions[1].id = 14; }},
    {"hlo_modules[0].instructions[0]: its shape",
     [](Profile &p) {
       p.hloModules[0].instructions[0].shape.tuple[0].dimensions[1] = -2;
     }},
    {"hlo_modules[0].computations[1]: its root is not in it",
     [](Profile &p) { p.hloModules[0].computations[1].rootId = 14; }},
    {"hlo_modules[0].computations[1]: its instructions do not follow",
     [](Profile &p) {
       p.hloModules[0].computations[0].size = 0;
       p.hloModules[0].computations[0].rootId = 0;
     }},
    {"hlo_modules[0].instructions[1]: no computation contains it",
     [](Profile &p) {
       p.hloModules[0].computations[1].size = 0;
       p.hloModules[0].computations[1].rootId = 0;
     }},
    {"hlo_modules[0].instructions[1]: another computation contains it",
     [](Profile &p) { p.hloModules[0].instructions[1].computation = 0; }},
    {"hlo_modules[0].entry_computation_id: the module does not have it",
     [](Profile &p) { p.hloModules[0].entryComputationId = 14; }},
    {"runs[0].op_busy_ps: is longer than its ops took",
     [](Profile &p) { p.runs[0].opBusyPs = INT64_MAX; }},
    {"runs[0].op_inflight_ps: is longer than its ops took",
     [](Profile &p) { p.runs[0].opInflightPs = INT64_MAX; }},
    {"hlo_modules[0].frames[0]: the callers",
     [](Profile &p) { p.hloModules[0].frames[0].parent = 2; }},
    {"hlo_modules[0].frames[1]: the callers",
     [](Profile &p) { p.hloModules[0].frames[1].parent = 2; }},
};

TEST(ProfileFile, RefusesValuesThatCannotBe) {
  for (const Breakage &breakage : impossible) {
    Profile profile = makeFixedProfile();
    breakage.apply(profile);
    std::string error = readError(toBytes(profile));
    EXPECT_TRUE(contains(error, breakage.error))
        << "wanted " << breakage.error << ", got " << error;
    llvm::Expected<Profile> fromJson = readProfileJson(toJson(profile), "file");
    ASSERT_FALSE(bool(fromJson)) << breakage.error;
    error = llvm::toString(fromJson.takeError());
    EXPECT_TRUE(contains(error, breakage.error))
        << "wanted " << breakage.error << ", got " << error;
  }
}

/// Evenly divided sums do not match the sums of squares, and saturated sums are
/// not exact: importers write both.
TEST(ProfileFile, TakesEvenAndSaturatedSummaries) {
  Profile profile = makeFixedProfile();
  Summary &even = profile.runs[0].ops[0].get(Quantity::Cycles);
  even.count = 3;
  even.sum = 4;
  even.sumSquares = 3;
  even.min = 1;
  even.max = 2;
  even.histogram.add(1, 3);
  // As written by hand: count, sum and limits only.
  Summary &plain = profile.runs[0].iterations;
  plain.histogram = Histogram();
  plain.sumSquares = 0;
  Summary &saturated = profile.runs[0].ops[0].get(Quantity::Bytes);
  saturated.add(INT64_MAX);
  saturated.add(INT64_MAX);
  EXPECT_TRUE(saturated.saturated);
  EXPECT_EQ(toBytes(read(toBytes(profile))), toBytes(profile));
}

TEST(ProfileFile, RefusesMessagesThatNestTooDeep) {
  Profile profile;
  profile.hloModules.resize(1);
  profile.hloModules[0].computations.resize(1);
  profile.hloModules[0].instructions.resize(1);
  HloShape shape;
  for (unsigned i = 0; i != 200; ++i) {
    HloShape outer;
    outer.tuple.push_back(std::move(shape));
    shape = std::move(outer);
  }
  profile.hloModules[0].instructions[0].shape = shape;
  EXPECT_TRUE(contains(readError(toBytes(profile)), "nest too deep"));
}

/// A compressed section of one HLO module with `count` empty instructions.
RawSection emptyInstructions(unsigned count) {
  std::string module;
  for (unsigned i = 0; i != count; ++i)
    module.append({kInstructionTag, 0});
  std::string content(1, kModuleTag);
  for (size_t length = module.size(); length; length >>= 7)
    content += char((length & 0x7f) | (length > 0x7f ? 0x80 : 0));
  content += module;
  llvm::SmallVector<char, 0> frame;
  zstdCompress(content, frame);
  return {4, 1, uint32_t(content.size()), {frame.begin(), frame.end()}};
}

TEST(ProfileFile, RefusesWhatGrowsInMemory) {
  // 20 million elements in some 4 KB.
  RawSection bomb = emptyInstructions(20000000);
  EXPECT_LT(bomb.payload.size(), 10000u);
  EXPECT_TRUE(contains(readError(buildFile({bomb})), "bytes of memory"));
  // Together they exceed the limit, but not one by one.
  RawSection zeros;
  zeros.type = 2;
  zeros.codec = 1;
  zeros.contentLength = 100 << 20;
  llvm::SmallVector<char, 0> frame;
  // Unknown field 16, one long string.
  std::string content = "\x82\x01\xfa\xff\xff\x31";
  content.resize(zeros.contentLength);
  zstdCompress(content, frame);
  zeros.payload.assign(frame.begin(), frame.end());
  std::string error = readError(buildFile({zeros, zeros, zeros}));
  EXPECT_TRUE(contains(error, "inflates the file to more than 268435456"))
      << error;
  EXPECT_TRUE(contains(error, "section 2"));
}

TEST(ProfileFile, WritesNothingThatInflatesTooMuch) {
  Profile profile;
  profile.strings.assign(4, std::string(100 << 20, 'x'));
  EXPECT_EQ(read(toBytes(profile)).strings, profile.strings);
}

/// Damage under a correct checksum: an error or a profile that survives being
/// written and read again.
TEST(ProfileFile, SurvivesDamagedContents) {
  std::mt19937_64 random(2);
  std::vector<RawSection> good = parseFile(toBytes(makeFixedProfile()));
  good.pop_back();
  unsigned readable = 0;
  for (unsigned i = 0; i != 20000; ++i) {
    std::vector<RawSection> sections = good;
    RawSection &section = sections[random() % sections.size()];
    for (uint64_t changes = 1 + random() % 3; changes != 0; --changes)
      section.payload[random() % section.payload.size()] = char(random());
    llvm::Expected<Profile> profile =
        readProfile(buildFile(sections), "f.mlprof");
    if (!profile) {
      llvm::consumeError(profile.takeError());
      continue;
    }
    ++readable;
    std::string bytes = toBytes(*profile);
    EXPECT_EQ(toBytes(read(bytes)), bytes);
  }
  EXPECT_GT(readable, 1000u);
}

} // namespace
