//===- RandomKeys.cpp - Op keys of every kind -----------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RandomKeys.h"

using namespace mlirprof;
using namespace mlirprof::profile;
using namespace mlirprof::test;
using namespace mlirprof::trace;

template <size_t I = 0>
static OpKey makeKeyOf(size_t kind) {
  if constexpr (I + 1 < kKinds)
    if (kind != I)
      return makeKeyOf<I + 1>(kind);
  return OpKey("", "", std::variant_alternative_t<I, KeyDetails>());
}

OpKey test::makeEmptyKey(size_t kind) { return makeKeyOf(kind); }

OpKey KeyMaker::make(const OpKey &sample) {
  OpKey key = sample;
  key.op = "op" + std::to_string(random() % 4);
  key.kernel = makeText();
  key.work = DeviceWork(random() % 8);
  std::visit([&](auto &details) { fill(details); }, key.details);
  // Some kinds depend on their texts, or determine them.
  if (key.is<OutsideKey>())
    return makeOutsideKey(key.op, random() % 2 ? key.kernel : "waiting");
  if (const auto *line = key.getIf<SourceLineKey>())
    return makeSourceLineKey(line->getChain(), "main");
  return key;
}

std::string KeyMaker::makeText() {
  static const char *const texts[] = {"a", "b/c", "\"\\;\n", "", "\u00e9"};
  return texts[random() % 5];
}

std::optional<std::string> KeyMaker::makeMaybeText() {
  return random() % 2 ? std::optional(makeText()) : std::nullopt;
}

std::vector<std::string> KeyMaker::makeList() {
  std::vector<std::string> list(random() % 3);
  for (std::string &text : list)
    text = makeText();
  return list;
}

InputShapes KeyMaker::makeShapes() {
  return InputShapes::parse(random() % 2 ? "[[2,3],[]]" : "");
}

NodeOrigins KeyMaker::makeOrigins() {
  NodeOrigins origins{OriginKind(random() % 4), {}};
  for (unsigned i = random() % 3; i != 0; --i)
    origins.nodes.push_back({makeText(), "Conv", uint32_t(random() % 3), 3});
  return origins;
}

void KeyMaker::fill(HloInstructionKey &key) {
  key.module = makeMaybeText();
  if (random() % 2)
    key.programId = int64_t(random() % 5) - 2;
}

void KeyMaker::fill(GraphNodeKey &key) {
  key = {makeMaybeText(), makeText(), int64_t(random() % 9) - 1};
}

void KeyMaker::fill(CodeKey &key) {
  key = {makeText(), uint32_t(random() % 9), random() % 2 == 0};
  if (random() % 2 == 0)
    key.instance = uint32_t(random() % 3);
}

void KeyMaker::fill(ProbeKey &key) {
  key = {makeText(), uint32_t(random() % 9), random() % 2 == 0};
  if (random() % 2 == 0)
    key.instance = uint32_t(random() % 3);
}

void KeyMaker::fill(OutsideKey &) {}

void KeyMaker::fill(FrameworkCallKey &key) {
  key.scope = makeList();
  key.callers = makeList();
  for (const std::string &frame : makeList())
    key.frames.push_back(parseFrame(frame));
  key.shapes = makeShapes();
  key.graphNode = makeText();
  key.ordinal = random() % 2 ? uint32_t(random() % 99) : kNone;
  key.sequence = int64_t(random() % 9) - 1;
  key.phase = CallPhase(random() % 3);
}

void KeyMaker::fill(OnnxNodeKey &key) {
  key = {makeList(), makeShapes(), makeOrigins()};
}

void KeyMaker::fill(DispatchKey &key) {
  if (random() % 4)
    key.commandBuffer = random() % 20;
  key.place = makeText();
  key.ordinal = uint32_t(random() % 99);
  key.command = int64_t(random() % 9) - 1;
  key.origins = makeOrigins();
}

void KeyMaker::fill(SourceLineKey &key) {
  key.frames = {
      {"dir/m.py", 1 + uint32_t(random() % 9), 0, ""},
      {"n.py", 1 + uint32_t(random() % 9), uint32_t(random() % 3), "f"}};
}

void KeyMaker::fill(UnknownKey &key) {
  // Field 1, a varint: a kind that this version does not know.
  key.record = {'\x08', char(20 + random() % 9)};
}
