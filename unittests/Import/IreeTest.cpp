//===- IreeTest.cpp - Reading IREE's profiles -----------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReadText.h"
#include "mlir-prof/Profile/KeyTraits.h"
#include "gtest/gtest.h"

#include <map>

using namespace mlirprof;
using namespace mlirprof::profile;
using namespace mlirprof::reading;
using namespace mlirprof::trace;

namespace {

/// Time of all events whose name `isWanted`, in ps.
template <typename IsWanted>
int64_t sumEvents(const Profile &profile, IsWanted isWanted) {
  int64_t sum = 0;
  for (const EventSummary &event : profile.runs[0].events)
    if (isWanted(llvm::StringRef(profile.strings[event.name])))
      sum += event.total.sum;
  return sum;
}

// Two calls of a real recording; the numbers are sums over its lines.
TEST(Iree, DispatchesOfTheHost) {
  Profile profile = readSeed("iree-jsonl", "iree-jsonl/transformer.jsonl");
  uint64_t count = 0;
  int64_t sum = 0;
  for (const OpSummary &op : profile.runs[0].ops) {
    count += op.getCount();
    sum += op.getSum(Quantity::Execute);
  }
  EXPECT_EQ(profile.runs[0].ops.size(), 19u);
  EXPECT_EQ(count, 38u);
  EXPECT_EQ(sum, 22410464000);
  OpTotal first = getTotal(profile, "main_dispatch_0_matmul_like_4x128x64x256_"
                                    "f32");
  EXPECT_EQ(first.count, 2u);
  EXPECT_EQ(first.executePs, (258184 + 177704) * 1000ll);
  EXPECT_EQ(sumEvents(profile,
                      [](llvm::StringRef name) { return name == "execute"; }),
            22443674000);
  EXPECT_EQ(sumEvents(profile,
                      [](llvm::StringRef name) {
                        return name.starts_with("region ");
                      }),
            22435394000);
  EXPECT_EQ(getLoss(profile, "record 'memory_event', not kept"), 3u);
  EXPECT_EQ(getLoss(profile, "record 'queue_event', not kept"), 7u);
}

TEST(Iree, OneFunctionAtTwoPlaces) {
  Profile profile = readSeed("iree-jsonl", "iree-jsonl/transformer.jsonl");
  std::map<uint32_t, int64_t> places;
  for (const OpSummary &op : profile.runs[0].ops) {
    const OpKey &key = profile.opKeys[op.op];
    ASSERT_TRUE(key.is<DispatchKey>());
    EXPECT_EQ(key.get<DispatchKey>().commandBuffer, 1u);
    if (key.op == "main_dispatch_7_reduction_128x256_f32")
      places[key.get<DispatchKey>().ordinal] = op.getSum(Quantity::Execute);
  }
  // Commands 17 and 28, with barriers, are the 12th and the last dispatch.
  EXPECT_EQ(places,
            (std::map<uint32_t, int64_t>{{11, (16194 + 16023) * 1000ll},
                                         {18, (95462 + 20030) * 1000ll}}));
}

TEST(Iree, DispatchesOfADevice) {
  Profile profile = readSeed("iree-jsonl", "iree-jsonl/synthetic-device.jsonl");
  OpTotal twice = getTotal(profile, "a_dispatch_0");
  // Two dispatches of one submission are two places.
  EXPECT_EQ(twice.keys, 2u);
  EXPECT_EQ(twice.executePs, 2500000);
  EXPECT_EQ(getTotal(profile, "executable 2 function 6").executePs, 250000);
  EXPECT_EQ(getLoss(profile, "dispatch in ticks of a clock that is not known"),
            1u);
  EXPECT_EQ(getLoss(profile, "record that says its times are not valid"), 1u);
  EXPECT_EQ(profile.runs[0].tracks[0].plane, "device 1");
  for (const OpKey &key : profile.opKeys) {
    ASSERT_TRUE(key.is<DispatchKey>());
    EXPECT_FALSE(key.get<DispatchKey>().commandBuffer);
  }
}

std::string makeLine(int64_t begin, int64_t duration, unsigned command) {
  return "{\"record_type\":\"host_execution_event\",\"op\":\"dispatch\","
         "\"key\":\"f\",\"command_buffer_id\":2,\"submission_id\":1,"
         "\"command_index\":" +
         std::to_string(command) +
         ",\"start_host_time_ns\":" + std::to_string(begin) +
         ",\"duration_ns\":" + std::to_string(duration) + "}\n";
}

TEST(Iree, OverlapsHaveTracks) {
  Profile profile =
      readGood("iree-jsonl", makeLine(100, 50, 0) + makeLine(120, 50, 1) +
                                 makeLine(160, 10, 2));
  ASSERT_EQ(profile.runs[0].tracks.size(), 2u);
  EXPECT_EQ(getTotal(profile, "f").count, 3u);
  EXPECT_EQ(getTotal(profile, "f").selfPs, 110000);
}

TEST(Iree, ManyOverlapsShareATrack) {
  std::string lines;
  for (int command = 0; command != 70; ++command)
    lines += makeLine(100 + command, 500, command);
  Profile profile = readGood("iree-jsonl", lines);
  EXPECT_EQ(profile.runs[0].tracks.size(), 64u);
  EXPECT_EQ(getTotal(profile, "f").count, 70u);
}

TEST(Iree, Damage) {
  Profile profile =
      readGood("iree-jsonl",
               makeLine(0, -5, 0) + "{}\n" + makeLine(5, 7, 0) +
                   makeLine(int64_t(1) << 62, 7, 0) +
                   "{\"record_type\":\"dispatch_event\",\"valid\":true}\n");
  EXPECT_EQ(getTotal(profile, "f").executePs, 7000);
  EXPECT_EQ(getLoss(profile, "record more than a month away from the first"),
            1u);
  EXPECT_EQ(getLoss(profile, "record without a begin or a duration"), 1u);
  EXPECT_EQ(getLoss(profile,
                    "record with a duration that is negative or above a month"),
            1u);
  EXPECT_EQ(getLoss(profile, "record without a type"), 1u);
}

TEST(Tracy, Totals) {
  Profile profile = readSeed("tracy-csv", "tracy-csv/synthetic-zones.csv");
  OpTotal product = getTotal(profile, "main_dispatch_0_matmul_like");
  EXPECT_EQ(product.count, 3u);
  EXPECT_EQ(product.executePs, 600000000);
  for (const OpSummary &op : profile.runs[0].ops)
    if (profile.opKeys[op.op].op == "main_dispatch_0_matmul_like") {
      EXPECT_EQ(profile.opKeys[op.op].get<FrameworkCallKey>().frames,
                (std::vector<SourcePosition>{{"module.mlir", 3, 0, ""}}));
    }
}

TEST(Tracy, Executions) {
  Profile profile = readSeed("tracy-csv", "tracy-csv/synthetic-unwrapped.csv");
  OpTotal product = getTotal(profile, "main_dispatch_0_matmul_like");
  EXPECT_EQ(product.count, 2u);
  EXPECT_EQ(product.executePs, 550000);
  // 900 ns around these two.
  EXPECT_EQ(getTotal(profile, "iree_vm_invoke").selfPs, 350000);
  EXPECT_EQ(profile.runs[0].tracks.size(), 2u);
}

// tracy-csvexport does not quote.
TEST(Tracy, CommasInNames) {
  std::string header = "name,src_file,src_line,ns_since_start,exec_time_ns,"
                       "thread,value\n";
  Profile profile =
      readGood("tracy-csv", header + "f<a, 2, 3>,x.h,7,100,40,9,\n"
                                     "g,x.h,8,200,5,9,1, 2, 3, 4\n"
                                     "memory,,,150,,,3.5\n");
  EXPECT_EQ(getTotal(profile, "f<a, 2, 3>").executePs, 40000);
  EXPECT_EQ(getTotal(profile, "g").executePs, 5000);
  EXPECT_EQ(getLoss(profile, "value of a plot, not kept"), 1u);
  profile = readGood("tracy-csv", "name,src_file,src_line,total_ns,counts\n"
                                  "f<a, 2>,x.h,7,100,4\n");
  EXPECT_EQ(getTotal(profile, "f<a, 2>").count, 4u);
  EXPECT_EQ(profile.opKeys[0].get<FrameworkCallKey>().frames,
            (std::vector<SourcePosition>{{"x.h", 7, 0, ""}}));
}

TEST(Tracy, ZonesOfGpus) {
  Profile profile = readGood("tracy-csv", "name,src_file,Time from start of "
                                          "program,GPU execution time\n"
                                          "k<1, 2>,x.cu,100,40\n");
  EXPECT_EQ(getTotal(profile, "k<1, 2>").executePs, 40000);
  EXPECT_EQ(profile.runs[0].tracks.size(), 1u);
}

TEST(Tracy, Errors) {
  std::string header = "name,src_file,src_line,total_ns,counts\n";
  EXPECT_NE(readBad("tracy-csv", header + "a,b,1,2,0\n")
                .find("line 2: has a "
                      "count"),
            std::string::npos);
  EXPECT_NE(readBad("tracy-csv", header + "a,b,1,x,1\n")
                .find("line 2: has a "
                      "total"),
            std::string::npos);
  EXPECT_NE(readBad("tracy-csv", "a,b\n").find("line 1: is not a header"),
            std::string::npos);
}

} // namespace
