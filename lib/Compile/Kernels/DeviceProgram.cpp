//===- DeviceProgram.cpp - A model as a program of a device
//----------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DeviceProgram.h"
#include "KernelEntry.h"
#include "mlir-prof/Support/Error.h"
#include "llvm/ADT/StringMap.h"

using namespace llvm;
using namespace mlirprof;
using namespace mlirprof::compile;
using codegen::HostGraph;
using codegen::HostPlace;
using codegen::HostStep;
using codegen::PlaceKind;
using device::Binding;

/// Gives the debug lines of `assembly`, which are `.loc FILE LINE COLUMN`, the
/// numbers of `nodes`.
static std::string renumberLines(StringRef assembly, ArrayRef<uint32_t> nodes) {
  std::string text;
  while (!assembly.empty()) {
    auto [line, rest] = assembly.split('\n');
    assembly = rest;
    StringRef words = line.ltrim();
    uint32_t file = 0, number = 0;
    bool isLine = words.consume_front(".loc") &&
                  !(words = words.ltrim()).consumeInteger(10, file) &&
                  !(words = words.ltrim()).consumeInteger(10, number);
    if (!isLine) {
      text += (line + "\n").str();
      continue;
    }
    uint32_t node =
        number == 0 || number > nodes.size() ? trace::kNone : nodes[number - 1];
    text += ("\t.loc\t" + Twine(file) + " " +
             Twine(node == trace::kNone ? 0 : node + 1) + words + "\n")
                .str();
  }
  return text;
}

static Expected<device::Kernel> makeKernel(const TakenKernel &taken,
                                           const CompiledKernel &compiled,
                                           ArrayRef<uint32_t> nodes) {
  if (compiled.phases.phases.size() != 1)
    return inputError("kernel '" + taken.source.name + "'",
                      "it is not one launch");
  device::Kernel kernel;
  kernel.name = taken.source.symbol;
  kernel.assembly = renumberLines(compiled.object, nodes);
  kernel.block = compiled.phases.phases.front().block;
  kernel.sharedBytes = compiled.phases.phases.front().sharedBytes;
  kernel.node = taken.node;
  return std::move(kernel);
}

static Binding makeBinding(const HostPlace &place) {
  Binding binding;
  switch (place.kind) {
  case PlaceKind::Argument:
    binding.place = Binding::Place::Argument;
    break;
  case PlaceKind::Result:
    binding.place = Binding::Place::Result;
    break;
  case PlaceKind::Arena:
    binding.place = Binding::Place::Arena;
    break;
  case PlaceKind::Constant:
    binding.place = Binding::Place::Constant;
    break;
  case PlaceKind::State:
  case PlaceKind::Number:
  case PlaceKind::Device:
    llvm_unreachable("makeStep() refuses them");
  }
  binding.index = binding.place == Binding::Place::Arena ? 0 : place.index;
  binding.offset = place.offset;
  binding.bytes = place.bytes;
  return binding;
}

static Expected<device::Step> makeStep(const HostStep &step,
                                       const StringMap<uint32_t> &kernels,
                                       ArrayRef<CompiledKernel> compiled) {
  bool isFixed = step.kind == codegen::HostStepKind::Dispatch ||
                 step.kind == codegen::HostStepKind::Copy;
  if (!isFixed || any_of(step.bindings, [](const HostPlace &place) {
        return place.kind == PlaceKind::State ||
               place.kind == PlaceKind::Number;
      }))
    return inputError("the model", "it branches, counts or keeps state",
                      "A device runs kernels in a fixed order on arrays of "
                      "fixed sizes.");
  if (step.kind == codegen::HostStepKind::Copy)
    return device::Copy{makeBinding(step.bindings.front()),
                        makeBinding(step.bindings.back())};
  device::Launch launch;
  launch.kernel = kernels.lookup(step.kernel);
  launch.instance = step.instance.value_or(device::kNone);
  launch.grid = compiled[launch.kernel].phases.phases.front().grid;
  launch.parameters = step.parameters;
  for (const HostPlace &place : step.bindings) {
    // A buffer that begins within another one.
    if (place.offset % kGpuAlignment != 0)
      return inputError("kernel '" + step.kernel + "'",
                        "it takes a part of a buffer that begins at byte " +
                            Twine(place.offset) + ", not a multiple of " +
                            Twine(kGpuAlignment));
    launch.bindings.push_back(makeBinding(place));
  }
  return launch;
}

static std::vector<device::Array> makeArrays(ArrayRef<ValueSignature> values,
                                             ArrayRef<uint64_t> sizes) {
  std::vector<device::Array> arrays;
  for (auto [value, bytes] : zip_equal(values, sizes))
    arrays.push_back({value.name, value.elementType, value.shape, bytes});
  return arrays;
}

Expected<device::Program>
compile::makeDeviceProgram(CompiledModel &model, ArrayRef<TakenKernel> taken,
                           ArrayRef<CompiledKernel> kernels,
                           ArrayRef<std::vector<uint32_t>> nodes) {
  device::Program program;
  StringMap<uint32_t> numbers;
  for (auto [index, source] : enumerate(taken)) {
    auto kernel = makeKernel(source, kernels[index],
                             nodes.empty() ? ArrayRef<uint32_t>()
                                           : ArrayRef<uint32_t>(nodes[index]));
    if (!kernel)
      return kernel.takeError();
    numbers[source.source.symbol] = uint32_t(program.kernels.size());
    program.kernels.push_back(std::move(*kernel));
  }
  auto graph = std::make_shared<HostGraph>(std::move(*model.hostGraph));
  for (const HostStep &step : graph->steps) {
    auto made = makeStep(step, numbers, kernels);
    if (!made)
      return made.takeError();
    program.steps.push_back(std::move(*made));
  }
  for (const codegen::HostConstant &constant : graph->constants)
    program.constants.emplace_back(constant.bytes);
  program.arguments =
      makeArrays(model.signature.arguments, graph->argumentBytes);
  program.results = makeArrays(model.signature.results, graph->resultBytes);
  program.arenaBytes = model.arenaBytes;
  program.storage = graph;
  return std::move(program);
}
