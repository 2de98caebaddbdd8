//===- ExplainJson.cpp - Explanations as JSON -----------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExplainWriters.h"
#include "mlir-prof/Profile/KeyTraits.h"
#include "mlir-prof/Report/JsonText.h"
#include "mlir-prof/Report/OpNames.h"

using namespace mlirprof;
using namespace mlirprof::attribution;
using namespace mlirprof::report;
using namespace mlirprof::profile;
using namespace mlirprof::trace;
using llvm::json::OStream;

static void writeTexts(OStream &json, llvm::StringRef key,
                       llvm::ArrayRef<std::string> texts) {
  json.attributeArray(key, [&] {
    for (const std::string &text : texts)
      json.value(toJsonText(text));
  });
}

static void writeOp(OStream &json, const ReportInput &input, uint32_t index) {
  const MlirOp &op = input.ownership->ops[index];
  OpNumber number = input.ownership->getNumber(index);
  if (number.index == kNone)
    json.attribute("index", nullptr);
  else
    json.attribute("index", number.index);
  if (input.ownership->hasSeveralPrograms())
    json.attribute("program", number.program);
  writeText(json, "op", op.op);
  writeText(json, "location", getPlace(op));
}

static void writeOwner(OStream &json, const ReportInput &input,
                       const OwnerShare &owner) {
  json.object([&] {
    writeOp(json, input, owner.op);
    json.attribute("weight", owner.weight);
    json.attribute("part_ps", owner.partPs);
  });
}

static void writeTrack(OStream &json, const TrackUse &use) {
  json.object([&] {
    writeText(json, "plane", use.plane);
    json.attribute("line", use.line);
    writeText(json, "name", use.track);
    json.attribute("count", use.events);
  });
}

static void writeMatch(OStream &json, const ReportInput &input,
                       const MeasuredOp &measured) {
  const Match &match = *measured.match;
  writeText(json, "class", toString(match.matchClass));
  if (measured.owners.empty())
    json.attribute("tier", nullptr);
  else
    writeText(json, "tier", toString(match.tier));
  writeText(json, "reason", match.reason);
  writeTexts(json, "names", match.names);
  writeTexts(json, "unmatched", match.unmatched);
  json.attributeArray("owners", [&] {
    for (const OwnerShare &owner : measured.owners)
      writeOwner(json, input, owner);
  });
}

static void writeMeasured(OStream &json, const ReportInput &input,
                          const MeasuredOp &measured) {
  const OpKey &key = input.profile.opKeys[measured.key];
  KeyTraits traits = getKeyTraits(key);
  json.object([&] {
    writeText(json, "key", measured.name);
    if (traits.module)
      writeText(json, "module", *traits.module);
    else
      json.attribute("module", nullptr);
    if (traits.programId)
      json.attribute("program_id", *traits.programId);
    else
      json.attribute("program_id", nullptr);
    writeText(json, "op", key.op);
    if (measured.kernel.empty())
      json.attribute("kernel", nullptr);
    else
      writeText(json, "kernel", measured.kernel);
    json.attribute("count", measured.count);
    json.attribute("time_ps", measured.timePs);
    if (measured.match)
      writeMatch(json, input, measured);
    json.attributeArray("tracks", [&] {
      for (const TrackUse &use : measured.tracks)
        writeTrack(json, use);
    });
  });
}

static void writeMlirOp(OStream &json, const ReportInput &input,
                        const Explanation &explanation) {
  const MlirOp &op = input.ownership->ops[explanation.op];
  const OpTime &time = input.attribution->ops[explanation.op];
  writeOp(json, input, explanation.op);
  if (op.file.empty()) {
    json.attribute("source", nullptr);
    json.attribute("file", nullptr);
    json.attribute("line", nullptr);
  } else {
    writeText(json, "source", op.file + ":" + std::to_string(op.line));
    writeText(json, "file", op.file);
    json.attribute("line", op.line);
  }
  json.attribute("count", time.count);
  json.attribute("sole_ps", time.solePs);
  json.attribute("shared_ps", time.sharedPs);
  json.attribute("estimated_ps", time.estimatedPs);
  json.attribute("total_ps", time.totalPs());
  json.attribute("inside_ps", explanation.insidePs);
  if (!explanation.instances.empty())
    json.attributeArray("instances", [&] {
      for (const InstanceShare &share : explanation.instances)
        json.object([&] {
          json.attribute("program", share.program);
          json.attribute("instance", share.instance);
          json.attribute("part_ps", share.partPs);
        });
    });
  writeTexts(json, "reasons", explanation.reasons);
  writeTexts(json, "nearest", explanation.nearest);
}

static llvm::StringRef getKindName(Explanation::Kind kind) {
  switch (kind) {
  case Explanation::Kind::MlirOp:
    return "op";
  case Explanation::Kind::MeasuredOp:
    return "measured-op";
  case Explanation::Kind::Ambiguous:
    return "ambiguous";
  }
  return "";
}

void report::writeExplanationJson(const ReportInput &input,
                                  const Explanation &explanation,
                                  llvm::raw_ostream &os) {
  OStream json(os, /*IndentSize=*/1);
  json.object([&] {
    json.attribute("schema", "mlir-prof.explain/2");
    writeText(json, "query", explanation.query);
    json.attribute("kind", getKindName(explanation.kind));
    if (explanation.kind == Explanation::Kind::MlirOp)
      writeMlirOp(json, input, explanation);
    if (explanation.kind == Explanation::Kind::Ambiguous) {
      json.attributeArray("candidates", [&] {
        for (const Candidate &candidate : explanation.candidates)
          json.object([&] {
            writeText(json, "query", candidate.query);
            writeText(json, "description", candidate.description);
            json.attribute("time_ps", candidate.timePs);
          });
      });
      return;
    }
    json.attributeArray("measured", [&] {
      for (const MeasuredOp &measured : explanation.measured)
        writeMeasured(json, input, measured);
    });
  });
  os << '\n';
}
