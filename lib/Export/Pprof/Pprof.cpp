//===- Pprof.cpp - Profiles for pprof -------------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// One sample per stack with its count, its time in whole nanoseconds and its
// time in picoseconds. The nanoseconds are rounded so that those of all samples
// add up to the whole nanoseconds of the total.

#include "../Decimal.h"
#include "../Exporters.h"
#include "../Stacks/Stacks.h"
#include "Gzip.h"
#include "mlir-prof/Trace/Time.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Path.h"

#include <protozero/pbf_writer.hpp>

using namespace mlirprof;
using namespace mlirprof::exporter;
using namespace mlirprof::profile;
using namespace mlirprof::trace;
using protozero::pbf_writer;

namespace {

/// Numbers of the fields written, by message, from profile.proto of
/// github.com/google/pprof.
namespace profile {
enum : uint32_t {
  SampleType = 1,
  Sample = 2,
  Mapping = 3,
  Location = 4,
  Function = 5,
  String = 6,
  TimeNanos = 9,
  PeriodType = 11,
  Period = 12,
  Comment = 13,
  DefaultSampleType = 14
};
} // namespace profile

class PprofWriter {
public:
  PprofWriter(const ExportInput &input, const StackTree &tree,
              llvm::raw_ostream &os)
      : input(input), tree(tree), gzip(os) {
    findLeaves();
  }

  void write();

private:
  int64_t add(llvm::StringRef text);
  void flush();
  void writeValueType(uint32_t field, llvm::StringRef type,
                      llvm::StringRef unit);
  void findLeaves();
  std::string nameLeaf(uint32_t node) const;
  void writeFunction(uint64_t id, llvm::StringRef name,
                     const StackFrame &frame);
  void writeSample(uint32_t node);
  void writeRuns();

  const ExportInput &input;
  const StackTree &tree;
  GzipWriter gzip;
  /// The bytes written next, and a message within them.
  std::string bytes, message;
  /// Strings are numbered in order of use, and written last.
  llvm::StringMap<int64_t> stringIds;
  std::vector<llvm::StringRef> strings;
  int64_t totalPs = 0;
  /// By node of the tree: the id of the function that ends its stack if it is
  /// not the frame's; else 0. Nodes with such a function, in order of the ids.
  std::vector<uint64_t> leafIds;
  std::vector<uint32_t> leaves;
};

} // namespace

/// pprof's flat view merges stacks with the same innermost function: with only
/// an op's kind, all matmuls would become one. Stacks with the same last frame
/// end in separate functions, named after the frames around them.
void PprofWriter::findLeaves() {
  llvm::StringMap<uint32_t> counts;
  auto isLeaf = [](const StackTree::Node &node) {
    return node.timePs != 0 || node.count != 0;
  };
  for (const StackTree::Node &node : tree.getNodes())
    if (isLeaf(node))
      ++counts[tree.getFrames()[node.frame].name];
  leafIds.assign(tree.getNodes().size(), 0);
  // Scopes of one name are one function, wherever they are.
  if (getStackKind(input) == StackKind::Scope)
    return;
  for (auto [index, node] : llvm::enumerate(tree.getNodes())) {
    const StackFrame &frame = tree.getFrames()[node.frame];
    bool hasPlace = node.parent != kNone || frame.line != 0;
    if (!isLeaf(node) || !hasPlace || counts.lookup(frame.name) < 2)
      continue;
    leaves.push_back(uint32_t(index));
    leafIds[index] = tree.getFrames().size() + leaves.size();
  }
}

/// "stablehlo.dot_general (block/attention/dot_general:47)"; without frames
/// around it, "linalg.matmul (model.mlir:47)".
std::string PprofWriter::nameLeaf(uint32_t node) const {
  constexpr size_t kAround = 8;
  llvm::SmallVector<uint32_t> path = tree.getPath(node);
  const StackFrame &leaf = tree.getFrames()[path.pop_back_val()];
  std::string name = leaf.name + " (";
  size_t skipped = path.size() > kAround ? path.size() - kAround : 0;
  if (skipped)
    name += "\xE2\x80\xA6/";
  llvm::raw_string_ostream os(name);
  llvm::interleave(
      llvm::ArrayRef<uint32_t>(path).drop_front(skipped), os,
      [&](uint32_t frame) { os << tree.getFrames()[frame].name; }, "/");
  if (path.empty())
    os << llvm::sys::path::filename(leaf.file);
  if (leaf.line != 0)
    os << ':' << leaf.line;
  os << ')';
  return name;
}

int64_t PprofWriter::add(llvm::StringRef text) {
  auto [entry, inserted] = stringIds.try_emplace(text, int64_t(strings.size()));
  if (inserted)
    strings.push_back(entry->getKey());
  return entry->getValue();
}

void PprofWriter::flush() {
  gzip.write(bytes);
  bytes.clear();
}

