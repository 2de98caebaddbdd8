//===- Plan.cpp - Names in a package of dispatches ------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Plan.h"
#include "mlir-prof/Compile/Backend.h"
#include "mlir-prof/Support/Error.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using namespace mlirprof;
using namespace mlirprof::codegen;
using namespace mlirprof::deploy;

PlanKernels deploy::getKernels(const HostGraph &graph) {
  PlanKernels kernels;
  walkSteps(graph.steps, [&](const HostStep &step) {
    if (step.kind == HostStepKind::Dispatch)
      kernels.insert({step.kernel, &step});
  });
  return kernels;
}

std::string deploy::getConstantSymbol(const DeployedModel &model,
                                      size_t index) {
  return model.name + "_constant" + std::to_string(index);
}

Error deploy::checkOffsets(const DeployedModel &model) {
  bool isLarge = model.arenaBytes > INT32_MAX;
  walkSteps(model.graph->steps, [&](const HostStep &step) {
    for (const HostPlace &place : step.bindings)
      isLarge |= place.offset > INT32_MAX || place.bytes > INT32_MAX;
  });
  return isLarge ? inputError("model", "uses more than 2 GiB of memory",
                              "--control=compiled takes it.")
                 : Error::success();
}

std::string deploy::describePlace(const DeployedModel &model,
                                  const HostPlace &place) {
  std::string text;
  switch (place.kind) {
  case PlaceKind::Argument:
    text = "argument " + model.signature.arguments[place.index].name;
    break;
  case PlaceKind::Result:
    text = "result " + model.signature.results[place.index].name;
    break;
  case PlaceKind::Arena:
    text = "arena";
    break;
  case PlaceKind::Constant:
    text = "constant " + std::to_string(place.index);
    break;
  case PlaceKind::State:
    text = "state";
    break;
  case PlaceKind::Number:
    text = "number " + std::to_string(place.index);
    break;
  case PlaceKind::Device:
    text = model.graph->devices[place.index];
    break;
  }
  if (place.offset)
    text += " + " + std::to_string(place.offset);
  return text;
}

std::string deploy::describeStep(const DeployedModel &model,
                                 const HostStep &step) {
  std::string text = step.kind == HostStepKind::Copy       ? "copy"
                     : step.kind == HostStepKind::Transfer ? "transfer"
                     : step.kind == HostStepKind::Wait     ? "wait"
                                                           : step.kernel;
  if (step.device && step.kind != HostStepKind::Transfer)
    text += (step.kind == HostStepKind::Wait ? " for " : " on ") +
            model.graph->devices[*step.device];
  for (const HostPlace &place : step.bindings)
    text += formatv("\n     {0} {1}: {2}, {3} bytes",
                    place.isWritten ? "writes" : "reads",
                    describePlace(model, place), place.type, place.bytes);
  // Names of arguments are a user's.
  for (size_t at; (at = text.find("*/")) != std::string::npos;)
    text.replace(at, 2, "* /");
  return text;
}

std::string deploy::declareSymbols(const DeployedModel &model) {
  std::string text;
  raw_string_ostream os(text);
  os << "/* The kernels: the addresses of bindings, and sizes that may differ "
        "between\n   dispatches. The grid has one workgroup: x, y and z are 0. "
        "*/\n";
  for (const auto &[kernel, step] : getKernels(*model.graph)) {
    os << "/* " << kernel << '\n';
    for (auto [index, place] : enumerate(step->bindings))
      os << formatv("   {0}: {1}, {2}, {3} bytes\n", index,
                    place.isWritten ? "written" : "read", place.type,
                    place.bytes);
    os << formatv("*/\nvoid {0}(void *const *bindings, const int64_t "
                  "*parameters,\n     uint32_t x, uint32_t y, uint32_t z);\n",
                  kernel);
  }
  os << '\n';
  for (auto [index, constant] : enumerate(model.graph->constants))
    os << formatv("extern const unsigned char {0}[{1}]; /* {2} */\n",
                  getConstantSymbol(model, index),
                  std::max<size_t>(constant.bytes.size(), 1), constant.type);
  os << '\n';
  return text;
}

std::string deploy::writeBytes(ArrayRef<char> bytes) {
  std::string text = formatv("[{0} x i8] c\"", bytes.size());
  for (char byte : bytes) {
    text += '\\';
    text += hexdigit(uint8_t(byte) >> 4);
    text += hexdigit(byte & 15);
  }
  return text + '"';
}

Error deploy::addAssembly(StringRef name, StringRef text,
                          DeployedModel &model) {
  compile::BackendOptions backend;
  backend.target = model.target;
  backend.hasSections = true;
  auto object = compile::emitAssembly(text, backend);
  if (!object)
    return object.takeError();
  model.objects.push_back({name.str(), std::move(*object)});
  return Error::success();
}

uint32_t deploy::getStateNumber(const DeployedModel &model) {
  return uint32_t(model.signature.arguments.size() +
                  model.signature.results.size());
}

uint32_t deploy::getArenaNumber(const DeployedModel &model) {
  return getStateNumber(model) + (model.firstState.empty() ? 0 : 1);
}

/// Calls `visit` with the begin and the end of each part of `bytes` with others
/// than zeros; few zeros do not divide a part.
static void visitParts(ArrayRef<char> bytes,
                       function_ref<void(size_t begin, size_t end)> visit) {
  constexpr size_t fewZeros = 32;
  for (size_t begin = 0; begin != bytes.size();) {
    if (bytes[begin] == 0) {
      ++begin;
      continue;
    }
    size_t end = begin + 1;
    for (size_t at = end; at != bytes.size() && at - end < fewZeros; ++at)
      if (bytes[at] != 0)
        end = at + 1;
    visit(begin, end);
    begin = end;
  }
}

Error deploy::addReset(DeployedModel &model) {
  ArrayRef<char> first(model.firstState);
  if (first.empty())
    return Error::success();
  std::string text, body, size = "i" + std::to_string(model.target.addressBits);
  raw_string_ostream os(text), calls(body);
  os << formatv("declare ptr @memset(ptr, i32, {0})\n"
                "declare ptr @memcpy(ptr, ptr, {0})\n",
                size);
  visitParts(first, [&](size_t begin, size_t end) {
    ArrayRef<char> part = first.slice(begin, end - begin);
    os << formatv("@{0}_first{1} = internal constant {2}\n", model.name, begin,
                  writeBytes(part));
    calls << formatv("  %at{1} = getelementptr i8, ptr %state, {2} {1}\n"
                     "  %copy{1} = call ptr @memcpy(ptr %at{1}, ptr "
                     "@{0}_first{1}, {2} {3})\n",
                     model.name, begin, size, part.size());
  });
  os << formatv("define void @{0}_reset(ptr %state) nounwind {{\n"
                "  %all = call ptr @memset(ptr %state, i32 0, {1} {2})\n"
                "{3}  ret void\n}\n",
                model.name, size, first.size(), body);
  model.exported.push_back(model.name + "_reset");
  return addAssembly("reset", text, model);
}

Error deploy::addConstants(DeployedModel &model) {
  std::string text;
  for (auto [index, constant] : enumerate(model.graph->constants))
    text += formatv("@{0} = constant {1}, align {2}\n",
                    getConstantSymbol(model, index), writeBytes(constant.bytes),
                    constant.alignment);
  return text.empty() ? Error::success()
                      : addAssembly("constants", text, model);
}
