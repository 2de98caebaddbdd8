//===- XRayTest.cpp - Reading XRay logs -----------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReadText.h"
#include "gtest/gtest.h"

using namespace mlirprof;
using namespace mlirprof::profile;
using namespace mlirprof::reading;

namespace {

constexpr llvm::StringLiteral kHead =
    "---\nheader:\n  version: 3\n  cycle-frequency: 2000000000\nrecords:\n";

std::string record(unsigned function, llvm::StringRef name,
                   llvm::StringRef kind, uint64_t cycles, unsigned thread = 1) {
  return ("  - { type: 0, func-id: " + llvm::Twine(function) +
          ", function: " + name + ", cpu: 0, thread: " + llvm::Twine(thread) +
          ", process: 9, kind: " + kind + ", tsc: " + llvm::Twine(cycles) +
          ", data: '' }\n")
      .str();
}

TEST(XRay, OfARecording) {
  // A clock of 1 GHz. llvm-xray account has the same sums: 5.859 us of fact,
  // 8.091 us of middle on the second thread.
  Profile profile = readSeed("xray-yaml", "xray-yaml/calls.yaml");
  EXPECT_EQ(getTotal(profile, "fact(int)").executePs, 5859000);
  OpTotal middle = getTotal(profile, "middle(int)");
  EXPECT_EQ(middle.count, 6u);
  EXPECT_EQ(middle.executePs,
            (13150 + 12629 + 12609 + 12669 + 12598 + 8091) * 1000ll);
  EXPECT_EQ(getTotal(profile, "main").executePs, 6538933000ll);
  EXPECT_EQ(profile.runs[0].tracks.size(), 2u);
  EXPECT_TRUE(profile.runs[0].losses.empty());
}

TEST(XRay, NamesRecursionAndMissingEnds) {
  // Half a nanosecond a cycle.
  Profile profile =
      readGood("xray-yaml",
               kHead.str() + record(1, "'it''s, {a}'", "function-enter", 100) +
                   record(1, "'it''s, {a}'", "function-enter-arg", 110) +
                   record(2, "'2'", "function-enter", 120) +
                   record(1, "'it''s, {a}'", "function-tail-exit", 150) +
                   record(1, "'it''s, {a}'", "function-exit", 200) +
                   record(3, "g", "function-exit", 210) +
                   record(4, "h", "custom-event", 220) +
                   record(4, "h", "function-enter", 300, 2) +
                   record(5, "i", "function-enter", 290, 2) + "...\n");
  EXPECT_EQ(getTotal(profile, "it's, {a}").count, 2u);
  EXPECT_EQ(getTotal(profile, "it's, {a}").executePs, (100 + 40) * 500);
  EXPECT_EQ(getTotal(profile, "function 2").executePs, 30 * 500);
  EXPECT_EQ(getLoss(profile, "record that is not a call: not kept"), 1u);
  EXPECT_EQ(getLoss(profile, "exit of a call that began before the recording"),
            1u);
  EXPECT_EQ(getLoss(profile, "call without an exit: ended with the one around "
                             "it, or the thread"),
            3u);
  EXPECT_EQ(getLoss(profile, "record whose time is before that of the one "
                             "before it"),
            1u);
}

TEST(XRay, Errors) {
  auto bad = [](const std::string &text, llvm::StringRef part) {
    EXPECT_TRUE(llvm::StringRef(readBad("xray-yaml", text)).contains(part))
        << readBad("xray-yaml", text);
  };
  bad("---\nheader:\n  version: 3\n", "ends before its records");
  bad("---\ncycle-frequency: 0\n", "line 2: has a clock frequency");
  bad("---\nrecords:\n", "line 2: comes before the clock frequency");
  bad(kHead.str() + "  - { func-id: 1, kind: function-enter\n",
      "line 6: is not an XRay record");
  bad(kHead.str() + "  - { func-id: 1, tsc: 'x",
      "line 6: is not an XRay record");
  bad(kHead.str() + record(1, "f", "function-enter", 1) +
          record(1, "f", "function-exit", ~uint64_t(0)),
      "line 7: is too far");
  std::string log("\3\0\0\0\3\0\0\0\0\xca\x9a\x3b\0\0\0\0", 16);
  log.resize(64);
  EXPECT_TRUE(getImporter("xray-log").detect(log));
  EXPECT_FALSE(getImporter("xray-log")
                   .detect("{\"traceEvents\": []}        "
                           "                    "));
  EXPECT_NE(readBad("xray-log", log).find("llvm-xray convert"),
            std::string::npos);
}

} // namespace
