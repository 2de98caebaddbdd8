//===- Containment.cpp - The reach of a model -----------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The passes of lib/Codegen/Checks give accesses to tensors and buffers
// assertions, so that a model reaches its own memory only. That does not hold
// for pointers, for ops that make a buffer of any memory, for what a model
// claims without proof, on which LLVM relies, and for functions of other
// libraries. A dialect that is not listed may have such ops.
//
//===----------------------------------------------------------------------===//

#include "Library/HostFunctions.h"
#include "ModelChecks.h"
#include "UncheckedForms.h"
#include "mlir-prof/Compile/Entry.h"
#include "mlir-prof/Support/Error.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::compile;

static bool isCheckedDialect(StringRef name) {
  static const llvm::StringSet<> names = {
      "affine",  "arith",      "bufferization", "builtin", "cf",
      "complex", "func",       "index",         "linalg",  "math",
      "memref",  "ml_program", "omp",           "prof",    "quant",
      "scf",     "shape",      "tensor",        "tosa",    "vector"};
  return names.contains(name);
}

/// Ops of these dialects that can reach memory other than that of their
/// operands, that end its life, or that claim something.
static bool isUncheckedOp(StringRef name) {
  static const llvm::StringSet<> names = {
      "affine.dma_start",
      "affine.dma_wait",
      "affine.vector_load",
      "affine.vector_store",
      "bufferization.dealloc",
      "bufferization.dealloc_tensor",
      "builtin.unrealized_conversion_cast",
      "memref.assume_alignment",
      "memref.dealloc",
      "memref.distinct_objects",
      "memref.dma_start",
      "memref.dma_wait",
      "memref.extract_aligned_pointer_as_index",
      "memref.generic_atomic_rmw",
      "memref.realloc",
      "memref.reinterpret_cast",
      "memref.reshape",
      "memref.view",
      "shape.dim",
      "shape.div",
      "shape.get_extent",
      "shape.split_at",
      "tensor.gather",
      "tensor.parallel_insert_slice",
      "tensor.reshape",
      "tensor.scatter",
      "vector.compressstore",
      "vector.expandload",
      "vector.gather",
      "vector.maskedload",
      "vector.maskedstore",
      "vector.scatter",
      "vector.transfer_read",
      "vector.transfer_write",
      "vector.type_cast"};
  return names.contains(name);
}

/// Whether a function without a body takes and returns numbers alone, as those
/// of mathematics do, and has one of their names.
static bool isMathematics(func::FuncOp function) {
  auto isNumber = [](Type type) { return type.isF32() || type.isF64(); };
  return isMathFunction(function.getSymName()) &&
         llvm::all_of(function.getArgumentTypes(), isNumber) &&
         llvm::all_of(function.getResultTypes(), isNumber);
}

/// Whether an attribute of a function, an argument or a result becomes one of
/// LLVM's, which relies on it: a range of an index, a function without effects.
static bool isClaim(NamedAttribute attribute) {
  StringRef name = attribute.getName();
  if (name == LLVM::LLVMDialect::getEmitCWrapperAttrName())
    return false;
  return name.starts_with("llvm.") ||
         llvm::is_contained(LLVM::LLVMFuncOp::getAttributeNames(), name);
}

static bool hasClaims(func::FuncOp function) {
  auto has = [](ArrayAttr attributes) {
    return attributes && llvm::any_of(attributes, [](Attribute of) {
             return llvm::any_of(cast<DictionaryAttr>(of), isClaim);
           });
  };
  return llvm::any_of(function->getDiscardableAttrs(), isClaim) ||
         has(function.getArgAttrsAttr()) || has(function.getResAttrsAttr());
}

static bool isContained(Operation *op) {
  if (!isCheckedDialect(op->getName().getDialectNamespace()) ||
      isUncheckedOp(op->getName().getStringRef()) || isUncheckedForm(op))
    return false;
  auto function = dyn_cast<func::FuncOp>(op);
  return !function || (!hasClaims(function) &&
                       (!function.isExternal() || isMathematics(function)));
}

llvm::Error compile::checkContained(ModuleOp module, const Twine &when) {
  Operation *found = nullptr;
  module->walk([&](Operation *op) {
    if (isContained(op))
      return WalkResult::advance();
    found = op;
    return WalkResult::interrupt();
  });
  if (!found)
    return llvm::Error::success();
  return inputError(describeLocation(found->getLoc()),
                    "op '" + found->getName().getStringRef() + "'" + when +
                        " can reach memory or functions other than the model's",
                    "Leave out --contained if you know who made the model.");
}
