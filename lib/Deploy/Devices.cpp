//===- Devices.cpp - Devices of a package ---------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Devices.h"
#include "Plan.h"
#include "mlir-prof/Support/Error.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

#include <map>

using namespace llvm;
using namespace mlirprof;
using namespace mlirprof::codegen;
using namespace mlirprof::deploy;

/// The alignment of a device's memory. A part keeps its distance from a
/// multiple of it.
static constexpr uint64_t kAlignment = 64;

namespace {
/// Parts of the memory of a call, or of constants, that a device has.
class DevicePlan {
public:
  explicit DevicePlan(uint32_t device) : device(device) {}

  void add(const HostPlace &place);
  /// Gives parts that overlap places as one. Constants come first: they stay.
  void layOut(DeviceNeeds &needs);
  HostPlace getPlace(const HostPlace &place) const;

private:
  struct Part {
    uint64_t end = 0, offset = 0;
  };
  using Memory = std::pair<PlaceKind, uint32_t>;

  uint32_t device;
  /// By their begins.
  std::map<Memory, std::map<uint64_t, Part>> parts;
};
} // namespace

void DevicePlan::add(const HostPlace &place) {
  if (place.bytes == 0)
    return;
  auto &own = parts[{place.kind, place.index}];
  uint64_t begin = place.offset, end = place.offset + place.bytes;
  auto next = own.upper_bound(begin);
  if (next != own.begin() && std::prev(next)->second.end > begin)
    --next;
  while (next != own.end() && next->first < end) {
    begin = std::min(begin, next->first);
    end = std::max(end, next->second.end);
    next = own.erase(next);
  }
  own[begin].end = end;
}

void DevicePlan::layOut(DeviceNeeds &needs) {
  for (bool areConstants : {true, false})
    for (auto &[memory, own] : parts) {
      auto [kind, index] = memory;
      if ((kind == PlaceKind::Constant) != areConstants)
        continue;
      for (auto &[begin, part] : own) {
        part.offset = alignTo(needs.bytes, kAlignment) + begin % kAlignment;
        uint64_t bytes = part.end - begin;
        needs.bytes = part.offset + bytes;
        if (areConstants)
          needs.constants.push_back({index, begin, part.offset, bytes});
      }
    }
}

HostPlace DevicePlan::getPlace(const HostPlace &place) const {
  HostPlace placed = place;
  placed.kind = PlaceKind::Device;
  placed.index = device;
  placed.offset = 0;
  if (place.bytes == 0)
    return placed;
  const auto &own = parts.at({place.kind, place.index});
  auto part = std::prev(own.upper_bound(place.offset));
  placed.offset = part->second.offset + (place.offset - part->first);
  return placed;
}

static void visitSteps(std::vector<HostStep> &steps, uint32_t device,
                       function_ref<void(HostStep &)> visit) {
  for (HostStep &step : steps) {
    if (step.device == device)
      visit(step);
    for (std::vector<HostStep> &block : step.blocks)
      visitSteps(block, device, visit);
  }
}

Error deploy::placeOnDevices(DeployedModel &model) {
  HostGraph &graph = *model.graph;
  for (auto [index, name] : enumerate(graph.devices)) {
    auto device = uint32_t(index);
    DevicePlan plan(device);
    DeviceNeeds needs;
    needs.name = name;
    visitSteps(graph.steps, device, [&](HostStep &step) {
      for (const HostPlace &place : step.bindings)
        plan.add(place);
      if (step.kind == HostStepKind::Dispatch &&
          !is_contained(needs.kernels, step.kernel))
        needs.kernels.push_back(step.kernel);
    });
    plan.layOut(needs);
    if (needs.bytes > INT32_MAX)
      return inputError("model",
                        "uses more than 2 GiB of the memory of '" + name + "'");
    visitSteps(graph.steps, device, [&](HostStep &step) {
      if (step.kind == HostStepKind::Transfer) {
        HostPlace own = plan.getPlace(step.bindings.front());
        step.bindings.front().isWritten = !step.isToDevice;
        step.bindings.front().isRead = step.isToDevice;
        own.isWritten = step.isToDevice;
        own.isRead = !step.isToDevice;
        step.bindings.insert(step.isToDevice ? step.bindings.end()
                                             : step.bindings.begin(),
                             std::move(own));
        return;
      }
      for (HostPlace &place : step.bindings)
        place = plan.getPlace(place);
    });
    model.devices.push_back(std::move(needs));
  }
  return Error::success();
}

