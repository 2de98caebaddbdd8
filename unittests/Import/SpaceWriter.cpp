//===- SpaceWriter.cpp - Small recordings made for tests ------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SpaceWriter.h"
#include "mlir-prof/Profile/KeyTraits.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace mlirprof;
using namespace mlirprof::importer;
using namespace mlirprof::profile;
using namespace mlirprof::test;
using namespace mlirprof::trace;

Message &Message::integer(unsigned field, int64_t value) {
  protozero::pbf_writer(bytes).add_int64(field, value);
  return *this;
}

Message &Message::text(unsigned field, llvm::StringRef value) {
  protozero::pbf_writer(bytes).add_bytes(field, value.data(), value.size());
  return *this;
}

Message &Message::real(unsigned field, double value) {
  protozero::pbf_writer(bytes).add_double(field, value);
  return *this;
}

Message test::stat(int64_t id, unsigned field, int64_t value) {
  return Message().integer(1, id).integer(field, value);
}

Message test::textStat(int64_t id, unsigned field, llvm::StringRef value) {
  return Message().integer(1, id).text(field, value);
}

Message test::event(int64_t id, int64_t offsetPs, int64_t durationPs,
                    llvm::ArrayRef<Message> stats) {
  Message message;
  message.integer(1, id).integer(2, offsetPs).integer(3, durationPs);
  for (const Message &stat : stats)
    message.message(4, stat);
  return message;
}

Message test::named(int64_t id, llvm::StringRef name) {
  return Message().integer(1, id).message(
      2, Message().integer(1, id).text(2, name));
}

llvm::Expected<Profile> test::read(llvm::StringRef bytes,
                                   llvm::StringRef format, KeepEvents keep) {
  Profile profile;
  ProfileBuilder builder(profile, std::move(keep));
  for (const Importer &importer : getImporters())
    if (importer.name == format)
      if (llvm::Error error = importer.read({bytes, "input"}, builder))
        return std::move(error);
  builder.finish();
  return std::move(profile);
}

Profile test::readOk(llvm::StringRef bytes, llvm::StringRef format) {
  auto profile = read(bytes, format);
  if (profile)
    return std::move(*profile);
  ADD_FAILURE() << llvm::toString(profile.takeError());
  Profile empty;
  empty.runs.emplace_back();
  return empty;
}

static void describe(const Summary &summary, llvm::raw_ostream &os) {
  os << " " << summary.count << "/" << summary.sum << "/" << summary.min << "/"
     << summary.max;
}

std::string test::describe(const Profile &profile) {
  std::string text;
  llvm::raw_string_ostream os(text);
  const Run &run = profile.runs.front();
  for (const TrackInfo &track : run.tracks)
    os << track.plane << "," << track.line << "," << track.id << ","
       << track.name << "," << track.timestampNs << "," << track.events << ","
       << track.partialOverlaps << "\n";
  for (const EventSummary &event : run.events) {
    os << event.track << " " << profile.strings[event.name];
    ::describe(event.total, os);
    ::describe(event.self, os);
    os << "\n";
  }
  for (const OpSummary &op : run.ops) {
    const OpKey &key = profile.opKeys[op.op];
    KeyTraits traits = getKeyTraits(key);
    os << traits.module.value_or("") << "," << traits.programId.value_or(0)
       << "," << key.op << "," << key.kernel << " " << op.firstBeginPs;
    for (const Measurement &measurement : op.measurements)
      ::describe(measurement.summary, os);
    os << "\n";
  }
  for (const Step &step : run.steps)
    os << step.number << " " << step.beginPs << " " << step.durationPs << " "
       << step.opBusyPs << " " << step.opInflightPs << "\n";
  for (const HloModule &module : profile.hloModules)
    os << module.name << " " << module.programId << " "
       << module.instructions.size() << "\n";
  for (const Loss &loss : run.losses)
    os << loss.name << " " << loss.count << " " << loss.timePs << "\n";
  return text;
}

uint64_t test::lossCount(const Profile &profile, llvm::StringRef part) {
  uint64_t count = 0;
  for (const Loss &loss : profile.runs.front().losses)
    if (llvm::StringRef(loss.name).contains(part))
      count += loss.count;
  return count;
}
