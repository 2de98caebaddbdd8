//===- HostileTest.cpp - Broken and malicious input -----------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Support/Gzip.h"
#include "Expected.h"
#include "SpaceWriter.h"
#include "mlir-prof/Import/HloReader.h"
#include "mlir-prof/Profile/ProfileFile.h"
#include "mlir-prof/Support/Error.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

#include <protozero/pbf_reader.hpp>

using namespace mlirprof;
using namespace mlirprof::importer;
using namespace mlirprof::profile;
using namespace mlirprof::test;
using namespace mlirprof::trace;

namespace {

/// An HLO module whose fusion calls itself, whose frames call each other, and
/// whose ids are dangling.
Message cyclicProto() {
  Message fusion;
  fusion.text(1, "fusion.1").text(2, "fusion").integer(35, 1);
  fusion.integer(36, 1).integer(36, 77).integer(38, 5).integer(38, 99);
  fusion.message(7, Message().text(2, "jit(f)/x").integer(15, 1));
  Message tuple;
  tuple.text(1, "tuple.2").text(2, "tuple").integer(35, 2).integer(36, 1);
  tuple.integer(36, 2);
  Message computation;
  computation.text(1, "main").message(2, fusion).message(2, tuple);
  computation.integer(5, 5).integer(6, 1);
  Message frames;
  frames.text(1, "f.py").message(3, Message().integer(1, 1).integer(2, 9));
  frames.message(4, Message().integer(1, 1).integer(2, 2));
  frames.message(4, Message().integer(1, 8).integer(2, 1));
  Message module;
  module.text(1, "jit_f").message(3, computation).integer(5, 10);
  module.message(17, frames);
  return Message().message(1, module);
}

/// A small file with one of everything.
std::string smallSpace() {
  Message metadata;
  metadata.text(2, "/host:metadata").message(5, named(1, "Hlo Proto"));
  metadata.message(4, Message().integer(1, 10).message(
                          2, Message()
                                 .text(2, "jit_f(10)")
                                 .message(5, Message().integer(1, 1).text(
                                                 6, cyclicProto().bytes))));
  Message host;
  host.text(2, "/host:CPU").message(5, named(1, "hlo_op"));
  host.message(5, named(2, "hlo_module")).message(5, named(3, "program_id"));
  host.message(5, named(4, "_p")).message(5, named(5, "_c"));
  host.message(4, named(1, "fusion.1")).message(4, named(2, "end: fusion.1"));
  Message line;
  line.integer(1, -5).text(2, "python").integer(3, 17).text(11, "python");
  line.message(4, event(1, 0, 1000000,
                        {textStat(1, 5, "fusion.1"), textStat(2, 5, "jit_f"),
                         stat(3, 4, 10), stat(4, 4, 123456789012345)}));
  line.message(4, event(2, 2000000, 1, {stat(5, 3, 123456789012345)}));
  host.message(3, line);
  Message environment;
  environment.text(2, "Task Environment");
  environment.message(5, named(1, "profile_start_time"));
  environment.message(6, stat(1, 3, 1795249023470820498));
  Message space;
  space.message(1, metadata).message(1, host).message(1, environment);
  space.text(4, "host");
  return space.bytes;
}

/// Ends of the top-level fields of smallSpace().
std::vector<size_t> fieldEnds(llvm::StringRef bytes) {
  std::vector<size_t> ends = {0};
  protozero::pbf_reader reader(bytes.data(), bytes.size());
  while (reader.next()) {
    reader.skip();
    ends.push_back(bytes.size() - reader.length());
  }
  return ends;
}

std::string temporaryFile(llvm::StringRef bytes) {
  llvm::SmallString<128> path;
  int fd;
  EXPECT_FALSE(llvm::sys::fs::createTemporaryFile("mlirprof", "pb", fd, path));
  llvm::raw_fd_ostream(fd, /*shouldClose=*/true) << bytes;
  return path.str().str();
}

std::string importError(llvm::StringRef bytes, llvm::StringRef format = "") {
  std::string path = temporaryFile(bytes);
  ImportOptions options;
  options.inputFormat = format.str();
  auto profile = importProfile(path, options);
  llvm::sys::fs::remove(path);
  if (profile)
    return "";
  std::string text;
  llvm::handleAllErrors(profile.takeError(), [&](const InputError &error) {
    EXPECT_FALSE(error.getHint().empty());
    llvm::raw_string_ostream os(text);
    error.log(os);
  });
  return text;
}

} // namespace

