//===- ReaderTest.cpp - Recordings that are incomplete --------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Recordings that lack scopes, or that contradict themselves.
//
//===----------------------------------------------------------------------===//

#include "ReadScopes.h"
#include "mlir-prof/Runtime/prof_scope_file.h"
#include "mlir-prof/Scope/Scope.h"
#include "mlir-prof/Scope/Table.h"

#include <cstring>
#include <functional>
#include <thread>

using namespace mlirprof;
using namespace mlirprof::scope;

static void spend(int64_t ns) { simulatedNs += ns; }

namespace {
class Session {
public:
  explicit Session(const prof_scope_options &options = PROF_SCOPE_OPTIONS) {
    EXPECT_EQ(prof_scope_start(&options, nullptr), 0);
  }
  ~Session() { prof_scope_stop(nullptr); }
};
} // namespace

/// Calls `change` with each block of a recording of a kind.
static void
changeBlocks(std::vector<char> &bytes, unsigned kind,
             const std::function<void(char *block, size_t size)> &change) {
  bool isFound = false;
  for (size_t offset = 0; offset + sizeof(prof_scope_block) < bytes.size();) {
    prof_scope_block header;
    std::memcpy(&header, &bytes[offset], sizeof header);
    if (header.magic != PROF_SCOPE_FILE_MAGIC) {
      offset += PROF_SCOPE_PAGE;
      continue;
    }
    if (header.kind == kind) {
      change(&bytes[offset], header.size);
      isFound = true;
    }
    offset += header.size;
  }
  EXPECT_TRUE(isFound);
}

TEST(ScopeReader, SampledSelfTimesAreBounds) {
  SimulatedClock clock;
  prof_scope_options options = PROF_SCOPE_OPTIONS;
  options.sample_every = 4;
  Session session(options);
  {
    PROF_SCOPE("outer");
    for (int index = 0; index < 4; ++index) {
      PROF_SCOPE("inner");
      spend(10);
    }
  }
  ScopeEvent outer = findEvent(readScopes(), "outer");
  EXPECT_EQ(outer.getDurationPs(), 40000);
  EXPECT_EQ(outer.selfPs, 30000);
  EXPECT_TRUE(outer.isSelfBound);
}

TEST(ScopeReader, SamplesWithoutParentsAreReadInLinearTime) {
  SimulatedClock clock;
  prof_scope_options options = PROF_SCOPE_OPTIONS;
  options.sample_every = 10;
  Session session(options);
  constexpr int kOuter = 200000;
  {
    PROF_SCOPE("main");
    for (int outer = 0; outer < kOuter; ++outer) {
      PROF_SCOPE("outer");
      spend(1);
      for (int inner = 0; inner < 11; ++inner) {
        PROF_SCOPE("inner");
        spend(1);
      }
    }
  }
  // A reading whose time grows with the square takes minutes.
  Recording recording = readScopes();
  EXPECT_EQ(findEvents(recording, "outer").size(), size_t(kOuter) / 10);
  size_t inOuter = 0, inMain = 0;
  for (const ScopeEvent &event : findEvents(recording, "inner")) {
    std::string parent = getParent(recording, event);
    inOuter += parent == "outer";
    inMain += parent == "main";
  }
  EXPECT_EQ(inOuter + inMain, size_t(kOuter) * 11 / 10);
  EXPECT_GT(inOuter, 0u);
  EXPECT_TRUE(recording.losses.empty());
}

TEST(ScopeReader, RingsThatBeginWithAnotherRecordAreBounds) {
  SimulatedClock clock;
  prof_scope_options options = PROF_SCOPE_OPTIONS;
  options.ring_records = 16;
  for (bool isMeasuredElsewhere : {false, true}) {
    Session session(options);
    {
      PROF_SCOPE("parent");
      for (int index = 0; index < 20; ++index) {
        PROF_SCOPE("lost");
        spend(3);
      }
      if (isMeasuredElsewhere)
        prof_scope_record_name("measured", 8, 7, 1, 0, simulatedNs,
                               simulatedNs + 1);
      for (int index = 0; index < 13 + isMeasuredElsewhere; ++index) {
        PROF_SCOPE("kept");
        spend(1);
      }
    }
    Recording recording = readScopes();
    ScopeEvent parent = findEvent(recording, "parent");
    EXPECT_TRUE(parent.isSelfBound) << isMeasuredElsewhere;
  }
}

TEST(ScopeReader, OpenScopesEndWithTheirThread) {
  SimulatedClock clock;
  Session session;
  std::thread([] {
    prof_scope_begin_name("forgotten", 9, 7, 1, 0);
    spend(5);
  }).join();
  spend(1000);
  ScopeEvent event = findEvent(readScopes(), "forgotten");
  EXPECT_EQ(event.end, EventEnd::Open);
  EXPECT_EQ(event.getDurationPs(), 5000);
}

TEST(ScopeReader, ClocksThatGoBackKeepParents) {
  SimulatedClock clock;
  Session session;
  {
    PROF_SCOPE("outer");
    simulatedNs -= 100;
    PROF_SCOPE("inner");
    spend(5);
  }
  Recording recording = readScopes();
  EXPECT_EQ(getParent(recording, findEvent(recording, "inner")), "outer");
  EXPECT_EQ(getLoss(recording, "scope that began before the one around it: the "
                               "clock went back"),
            1u);
}

TEST(ScopeReader, NumbersOfAnyValueAreRead) {
  SimulatedClock clock;
  prof_scope_options options = PROF_SCOPE_OPTIONS;
  options.modes = PROF_SCOPE_EVENTS | PROF_SCOPE_STATISTICS;
  Session session(options);
  Scope("one").end();
  Scope open("open");
  std::vector<char> bytes = copyScopes();
  for (uint32_t number : {~0u, ~0u - 1, 1u << 24}) {
    std::vector<char> changed = bytes;
    changeBlocks(
        changed, PROF_SCOPE_BLOCK_STATISTICS, [&](char *block, size_t) {
          auto *rows = reinterpret_cast<prof_scope_statistics *>(block);
          rows->rows[0].site = number;
          rows->block.thread = number;
        });
    changeBlocks(changed, PROF_SCOPE_BLOCK_THREAD, [&](char *block, size_t) {
      reinterpret_cast<prof_scope_threads *>(block)->block.thread = number;
    });
    Recording recording = readScopes(changed);
    ASSERT_EQ(recording.statistics.size(), 1u);
    EXPECT_EQ(recording.sites[recording.statistics[0].site].name, "(unknown)");
    EXPECT_EQ(getLoss(recording, "site of scopes that is not in the recording"),
              1u);
    findEvent(recording, "one");
    findEvent(recording, "open");
  }
}
