//===- Sizes.cpp - The bytes of a deployed model --------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Deploy/Deploy.h"
#include "llvm/Support/JSON.h"

using namespace llvm;
using namespace mlirprof;
using namespace mlirprof::deploy;

StringRef deploy::getName(codegen::CodeGoal goal) {
  switch (goal) {
  case codegen::CodeGoal::Speed:
    return "speed";
  case codegen::CodeGoal::Balance:
    return "balanced";
  case codegen::CodeGoal::Size:
    return "size";
  }
  llvm_unreachable("no such goal");
}

static void add(const PackageObject &part, Sizes &sizes) {
  sizes.code += part.sizes.code;
  sizes.constants += part.sizes.constants;
  sizes.variables += part.sizes.variables;
}

Sizes deploy::addSizes(const DeployedModel &model) {
  Sizes sizes;
  for (const PackageObject &part : model.objects)
    add(part, sizes);
  return sizes;
}

Sizes deploy::addSizes(const DeployedModel &model, StringRef variant) {
  Sizes sizes;
  for (const PackageObject &part : model.objects)
    if (part.variant == variant)
      add(part, sizes);
  return sizes;
}

static void writeBytes(json::OStream &json, const Sizes &sizes) {
  json.attribute("code_bytes", int64_t(sizes.code));
  json.attribute("constant_bytes", int64_t(sizes.constants));
  json.attribute("variable_bytes", int64_t(sizes.variables));
}

/// Each with the bytes that only it has.
static void writeVariants(json::OStream &json, const DeployedModel &model) {
  json.attributeArray("variants", [&] {
    for (const DeployedVariant &variant : model.variants)
      json.object([&] {
        json.attribute("name", variant.name);
        json.attribute("cpu", variant.target.cpu);
        json.attribute("features", variant.target.features);
        writeBytes(json, addSizes(model, variant.name));
        json.attribute("arena_bytes", int64_t(variant.arenaBytes));
      });
  });
}

std::string deploy::writeSizes(const DeployedModel &model) {
  std::string text;
  raw_string_ostream os(text);
  json::OStream json(os, 1);
  json.object([&] {
    json.attribute("schema", "mlir-prof.sizes/1");
    json.attribute("name", model.name);
    json.attribute("target", model.targetName);
    json.attribute("triple", model.target.triple);
    json.attribute("cpu", model.target.cpu);
    json.attribute("features", model.target.features);
    json.attribute("abi", model.target.abi);
    json.attribute("control", model.controlName);
    json.attribute("optimize", getName(model.target.goal));
    writeBytes(json, addSizes(model));
    json.attribute("arena_bytes", int64_t(model.arenaBytes));
    json.attribute("state_bytes", int64_t(model.firstState.size()));
    if (!model.sizes.empty())
      json.attributeArray("sizes", [&] {
        for (const SizeRange &range : model.sizes)
          json.object([&] {
            json.attribute("least", range.least);
            json.attribute("most", range.most);
          });
      });
    if (!model.variants.empty())
      writeVariants(json, model);
    if (!model.devices.empty())
      json.attributeArray("devices", [&] {
        for (const DeviceNeeds &device : model.devices)
          json.object([&] {
            json.attribute("name", device.name);
            json.attribute("bytes", int64_t(device.bytes));
          });
      });
    if (!model.regions.empty())
      json.attributeArray("regions", [&] {
        for (const ProtectedRegion &region : model.regions)
          json.object([&] {
            json.attribute("name", region.name);
            json.attribute("bytes", int64_t(region.bytes));
            json.attribute("alignment", int64_t(region.alignment));
            json.attribute("is_executed", region.isExecuted);
            json.attribute("is_written", region.isWritten);
          });
      });
    json.attributeArray("objects", [&] {
      for (const PackageObject &part : model.objects)
        json.object([&] {
          json.attribute("name", part.name);
          if (!part.variant.empty())
            json.attribute("variant", part.variant);
          writeBytes(json, part.sizes);
        });
    });
  });
  os << '\n';
  return text;
}
