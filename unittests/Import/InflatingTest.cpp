//===- InflatingTest.cpp - Reading recordings while they are inflated -----===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Support/Gzip.h"
#include "SpaceWriter.h"
#include "mlir-prof/Import/Importer.h"
#include "mlir-prof/Profile/ProfileFile.h"
#include "llvm/Support/FileSystem.h"
#include "gtest/gtest.h"

using namespace mlirprof;
using namespace mlirprof::importer;
using namespace mlirprof::profile;
using mlirprof::test::gzip;
using mlirprof::test::Message;

namespace {

/// Longer than any format examines before reading, and than the size inflated
/// at a time.
constexpr size_t kLong = size_t(3) << 20;

llvm::Expected<Profile> importBytes(llvm::StringRef bytes) {
  llvm::SmallString<64> path;
  int file;
  EXPECT_FALSE(
      llvm::sys::fs::createTemporaryFile("inflating", "bin", file, path));
  llvm::raw_fd_ostream(file, /*shouldClose=*/true) << bytes;
  auto profile = importProfile(path);
  llvm::sys::fs::remove(path);
  return profile;
}

/// Whether it was read while it was inflated.
bool wasInflatedMeanwhile(const Profile &profile) {
  return llvm::any_of(profile.runs[0].facts, [](const auto &fact) {
    return llvm::StringRef(fact.second).contains("while it was read");
  });
}

/// All of a profile but the identification of its file.
std::string describe(Profile profile) {
  Run &run = profile.runs[0];
  run.hash = run.source = "";
  llvm::erase_if(run.facts, [](const auto &fact) {
    return llvm::StringRef(fact.second).starts_with("gzip, ");
  });
  std::string text;
  llvm::raw_string_ostream os(text);
  writeProfileJson(profile, os);
  return text;
}

/// Reads `bytes` directly and compressed, which must give the same result, and
/// returns it.
Profile readBoth(llvm::StringRef bytes) {
  auto plain = importBytes(bytes), inflated = importBytes(gzip(bytes));
  if (!plain || !inflated) {
    ADD_FAILURE() << llvm::toString(plain.takeError()) << " "
                  << llvm::toString(inflated.takeError());
    Profile none;
    none.runs.emplace_back();
    return none;
  }
  EXPECT_TRUE(wasInflatedMeanwhile(*inflated));
  EXPECT_EQ(describe(*plain), describe(*inflated));
  return std::move(*inflated);
}

uint64_t countEvents(const Profile &profile) {
  uint64_t count = 0;
  for (const EventSummary &event : profile.runs[0].events)
    count += event.total.count;
  return count;
}

bool hasLoss(const Profile &profile, llvm::StringRef part) {
  return llvm::any_of(profile.runs[0].losses, [&](const Loss &loss) {
    return llvm::StringRef(loss.name).contains(part);
  });
}

/// Errors after the first MiB are not seen: the format is detected before.
TEST(Inflating, OfNoFormatIsToldFromTheBeginning) {
  for (llvm::StringRef begin :
       {llvm::StringRef("\0\0", 2), llvm::StringRef("{\"a\": 1, ")}) {
    std::string bytes = gzip(begin.str() + std::string(kLong, begin.back()));
    bytes[bytes.size() - 6] ^= 0x55;
    auto profile = importBytes(bytes);
    ASSERT_FALSE(bool(profile));
    std::string error = llvm::toString(profile.takeError());
    EXPECT_NE(error.find("is not in a known format"), std::string::npos)
        << error;
  }
}

//===----------------------------------------------------------------------===//
// Trace events
//===----------------------------------------------------------------------===//

std::string event(unsigned index, llvm::StringRef name = "op") {
  return ("{\"ph\":\"X\",\"name\":\"" + name +
          "\",\"pid\":1,\"tid\":2,\"ts\":" + llvm::Twine(10 * index) +
          ",\"dur\":" + llvm::Twine(1 + index % 7) + "},\n")
      .str();
}

/// A trace with events from 0 to `count`, and `middle` before event `count`/2.
std::string events(unsigned count, llvm::StringRef middle = "") {
  std::string text;
  for (unsigned index = 0; index != count; ++index) {
    if (index == count / 2)
      text += middle;
    text += event(index, index % 3 ? "matmul" : "exp");
  }
  return text;
}

/// This many events are some MiB.
constexpr unsigned kMany = 100000;

std::string trace(llvm::StringRef events, llvm::StringRef before = "",
                  llvm::StringRef behind = "") {
  return ("{" + before + "\"traceEvents\":[" + events.rtrim(",\n") + "]" +
          behind + "}")
      .str();
}

TEST(Inflating, TraceEvents) {
  std::string text = trace(events(kMany));
  ASSERT_GT(text.size(), kLong);
  Profile profile = readBoth(text);
  EXPECT_EQ(countEvents(profile), kMany);
  EXPECT_TRUE(profile.runs[0].losses.empty());
}

TEST(Inflating, LongMembersAndElements) {
  std::string filler(kLong, 'x');
  EXPECT_EQ(countEvents(readBoth(trace(events(kMany), "\"kind\":\"some\",",
                                       ",\"last\":\"" + filler + "\""))),
            kMany);
  std::string element =
      "{\"ph\":\"X\",\"name\":\"op\",\"pid\":1,\"tid\":2,\"ts\":1,\"dur\":2,"
      "\"args\":{\"a\":\"" +
      filler + "\"}},\n";
  EXPECT_EQ(countEvents(readBoth(trace(events(kMany, element)))), kMany + 1);
  EXPECT_EQ(countEvents(readBoth(trace(events(kMany, std::string(kLong, ' ')),
                                       "", ",\"a\":7 "))),
            kMany);
}

TEST(Inflating, DamagedTraceEvents) {
  // A quote that is not escaped, and an error that cannot be mended.
  std::string damage = event(1, "say \"hello\" twice") + "{\"name\":[7},\n";
  for (int i = 0; i != 4; ++i)
    damage += damage;
  Profile profile = readBoth(trace(events(kMany, damage)));
  EXPECT_EQ(countEvents(profile), kMany + 16);
  EXPECT_TRUE(hasLoss(profile, "quote in a name"));
  EXPECT_TRUE(hasLoss(profile, "malformed"));
  // A string that does not end.
  readBoth(trace(events(kMany, "{\"name\":\"open")));
  // No end of the list, and an event without one.
  std::string text = trace(events(kMany));
  profile = readBoth(llvm::StringRef(text).drop_back(20));
  EXPECT_EQ(countEvents(profile), kMany - 1);
  EXPECT_TRUE(hasLoss(profile, "does not end"));
}

TEST(Inflating, BrokenFilesAreErrors) {
  std::string whole = gzip(trace(events(kMany)));
  std::string damaged = whole;
  damaged[whole.size() / 2] ^= 0x55;
  std::string wrongSum = whole;
  wrongSum[whole.size() - 6] ^= 1;
  for (llvm::StringRef bytes :
       {llvm::StringRef(whole).drop_back(whole.size() / 3),
        llvm::StringRef(whole).drop_back(3), llvm::StringRef(damaged),
        llvm::StringRef(wrongSum)}) {
    auto profile = importBytes(bytes);
    EXPECT_FALSE(bool(profile));
    EXPECT_NE(llvm::toString(profile.takeError()).find("gzip data"),
              std::string::npos);
  }
}

//===----------------------------------------------------------------------===//
// Packets
//===----------------------------------------------------------------------===//

std::string packets(unsigned count) {
  Message trace;
  for (unsigned index = 0; index != count; ++index) {
    Message event;
    event.integer(9, 1 + index % 2).integer(11, 7);
    if (index % 2 == 0)
      event.text(23, index % 3 ? "matmul" : "exp");
    trace.message(
        1, Message().integer(8, 10 * index).message(11, event).integer(10, 1));
  }
  return trace.bytes;
}

TEST(Inflating, Packets) {
  constexpr unsigned kPackets = 300000;
  std::string bytes = packets(kPackets);
  ASSERT_GT(bytes.size(), kLong);
  Profile profile = readBoth(bytes);
  EXPECT_EQ(countEvents(profile), kPackets / 2);
  EXPECT_EQ(profile.runs[0].events[0].total.sum +
                profile.runs[0].events[1].total.sum,
            int64_t(kPackets / 2) * 10000);
  // The last packet is cut off.
  profile = readBoth(llvm::StringRef(bytes).drop_back(2));
  EXPECT_TRUE(hasLoss(profile, "end of the file cuts off"));
  // A long packet without any data of interest.
  Message configuration;
  configuration.message(1, Message().text(33, std::string(2 * kLong, 'x')));
  EXPECT_EQ(countEvents(readBoth(bytes + configuration.bytes + bytes)),
            kPackets);
}

TEST(Inflating, PacketsOfManySequences) {
  // The inflation that its size allows, far more than that of its beginning
  // would.
  Message trace;
  for (unsigned sequence = 1; sequence != 200000; ++sequence)
    trace.message(
        1, Message().integer(10, sequence).text(33, std::string(120, 'x')));
  EXPECT_EQ(countEvents(readBoth(trace.bytes + packets(2))), 1u);
}

} // namespace