size_t deploy::getDeviceKernel(const DeployedModel &model,
                               const HostStep &step) {
  const std::vector<std::string> &kernels = model.devices[*step.device].kernels;
  return size_t(find(kernels, step.kernel) - kernels.begin());
}

StringRef deploy::getPermissions(const HostPlace &place) {
  if (!place.isWritten)
    return "PROF_MEMORY_READ";
  return place.isRead ? "PROF_MEMORY_READ | PROF_MEMORY_WRITE"
                      : "PROF_MEMORY_WRITE";
}

//===----------------------------------------------------------------------===//
// Tables of C
//===----------------------------------------------------------------------===//

/// Rows of arrays that prof_device_plan names.
static void writeArray(raw_ostream &os, const Twine &declaration,
                       ArrayRef<std::string> rows, StringRef none) {
  os << "static const " << declaration << "[] = {\n    "
     << (rows.empty() ? none.str() : join(rows, ",\n    ")) << "};\n";
}

static std::string writePlan(const DeployedModel &model, size_t index,
                             raw_ostream &os) {
  const DeviceNeeds &needs = model.devices[index];
  std::string begin = formatv("{0}_device{1}", model.name, index);
  std::vector<std::string> constants, kernels;
  for (const DeviceNeeds::Constant &constant : needs.constants)
    constants.push_back(formatv(
        "{{{0} + {1}, {2}, {3}}", getConstantSymbol(model, constant.index),
        constant.begin, constant.offset, constant.bytes));
  PlanKernels all = getKernels(*model.graph);
  for (StringRef kernel : needs.kernels)
    kernels.push_back(formatv("{{\"{0}\", {0}, 0, 0, 0, {1}, {2}}", kernel,
                              all[kernel]->bindings.size(),
                              all[kernel]->parameters.size()));
  writeArray(os, "prof_device_constant " + begin + "_constants", constants,
             "{0, 0, 0}");
  writeArray(os, "prof_device_kernel " + begin + "_kernels", kernels,
             "{0, 0, 0, 0, 0, 0, 0}");
  return formatv("{{\"{0}\", {1}, {2}, {3}_constants, {3}_kernels, {4}, {5}}",
                 needs.name, needs.bytes, kAlignment, begin, constants.size(),
                 kernels.size());
}

std::string deploy::declareDevices(const DeployedModel &model) {
  std::string text, upper = StringRef(model.name).upper();
  raw_string_ostream os(text);
  os << formatv("/* The devices, in order, and what the model needs of them. "
                "*/\n#define {0}_DEVICE_COUNT {1}\n",
                upper, model.devices.size());
  std::vector<std::string> plans;
  for (size_t index = 0; index != model.devices.size(); ++index)
    plans.push_back(writePlan(model, index, os));
  writeArray(os, "prof_device_plan " + model.name + "_devices", plans, "");
  os << formatv(
      "\n/* Opens the devices: takes memory of them, and copies constants to "
      "it. The slots are\n   for one call at a time. Returns an error that "
      "prof_device_text explains. */\n"
      "static inline int {0}_open(const prof_device *const *devices,\n"
      "                {1}prof_device_slot *slots) {{\n"
      "  return prof_device_open({0}_devices, devices, {2}_DEVICE_COUNT, "
      "slots);\n}\n"
      "static inline void {0}_close(prof_device_slot *slots) {{\n"
      "  prof_device_close(slots, {2}_DEVICE_COUNT);\n}\n\n",
      model.name, std::string(model.name.size(), ' '), upper);
  return text;
}
