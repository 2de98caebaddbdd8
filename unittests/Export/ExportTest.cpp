//===- ExportTest.cpp - Helpers for tests of exporters --------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExportTest.h"

using namespace mlirprof;
using namespace mlirprof::attribution;
using namespace mlirprof::exporter;
using namespace mlirprof::profile;
using namespace mlirprof::trace;

std::string mlirprof::exportAs(llvm::StringRef format,
                               const ExportInput &input) {
  llvm::Expected<const Exporter *> exporter = findExporter(format);
  if (!exporter)
    return llvm::toString(exporter.takeError());
  std::string text;
  llvm::raw_string_ostream os(text);
  if (llvm::Error error = (*exporter)->write(input, os))
    return llvm::toString(std::move(error));
  return text;
}

static uint32_t addTrack(ProfileBuilder &builder, const char *name) {
  Track track;
  track.plane = "/host:CPU";
  track.name = name;
  return builder.addTrack(std::move(track));
}

static uint32_t addOp(ProfileBuilder &builder, const char *op,
                      const char *kernel) {
  OpKey key;
  key.op = op;
  key.kernel = kernel;
  return builder.addOpKey(std::move(key));
}

Profile mlirprof::makeTrace(KeepEvents::Mode keep) {
  Profile profile;
  ProfileBuilder builder(profile, {keep, {}});
  builder.getRun().source = "test";
  uint32_t tracks[] = {addTrack(builder, "main"), addTrack(builder, "worker")};
  uint32_t ops[] = {addOp(builder, "a/b", "Add"), addOp(builder, "a/c", "Mul"),
                    addOp(builder, "x;y", "")};
  uint32_t names[] = {builder.addName("a/b:Add"), builder.addName("a/c:Mul"),
                      builder.addName("x;y"), builder.addName("step")};
  auto add = [&](uint32_t track, uint32_t name, int64_t begin, int64_t end) {
    Event event;
    event.track = tracks[track];
    event.name = names[name];
    event.op = name < 3 ? ops[name] : kNone;
    event.beginPs = begin;
    event.endPs = end;
    builder.event(event);
  };
  add(0, 3, 0, 10000);
  add(0, 0, 1500, 4500);
  add(1, 2, 2000, 6001);
  add(0, 1, 4500, 4500);
  add(1, 2, 5000, 7000);
  builder.finish();
  return profile;
}

Ownership mlirprof::makeOwners() {
  Ownership ownership;
  auto addMlirOp = [&](const char *op, const char *path, const char *file,
                       uint32_t line, uint32_t parent) {
    MlirOp &added = ownership.ops.emplace_back();
    added.op = op;
    added.path = path;
    added.file = file;
    added.line = line;
    added.parent = parent;
    added.cost = 1;
  };
  addMlirOp("builtin.module", "", "", 0, 0);
  addMlirOp("tosa.add", "net/b", "model.py", 7, 0);
  addMlirOp("tosa.mul", "net/x", "model.py", 8, 0);
  addMlirOp("tosa.exp", "net/y", "", 0, 2);
  ownership.matches.resize(3);
  ownership.matches[0].matchClass = MatchClass::Unique;
  ownership.matches[0].ops = {1};
  ownership.matches[0].weights = {1};
  ownership.matches[2].matchClass = MatchClass::Fused;
  ownership.matches[2].ops = {2, 3};
  ownership.matches[2].weights = {1, 2};
  return ownership;
}

int64_t mlirprof::getTotalPs(const Profile &profile) {
  int64_t total = 0;
  for (const OpSummary &op : mergeRuns(profile))
    total += op.getTimePs();
  return total;
}
