//===- Entry.cpp - The entry function of a model --------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Entry.h"
#include "mlir-prof/Support/Error.h"
#include "llvm/IR/IRBuilder.h"

using namespace llvm;
using namespace mlirprof;
using namespace mlirprof::compile;

namespace {
/// Builds the body of the entry function: loads the arguments that the C
/// interface takes by value, and stores its results one by one.
class EntryBuilder {
public:
  EntryBuilder(Module &module, Function &interface, Type *result,
               const Signature &signature)
      : module(module), interface(interface), result(result),
        signature(signature), builder(module.getContext()) {}

  Expected<std::string> build() {
    if (Error error = check())
      return std::move(error);
    auto *type = FunctionType::get(builder.getVoidTy(), {builder.getPtrTy()},
                                   /*isVarArg=*/false);
    Function *entry = Function::Create(type, GlobalValue::ExternalLinkage,
                                       "mlirprof_entry", module);
    addresses = entry->getArg(0);
    builder.SetInsertPoint(BasicBlock::Create(module.getContext(), "", entry));
    storeResults(call());
    builder.CreateRetVoid();
    return entry->getName().str();
  }

private:
  bool returnsByPointer() const { return result->isStructTy(); }

  /// Several results are returned as a struct; a single one is returned
  /// directly.
  Type *resultType(size_t index) const {
    return signature.results.size() == 1
               ? result
               : cast<StructType>(result)->getElementType(unsigned(index));
  }

  Error check() const {
    size_t expected = signature.arguments.size() + returnsByPointer();
    size_t results = signature.results.size();
    bool fits = interface.arg_size() == expected;
    if (results == 0)
      fits &= result->isVoidTy();
    else if (results == 1)
      fits &= !result->isVoidTy();
    else
      fits &= result->isStructTy() && result->getStructNumElements() == results;
    if (fits)
      return Error::success();
    return inputError(interface.getName(),
                      "the signature of the compiled function differs from "
                      "that of the model: " +
                          Twine(interface.arg_size()) + " arguments, " +
                          Twine(expected) + " expected",
                      "A pipeline must not change the signature of the entry "
                      "function.");
  }

  Value *addressOf(size_t index) {
    Value *slot = builder.CreateConstInBoundsGEP1_64(builder.getPtrTy(),
                                                     addresses, index);
    return builder.CreateLoad(builder.getPtrTy(), slot);
  }

  Value *call() {
    SmallVector<Value *> operands;
    Value *results = nullptr;
    if (returnsByPointer())
      operands.push_back(results = builder.CreateAlloca(result));
    for (size_t i = 0; i != signature.arguments.size(); ++i) {
      Type *type = interface.getArg(unsigned(operands.size()))->getType();
      operands.push_back(signature.arguments[i].isScalar
                             ? loadScalar(type, addressOf(i))
                             : addressOf(i));
    }
    Value *returned = builder.CreateCall(&interface, operands);
    return results ? builder.CreateLoad(result, results) : returned;
  }

  /// Scalars are stored in whole bytes.
  Value *loadScalar(Type *type, Value *address) {
    if (!type->isIntegerTy())
      return builder.CreateAlignedLoad(type, address, Align(1));
    Type *whole =
        builder.getIntNTy(unsigned(alignTo(type->getIntegerBitWidth(), 8)));
    Value *loaded = builder.CreateAlignedLoad(whole, address, Align(1));
    return builder.CreateTrunc(loaded, type);
  }

  void storeResults(Value *returned) {
    for (size_t i = 0; i != signature.results.size(); ++i) {
      Value *value = returned;
      if (signature.results.size() > 1)
        value = builder.CreateExtractValue(returned, unsigned(i));
      if (value->getType()->isIntegerTy()) {
        unsigned bits = value->getType()->getIntegerBitWidth();
        value = builder.CreateZExt(
            value, builder.getIntNTy(unsigned(alignTo(bits, 8))));
      }
      builder.CreateAlignedStore(
          value, addressOf(signature.arguments.size() + i), Align(1));
    }
  }

  Module &module;
  Function &interface;
  Type *result;
  const Signature &signature;
  IRBuilder<> builder;
  Value *addresses = nullptr;
};
} // namespace

Expected<std::string> compile::addEntry(Module &module, StringRef entry,
                                        const Signature &signature) {
  Function *function = module.getFunction(entry);
  Function *interface = module.getFunction(("_mlir_ciface_" + entry).str());
  if (!function || !interface || interface->isDeclaration())
    return inputError("@" + entry,
                      "the compiled module does not have a C interface for it",
                      "The entry function needs a body and the attribute "
                      "llvm.emit_c_interface.");
  // Saves some nanoseconds per call of a small model. Neither function has
  // debug information that inlining would lose.
  interface->removeFnAttr(Attribute::NoInline);
  interface->addFnAttr(Attribute::AlwaysInline);
  return EntryBuilder(module, *interface, function->getReturnType(), signature)
      .build();
}