/// An imported profile can be written and read again.
void expectReadable(Profile profile) {
  // The file's hash, which importers do not know.
  for (Run &run : profile.runs)
    if (run.hash.empty())
      run.hash = std::string(32, 'a');
  std::string bytes, json;
  llvm::raw_string_ostream os(bytes), jsonOs(json);
  ASSERT_FALSE(bool(writeProfile(profile, os)));
  writeProfileJson(profile, jsonOs);
  for (bool isJson : {false, true}) {
    auto again =
        isJson ? readProfileJson(json, "again") : readProfile(bytes, "again");
    ASSERT_TRUE(bool(again)) << llvm::toString(again.takeError());
    EXPECT_EQ(describe(*again), describe(profile));
  }
}

TEST(Hostile, SmallSpaceReads) {
  Profile profile = readOk(smallSpace());
  ASSERT_EQ(profile.hloModules.size(), 1u);
  EXPECT_EQ(profile.hloModules[0].programId, 10);
  ASSERT_EQ(profile.runs[0].ops.size(), 1u);
  EXPECT_EQ(profile.runs[0].ops[0].getSum(Quantity::Bounded), 2000000);
  EXPECT_EQ(profile.runs[0].clock.anchorNs, 1795249023470820498);
  EXPECT_EQ(lossCount(profile, "not have a proto"), 0u);
  EXPECT_EQ(lossCount(profile, "impossible parent"), 1u);
}

TEST(Hostile, TruncatedAtEveryByte) {
  std::string bytes = smallSpace();
  std::vector<size_t> ends = fieldEnds(bytes);
  for (size_t size = 0; size != bytes.size(); ++size) {
    auto profile = read(llvm::StringRef(bytes).take_front(size));
    bool isPrefix = llvm::is_contained(ends, size);
    ASSERT_EQ(bool(profile), isPrefix) << size;
    if (profile)
      continue;
    std::string text = llvm::toString(profile.takeError());
    EXPECT_NE(text.find("input: byte "), std::string::npos) << text;
    EXPECT_NE(text.find("ends in the middle"), std::string::npos) << text;
    EXPECT_NE(text.find("hint: "), std::string::npos) << text;
  }
  EXPECT_EQ(ends.size(), 5u);
}

TEST(Hostile, PrefixNamesWhatIsMissing) {
  std::string bytes = smallSpace();
  std::vector<size_t> ends = fieldEnds(bytes);
  llvm::StringRef all = bytes;
  EXPECT_EQ(lossCount(readOk(all.take_front(ends[1])), "no plane with events"),
            1u);
  EXPECT_EQ(lossCount(readOk(all.take_front(ends[2])), "Task Environment"), 1u);
  Profile profile = readOk(all.drop_front(ends[1]));
  EXPECT_EQ(
      lossCount(profile,
                "'jit_f' (program 10) does not have a proto in plane /host"),
      1u);
}

TEST(Hostile, EveryByteChanged) {
  const std::string bytes = smallSpace();
  for (size_t at = 0; at != bytes.size(); ++at) {
    for (uint8_t value : {0x00, 0x7f, 0x80, 0xff}) {
      std::string changed = bytes;
      changed[at] = char(value);
      if (auto profile = read(changed))
        expectReadable(*profile);
      else
        llvm::consumeError(profile.takeError());
    }
  }
}

TEST(Hostile, LengthsOfFourGibibytes) {
  std::string bytes = "\x0a\xff\xff\xff\xff\x0f\x12\x01x";
  EXPECT_NE(importError(bytes).find("byte 0"), std::string::npos);
  Message host;
  host.text(2, "/host:CPU");
  host.raw("\x1a\x09\x22\xff\xff\xff\xff\xff\xff\xff\x7f");
  EXPECT_NE(importError(Message().message(1, host).bytes), "");
}

TEST(Hostile, WrongWireTypesAreCounted) {
  Message host;
  host.integer(2, 5).integer(3, 5).text(1, "x").integer(4, 1).integer(6, 1);
  host.message(3, Message().text(1, "x").integer(2, 3).text(3, "y"));
  Profile profile = readOk(Message().message(1, host).integer(4, 1).bytes);
  EXPECT_EQ(lossCount(profile, "field of an unexpected type"), 9u);
}

