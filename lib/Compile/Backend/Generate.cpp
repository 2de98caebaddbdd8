//===- Generate.cpp - LLVM's code generator on code of a model ------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Generate.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/CodeGen/Passes.h"
#include "llvm/IR/LegacyPassManager.h"
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

bool compile::generateCode(Module &module, TargetMachine &machine,
                           const BackendOptions &options,
                           raw_pwrite_stream &os) {
  PassFilter passes(options);
  passes.add(
      createTargetTransformInfoWrapperPass(machine.getTargetIRAnalysis()));
  if (machine.addPassesToEmitFile(passes, os, nullptr,
                                  CodeGenFileType::ObjectFile))
    return false;
  passes.run(module);
  return true;
}
