//===- C.cpp - A host side that is C --------------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Devices.h"
#include "../Plan.h"
#include "CNumbers.h"
#include "Controls.h"
#include "mlir-prof/Support/Error.h"
#include "mlir/Dialect/EmitC/IR/EmitC.h"
#include "mlir/Target/Cpp/CppEmitter.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using namespace mlirprof;
using namespace mlirprof::codegen;
using namespace mlirprof::deploy;
namespace emitc = mlir::emitc;

namespace {
/// Builds the function of a model in the dialect emitc.
class HostBuilder {
public:
  HostBuilder(const DeployedModel &model, mlir::MLIRContext &context)
      : model(model), builder(&context), location(builder.getUnknownLoc()),
        byte(getPointer("unsigned char")), untyped(getPointer("void")),
        size(builder.getIndexType()) {}

  mlir::OwningOpRef<mlir::ModuleOp> build();

private:
  mlir::Type getOpaque(StringRef name) {
    return emitc::OpaqueType::get(builder.getContext(), name);
  }
  mlir::Type getPointer(StringRef name) {
    return emitc::PointerType::get(getOpaque(name));
  }
  mlir::Value getLiteral(mlir::Type type, const Twine &text) {
    return emitc::LiteralOp::create(builder, location, type, text.str());
  }
  mlir::Value getMemory(const HostPlace &place);
  mlir::Value getAddress(const HostPlace &place);
  mlir::Value makeArray(mlir::Type element, ArrayRef<mlir::Value> values);
  void addLine(const Twine &text) {
    emitc::VerbatimOp::create(builder, location, text.str());
  }
  void addMemories();
  void beginFunction();
  void addYield();
  /// A line with `values` in the places of {}.
  void addLine(const Twine &text, mlir::ValueRange values) {
    emitc::VerbatimOp::create(builder, location,
                              builder.getStringAttr(text.str()), values);
  }
  /// A step of a device, which ends the function if it fails.
  void addDeviceStep(const Twine &call, mlir::ValueRange values);
  void addRun(const HostStep &step);
  void addTransfer(const HostStep &step);
  void addDispatch(const HostStep &step);
  void addLoad(const HostStep &step);
  void addStep(const HostStep &step);
  void addSteps(ArrayRef<HostStep> steps);

  const DeployedModel &model;
  mlir::OpBuilder builder;
  mlir::Location location;
  mlir::Type byte, untyped, size;
  emitc::FuncOp function;
  mlir::Value request, devices, bindings;
  /// By number among the bindings of the model.
  DenseMap<uint32_t, mlir::Value> memories;
};
} // namespace

/// The begin of the memory that `place` is a part of.
mlir::Value HostBuilder::getMemory(const HostPlace &place) {
  if (place.kind == PlaceKind::Constant)
    return getLiteral(byte, "(unsigned char *)" +
                                getConstantSymbol(model, place.index));
  if (place.kind == PlaceKind::Number)
    return getLiteral(
        byte, formatv("(unsigned char *)&{0}[{1}]", kNumbers, place.index));
  auto arguments = uint32_t(model.signature.arguments.size());
  uint32_t number = place.kind == PlaceKind::Argument ? place.index
                    : place.kind == PlaceKind::Result ? arguments + place.index
                    : place.kind == PlaceKind::State  ? getStateNumber(model)
                                                      : getArenaNumber(model);
  mlir::Value &memory = memories[number];
  if (memory)
    return memory;
  auto array = cast<mlir::TypedValue<emitc::PointerType>>(bindings);
  mlir::Value element = emitc::SubscriptOp::create(
      builder, location, array, getLiteral(size, Twine(number)));
  mlir::Value address = emitc::LoadOp::create(
      builder, location, array.getType().getPointee(), element);
  memory = emitc::CastOp::create(builder, location, byte, address);
  return memory;
}

mlir::Value HostBuilder::getAddress(const HostPlace &place) {
  mlir::Value memory = getMemory(place);
  if (place.offset)
    memory = emitc::AddOp::create(builder, location, byte, memory,
                                  getLiteral(size, Twine(place.offset)));
  return emitc::CastOp::create(builder, location, untyped, memory);
}