TEST(Hostile, NotATrace) {
  for (llvm::StringRef bytes :
       {"hello world, this is text", "{\"traces\": []}", "\x08\x01",
        "[1, 2, 3]", "\xff\xff\xff\xff", "{", "<html>"}) {
    std::string text = importError(bytes);
    EXPECT_NE(text.find("known format"), std::string::npos) << bytes.str();
    EXPECT_NE(text.find("mlprof, xplane, "), std::string::npos);
  }
  EXPECT_NE(importError("x", "nonsense").find("not a format"),
            std::string::npos);
  EXPECT_NE(importError("{\"planes\": [{\"na", "").find("not valid JSON"),
            std::string::npos);
  EXPECT_NE(importError("").find("empty"), std::string::npos);
}

TEST(Hostile, Gzip) {
  std::string bytes = smallSpace();
  std::string compressed = gzip(bytes);
  std::string path = temporaryFile(compressed);
  auto profile = importProfile(path);
  llvm::sys::fs::remove(path);
  ASSERT_TRUE(bool(profile)) << llvm::toString(profile.takeError());
  EXPECT_EQ(describe(*profile), describe(readOk(bytes)));
  EXPECT_NE(importError(llvm::StringRef(compressed).drop_back(9)), "");
}

TEST(Hostile, CompressedAndDamagedProtos) {
  auto spaceWith = [](llvm::StringRef proto, unsigned field) {
    Message plane;
    plane.text(2, "/host:metadata").message(5, named(1, "Hlo Proto"));
    plane.message(
        4, Message().integer(1, 3).message(
               2, Message()
                      .text(2, "jit_f(3)")
                      .message(5, Message().integer(1, 1).text(field, proto))));
    return Message().message(1, plane).bytes;
  };
  std::string proto = cyclicProto().bytes;
  EXPECT_EQ(readOk(spaceWith(gzip(proto), 8)).hloModules.size(), 1u);
  Profile damaged = readOk(spaceWith(llvm::StringRef(proto).drop_back(3), 6));
  EXPECT_TRUE(damaged.hloModules.empty());
  EXPECT_EQ(lossCount(damaged, "HLO proto of jit_f(3) is damaged"), 1u);
}

TEST(Hostile, HloProtoTruncatedAtEveryByte) {
  std::string proto = cyclicProto().bytes;
  for (size_t size = 1; size != proto.size(); ++size) {
    HloModule module;
    LossList losses;
    llvm::Error error = readHloProto(llvm::StringRef(proto).take_front(size),
                                     "proto", module, losses);
    EXPECT_TRUE(bool(error)) << size;
    llvm::consumeError(std::move(error));
  }
}

TEST(Hostile, HloProtoThatGrowsInMemory) {
  Message computation;
  for (int i = 0; i != 3000000; ++i)
    computation.raw(llvm::StringRef("\x12\0", 2));
  Message proto = Message().message(1, Message().message(3, computation));
  HloModule module;
  LossList losses;
  std::string error =
      llvm::toString(readHloProto(proto.bytes, "proto", module, losses));
  EXPECT_NE(error.find("proto: needs more than 268435456 bytes"),
            std::string::npos)
      << error;
}

/// A plane with the protos of `modules`, all of program 3.
Message planeOf(llvm::ArrayRef<Message> modules) {
  Message plane;
  plane.text(2, "/host:metadata").message(5, named(1, "Hlo Proto"));
  plane.message(5, named(2, "program_id"));
  int64_t id = 0;
  for (const Message &module : modules)
    plane.message(
        4,
        Message().integer(1, ++id).message(
            2, Message()
                   .text(2, "jit_f(3)")
                   .message(5, stat(2, 4, 3))
                   .message(
                       5, textStat(1, 6, Message().message(1, module).bytes))));
  return plane;
}

/// Two instructions with the same name and id, and sizes of -1 and -5.
TEST(Hostile, HloInstructionsThatStandTwice) {
  Message shape = Message().integer(2, 11).integer(3, -1).integer(3, -5);
  Message add = Message().text(1, "add").text(2, "add").integer(35, 7);
  add.message(3, shape);
  Message main = Message().text(1, "main").integer(5, 1);
  main.message(2, add).message(2, add);
  Message module = Message().text(1, "jit_f").message(3, main).message(3, main);
  Profile profile = readOk(Message().message(1, planeOf(module)).bytes);
  ASSERT_EQ(profile.hloModules.size(), 1u);
  const HloModule &read = profile.hloModules[0];
  ASSERT_EQ(read.instructions.size(), 4u);
  EXPECT_EQ(read.instructions[0].name, "add");
  EXPECT_EQ(read.instructions[3].name, "");
  EXPECT_EQ(read.instructions[0].shape.dimensions,
            (std::vector<int64_t>{-1, -1}));
  EXPECT_EQ(lossCount(profile, "HLO instruction whose name"), 3u);
  EXPECT_EQ(lossCount(profile, "HLO instruction whose id"), 3u);
  EXPECT_EQ(lossCount(profile, "HLO computation whose name"), 1u);
  EXPECT_EQ(lossCount(profile, "HLO computation whose id"), 1u);
  EXPECT_EQ(lossCount(profile, "negative size"), 4u);
  expectReadable(profile);
}

