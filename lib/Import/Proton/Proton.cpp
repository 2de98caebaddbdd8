//===- Proton.cpp - Trees of Triton's profiler ----------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Proton writes trees in the form of hatchet: a list of the root and of facts
// about devices. A node has a frame (a scope, a line of Python, or a kernel),
// metrics and children; those with "time (ns)" are kernels.
//
//===----------------------------------------------------------------------===//

#include "../Common/Table/Totals.h"
#include "../Importers.h"
#include "mlir-prof/Support/Error.h"

#include <simdjson.h>

using namespace mlirprof;
using namespace mlirprof::importer;
using namespace mlirprof::profile;
namespace dom = simdjson::dom;

static bool detect(llvm::StringRef bytes) {
  bytes = bytes.take_front(size_t(1) << 16);
  llvm::StringRef first = bytes.ltrim();
  if (!first.consume_front("[") || !first.ltrim().starts_with("{"))
    return false;
  return bytes.contains("\"children\"") && bytes.contains("\"frame\"") &&
         bytes.contains("\"metrics\"");
}

static llvm::StringRef toRef(std::string_view text) {
  return llvm::StringRef(text.data(), text.size());
}

/// The member `key` as an unsigned integer, also if it is written as a real
/// number; 0 if it is none.
static uint64_t getNumber(dom::object object, std::string_view key) {
  uint64_t number = 0;
  double real = 0;
  if (!object[key].get(number))
    return number;
  if (!object[key].get(real) && real >= 0 && real < 9007199254740992.0)
    return uint64_t(real);
  return 0;
}

static std::string getText(dom::object object, std::string_view key) {
  std::string_view text;
  return object[key].get(text) ? std::string() : std::string(text);
}

namespace {

class Reader {
public:
  explicit Reader(ProfileBuilder &builder)
      : builder(builder), totals(builder) {}

  void readDevices(dom::object platforms);
  /// `scope` are the frames around the node.
  void readNode(dom::object node);
  void finish();

private:
  void addKernel(const std::string &name, dom::object metrics);

  ProfileBuilder &builder;
  table::Totals totals;
  std::vector<std::string> scope;
  /// By op key.
  std::map<uint32_t, uint64_t> samples;
  uint64_t unread = 0;
  uint64_t otherMetrics = 0;
};

} // namespace

/// {"CUDA": {"0": {"num_sms": 132, ...}}}
void Reader::readDevices(dom::object platforms) {
  for (auto [platform, list] : platforms) {
    dom::object devices;
    if (list.get(devices))
      continue;
    for (auto [number, value] : devices) {
      dom::object facts;
      if (value.get(facts))
        continue;
      DeviceInfo device;
      toRef(number).getAsInteger(10, device.number);
      device.name = std::string(platform) + " " + getText(facts, "arch");
      device.processors = uint32_t(getNumber(facts, "num_sms"));
      // Two transfers of the whole bus in each cycle, whose rate is in kHz.
      uint64_t memory = getNumber(facts, "bus_width") / 8 * 2 * 1000 *
                        getNumber(facts, "memory_clock_rate");
      if (memory)
        device.peaks.push_back({"memory", memory});
      builder.addDevice(std::move(device));
    }
  }
}

void Reader::addKernel(const std::string &name, dom::object metrics) {
  FrameworkCallKey details;
  details.scope = scope;
  OpKey key(name, "", std::move(details));
  key.work = DeviceWork::Kernel;
  uint64_t count = std::max<uint64_t>(getNumber(metrics, "count"), 1);
  uint64_t timeNs = getNumber(metrics, "time (ns)");
  if (timeNs > uint64_t(INT64_MAX) / 1000) {
    ++unread;
    return;
  }
  uint32_t op = builder.addOpKey(key);
  if (!totals.add(std::move(key),
                  table::makeEvenSummary(count, int64_t(timeNs) * 1000)))
    return;
  for (auto [metric, value] : metrics) {
    llvm::StringRef text = toRef(metric);
    if (text == "num_samples")
      samples[op] += getNumber(metrics, metric);
    else if (text != "count" && text != "time (ns)" &&
             !text.starts_with("device_"))
      ++otherMetrics;
  }
}

void Reader::readNode(dom::object node) {
  dom::object frame, metrics;
  dom::array children;
  if (node["frame"].get(frame) || node["metrics"].get(metrics) ||
      node["children"].get(children)) {
    ++unread;
    return;
  }
  std::string name = getText(frame, "name");
  bool isRoot = name == "ROOT" && scope.empty();
  if (!isRoot && !metrics["time (ns)"].error())
    addKernel(name, metrics);
  else if (!isRoot)
    otherMetrics += metrics.size();
  if (!isRoot)
    scope.push_back(name);
  // The parser limits the depth.
  for (dom::element child : children) {
    dom::object inner;
    if (child.get(inner))
      ++unread;
    else
      readNode(inner);
  }
  if (!isRoot)
    scope.pop_back();
}

void Reader::finish() {
  if (unread)
    builder.loss("node that is not in the form of a tree, or whose time is out "
                 "of range",
                 unread, 0);
  if (otherMetrics)
    builder.loss("metric of a node other than time and samples, not kept",
                 otherMetrics, 0);
  totals.finish();
  for (auto [op, count] : samples) {
    auto most = uint64_t(std::numeric_limits<int64_t>::max());
    builder.setMeasurement(
        op, Quantity::Samples,
        table::makeEvenSummary(1, int64_t(std::min(count, most))));
  }
}

static llvm::Error read(const ImportInput &input, ProfileBuilder &builder) {
  dom::parser parser;
  dom::array list;
  simdjson::error_code error =
      parser.parse(input.bytes.data(), input.bytes.size()).get(list);
  if (error)
    return inputError(input.where, simdjson::error_message(error));
  Reader reader(builder);
  std::vector<dom::object> parts;
  for (dom::element element : list)
    if (dom::object part; !element.get(part))
      parts.push_back(part);
  if (parts.size() > 1)
    reader.readDevices(parts[1]);
  if (!parts.empty())
    reader.readNode(parts.front());
  reader.finish();
  return llvm::Error::success();
}

Importer importer::Proton() {
  return {"proton", "Triton's profiler Proton, *.hatchet", detect, read};
}
