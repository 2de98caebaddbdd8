//===- Generate.cpp - LLVM's code generator on code of a model ------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Generate.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/CodeGen/Passes.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

using namespace llvm;
using namespace mlirprof;
using namespace mlirprof::compile;

namespace {
/// Takes the passes of the code generator, and drops those that take time and
/// do not change what is measured.
class PassFilter : public legacy::PassManagerBase {
public:
  explicit PassFilter(const BackendOptions &options) : options(options) {}

  void add(Pass *pass) override {
    if (isUseless(*pass))
      delete pass;
    else
      passes.add(pass);
  }
  void run(Module &module) { passes.run(module); }

private:
  bool isUseless(const Pass &pass) const;

  const BackendOptions &options;
  legacy::PassManager passes;
};
} // namespace

bool PassFilter::isUseless(const Pass &pass) const {
  // It follows variables through registers. Code has lines only.
  if (pass.getPassID() == &LiveDebugValuesID)
    return true;
  // Large blocks of vector instructions have been scheduled before; processors
  // with an order of their own do not need it twice.
  return options.isVectorized && pass.getPassID() == &PostRASchedulerID;
}

/// Whether values of `type` are addresses, sizes, or several of them.
static bool isPlain(const Type *type) {
  if (type->isStructTy() || type->isArrayTy())
    return all_of(type->subtypes(), isPlain);
  return type->isVoidTy() || type->isPointerTy() || type->isLabelTy() ||
         type->isMetadataTy() || type->isFunctionTy() ||
         (type->isIntegerTy() && type->getIntegerBitWidth() <= 64);
}

bool compile::isListOfCalls(const Function &function) {
  SmallVector<std::pair<const BasicBlock *, const BasicBlock *>> backEdges;
  FindFunctionBackedges(function, backEdges);
  return backEdges.empty() &&
         all_of(instructions(function), [](const Instruction &instruction) {
           return isPlain(instruction.getType()) &&
                  all_of(instruction.operands(), [](const Use &operand) {
                    return isPlain(operand->getType());
                  });
         });
}

/// The time that a function takes beyond its instructions, in instructions.
static constexpr size_t kFunctionCost = 16;
/// Shorter lists take a few milliseconds, and each call of the model some tens
/// of nanoseconds more without optimization.
static constexpr size_t kLongLists = 512;

namespace {
/// The lists of calls in a module.
struct Lists {
  explicit Lists(Module &module);

  bool areLong() const { return cost >= kLongLists; }

  SmallVector<Function *> functions;
  /// Whether the module does not have other functions.
  bool areAll = true;
  size_t cost = 0;
};
} // namespace

Lists::Lists(Module &module) {
  for (Function &function : module) {
    if (function.isDeclaration())
      continue;
    if (!isListOfCalls(function)) {
      areAll = false;
      continue;
    }
    functions.push_back(&function);
    cost += kFunctionCost + function.getInstructionCount();
  }
}

bool compile::isLongList(Module &module) {
  Lists lists(module);
  return lists.areAll && lists.areLong();
}

namespace {
/// While it exists, lists of calls in `module` get code as it comes: the time
/// of LLVM's scheduler grows faster than the list, and each of the many
/// functions that only call a kernel goes through all passes.
class PlainLists {
public:
  PlainLists(Module &module, TargetMachine &machine)
      : machine(machine), options(machine.Options),
        level(machine.getOptLevel()),
        wantsFastISel(machine.getO0WantsFastISel()) {
    apply(module);
  }
  /// LLVM notes in the options how it selects instructions.
  ~PlainLists() {
    machine.setOptLevel(level);
    machine.setO0WantsFastISel(wantsFastISel);
    machine.Options = options;
  }

private:
  void apply(Module &module) {
    Lists lists(module);
    if (!lists.areLong())
      return;
    if (lists.areAll) {
      machine.setOptLevel(CodeGenOptLevel::None);
      // It would give addresses of constants the line 0.
      machine.setO0WantsFastISel(false);
      return;
    }
    // Fewer passes are left out, as all functions go through the same.
    for (Function *function : lists.functions) {
      function->removeFnAttr(Attribute::AlwaysInline);
      function->addFnAttr(Attribute::NoInline);
      function->addFnAttr(Attribute::OptimizeNone);
    }
  }

  TargetMachine &machine;
  TargetOptions options;
  CodeGenOptLevel level;
  bool wantsFastISel;
};
} // namespace

bool compile::generateCode(Module &module, TargetMachine &machine,
                           const BackendOptions &options,
                           raw_pwrite_stream &os) {
  std::optional<PlainLists> plain;
  if (options.callsKernels)
    plain.emplace(module, machine);
  PassFilter passes(options);
  passes.add(
      createTargetTransformInfoWrapperPass(machine.getTargetIRAnalysis()));
  // The driver of a GPU turns text into code.
  CodeGenFileType type = codegen::isGpu(options.target)
                             ? CodeGenFileType::AssemblyFile
                             : CodeGenFileType::ObjectFile;
  if (machine.addPassesToEmitFile(passes, os, nullptr, type))
    return false;
  passes.run(module);
  return true;
}
