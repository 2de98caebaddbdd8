//===- StepRows.cpp - Rows of the tables of steps in C --------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StepRows.h"
#include "../Plan.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using namespace mlirprof;
using namespace mlirprof::codegen;
using namespace mlirprof::deploy;

static StringRef getMemory(PlaceKind kind) {
  switch (kind) {
  case PlaceKind::Argument:
    return "ARGUMENT";
  case PlaceKind::Result:
    return "RESULT";
  case PlaceKind::Arena:
    return "ARENA";
  case PlaceKind::Constant:
    return "CONSTANT";
  case PlaceKind::State:
    return "STATE";
  case PlaceKind::Device:
    return "DEVICE";
  case PlaceKind::Number:
    break;
  }
  llvm_unreachable("tables do not have numbers");
}

void StepRows::add(const HostStep &step, StringRef prefix,
                   function_ref<StringRef(const HostPlace &)> access) {
  for (const HostPlace &place : step.bindings)
    places.push_back(formatv("{{{0}{1}, {2}, {3}, {4}u, {5}u}", prefix,
                             getMemory(place.kind), access(place), place.index,
                             place.offset, place.bytes));
  for (int64_t parameter : step.parameters)
    parameters.push_back(std::to_string(parameter));
}

std::vector<std::string>
deploy::getConstantSymbols(const DeployedModel &model) {
  std::vector<std::string> symbols;
  for (size_t index = 0; index != model.graph->constants.size(); ++index)
    symbols.push_back(getConstantSymbol(model, index));
  return symbols;
}

void deploy::writeArray(raw_ostream &os, const Twine &declaration,
                        ArrayRef<std::string> rows, StringRef none) {
  os << "static const " << declaration << "[] = {\n    "
     << (rows.empty() ? none.str() : join(rows, ",\n    ")) << "};\n";
}
