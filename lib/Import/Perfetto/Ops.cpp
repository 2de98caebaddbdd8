//===- Ops.cpp - Ops measured by slices -----------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Ops.h"
#include "../Common/FastWire.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlirprof;
using namespace mlirprof::importer;
using namespace mlirprof::importer::perfetto;
using namespace mlirprof::profile;
using namespace mlirprof::trace;

Ops::Facts Ops::readFacts(llvm::StringRef message,
                          const Sequence &sequence) const {
  Facts facts;
  const char *at = message.begin();
  while (at != message.end()) {
    uint64_t tag = readShortVarint(at, message.end());
    if (tag != (4 << 3 | 2)) {
      skipField(tag, at, message.end());
      continue;
    }
    DebugAnnotation annotation = readAnnotation(readBytes(at, message.end()));
    uint32_t kind = annotation.name.empty()
                        ? sequence.annotations.find(annotation.nameId)
                        : uint32_t(getAnnotation(annotation.name));
    if (kind == kNone || kind == uint32_t(Annotation::Other))
      continue;
    llvm::StringRef text = annotation.text;
    uint32_t value =
        annotation.textId ? sequence.values.find(annotation.textId) : kNone;
    if (value != kNone)
      text = texts.list[value];
    switch (Annotation(kind)) {
    case Annotation::Op:
      facts.op = text;
      break;
    case Annotation::Kernel:
      facts.kernel = text;
      break;
    case Annotation::Module:
      facts.module = text;
      break;
    case Annotation::Scope:
      facts.scope = text;
      break;
    case Annotation::ProgramId:
      facts.programId = annotation.integer;
      facts.hasProgramId =
          annotation.hasInteger || !text.getAsInteger(10, facts.programId);
      break;
    case Annotation::BeginPs:
      facts.beginPs = annotation.integer;
      facts.hasBegin = annotation.hasInteger;
      break;
    case Annotation::DurationPs:
      facts.durationPs = annotation.integer;
      facts.hasDuration = annotation.hasInteger;
      break;
    case Annotation::Other:
      break;
    }
  }
  // On GPUs the stack of annotations is joined; the innermost is the op.
  if (facts.hasProgramId || !facts.module.empty())
    if (size_t inner = facts.op.rfind("::"); inner != llvm::StringRef::npos)
      facts.op = facts.op.substr(inner + 2);
  return facts;
}

uint32_t Ops::getAnnotated(const Facts &facts) {
  llvm::SmallString<256> parts;
  (facts.op + llvm::Twine('\0') + facts.kernel + llvm::Twine('\0') +
   facts.module + llvm::Twine('\0') + facts.scope + llvm::Twine('\0') +
   llvm::Twine(facts.programId) + (facts.hasProgramId ? "p" : ""))
      .toVector(parts);
  auto [it, isNew] = annotated.try_emplace(parts, kNone);
  if (!isNew)
    return it->second;
  OpKey key;
  key.op = facts.op.str();
  key.kernel = facts.kernel.str();
  if (!facts.module.empty() || facts.hasProgramId) {
    auto &details = key.make<HloInstructionKey>();
    if (!facts.module.empty())
      details.module = facts.module.str();
    if (facts.hasProgramId)
      details.programId = facts.programId;
  } else if (!facts.scope.empty()) {
    llvm::SmallVector<llvm::StringRef> scope;
    facts.scope.split(scope, '/');
    key.make<FrameworkCallKey>().scope.assign(scope.begin(), scope.end());
  }
  return it->second = builder.addOpKey(std::move(key));
}

uint32_t Ops::addNamed(uint32_t name, uint32_t category) {
  const std::vector<std::string> &strings = builder.getProfile().strings;
  uint32_t op = builder.addOpKey(
      OpKey(strings[name], category == kNone ? "" : strings[category],
            GraphNodeKey()));
  named[uint64_t(name) << 32 | category] = op;
  return op;
}

static uint32_t getFraction(int64_t ps) {
  int64_t rest = ps % 1000;
  return uint32_t(rest < 0 ? rest + 1000 : rest);
}

SliceOp Ops::readAnnotated(llvm::StringRef message, const TrackEvent &event,
                           const Sequence &sequence, uint32_t name) {
  SliceOp result;
  Facts facts = readFacts(message, sequence);
  if (facts.hasBegin && facts.hasDuration) {
    result.beginPs = getFraction(facts.beginPs);
    // Modulo 2^64, since values in a damaged file are arbitrary.
    result.endPs = getFraction(
        int64_t(uint64_t(facts.beginPs) + uint64_t(facts.durationPs)));
  }
  result.isAnnotated = !facts.op.empty();
  result.op = result.isAnnotated ? getAnnotated(facts)
                                 : getNamed(event, sequence, name);
  return result;
}