/// A variable with `values`; null without any.
mlir::Value HostBuilder::makeArray(mlir::Type element,
                                   ArrayRef<mlir::Value> values) {
  if (values.empty())
    return getLiteral(untyped, "0");
  auto type = emitc::ArrayType::get({int64_t(values.size())}, element);
  auto array = emitc::VariableOp::create(
      builder, location, type,
      emitc::OpaqueAttr::get(builder.getContext(), ""));
  auto typed = cast<mlir::TypedValue<emitc::ArrayType>>(array.getResult());
  for (auto [index, value] : enumerate(values)) {
    auto place = emitc::SubscriptOp::create(
        builder, location, typed,
        mlir::ValueRange{getLiteral(size, Twine(index))});
    emitc::AssignOp::create(builder, location, place, value);
  }
  return array;
}

/// A canceled request ends before its next dispatch.
void HostBuilder::addYield() {
  if (request)
    addLine("if (prof_request_yield({}))\n  return PROF_REQUEST_CANCELED;",
            request);
}

void HostBuilder::addDispatch(const HostStep &step) {
  addLine("/* " + describeStep(model, step) + " */");
  SmallVector<mlir::Value> addresses, parameters;
  for (const HostPlace &place : step.bindings)
    addresses.push_back(getAddress(place));
  if (step.kind == HostStepKind::Copy) {
    emitc::CallOpaqueOp::create(
        builder, location, mlir::TypeRange(), "memcpy",
        mlir::ValueRange{addresses[1], addresses[0],
                         getLiteral(size, Twine(step.bindings[0].bytes))});
    return;
  }
  addYield();
  for (int64_t parameter : step.parameters)
    parameters.push_back(getLiteral(getOpaque("int64_t"), Twine(parameter)));
  mlir::Value zero = getLiteral(getOpaque("uint32_t"), "0");
  mlir::Value bindings = makeArray(untyped, addresses);
  mlir::Value sizes = makeArray(getOpaque("int64_t"), parameters);
  emitc::CallOpaqueOp::create(
      builder, location, mlir::TypeRange(), step.kernel,
      mlir::ValueRange{bindings, sizes, zero, zero, zero});
}

//===----------------------------------------------------------------------===//
// Devices
//===----------------------------------------------------------------------===//

void HostBuilder::addDeviceStep(const Twine &call, mlir::ValueRange values) {
  addLine("if (" + call + ")\n  return " + StringRef(model.name).upper() +
              "_DEVICE_FAILED;",
          values);
}

/// The tables are constants.
void HostBuilder::addRun(const HostStep &step) {
  addLine("/* " + describeStep(model, step) + " */\n{");
  std::string places, parameters;
  for (const HostPlace &place : step.bindings)
    places += formatv("{0}{{{1}, {2}, {3}}", places.empty() ? "" : ", ",
                      place.offset, place.bytes, getPermissions(place));
  for (int64_t parameter : step.parameters)
    parameters += writeNumber({true, parameter}) + ", ";
  addLine("static const prof_device_binding places[] = {" + places +
          "};\nstatic const int64_t sizes[] = {" + parameters + "0};");
  addYield();
  addDeviceStep(formatv("prof_device_run(&{{}[{0}], {1}, places, {2}, sizes, "
                        "{3})",
                        *step.device, getDeviceKernel(model, step),
                        step.bindings.size(), step.parameters.size()),
                devices);
  addLine("}");
}