void PprofWriter::writeValueType(uint32_t field, llvm::StringRef type,
                                 llvm::StringRef unit) {
  message.clear();
  pbf_writer fields(message);
  fields.add_int64(1, add(type));
  fields.add_int64(2, add(unit));
  pbf_writer(bytes).add_message(field, message);
}

/// Writes a function and a location, whose ids start at 1.
void PprofWriter::writeFunction(uint64_t id, llvm::StringRef text,
                                const StackFrame &frame) {
  int64_t name = add(text);
  message.clear();
  pbf_writer function(message);
  function.add_uint64(1, id);
  function.add_int64(2, name);
  function.add_int64(3, name);
  function.add_int64(4, add(frame.file));
  pbf_writer(bytes).add_message(profile::Function, message);

  std::string line;
  pbf_writer lineFields(line);
  lineFields.add_uint64(1, id);
  lineFields.add_int64(2, frame.line);
  message.clear();
  pbf_writer location(message);
  location.add_uint64(1, id);
  location.add_uint64(2, 1);
  location.add_message(4, line);
  pbf_writer(bytes).add_message(profile::Location, message);
  flush();
}

void PprofWriter::writeSample(uint32_t node) {
  const StackTree::Node &leaf = tree.getNodes()[node];
  if (leaf.timePs == 0 && leaf.count == 0)
    return;
  std::vector<uint64_t> locations;
  auto path = tree.getPath(node);
  for (uint32_t frame : llvm::reverse(path))
    locations.push_back(frame + uint64_t(1));
  if (leafIds[node])
    locations.front() = leafIds[node];
  int64_t beforeNs = floorDivide(totalPs, 1000);
  totalPs = saturatingAdd(totalPs, leaf.timePs);
  llvm::SmallVector<int64_t> values = {
      int64_t(std::min<uint64_t>(leaf.count, INT64_MAX))};
  if (input.countedUnit.empty())
    values.push_back(floorDivide(totalPs, 1000) - beforeNs);
  values.push_back(leaf.timePs);
  message.clear();
  pbf_writer sample(message);
  sample.add_packed_uint64(1, locations.begin(), locations.end());
  sample.add_packed_int64(2, values.begin(), values.end());
  pbf_writer(bytes).add_message(profile::Sample, message);
  flush();
}

/// Facts about the recording, if there is only one.
void PprofWriter::writeRuns() {
  pbf_writer fields(bytes);
  for (const Run &run : input.profile.runs)
    fields.add_int64(profile::Comment, add(run.source));
  if (input.profile.runs.size() != 1)
    return;
  const Run &run = input.profile.runs.front();
  if (run.clock.hasAnchor)
    fields.add_int64(profile::TimeNanos, run.clock.anchorNs);
  if (run.samplePeriodPs > 0) {
    writeValueType(profile::PeriodType, "time", "nanoseconds");
    pbf_writer(bytes).add_int64(profile::Period, run.samplePeriodPs / 1000);
  }
}

void PprofWriter::write() {
  add("");
  writeValueType(profile::SampleType, "samples", "count");
  llvm::StringRef unit = input.countedUnit;
  if (unit.empty()) {
    unit = "time";
    writeValueType(profile::SampleType, "time", "nanoseconds");
    writeValueType(profile::SampleType, "time_ps", "picoseconds");
  } else {
    writeValueType(profile::SampleType, unit, "count");
  }
  pbf_writer(bytes).add_int64(profile::DefaultSampleType, add(unit));
  // The only binary, whose symbols need not be resolved.
  message.clear();
  pbf_writer mapping(message);
  mapping.add_uint64(1, 1);
  for (uint32_t field : {7, 8, 9})
    mapping.add_bool(field, true);
  pbf_writer(bytes).add_message(profile::Mapping, message);
  writeRuns();
  for (uint32_t frame = 0; frame < tree.getFrames().size(); ++frame)
    writeFunction(frame + uint64_t(1), tree.getFrames()[frame].name,
                  tree.getFrames()[frame]);
  for (uint32_t node : leaves)
    writeFunction(leafIds[node], nameLeaf(node),
                  tree.getFrames()[tree.getNodes()[node].frame]);
  for (uint32_t node = 0; node < tree.getNodes().size(); ++node)
    writeSample(node);
  for (llvm::StringRef text : strings) {
    pbf_writer(bytes).add_string(profile::String, text.data(), text.size());
    flush();
  }
  gzip.finish();
}

static llvm::Error writePprof(const ExportInput &input, llvm::raw_ostream &os) {
  auto tree = buildStacks(input, getStackKind(input));
  if (!tree)
    return tree.takeError();
  PprofWriter(input, *tree, os).write();
  return llvm::Error::success();
}

Exporter exporter::Pprof() {
  return {"pprof",
          "pprof's profile.proto of stacks, gzipped",
          ExportNeeds::Ownership,
          writePprof,
          /*hasStacks=*/true,
          ExportCounts::All};
}
