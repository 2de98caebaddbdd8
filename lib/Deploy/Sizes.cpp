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

std::string deploy::writeSizes(const DeployedModel &model) {
  std::string text;
  raw_string_ostream os(text);
  json::OStream json(os, 1);
  uint64_t code = 0, constants = 0, variables = 0;
  for (const PackageObject &part : model.objects) {
    code += part.codeBytes;
    constants += part.constantBytes;
    variables += part.variableBytes;
  }
  json.object([&] {
    json.attribute("schema", "mlir-prof.sizes/1");
    json.attribute("name", model.name);
    json.attribute("target", model.targetName);
    json.attribute("triple", model.target.triple);
    json.attribute("cpu", model.target.cpu);
    json.attribute("features", model.target.features);
    json.attribute("abi", model.target.abi);
    json.attribute("code_bytes", code);
    json.attribute("constant_bytes", constants);
    json.attribute("variable_bytes", variables);
    json.attribute("arena_bytes", model.arenaBytes);
    json.attributeArray("objects", [&] {
      for (const PackageObject &part : model.objects)
        json.object([&] {
          json.attribute("name", part.name);
          json.attribute("code_bytes", part.codeBytes);
          json.attribute("constant_bytes", part.constantBytes);
          json.attribute("variable_bytes", part.variableBytes);
        });
    });
  });
  os << '\n';
  return text;
}