void HostBuilder::addTransfer(const HostStep &step) {
  const HostPlace &host = step.bindings[step.isToDevice ? 0 : 1];
  const HostPlace &own = step.bindings[step.isToDevice ? 1 : 0];
  addLine("/* " + describeStep(model, step) + " */");
  addDeviceStep(formatv("prof_device_transfer(&{{}[{0}], {{}, {1}, {2}, {3})",
                        *step.device, own.offset, own.bytes,
                        step.isToDevice ? 1 : 0),
                {devices, getAddress(host)});
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

/// Copies the bytes, then gives the number its sign.
void HostBuilder::addLoad(const HostStep &step) {
  const HostPlace &place = step.bindings.front();
  std::string number = writeNumber({false, step.result});
  addLine(number + " = 0;");
  emitc::CallOpaqueOp::create(
      builder, location, mlir::TypeRange(), "memcpy",
      mlir::ValueRange{getLiteral(untyped, "&" + number), getAddress(place),
                       getLiteral(size, Twine(place.bytes))});
  addLine(number + " = " + writeWrapped(number, step.bits) + ";");
}

void HostBuilder::addStep(const HostStep &step) {
  switch (step.kind) {
  case HostStepKind::Dispatch:
    return step.device ? addRun(step) : addDispatch(step);
  case HostStepKind::Copy:
    return addDispatch(step);
  case HostStepKind::Transfer:
    return addTransfer(step);
  case HostStepKind::Wait:
    return addDeviceStep(formatv("prof_device_wait(&{{}[{0}])", *step.device),
                         devices);
  case HostStepKind::Load:
    return addLoad(step);
  case HostStepKind::Compute:
    return addLine(writeComputation(step));
  case HostStepKind::If:
    addLine("if (" + writeNumber(step.operands.front()) + ") {");
    addSteps(step.blocks[0]);
    addLine("} else {");
    break;
  case HostStepKind::While:
    addLine("for (;;) {");
    addSteps(step.blocks[0]);
    addLine("if (!" + writeNumber(step.operands.front()) + ")\n  break;");
    break;
  }
  addSteps(step.blocks[1]);
  addLine("}");
}

void HostBuilder::addSteps(ArrayRef<HostStep> steps) {
  for (const HostStep &step : steps)
    addStep(step);
}

/// Blocks of C share what is before them.
void HostBuilder::addMemories() {
  walkSteps(model.graph->steps, [&](const HostStep &step) {
    for (const HostPlace &place : step.bindings)
      if (place.kind != PlaceKind::Constant &&
          place.kind != PlaceKind::Number && place.kind != PlaceKind::Device)
        getMemory(place);
  });
  if (uint32_t count = model.graph->numberCount)
    addLine(formatv("int64_t {0}[{1}];", kNumbers, count));
}

/// With devices or requests, the function may fail.
void HostBuilder::beginFunction() {
  mlir::Type number = getOpaque("uint32_t");
  SmallVector<mlir::Type> arguments, results;
  if (model.yields)
    arguments.push_back(getPointer("prof_request"));
  if (!model.devices.empty())
    arguments.push_back(getPointer("prof_device_slot"));
  if (!arguments.empty())
    results.push_back(getOpaque("int32_t"));
  arguments.push_back(getPointer("void *const"));
  if (results.empty())
    arguments.append({getPointer("const int64_t"), number, number, number});
  function = emitc::FuncOp::create(builder, location, model.name,
                                   builder.getFunctionType(arguments, results));
  builder.setInsertionPointToStart(function.addEntryBlock());
  unsigned next = 0;
  if (model.yields)
    request = function.getArgument(next++);
  if (!model.devices.empty())
    devices = function.getArgument(next++);
  bindings = function.getArgument(next);
}

mlir::OwningOpRef<mlir::ModuleOp> HostBuilder::build() {
  mlir::OwningOpRef<mlir::ModuleOp> module = mlir::ModuleOp::create(location);
  builder.setInsertionPointToEnd(module->getBody());
  emitc::VerbatimOp::create(builder, location,
                            "/* " + model.name +
                                ".c - the host side of a model, made by "
                                "mlir-prof. */");
  emitc::IncludeOp::create(builder, location, model.name + ".h",
                           /*is_standard_include=*/false);
  emitc::IncludeOp::create(builder, location, "string.h",
                           /*is_standard_include=*/true);
  beginFunction();
  addMemories();
  addSteps(model.graph->steps);
  emitc::ReturnOp::create(builder, location,
                          devices || request
                              ? getLiteral(getOpaque("int32_t"), "0")
                              : mlir::Value());
  return module;
}

static Error apply(DeployedModel &model) {
  if (Error error = checkOffsets(model))
    return error;
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  context.loadDialect<emitc::EmitCDialect>();
  mlir::OwningOpRef<mlir::ModuleOp> module =
      HostBuilder(model, context).build();
  PackageFile file = {model.name + ".c", ""};
  raw_string_ostream os(file.bytes);
  if (failed(emitc::translateToCpp(*module, os)))
    return inputError("model", "its host side cannot be written as C");
  model.files.push_back(std::move(file));
  model.declarations = declareSymbols(model);
  for (const auto &[kernel, step] : getKernels(*model.graph))
    model.exported.push_back(kernel.str());
  for (size_t index = 0; index != model.graph->constants.size(); ++index)
    model.exported.push_back(getConstantSymbol(model, index));
  return addConstants(model);
}

Control control::C() {
  return {"c", "NAME.c, to be compiled with the program", /*needsGraph=*/true,
          apply};
}