/// The root of another computation, and an entry that does not exist.
TEST(Hostile, HloReferencesToWhatIsNotThere) {
  auto computation = [](llvm::StringRef name, int64_t id, int64_t root) {
    Message add = Message().text(1, name.str() + ".add").integer(35, id * 10);
    return Message().text(1, name).message(2, add).integer(5, id).integer(6,
                                                                          root);
  };
  Message module = Message().text(1, "jit_f").integer(6, 3);
  module.message(3, computation("a", 1, 10))
      .message(3, computation("b", 2, 10));
  Profile profile = readOk(Message().message(1, planeOf(module)).bytes);
  ASSERT_EQ(profile.hloModules.size(), 1u);
  const HloModule &read = profile.hloModules[0];
  EXPECT_EQ(read.entryComputationId, 0);
  EXPECT_EQ(read.computations[0].rootId, 10);
  EXPECT_EQ(read.computations[1].rootId, 0);
  EXPECT_EQ(lossCount(profile, "HLO computation whose root"), 1u);
  EXPECT_EQ(lossCount(profile, "HLO module without the computation"), 1u);
  expectReadable(profile);
}

/// The planes of several hosts repeat modules and tracks.
TEST(Hostile, ModulesAndTracksThatStandTwice) {
  Message module = Message().text(1, "jit_f");
  Message other = Message().text(1, "jit_f").integer(5, 9);
  Message host;
  host.text(2, "/host:CPU").message(4, named(1, "work"));
  Message line = Message().integer(1, -5).text(2, "python");
  host.message(3, line.message(4, event(1, 0, 1000)));
  Message space;
  space.message(1, planeOf({module, module})).message(1, planeOf(other));
  space.message(1, host).message(1, host);
  Profile profile = readOk(space.bytes);
  EXPECT_EQ(profile.hloModules.size(), 1u);
  EXPECT_EQ(lossCount(profile, "HLO module whose name"), 1u);
  ASSERT_EQ(profile.runs[0].tracks.size(), 2u);
  EXPECT_EQ(profile.runs[0].tracks[0].line, 0u);
  EXPECT_EQ(profile.runs[0].tracks[1].line, 1u);
  expectReadable(profile);
}

/// Sums of a recording that are less than one of its events.
TEST(Hostile, SumsThatAreLessThanTheEvents) {
  Profile profile;
  ProfileBuilder builder(profile);
  Event event;
  event.track = builder.addTrack({});
  event.name = builder.addName("f");
  OpKey key;
  key.op = "f";
  event.op = builder.addOpKey(key);
  event.endPs = 100;
  builder.event(event);
  Summary five;
  five.add(5);
  builder.setMeasurement(event.op, Quantity::Execute, five);
  builder.finish();
  EXPECT_EQ(profile.runs[0].opBusyPs, 5);
  EXPECT_EQ(profile.runs[0].opInflightPs, 5);
  EXPECT_EQ(lossCount(profile, "beyond the sums of their ops"), 2u);
  expectReadable(profile);
}

TEST(Hostile, ErrorsOfTheProfilerAreOneLoss) {
  Message space;
  for (int i = 0; i != 50000; ++i)
    space.text(2, "error " + std::to_string(i));
  Profile profile = readOk(space.bytes);
  EXPECT_EQ(lossCount(profile, "the profiler reported an error"), 50000u);
  EXPECT_LT(profile.runs[0].losses.size(), 10u);
  EXPECT_LT(profile.runs[0].facts.size(), 200u);
  EXPECT_EQ(profile.runs[0].facts[0].second, "error 0");
}

TEST(Hostile, DeepShapes) {
  Message shape;
  for (int depth = 0; depth != 2000; ++depth)
    shape = Message().message(4, shape);
  Message instruction;
  instruction.text(1, "a").message(3, shape);
  Message module;
  module.message(3, Message().message(2, instruction));
  HloModule read;
  LossList losses;
  ASSERT_FALSE(bool(
      readHloProto(Message().message(1, module).bytes, "proto", read, losses)));
  ASSERT_EQ(losses.list().size(), 1u);
  EXPECT_EQ(losses.list()[0].name, "HLO shape nested too deeply");
}
