//===- IreeDumpTest.cpp - Reading IREE's modules as text ------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../../lib/Import/Iree/StreamDump.h"
#include "mlir-prof/Import/Iree.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace mlirprof;
using namespace mlirprof::importer;
using namespace mlirprof::importer::iree;
using namespace mlirprof::profile;
using namespace mlirprof::trace;
using llvm::StringRef;

namespace {

StreamDump read(StringRef text) {
  auto dump = readStreamDump(text, "dump.mlir");
  if (!dump) {
    ADD_FAILURE() << llvm::toString(dump.takeError());
    return {};
  }
  return std::move(*dump);
}

std::string fail(StringRef text) {
  auto dump = readStreamDump(text, "dump.mlir");
  EXPECT_FALSE(bool(dump));
  return dump ? "" : llvm::toString(dump.takeError());
}

std::vector<std::string> getNames(const StreamDump &dump, uint32_t location) {
  return dump.locations.getNames(location).vec();
}

// Text of unknown dialects separates the relevant parts.
constexpr StringRef kCustom = R"(
#loc1 = loc("m.mlir":8:11)
module @m {
  stream.executable private @e0 {
    stream.executable.export public @f0 workgroups() -> (index) {
      %x = new.op [loc] <{a = "stream.cmd.dispatch"}> loc(#loc1)
      stream.return %x : index loc(#loc1)
    } loc(#loc1)
    builtin.module {
      func.func @f0(%arg0: !stream.binding {a.b = 64 : index} loc("x")) attributes {t = #u.v<{n = 1}>} {
        %0:2 = stream.load %arg0[%c] : (f32) -> (f32) loc(#loc1)
        %1 = linalg.generic {maps = [#m], k = "}"} ins(%0#0 : f32) {
        ^bb0(%in: f32 loc("in")):
          %2 = arith.addf %in, %in : f32 loc("inner")
          linalg.yield %2 : f32 loc("inner")
        } -> f32 loc(callsite("dot" at #loc2)) // linalg.fake loc("no")
        %3 = linalg.relu %1 : f32 loc(fused<{prof = 3 : i32}>["relu"(#loc1), "a\22b"])
        return loc(#loc1)
      } loc(callsite("dot" at #loc2))
    } loc(#loc1)
  } loc(#loc1)
  util.func public @main(%arg0: !x) -> !x {
    %r = stream.cmd.execute await(%t) => with(%a as %b: !stream.resource<external>{%c}) {
      stream.cmd.concurrent {
        stream.cmd.copy %a[%c], %b[%c], %n : !r -> !r loc(#loc1)
        stream.cmd.flush %b[%c for %n] : !r loc(#loc1)
        stream.cmd.dispatch {@e0::@f0, @"e 1"::@f0}[%c](%x : i32) {
          ro %a[%c for %n] : !stream.resource<external>{%n}
        } loc(callsite("dot" at #loc2))
      } loc(#loc1)
      stream.cmd.dispatch @e0::@variant::@f0 loc(#loc9)
    } => !stream.timepoint loc(#loc1)
    util.return loc(#loc1)
  } loc(#loc1)
} loc(unknown)
#loc2 = loc("main"(callsite(#loc1 at #loc2)))
)";

TEST(IreeDump, Sites) {
  StreamDump dump = read(kCustom);
  ASSERT_EQ(dump.executes.size(), 1u);
  ASSERT_EQ(dump.executes[0].size(), 2u);
  const DumpSite &first = dump.executes[0][0];
  ASSERT_EQ(first.entries.size(), 2u);
  EXPECT_EQ(first.entries[0], "e0::f0");
  EXPECT_EQ(first.entries[1], "e 1::f0");
  EXPECT_EQ(getNames(dump, first.location), std::vector<std::string>{"dot"});
  // After the copy; a barrier ends commands that run at the same time.
  EXPECT_EQ(first.command, 1u);
  const DumpSite &second = dump.executes[0][1];
  EXPECT_EQ(second.entries[0], "e0::f0");
  EXPECT_EQ(second.command, 3u);
  EXPECT_TRUE(second.runs("f0"));
  EXPECT_FALSE(second.runs("f"));
  // An alias that is not defined.
  EXPECT_TRUE(getNames(dump, second.location).empty());
}

TEST(IreeDump, Body) {
  StreamDump dump = read(kCustom);
  ASSERT_EQ(dump.bodies.count("e0::f0"), 1u);
  const DumpBody &body = dump.bodies["e0::f0"];
  ASSERT_EQ(body.ops.size(), 2u);
  EXPECT_EQ(body.ops[0].op, "linalg.generic");
  EXPECT_EQ(getNames(dump, body.ops[0].location),
            std::vector<std::string>{"dot"});
  EXPECT_EQ(body.ops[1].op, "linalg.relu");
  EXPECT_EQ(getNames(dump, body.ops[1].location),
            (std::vector<std::string>{"relu", "a\"b"}));
  EXPECT_EQ(body.getRoot(), &body.ops[0]);
}

TEST(IreeDump, GenericForm) {
  StreamDump dump = read(R"("builtin.module"() ({
  "stream.executable"() <{sym_name = "e0", sym_visibility = "private"}> ({
    "builtin.module"() ({
      "func.func"() <{function_type = (f32) -> (), sym_name = "f0"}> ({
      ^bb0(%arg0: f32 loc("x")):
        %0 = "iree_encoding.set_encoding"(%arg0) : (f32) -> f32 loc("m.mlir":3:4)
        "func.return"() : () -> () loc(unknown)
      }) : () -> () loc("m.mlir":3:4)
    }) : () -> () loc(unknown)
  }) : () -> () loc(unknown)
  "stream.cmd.execute"(%a) <{s = array<i32: 1>}> ({
  ^bb0(%b: !r loc("y")):
    "stream.cmd.dispatch"(%b) <{entry_points = [@e0::@f0], operandSegmentSizes = array<i32: 0>}> : (!r) -> () loc("m.mlir":3:4 to :9)
    "stream.yield"() : () -> () loc(unknown)
  }) : (!r) -> !t loc(unknown)
}) : () -> () loc(unknown)
)");
  ASSERT_EQ(dump.executes.size(), 1u);
  ASSERT_EQ(dump.executes[0].size(), 1u);
  EXPECT_EQ(getNames(dump, dump.executes[0][0].location),
            std::vector<std::string>{"m.mlir:3:4"});
  const DumpBody &body = dump.bodies["e0::f0"];
  // A change of layout counts if nothing else is done.
  ASSERT_EQ(body.ops.size(), 1u);
  EXPECT_EQ(body.ops[0].location, dump.executes[0][0].location);
}

TEST(IreeDump, Refused) {
  EXPECT_NE(fail("module {\n} loc(unknown)\n").find("not a module of IREE's"),
            std::string::npos);
  EXPECT_NE(fail("stream.cmd.execute { stream.cmd.dispatch @a::@b }")
                .find("does not have locations"),
            std::string::npos);
}

TEST(IreeDump, Damaged) {
  // Any prefix of it is read or refused.
  for (size_t size = 0; size < kCustom.size(); ++size)
    if (auto dump = readStreamDump(kCustom.take_front(size), "dump.mlir");
        !dump)
      llvm::consumeError(dump.takeError());
  std::string deep = "#loc0 = loc(#loc0)\n#loc1 = loc(";
  for (int i = 0; i < 100000; ++i)
    deep += "fused[";
  read(deep +
       ")\nstream.cmd.execute {\n stream.cmd.dispatch @a::@b loc(#loc1)\n"
       "} loc(#loc0)\n");
}

//===----------------------------------------------------------------------===//
// Command buffers and executes
//===----------------------------------------------------------------------===//

/// Two executes that cannot be distinguished, and one that can.
constexpr StringRef kThree = R"(
stream.cmd.execute { stream.cmd.dispatch @e::@f loc("a") } loc("x")
stream.cmd.execute { stream.cmd.dispatch @e::@g loc("b") } loc("x")
stream.cmd.execute { stream.cmd.dispatch @e::@f loc("c") } loc("x")
)";

struct Dispatch {
  /// 0: in none.
  unsigned buffer;
  const char *function;
  int64_t command;
  unsigned ordinal = 0;
};

/// The places of dispatches that ran for 1 ps each, "" without one; and the
/// counts.
std::vector<std::string> place(llvm::ArrayRef<Dispatch> dispatches,
                               DispatchCounts &counts,
                               StringRef module = kThree) {
  Profile profile;
  Run &run = profile.runs.emplace_back();
  for (const Dispatch &dispatch : dispatches) {
    DispatchKey details;
    if (dispatch.buffer)
      details.commandBuffer = dispatch.buffer;
    details.ordinal = dispatch.ordinal;
    details.command = dispatch.command;
    OpKey key(dispatch.function, "", std::move(details));
    OpSummary summary;
    summary.op = uint32_t(profile.opKeys.size());
    summary.get(Quantity::Execute).add(1);
    run.ops.push_back(summary);
    profile.opKeys.push_back(std::move(key));
  }
  llvm::SmallString<64> path;
  int descriptor;
  EXPECT_FALSE(
      llvm::sys::fs::createTemporaryFile("stream", "mlir", descriptor, path));
  llvm::FileRemover remover(path);
  llvm::raw_fd_ostream(descriptor, true) << module;
  auto found = addDispatchSites(profile, path);
  if (found)
    counts = *found;
  else
    llvm::consumeError(found.takeError());
  std::vector<std::string> places;
  for (const OpKey &key : profile.opKeys)
    places.push_back(key.get<DispatchKey>().place);
  return places;
}

using Places = std::vector<std::string>;

TEST(IreeSites, ByNumber) {
  DispatchCounts counts;
  // The first execute did not run.
  EXPECT_EQ(place({{3, "f", 0}, {2, "g", 0}}, counts), (Places{"2/0", "1/0"}));
  EXPECT_EQ(counts.found, 2u);
  EXPECT_EQ(counts.inTurn, 0u);
}

TEST(IreeSites, InTurn) {
  DispatchCounts counts;
  // Created again for each of two calls.
  EXPECT_EQ(place({{11, "f", 0},
                   {12, "g", 0},
                   {13, "f", 0},
                   {14, "f", 0},
                   {15, "g", 0},
                   {16, "f", 0}},
                  counts),
            (Places{"0/0", "1/0", "2/0", "0/0", "1/0", "2/0"}));
  EXPECT_EQ(counts.found, 6u);
  EXPECT_EQ(counts.inTurn, 4u);
}

TEST(IreeSites, Nowhere) {
  DispatchCounts counts;
  EXPECT_EQ(place({{11, "f", 0}, {12, "g", 0}}, counts), (Places{"", "1/0"}));
  EXPECT_EQ(counts.measured, 2u);
  EXPECT_EQ(counts.found, 1u);
  EXPECT_EQ(counts.missingPs, 1);
}

/// The second one also dispatches everything that the first one does.
constexpr StringRef kLonger = R"(
stream.cmd.execute { stream.cmd.dispatch @e::@f loc("a") } loc("x")
stream.cmd.execute {
  stream.cmd.dispatch @e::@f loc("b")
  stream.cmd.dispatch @e::@g loc("c")
} loc("x")
)";

TEST(IreeSites, CommandsNotListed) {
  DispatchCounts counts;
  EXPECT_EQ(place({{11, "f", -1}, {12, "f", -1, 0}, {12, "g", -1, 1}}, counts,
                  kLonger),
            (Places{"0/0", "1/0", "1/1"}));
  EXPECT_EQ(counts.inTurn, 0u);
}

TEST(IreeSites, InNoCommandBuffer) {
  DispatchCounts counts;
  // Two places run f, one runs g.
  EXPECT_EQ(place({{0, "f", -1}, {0, "g", -1}, {0, "h", -1}}, counts),
            (Places{"", "1/0", ""}));
  EXPECT_EQ(counts.measured, 3u);
  EXPECT_EQ(counts.found, 1u);
  EXPECT_EQ(counts.inTurn, 0u);
  EXPECT_EQ(counts.missingPs, 2);
  // With command buffers, which keep their numbers.
  EXPECT_EQ(place({{3, "f", 0}, {0, "g", -1}}, counts), (Places{"2/0", "1/0"}));
}

} // namespace
