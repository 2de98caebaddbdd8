//===- Entry.cpp - The function to run ------------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Compile/Entry.h"
#include "WrittenArguments.h"
#include "mlir-prof/Codegen/Passes.h"
#include "mlir-prof/Dialect/Prof/Identity.h"
#include "mlir-prof/Support/Error.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::compile;

llvm::Error compile::makeCrashError(llvm::StringRef where,
                                    llvm::StringRef pipeline) {
  return inputError(where,
                    "a pass of pipeline '" + pipeline +
                        "' crashed or ran out of memory",
                    "Try --pipeline=naive, or leave out passes.");
}

std::string compile::describeLocation(Location location) {
  std::string text;
  llvm::raw_string_ostream os(text);
  prof::removeIdentities(location).print(os);
  StringRef trimmed = text;
  if (trimmed.consume_front("loc("))
    trimmed.consume_back(")");
  return trimmed.str();
}

llvm::Error compile::describeUnknownPlace(llvm::Error error) {
  return llvm::handleErrors(std::move(error), [](const InputError &found) {
    bool isUnknown = found.getWhere() == kUnknownPlace;
    return inputError(isUnknown ? "an op of unknown location"
                                : found.getWhere(),
                      found.getWhat(), found.getHint());
  });
}

static std::string listNames(ArrayRef<func::FuncOp> functions) {
  constexpr size_t kShown = 10;
  std::string names;
  for (func::FuncOp function : functions.take_front(kShown))
    names += (names.empty() ? "" : ", ") + function.getSymName().str();
  return functions.size() > kShown ? names + ", ..." : names;
}

llvm::Expected<func::FuncOp> compile::findEntry(ModuleOp module,
                                                StringRef name) {
  SmallVector<func::FuncOp> all, candidates;
  for (auto function : module.getOps<func::FuncOp>()) {
    if (function.isExternal())
      continue;
    all.push_back(function);
    if (function.isPublic())
      candidates.push_back(function);
  }
  std::string where = describeLocation(module.getLoc());
  if (all.empty())
    return inputError(where, "the module does not have a function with a body",
                      "A model is a func.func.");
  if (name.empty() && candidates.size() == 1)
    return candidates.front();
  StringRef wanted = name.empty() ? "main" : name;
  for (func::FuncOp function : all)
    if (function.getSymName() == wanted)
      return function;
  if (!name.empty())
    return inputError(where, "there is no function '" + name + "'",
                      "The module has: " + listNames(all) + ".");
  return inputError(where,
                    candidates.empty()
                        ? "the module has neither a public function nor 'main'"
                        : "the module has several public functions",
                    "Choose the one to run with --entry. It has: " +
                        listNames(candidates.empty() ? all : candidates) + ".");
}

static std::string printType(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

/// Bytes of a scalar in memory; 0 for types that cannot be passed.
static unsigned getBytes(Type type) {
  if (isa<IndexType>(type))
    return 8;
  if (auto complex = dyn_cast<ComplexType>(type)) {
    Type part = complex.getElementType();
    return isa<FloatType>(part) ? 2 * getBytes(part) : 0;
  }
  if (!type.isIntOrFloat())
    return 0;
  unsigned bits = type.getIntOrFloatBitWidth();
  if (isa<FloatType>(type))
    return bits <= 64 && bits % 8 == 0 ? bits / 8 : 0;
  return bits == 1 ? 1 : llvm::isPowerOf2_32(bits) && bits <= 64 ? bits / 8 : 0;
}

/// A memref that a plain descriptor describes completely.
static bool isPlain(Type type) {
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    return !tensor.getEncoding();
  auto memref = dyn_cast<MemRefType>(type);
  return memref && memref.getLayout().isIdentity() && !memref.getMemorySpace();
}

static llvm::Expected<ValueSignature> describeValue(Type type, std::string name,
                                                    func::FuncOp entry) {
  ValueSignature value;
  value.name = std::move(name);
  Type element = type;
  if (isPlain(type)) {
    auto shaped = cast<ShapedType>(type);
    element = shaped.getElementType();
    value.shape.assign(shaped.getShape().begin(), shaped.getShape().end());
  } else {
    value.isScalar = true;
  }
  value.bytesPerElement = getBytes(element);
  if (!value.bytesPerElement)
    return inputError(describeLocation(entry.getLoc()),
                      "'" + value.name + "' of function '" +
                          entry.getSymName() + "' has type " + printType(type) +
                          ", which cannot be passed",
                      "Arguments and results are ranked tensors or memrefs of "
                      "plain layout, or scalars, of integers up to 64 bits, "
                      "floats, index or complex.");
  value.elementType = printType(element);
  return value;
}

/// From an attribute or the location, else "<kind><index>".
static std::string nameArgument(func::FuncOp entry, unsigned index) {
  for (StringRef attribute : {"mlirprof.name", "tf_saved_model.index_path",
                              "jax.arg_info", "ml_program.identifier"})
    if (auto name = entry.getArgAttrOfType<StringAttr>(index, attribute))
      return name.str();
  Location location = prof::removeIdentities(entry.getArgument(index).getLoc());
  if (auto name = dyn_cast<NameLoc>(location))
    return name.getName().str();
  return "arg" + std::to_string(index);
}

llvm::Expected<Signature> compile::getSignature(func::FuncOp entry) {
  Signature signature;
  for (auto [index, type] : llvm::enumerate(entry.getArgumentTypes())) {
    if (entry.getArgAttr(unsigned(index), codegen::kVariable))
      continue;
    auto value = describeValue(type, nameArgument(entry, index), entry);
    if (!value)
      return value.takeError();
    value->isWritten = isWritten(entry, unsigned(index));
    signature.arguments.push_back(std::move(*value));
  }
  for (auto [index, type] : llvm::enumerate(entry.getResultTypes())) {
    if (entry.getResultAttr(unsigned(index), codegen::kVariable))
      continue;
    auto value = describeValue(type, "result" + std::to_string(index), entry);
    if (!value)
      return value.takeError();
    signature.results.push_back(std::move(*value));
  }
  return signature;
}

void compile::prepareEntry(func::FuncOp entry) {
  entry.setPublic();
  entry->setAttr(LLVM::LLVMDialect::getEmitCWrapperAttrName(),
                 UnitAttr::get(entry.getContext()));
  StringRef writable = bufferization::BufferizationDialect::kWritableAttrName;
  for (unsigned i = 0, e = entry.getNumArguments(); i < e; ++i)
    if (isa<TensorType>(entry.getArgument(i).getType()) &&
        !entry.getArgAttr(i, writable))
      entry.setArgAttr(i, writable, BoolAttr::get(entry.getContext(), false));
}
