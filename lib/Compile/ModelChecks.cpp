//===- ModelChecks.cpp - Checks of a model before compilation -------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ModelChecks.h"
#include "mlir-prof/Codegen/Passes.h"
#include "mlir-prof/Compile/Entry.h"
#include "mlir-prof/Dialect/Dispatch/Dispatch.h"
#include "mlir-prof/Support/Error.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Support/CheckedArithmetic.h"
#include "llvm/TargetParser/Host.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::compile;

/// Bytes per element of a resource; 0 if several elements share a byte.
static int64_t getBytes(Type element) {
  if (auto complex = dyn_cast<ComplexType>(element))
    return 2 * getBytes(complex.getElementType());
  if (element.isIndex())
    return 8;
  if (!element.isIntOrFloat())
    return 0;
  unsigned bits = element.getIntOrFloatBitWidth();
  return bits == 1 ? 1 : bits % 8 == 0 ? bits / 8 : 0;
}

/// Bytes of a resource of `type`; none if they are unknown.
static std::optional<int64_t> getBytes(ShapedType type) {
  std::optional<int64_t> bytes = getBytes(type.getElementType());
  if (*bytes == 0 || !type.hasStaticShape())
    return std::nullopt;
  for (int64_t size : type.getShape())
    if (bytes)
      bytes = llvm::checkedMul(*bytes, size);
  return bytes ? bytes : INT64_MAX;
}

static llvm::Error checkResource(Operation *op,
                                 DenseResourceElementsAttr attribute) {
  auto fail = [&](const Twine &problem, StringRef hint) {
    return inputError(describeLocation(op->getLoc()),
                      "op '" + op->getName().getStringRef() +
                          "' needs the resource '" +
                          attribute.getRawHandle().getKey() + "', " + problem,
                      hint);
  };
  AsmResourceBlob *blob = attribute.getRawHandle().getBlob();
  if (!blob)
    return fail("which the model does not contain",
                "Its values were left out when the model was printed: print it "
                "without --mlir-elide-elementsattrs-if-larger and "
                "--mlir-elide-resource-strings-if-larger.");
  std::optional<int64_t> wanted = getBytes(attribute.getType());
  size_t size = blob->getData().size();
  if (!wanted || uint64_t(*wanted) == size)
    return llvm::Error::success();
  return fail("which has " + Twine(size) + " bytes, where its type needs " +
                  Twine(*wanted),
              "The resource section at the end of the model is cut off, or "
              "belongs to another model.");
}

llvm::Error compile::checkResources(ModuleOp module) {
  llvm::Error error = llvm::Error::success();
  auto check = [&](Operation *op) {
    auto checkOne = [&](DenseResourceElementsAttr attribute) {
      if (!error)
        error = checkResource(op, attribute);
    };
    op->getAttrDictionary().walk(checkOne);
    return error ? WalkResult::interrupt() : WalkResult::advance();
  };
  module->walk(check);
  return error;
}

/// A mark for a variable (kVariable) on an argument or result of `type`.
static bool isVariable(Attribute mark, Type type, const SymbolTable &symbols) {
  auto name = dyn_cast<FlatSymbolRefAttr>(mark);
  auto shaped = dyn_cast<ShapedType>(type);
  auto variable =
      name ? symbols.lookup<memref::GlobalOp>(name.getValue()) : nullptr;
  return variable && shaped && shaped.hasRank() && !variable.getConstant() &&
         variable.getType().getShape() == shaped.getShape() &&
         variable.getType().getElementType() == shaped.getElementType();
}

/// Whether all marks for variables on `function` name one, and each result for
/// a variable has an argument for it.
static bool hasVariables(func::FuncOp function, const SymbolTable &symbols) {
  llvm::SmallDenseSet<Attribute> arguments;
  for (unsigned i = 0, e = function.getNumArguments(); i != e; ++i)
    if (Attribute mark = function.getArgAttr(i, codegen::kVariable))
      if (!isVariable(mark, function.getArgumentTypes()[i], symbols) ||
          !arguments.insert(mark).second)
        return false;
  for (unsigned i = 0, e = function.getNumResults(); i != e; ++i)
    if (Attribute mark = function.getResultAttr(i, codegen::kVariable))
      if (!isVariable(mark, function.getResultTypes()[i], symbols) ||
          !arguments.erase(mark))
        return false;
  return true;
}

llvm::Error compile::checkSymbols(ModuleOp module) {
  SymbolTable symbols(module);
  for (auto function : module.getOps<func::FuncOp>()) {
    std::string where = describeLocation(function.getLoc());
    if (dispatch::isKernel(function) && function.isExternal())
      return inputError(
          where, "kernel '" + function.getSymName() + "' does not have a body",
          "The code of a kernel is part of the model.");
    if (!hasVariables(function, symbols))
      return inputError(where,
                        "an attribute '" + codegen::kVariable +
                            "' of function '" + function.getSymName() +
                            "' does not name a variable of its type",
                        "Passes set this attribute; remove it.");
  }
  return llvm::Error::success();
}

/// The value of `resource`, if it is a single number; else null.
static Attribute getNumber(DenseResourceElementsAttr resource) {
  ShapedType type = resource.getType();
  if (type.getRank() != 0 || !getBytes(type))
    return nullptr;
  ArrayRef<char> bytes = resource.getRawHandle().getBlob()->getData();
  // (Bits are bytes in resources.)
  if (type.getElementType().isInteger(1))
    return DenseElementsAttr::get(type, ArrayRef<bool>(bytes.front() != 0));
  return DenseElementsAttr::getFromRawBuffer(type, bytes);
}

void compile::inlineScalarResources(ModuleOp module) {
  AttrTypeReplacer replacer;
  replacer.addReplacement(
      [](DenseResourceElementsAttr resource) -> std::optional<Attribute> {
        Attribute number = getNumber(resource);
        return number ? number : resource;
      });
  replacer.recursivelyReplaceElementsIn(module);
}

static bool isLibraryName(StringRef name,
                          const llvm::TargetLibraryInfoImpl &library) {
  llvm::LibFunc known;
  return library.getLibFunc(name, known) || name == "abort" ||
         name == "memrefCopy";
}

void compile::renameLibraryClashes(ModuleOp module) {
  llvm::Triple triple(llvm::sys::getProcessTriple());
  llvm::TargetLibraryInfoImpl library(triple);
  SmallVector<func::FuncOp> clashes;
  // Functions without a body belong to the library.
  for (auto function : module.getOps<func::FuncOp>())
    if (!function.isExternal() &&
        (isLibraryName(function.getSymName(), library) ||
         function.getSymName() == codegen::kResetSymbol))
      clashes.push_back(function);
  SymbolTable symbols(module);
  for (func::FuncOp function : clashes) {
    std::string name = (function.getSymName() + ".model").str();
    while (symbols.lookup(name))
      name += "_";
    (void)symbols.rename(function, name);
  }
}
