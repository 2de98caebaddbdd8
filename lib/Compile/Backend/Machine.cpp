//===- Machine.cpp - LLVM's model of a target -----------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Machine.h"
#include "mlir-prof/Support/Error.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Host.h"

#include <mutex>
#include <tuple>

using namespace mlirprof;
using namespace mlirprof::compile;

/// LLVM's list of targets is not safe on several threads.
static void registerNativeTarget() {
  static std::once_flag once;
  std::call_once(once, [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
    // Models may hold inline assembly.
    llvm::InitializeNativeTargetAsmParser();
    llvm::InitializeNativeTargetDisassembler();
  });
}

void compile::registerAllTargets() {
  static std::once_flag once;
  std::call_once(once, [] {
    llvm::InitializeAllTargetInfos();
    llvm::InitializeAllTargets();
    llvm::InitializeAllTargetMCs();
    llvm::InitializeAllAsmPrinters();
    llvm::InitializeAllAsmParsers();
    llvm::InitializeAllDisassemblers();
  });
}

/// The name and the features of this machine's processor.
static std::pair<std::string, std::string> getHostProcessor() {
  std::string features;
  for (const auto &[name, enabled] : llvm::sys::getHostCPUFeatures())
    features += (features.empty() ? "" : ",") +
                std::string(enabled ? "+" : "-") + name.str();
  return {llvm::sys::getHostCPUName().str(), features};
}

static llvm::TargetOptions getTargetOptions(const BackendOptions &options) {
  llvm::TargetOptions result;
  // Only operations that the pipeline marks `contract` (or leaves to the back
  // end as fmuladd) are fused.
  result.AllowFPOpFusion = llvm::FPOpFusion::Fast;
  result.MCOptions.ABIName = options.target.abi;
  llvm::StringRef abi = options.target.abi;
  if (abi == "aapcs-vfp")
    result.FloatABIType = llvm::FloatABI::Hard;
  else if (abi == "aapcs")
    result.FloatABIType = llvm::FloatABI::Soft;
  // A linker drops what a program does not use.
  result.FunctionSections = result.DataSections = options.hasSections;
  return result;
}

/// How far apart code and what it refers to may lie; none for what is usual.
/// Memory of RISC-V boards begins at 2 GiB, beyond the addresses that the usual
/// code of 64 bits can have (medlow): code that is relative to itself (medany)
/// is neither longer nor slower.
static std::optional<llvm::CodeModel::Model>
getCodeModel(const llvm::Triple &triple) {
  if (triple.isRISCV64())
    return llvm::CodeModel::Medium;
  return std::nullopt;
}

static llvm::Expected<std::unique_ptr<llvm::TargetMachine>>
createTargetMachine(const BackendOptions &options) {
  const codegen::TargetModel &model = options.target;
  if (model.triple.empty())
    registerNativeTarget();
  else
    registerAllTargets();
  llvm::Triple triple(model.triple.empty() ? llvm::sys::getProcessTriple()
                                           : model.triple);
  std::string message;
  const llvm::Target *target =
      llvm::TargetRegistry::lookupTarget(triple, message);
  if (!target)
    return inputError(triple.str(), message);
  std::string cpu = model.cpu, features = model.features;
  if (cpu.empty() && model.triple.empty())
    std::tie(cpu, features) = getHostProcessor();
  auto level = llvm::CodeGenOpt::getLevel(int(options.optimization));
  std::unique_ptr<llvm::TargetMachine> machine(target->createTargetMachine(
      triple, cpu, features, getTargetOptions(options),
      codegen::isPositionIndependent(model) ? llvm::Reloc::PIC_
                                            : llvm::Reloc::Static,
      getCodeModel(triple), level.value_or(llvm::CodeGenOptLevel::Aggressive)));
  if (!machine)
    return inputError(triple.str(),
                      "LLVM cannot generate code for this machine");
  return std::move(machine);
}

namespace {
/// The machine for which the calling thread compiled last.
struct KeptMachine {
  using Key = std::tuple<std::string, std::string, std::string, std::string,
                         unsigned, bool, bool>;
  Key key;
  std::unique_ptr<llvm::TargetMachine> machine;
};
} // namespace

static KeptMachine &getKeptMachine() {
  static thread_local KeptMachine kept;
  return kept;
}

llvm::Expected<llvm::TargetMachine *>
compile::getTargetMachine(const BackendOptions &options) {
  KeptMachine &kept = getKeptMachine();
  const codegen::TargetModel &target = options.target;
  KeptMachine::Key key(target.triple, target.cpu, target.features, target.abi,
                       options.optimization, options.hasSections,
                       target.isMovable);
  if (kept.machine && kept.key == key)
    return kept.machine.get();
  auto machine = createTargetMachine(options);
  if (!machine)
    return machine.takeError();
  kept = {std::move(key), std::move(*machine)};
  return kept.machine.get();
}

void compile::abandonTargetMachine() {
  (void)getKeptMachine().machine.release();
}
