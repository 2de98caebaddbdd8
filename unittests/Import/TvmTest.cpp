//===- TvmTest.cpp - Reading TVM's reports --------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReadText.h"
#include "mlir-prof/Profile/KeyTraits.h"
#include "gtest/gtest.h"

using namespace mlirprof;
using namespace mlirprof::profile;
using namespace mlirprof::reading;

namespace {

TEST(Tvm, InstrumentOfTheVirtualMachine) {
  Profile profile = readSeed("tvm-vm", "tvm/vm.json");
  // A real recording; sums of its numbers.
  OpTotal storage = getTotal(profile, "vm.builtin.alloc_storage");
  EXPECT_EQ(storage.count, 2u);
  EXPECT_EQ(storage.executePs, (62143 + 14372) * 1000ll);
  OpTotal product = getTotal(profile, "fused_matmul_add_gelu_tanh");
  EXPECT_EQ(product.count, 1u);
  EXPECT_EQ(product.selfPs, 1681928334ll * 1000);
  int64_t all = 0;
  for (const OpSummary &op : profile.runs[0].ops)
    all += op.getSum(Quantity::Execute);
  EXPECT_EQ(all, 2619080521ll * 1000);
  for (const OpSummary &op : profile.runs[0].ops)
    if (profile.opKeys[op.op].op == "fused_matmul1_add1") {
      EXPECT_EQ(getKeyTraits(profile.opKeys[op.op]).shapes->print(),
                "[[128,3072],[3072,768],[768],[128,768]]");
    }
}

TEST(Tvm, ReportAsJson) {
  Profile profile = readSeed("tvm-json", "tvm/synthetic-report.json");
  OpTotal dense = getTotal(profile, "tvmgen_default_fused_nn_dense_add");
  EXPECT_EQ(dense.keys, 1u);
  EXPECT_EQ(dense.count, 3u);
  EXPECT_EQ(dense.executePs, 190750000);
  OpTotal softmax = getTotal(profile, "tvmgen_default_fused_nn_softmax");
  EXPECT_EQ(softmax.executePs, 3000125);
  for (const OpSummary &op : profile.runs[0].ops)
    if (profile.opKeys[op.op].op == "tvmgen_default_fused_nn_softmax") {
      EXPECT_EQ(getKeyTraits(profile.opKeys[op.op]).shapes->print(),
                "[[1,10],[]]");
      EXPECT_EQ(profile.opKeys[op.op].kernel, "cpu0");
    }
}

TEST(Tvm, ReportAsCsv) {
  Profile profile = readSeed("tvm-csv", "tvm/synthetic-report.csv");
  EXPECT_EQ(getTotal(profile, "dense, fused").executePs, 120250000);
  EXPECT_EQ(getTotal(profile, "dense, fused").count, 2u);
  EXPECT_EQ(getTotal(profile, "softmax").executePs, 3000120);
}

TEST(Tvm, Tuning) {
  Profile profile = readSeed("tvm-tuning", "tvm/tuning.txt");
  EXPECT_EQ(getTotal(profile, "Run").executePs, 2904000000000);
  EXPECT_EQ(getTotal(profile, "Compile").executePs, 132000000000);
  // 0.0506 of a minute in all, 0.0484 and 0.0022 of it named.
  EXPECT_EQ(getLoss(profile, "time of the tuning without a name"), 0u);
}

TEST(Tvm, TuningUpTo023) {
  // As printed by TVM 0.10 to 0.23: 3.2 of 4 minutes have a name.
  Profile profile = readSeed("tvm-tuning", "tvm/tuning-0.23.txt");
  EXPECT_EQ(getTotal(profile, "Total").keys, 0u);
  EXPECT_EQ(getTotal(profile, "SendToRunner").executePs, 120000000000000);
  EXPECT_EQ(getTotal(profile, "EvoSearch/Evolve/Misc").executePs,
            72000000000000);
  EXPECT_EQ(profile.runs[0].ops.size(), 2u);
  ASSERT_EQ(profile.runs[0].losses.size(), 1u);
  EXPECT_EQ(profile.runs[0].losses[0].name,
            "time of the tuning without a name");
  EXPECT_EQ(profile.runs[0].losses[0].timePs, 48000000000000);
  // Sections are sorted by their shares, and the sort is not stable.
  Profile alike = readGood("tvm-tuning", "ID | Name | Time (min) | Percentage\n"
                                         " | Run | 1.0 | 100.0\n"
                                         "1 | Total | 1.0 | 100.0\n");
  EXPECT_EQ(getTotal(alike, "Run").executePs, 60000000000000);
  EXPECT_EQ(alike.runs[0].ops.size(), 1u);
}

TEST(Tvm, NamesOfTuning) {
  // As printed by TVM 0.27.
  Profile profile = readGood("tvm-tuning",
                             R"(    ID |       Name | Time (min) | Percentage 
----------------------------------------------
 Total |     0.0012 |   100.0000 |            
     1 |    trail   |     0.0005 |    38.6061 
     2 |        a|b |     0.0002 |    18.8325 
     3 | | c | 1 |  |     0.0002 |    18.8325 
     4 |        new
line |     0.0001 |     9.4237 
     5 |     Total  |     0.0001 |     9.4237 
----------------------------------------------)");
  EXPECT_EQ(getTotal(profile, "trail  ").executePs, 30000000000);
  EXPECT_EQ(getTotal(profile, "a|b").executePs, 12000000000);
  EXPECT_EQ(getTotal(profile, "| c | 1 | ").executePs, 12000000000);
  EXPECT_EQ(getTotal(profile, "new\nline").executePs, 6000000000);
  EXPECT_EQ(getTotal(profile, "Total ").executePs, 6000000000);
  ASSERT_EQ(profile.runs[0].losses.size(), 1u);
  EXPECT_EQ(profile.runs[0].losses[0].timePs, 6000000000);
}

TEST(Tvm, Errors) {
  EXPECT_NE(readBad("tvm-csv", "Name,Duration (us),Device,Percent\n"
                               "a,1.5,cpu0,2\nb,x,cpu0,1\n")
                .find("test: line 3: has a count or duration"),
            std::string::npos);
  EXPECT_NE(readBad("tvm-csv", "Name,Duration (us),Device,Percent\n\"a,1\n")
                .find("line 2: has a quote that does not end"),
            std::string::npos);
  EXPECT_NE(readBad("tvm-csv", "a,b\n").find("line 1: is not a header"),
            std::string::npos);
  EXPECT_NE(readBad("tvm-json", "{\"calls\":3}").find("no array 'calls'"),
            std::string::npos);
  EXPECT_NE(readBad("tvm-tuning", "ID | Name | Time (min) | Percentage\n"
                                  "1 | Run | x | 3\n")
                .find("line 2: has a time that is not a number"),
            std::string::npos);
  Profile profile = readGood(
      "tvm-json", "{\"calls\":[{\"Name\":\"a\"},{\"Name\":\"b\",\"Duration "
                  "(us)\":{\"microseconds\":-1}}]}");
  EXPECT_EQ(getLoss(profile, "calls without a name or a duration"), 2u);
}

} // namespace
