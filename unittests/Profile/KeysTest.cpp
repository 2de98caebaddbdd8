//===- KeysTest.cpp - Tests for the kinds of op keys ----------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RandomKeys.h"
#include "TestProfiles.h"
#include "mlir-prof/Profile/KeyOrder.h"
#include "mlir-prof/Profile/KeyTraits.h"
#include "mlir-prof/Profile/ProfileFile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/JSON.h"
#include "gtest/gtest.h"

using namespace mlirprof;
using namespace mlirprof::test;
using namespace mlirprof::trace;

namespace {

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

Profile makeProfile(std::vector<OpKey> keys) {
  Profile profile;
  profile.opKeys = std::move(keys);
  return profile;
}

/// The profile with `keys`, given as JSON; or the error.
llvm::Expected<Profile> readKeys(llvm::StringRef keys) {
  return readProfileJson(
      (R"({"schema": "mlir-prof.profile/1", "opKeys": [)" + keys + "]}").str(),
      "keys.json");
}

OpKey readKey(llvm::StringRef json) {
  llvm::Expected<Profile> profile = readKeys(json);
  if (!profile) {
    ADD_FAILURE() << llvm::toString(profile.takeError());
    return {};
  }
  return profile->opKeys.front();
}

/// The message of the file that is written for `key`.
llvm::json::Object writeKey(const OpKey &key) {
  std::string text = toJson(makeProfile({key}));
  llvm::Expected<llvm::json::Value> json = llvm::json::parse(text);
  EXPECT_TRUE(bool(json));
  return *json->getAsObject()->getArray("opKeys")->front().getAsObject();
}

/// Several keys of each kind, all different.
std::vector<OpKey> makeKeys(unsigned each) {
  std::vector<OpKey> keys;
  KeyMaker maker(1);
  for (size_t kind = 0; kind != kKinds; ++kind)
    for (unsigned i = 0; i != each;) {
      OpKey key = maker.make(makeEmptyKey(kind));
      if (llvm::is_contained(keys, key))
        continue;
      EXPECT_EQ(key.details.index(), kind);
      keys.push_back(std::move(key));
      ++i;
    }
  return keys;
}

TEST(Keys, FilesGiveEachKindBack) {
  // Kinds that share a number differ only in it.
  Profile profile = makeProfile(makeKeys(/*each=*/9));
  llvm::Expected<Profile> again = readProfile(toBytes(profile), "keys.mlprof");
  ASSERT_TRUE(bool(again)) << llvm::toString(again.takeError());
  EXPECT_EQ(again->opKeys, profile.opKeys);
  again = readProfileJson(toJson(profile), "keys.json");
  ASSERT_TRUE(bool(again)) << llvm::toString(again.takeError());
  EXPECT_EQ(again->opKeys, profile.opKeys);
}

TEST(Keys, FilesCallDispatchesAndSourceLinesCalls) {
  OpKey dispatch("main_dispatch_0", "", DispatchKey{3, "1/2", 7, 9, {}});
  EXPECT_EQ(
      writeKey(dispatch),
      (llvm::json::Object{{"kind", "FRAMEWORK_CALL"},
                          {"op", "main_dispatch_0"},
                          {"scope", llvm::json::Array{"command buffer 3"}},
                          {"graphNode", "1/2"},
                          {"ordinalPlusOne", 8},
                          {"sequencePlusOne", "10"}}));
  SourcePosition chain[] = {{"dir/m.mlir", 12, 5, "f"}, {"n.py", 3, 0, ""}};
  OpKey line = makeSourceLineKey(chain, "main");
  EXPECT_EQ(line.op, "m.mlir:12:5");
  EXPECT_EQ(line.get<SourceLineKey>().getChain(),
            std::vector<SourcePosition>(std::begin(chain), std::end(chain)));
  EXPECT_EQ(
      writeKey(line),
      (llvm::json::Object{
          {"kind", "FRAMEWORK_CALL"},
          {"op", "m.mlir:12:5"},
          {"kernel", "main"},
          {"frames", llvm::json::Array{"n.py(3): ", "dir/m.mlir(12:5): f"}}}));
}

/// A key that is nearly a dispatch, or nearly a source line, is a call.
TEST(Keys, OtherCallsAreOfFrameworks) {
  for (const char *json :
       {R"({"kind": 5, "op": "f", "scope": ["command buffer 007"],
            "ordinalPlusOne": 1})",
        R"({"kind": 5, "op": "f", "scope": ["command buffer x"],
            "ordinalPlusOne": 1})",
        R"({"kind": 5, "op": "f", "scope": ["command buffer 7"]})",
        R"({"kind": 5, "op": "f", "scope": ["no command buffer", "g"],
            "ordinalPlusOne": 1})",
        R"({"kind": 5, "op": "m.py:3", "frames": ["m.py(3): f"]})",
        R"({"kind": 5, "op": "m.py:3", "kernel": "k", "frames": ["f"]})",
        R"({"kind": 5, "op": "m.py:4", "kernel": "k",
            "frames": ["m.py(3): f"]})",
        R"({"kind": 5, "op": "m.py:3", "kernel": "k", "scope": ["g"],
            "frames": ["m.py(3): f"]})"})
    EXPECT_TRUE(readKey(json).is<FrameworkCallKey>()) << json;
}

