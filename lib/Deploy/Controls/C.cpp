//===- C.cpp - A host side that is C --------------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Plan.h"
#include "Controls.h"
#include "mlir-prof/Support/Error.h"
#include "mlir/Dialect/EmitC/IR/EmitC.h"
#include "mlir/Target/Cpp/CppEmitter.h"

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
  void addStep(const HostStep &step);

  const DeployedModel &model;
  mlir::OpBuilder builder;
  mlir::Location location;
  mlir::Type byte, untyped, size;
  emitc::FuncOp function;
  /// By number among the bindings of the model.
  DenseMap<uint32_t, mlir::Value> memories;
};
} // namespace

/// The begin of the memory that `place` is a part of.
mlir::Value HostBuilder::getMemory(const HostPlace &place) {
  if (place.kind == PlaceKind::Constant)
    return getLiteral(byte, "(unsigned char *)" +
                                getConstantSymbol(model, place.index));
  auto arguments = uint32_t(model.signature.arguments.size());
  auto results = uint32_t(model.signature.results.size());
  uint32_t number = place.kind == PlaceKind::Argument ? place.index
                    : place.kind == PlaceKind::Result ? arguments + place.index
                                                      : arguments + results;
  mlir::Value &memory = memories[number];
  if (memory)
    return memory;
  auto bindings = cast<mlir::TypedValue<emitc::PointerType>>(
      mlir::Value(function.getArgument(0)));
  mlir::Value element = emitc::SubscriptOp::create(
      builder, location, bindings, getLiteral(size, Twine(number)));
  mlir::Value address = emitc::LoadOp::create(
      builder, location, bindings.getType().getPointee(), element);
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

void HostBuilder::addStep(const HostStep &step) {
  emitc::VerbatimOp::create(builder, location,
                            "/* " + describeStep(model, step) + " */");
  SmallVector<mlir::Value> addresses, parameters;
  for (const HostPlace &place : step.bindings)
    addresses.push_back(getAddress(place));
  if (step.kernel.empty()) {
    emitc::CallOpaqueOp::create(
        builder, location, mlir::TypeRange(), "memcpy",
        mlir::ValueRange{addresses[1], addresses[0],
                         getLiteral(size, Twine(step.bindings[0].bytes))});
    return;
  }
  for (int64_t parameter : step.parameters)
    parameters.push_back(getLiteral(getOpaque("int64_t"), Twine(parameter)));
  mlir::Value zero = getLiteral(getOpaque("uint32_t"), "0");
  mlir::Value bindings = makeArray(untyped, addresses);
  mlir::Value sizes = makeArray(getOpaque("int64_t"), parameters);
  emitc::CallOpaqueOp::create(
      builder, location, mlir::TypeRange(), step.kernel,
      mlir::ValueRange{bindings, sizes, zero, zero, zero});
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
  mlir::Type number = getOpaque("uint32_t");
  function = emitc::FuncOp::create(
      builder, location, model.name,
      builder.getFunctionType({getPointer("void *const"),
                               getPointer("const int64_t"), number, number,
                               number},
                              {}));
  builder.setInsertionPointToStart(function.addEntryBlock());
  for (const HostStep &step : model.graph->steps)
    addStep(step);
  emitc::ReturnOp::create(builder, location, mlir::Value());
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