/// A newer version may write other kinds, and a hostile file fields that no
/// kind has.
TEST(Keys, WhatNoKindHoldsIsKept) {
  for (const char *json :
       {R"({"kind":77,"module":"m","op":"o","kernel":"k","node":3})",
        R"({"module":"m","op":"o"})", R"({"programId":"3","op":"o"})",
        R"({"op":"o","shapes":"[[2]]"})",
        R"({"kind":"FRAMEWORK_NODE","hasProgramId":true,"op":"o"})",
        R"({"kind":"FRAMEWORK_NODE","module":"m","op":"o"})",
        R"({"kind":"CODE","module":"m","hasModule":true,"op":"o",)"
        R"("scope":["s"]})",
        R"({"kind":"PROBE","op":"o","programId":"1"})",
        R"({"kind":"OUTSIDE","op":"o","kernel":"waiting","node":1})",
        R"({"kind":"FRAMEWORK_CALL","op":"o","originKind":"WHOLE"})",
        R"({"kind":"FRAMEWORK_CALL","op":"o","kernel":"k",)"
        R"("frames":["x (1"],"origins":[{"name":"n","alike":2}]})",
        R"({"kind":"ONNX_NODE","op":"o","graphNode":"g"})"}) {
    OpKey key = readKey(json);
    EXPECT_TRUE(key.is<UnknownKey>()) << json;
    EXPECT_EQ(key.op, "o");
    EXPECT_EQ(llvm::json::Value(writeKey(key)),
              llvm::cantFail(llvm::json::parse(json)));
    llvm::Expected<Profile> again =
        readProfile(toBytes(makeProfile({key})), "keys.mlprof");
    ASSERT_TRUE(bool(again)) << llvm::toString(again.takeError());
    EXPECT_EQ(again->opKeys.front(), key);
  }
}

TEST(Keys, ProgramsNeedNotBeShown) {
  OpKey key = readKey(R"({"kind":"CODE","module":"p","op":"main+0x1"})");
  ASSERT_TRUE(key.is<CodeKey>());
  EXPECT_EQ(*findProgramOf(key), "p");
  EXPECT_FALSE(getKeyTraits(key).module);
  key = readKey(R"({"kind":"PROBE","module":"p","hasModule":true,"op":"f"})");
  EXPECT_EQ(*findProgramOf(key), "p");
  EXPECT_EQ(getKeyTraits(key).module, "p");
  EXPECT_EQ(findProgramOf(OpKey("o", "", HloInstructionKey{"p", {}})), nullptr);
}

//===----------------------------------------------------------------------===//
// Order
//===----------------------------------------------------------------------===//

/// The order of files when all kinds were one struct: the fields of the message
/// in their order.
struct OldRank {
  explicit OldRank(const OpKey &key) {
    llvm::json::Object json = writeKey(key);
    static constexpr llvm::StringLiteral kKinds[] = {
        "HLO_INSTRUCTION", "FRAMEWORK_NODE", "CODE",     "PROBE",
        "OUTSIDE",         "FRAMEWORK_CALL", "ONNX_NODE"};
    static constexpr llvm::StringLiteral kPhases[] = {"FORWARD", "BACKWARD",
                                                      "OPTIMIZER"};
    static constexpr llvm::StringLiteral kOrigins[] = {"UNKNOWN", "SAME_NAME",
                                                       "WHOLE", "PART"};
    auto find = [&](llvm::ArrayRef<llvm::StringLiteral> names,
                    llvm::StringRef field) -> int64_t {
      std::optional<llvm::StringRef> name = json.getString(field);
      return name ? llvm::find(names, *name) - names.begin()
                  : json.getInteger(field).value_or(0);
    };
    auto text = [](const llvm::json::Object &of, llvm::StringRef field) {
      return of.getString(field).value_or("").str();
    };
    // Numbers of 64 bits are texts.
    auto number = [](const llvm::json::Object &of,
                     llvm::StringRef field) -> int64_t {
      int64_t value = 0;
      if (std::optional<llvm::StringRef> digits = of.getString(field)) {
        EXPECT_FALSE(digits->getAsInteger(10, value));
        return value;
      }
      return of.getInteger(field).value_or(0);
    };
    auto list = [&](llvm::StringRef field) {
      std::vector<std::string> texts;
      if (const llvm::json::Array *array = json.getArray(field))
        for (const llvm::json::Value &value : *array)
          texts.push_back(value.getAsString()->str());
      return texts;
    };
    std::vector<SourcePosition> frames;
    for (const std::string &frame : list("frames"))
      frames.push_back(parseFrame(frame));
    std::vector<std::tuple<std::string, std::string, int64_t, int64_t>> origins;
    if (const llvm::json::Array *array = json.getArray("origins"))
      for (const llvm::json::Value &value : *array) {
        const llvm::json::Object &origin = *value.getAsObject();
        origins.emplace_back(text(origin, "name"), text(origin, "type"),
                             number(origin, "ordinal"),
                             number(origin, "alike"));
      }
    around = {find(kKinds, "kind"), text(json, "module"),
              json.getBoolean("hasModule").value_or(false),
              number(json, "programId"),
              json.getBoolean("hasProgramId").value_or(false)};
    names = {text(json, "op"), text(json, "kernel")};
    // 0 means none, which was the largest ordinal and the least sequence.
    rest = {number(json, "node"),
            list("scope"),
            list("callers"),
            frames,
            InputShapes::parse(text(json, "shapes")),
            text(json, "graphNode"),
            uint64_t(number(json, "ordinalPlusOne")) - 1,
            number(json, "sequencePlusOne"),
            find(kPhases, "phase"),
            find(kOrigins, "originKind"),
            origins};
  }

  bool operator<(const OldRank &other) const {
    return std::tie(around, names, rest) <
           std::tie(other.around, other.names, other.rest);
  }
  /// Kinds that share a number in files were distinguished by their fields.
  bool isSortedByName(const OldRank &other) const {
    return std::tie(around, names) != std::tie(other.around, other.names);
  }

private:
  std::tuple<int64_t, std::string, bool, int64_t, bool> around;
  std::pair<std::string, std::string> names;
  std::tuple<
      int64_t, std::vector<std::string>, std::vector<std::string>,
      std::vector<SourcePosition>, InputShapes, std::string, uint64_t, int64_t,
      int64_t, int64_t,
      std::vector<std::tuple<std::string, std::string, int64_t, int64_t>>>
      rest;
};

TEST(Keys, OrderIsThatOfFiles) {
  std::vector<OpKey> keys = makeKeys(/*each=*/16);
  // Keys of newer versions come last, in any order.
  llvm::erase_if(keys, [](const OpKey &key) { return key.is<UnknownKey>(); });
  for (OpKey &key : keys)
    key.work = DeviceWork::None;
  std::vector<OldRank> ranks(keys.begin(), keys.end());
  for (size_t a = 0; a != keys.size(); ++a)
    for (size_t b = 0; b != keys.size(); ++b) {
      EXPECT_EQ(compareKeys(keys[a], keys[b]), -compareKeys(keys[b], keys[a]));
      bool areOfOneKind = keys[a].details.index() == keys[b].details.index();
      if (areOfOneKind || ranks[a].isSortedByName(ranks[b])) {
        EXPECT_EQ(OpKeyLess()(keys[a], keys[b]), ranks[a] < ranks[b]);
      }
    }
}

TEST(Keys, OrderTellsAllKeysApart) {
  std::vector<OpKey> keys = makeKeys(/*each=*/12);
  for (size_t a = 0; a != keys.size(); ++a)
    for (size_t b = 0; b != keys.size(); ++b) {
      EXPECT_EQ(compareKeys(keys[a], keys[b]) == 0, a == b);
      EXPECT_EQ(hashKey(keys[a]) == hashKey(keys[b]), a == b);
    }
}

TEST(Keys, IndexFindsEachOnce) {
  std::vector<OpKey> keys = makeKeys(/*each=*/12), known;
  KeyIndex index;
  auto get = [&](uint32_t number) -> const OpKey & { return known[number]; };
  for (int round = 0; round != 2; ++round)
    for (auto [number, key] : llvm::enumerate(keys)) {
      auto next = uint32_t(known.size());
      EXPECT_EQ(index.findOrAdd(key, next, get), number);
      if (number == next)
        known.push_back(key);
    }
  EXPECT_EQ(known.size(), keys.size());
}

//===----------------------------------------------------------------------===//
// Traits and labels
//===----------------------------------------------------------------------===//

using Stack = std::vector<std::string>;

Stack getStack(const OpKey &key) {
  Stack stack;
  addKeyStack(key, stack);
  return stack;
}

TEST(Keys, Instructions) {
  OpKey key("add.1", "", HloInstructionKey{"jit_f", 7});
  KeyTraits traits = getKeyTraits(key);
  EXPECT_EQ(traits.module, "jit_f");
  EXPECT_EQ(traits.programId, 7);
  EXPECT_TRUE(traits.isAsynchronous);
  EXPECT_FALSE(traits.isCall || traits.isOutside || traits.mayBeSymbol);
  EXPECT_EQ(getKeyLabel(key), "jit_f(7)/add.1");
  EXPECT_EQ(getEventName(key), "add.1");
  EXPECT_EQ(getStack(key), (Stack{"jit_f(7)", "add.1"}));
  key.get<HloInstructionKey>() = {};
  EXPECT_EQ(getKeyLabel(key), "add.1");
  EXPECT_EQ(getStack(key), Stack{"add.1"});
}

TEST(Keys, GraphNodes) {
  OpKey key("net/up/MatMul", "MatMul", GraphNodeKey{"sub", "event", 4});
  KeyTraits traits = getKeyTraits(key);
  EXPECT_EQ(traits.module, "sub");
  EXPECT_EQ(traits.opType, "MatMul");
  EXPECT_EQ(traits.graphNode, "event");
  EXPECT_TRUE(traits.mayBeSymbol);
  EXPECT_FALSE(traits.isCall);
  EXPECT_EQ(getKeyLabel(key), "net/up/MatMul:MatMul");
  EXPECT_EQ(getEventName(key), "net/up/MatMul:MatMul");
  EXPECT_EQ(getStack(key), (Stack{"net", "up", "MatMul"}));
  key.kernel = "_FusedMatMul";
  EXPECT_EQ(getStack(key), (Stack{"net", "up", "MatMul", "_FusedMatMul"}));
}

TEST(Keys, CodeAndProbes) {
  OpKey code("main+0x4", "libm.so.6:expf", CodeKey{"p", 3});
  EXPECT_EQ(getKeyTraits(code).libraryFunction, "libm.so.6:expf");
  EXPECT_EQ(getKeyTraits(code).opType, "");
  EXPECT_EQ(getKeyTraits(code).module, "p");
  EXPECT_EQ(getKeyLabel(code), "main+0x4:libm.so.6:expf");
  EXPECT_EQ(getStack(code), (Stack{"main+0x4", "libm.so.6:expf"}));
  OpKey probe("mlp/fc1", "", ProbeKey{"p", 3});
  EXPECT_EQ(getKeyTraits(probe).module, "p");
  EXPECT_EQ(getKeyLabel(probe), "mlp/fc1");
  EXPECT_EQ(getStack(probe), (Stack{"mlp", "fc1"}));
  EXPECT_EQ(getInstance(code), trace::kNone);
  code.get<CodeKey>().instance = 0;
  EXPECT_EQ(getInstance(code), 0u);
  EXPECT_EQ(getKeyLabel(code), "main+0x4:libm.so.6:expf in dispatch 0");
  probe.get<ProbeKey>().instance = 7;
  EXPECT_EQ(getKeyLabel(probe), "mlp/fc1 in dispatch 7");
}

TEST(Keys, Outside) {
  for (auto [kind, text] :
       {std::pair(OutsideKind::Outside, "outside"),
        std::pair(OutsideKind::Waiting, "waiting"),
        std::pair(OutsideKind::Stealing, "stealing"),
        std::pair(OutsideKind::Executor, "executor"),
        std::pair(OutsideKind::Initialization, "initialization"),
        std::pair(OutsideKind::Tuning, "tuning")}) {
    OpKey key = makeOutsideKey("futex", kind);
    EXPECT_EQ(key.kernel, text);
    EXPECT_EQ(makeOutsideKey("futex", text), key);
    EXPECT_TRUE(getKeyTraits(key).isOutside && getKeyTraits(key).mayBeSymbol);
    EXPECT_EQ(getKeyLabel(key), std::string("futex:") + text);
    EXPECT_EQ(getStack(key), (Stack{std::string("(") + text + ")", "futex"}));
  }
  OpKey other = makeOutsideKey("futex", "asleep");
  EXPECT_EQ(other.get<OutsideKey>().kind, OutsideKind::Other);
  EXPECT_EQ(getStack(other), (Stack{"(asleep)", "futex"}));
}

TEST(Keys, Calls) {
  OpKey key("aten::addmm", "",
            FrameworkCallKey{{"MLP_0", "Linear_1"},
                             {"aten::linear"},
                             {{"m.py", 3, 0, "f"}},
                             InputShapes({{2, 3}}),
                             "linear_1",
                             4,
                             7,
                             CallPhase::Backward});
  KeyTraits traits = getKeyTraits(key);
  EXPECT_EQ(traits.opType, "aten::addmm");
  EXPECT_EQ(traits.graphNode, "linear_1");
  EXPECT_EQ(traits.callers.vec(), Stack{"aten::linear"});
  EXPECT_EQ(traits.frames.front().line, 3u);
  EXPECT_EQ(traits.shapes->print(), "[[2,3]]");
  EXPECT_EQ(traits.ordinal, 4u);
  EXPECT_EQ(traits.phase, CallPhase::Backward);
  EXPECT_TRUE(traits.isCall && traits.mayBeSymbol && traits.hasShapes());
  EXPECT_EQ(getKeyScope(key), "MLP_0/Linear_1");
  EXPECT_EQ(getKeyLabel(key), "MLP_0/Linear_1/aten::linear/aten::addmm #4");
  EXPECT_EQ(getEventName(key), "aten::addmm");
  EXPECT_EQ(getStack(key),
            (Stack{"MLP_0", "Linear_1", "aten::linear", "aten::addmm"}));
  key.kernel = "gemm";
  EXPECT_EQ(getKeyTraits(key).kernel, "gemm");
  EXPECT_EQ(getKeyLabel(key),
            "MLP_0/Linear_1/aten::linear/aten::addmm:gemm #4");
  EXPECT_EQ(getEventName(key), "gemm");
  EXPECT_EQ(getStack(key).back(), "gemm");
}

TEST(Keys, OnnxNodes) {
  OpKey key("loop/body/add", "Add", OnnxNodeKey{{"loop"}, {}, {}});
  KeyTraits traits = getKeyTraits(key);
  EXPECT_EQ(traits.opType, "Add");
  EXPECT_EQ(traits.callers.vec(), Stack{"loop"});
  EXPECT_FALSE(traits.hasShapes() || traits.isCall || traits.mayBeSymbol);
  EXPECT_EQ(getKeyLabel(key), "loop/body/add:Add");
  EXPECT_EQ(getStack(key), (Stack{"loop", "body", "add", "Add"}));
}

TEST(Keys, Dispatches) {
  OpKey key("main_dispatch_0", "", DispatchKey{12, "", 3, -1, {}});
  EXPECT_EQ(getKeyScope(key), "command buffer 12");
  EXPECT_EQ(getKeyLabel(key), "command buffer 12/main_dispatch_0 #3");
  EXPECT_EQ(getStack(key), (Stack{"command buffer 12", "main_dispatch_0"}));
  EXPECT_TRUE(getKeyTraits(key).isCall);
  EXPECT_EQ(getKeyTraits(key).opType, "main_dispatch_0");
  EXPECT_EQ(getKeyTraits(key).shapes, nullptr);
  key.get<DispatchKey>().commandBuffer.reset();
  EXPECT_EQ(getKeyLabel(key), "no command buffer/main_dispatch_0 #3");
}

TEST(Keys, SourceLines) {
  OpKey key = makeSourceLineKey(SourcePosition{"dir/m.py", 3, 0, "f"}, "main");
  EXPECT_EQ(getKeyScope(key), "");
  EXPECT_EQ(getKeyLabel(key), "m.py:3:main");
  EXPECT_EQ(getEventName(key), "main");
  EXPECT_EQ(getStack(key), (Stack{"m.py:3", "main"}));
  EXPECT_TRUE(getKeyTraits(key).isCall);
  EXPECT_EQ(getKeyTraits(key).frames.front().file, "dir/m.py");
}

TEST(Keys, UnknownKeysHaveANameAlone) {
  OpKey key("net/o", "k", UnknownKey{"\x08\x4d"});
  KeyTraits traits = getKeyTraits(key);
  EXPECT_FALSE(traits.module || traits.programId || traits.isCall ||
               traits.isOutside);
  EXPECT_EQ(getKeyLabel(key), "net/o:k");
  EXPECT_EQ(getStack(key), (Stack{"net", "o", "k"}));
}

TEST(Keys, PathsHave64PartsAtMost) {
  std::string path = "/a//b/";
  std::vector<std::string> parts;
  splitPath(path, parts);
  EXPECT_EQ(parts, (Stack{"a", "b"}));
  for (int i = 0; i != 99; ++i)
    path += "x/";
  parts.clear();
  splitPath(path, parts);
  EXPECT_LE(parts.size(), 64u);
  EXPECT_TRUE(llvm::StringRef(parts.back()).ends_with("x/x/"));
}

/// A profile may hold millions of keys.
TEST(Keys, AreSmall) {
  // As one struct with the fields of all kinds they took 352 bytes.
  EXPECT_LE(sizeof(OpKey), 352u);
}

} // namespace
