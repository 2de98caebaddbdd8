//===- Subtarget.cpp - Processors and features by name --------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM prints a warning and goes on when it does not know a name, and ends the
// process when a processor does not have the registers of its triple. So names
// are checked first.
//
//===----------------------------------------------------------------------===//

#include "Machine.h"
#include "mlir-prof/Support/Error.h"
#include "mlir-prof/Support/Suggest.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/TargetParser/Triple.h"

using namespace mlirprof;
using namespace mlirprof::compile;

using Subtarget = std::unique_ptr<llvm::MCSubtargetInfo>;

template <typename Entry>
static std::string suggestKey(llvm::StringRef name,
                              llvm::ArrayRef<Entry> known) {
  std::vector<std::string> names;
  for (const Entry &entry : known)
    names.emplace_back(entry.Key);
  return suggest(name, names);
}

static llvm::Error checkProcessor(const llvm::MCSubtargetInfo &known,
                                  llvm::StringRef cpu) {
  if (cpu.empty() || known.isCPUStringValid(cpu))
    return llvm::Error::success();
  return usageError("LLVM does not know the processor '" + cpu + "' of " +
                    known.getTargetTriple().str() +
                    suggestKey(cpu, known.getAllProcessorDescriptions()));
}

static llvm::Error checkFeatures(const llvm::MCSubtargetInfo &known,
                                 llvm::StringRef features) {
  for (llvm::StringRef text : llvm::split(features, ',')) {
    llvm::StringRef name = text;
    if (name.empty())
      continue;
    if (!name.consume_front("+") && !name.consume_front("-"))
      return usageError("the feature '" + text +
                        "' needs + (has) or - (lacks) before its name");
    if (llvm::none_of(known.getAllProcessorFeatures(),
                      [&](const auto &feature) { return feature.Key == name; }))
      return usageError("LLVM does not know the feature '" + name + "' of " +
                        known.getTargetTriple().str() +
                        suggestKey(name, known.getAllProcessorFeatures()));
  }
  return llvm::Error::success();
}

/// Processors with registers of 32 and of 64 bits have one list of names.
static llvm::Error checkWidth(const llvm::MCSubtargetInfo &chosen) {
  const llvm::Triple &triple = chosen.getTargetTriple();
  if (!triple.isX86() && !triple.isRISCV())
    return llvm::Error::success();
  bool isWide = chosen.checkFeatures("+64bit");
  // A processor of x86 has both.
  if (isWide == triple.isArch64Bit() || (isWide && triple.isX86()))
    return llvm::Error::success();
  return usageError("the processor '" + chosen.getCPU() + "' does not have " +
                    (triple.isArch64Bit() ? "64" : "32") + " bits, as " +
                    triple.str() + " needs");
}

static llvm::Error checkTriple(const llvm::Triple &triple,
                               const llvm::Target &target) {
  if (!target.hasTargetMachine() || !target.hasMCAsmBackend() ||
      !triple.isOSBinFormatELF())
    return usageError("LLVM does not write objects in the format ELF for " +
                      triple.str());
  if (!triple.isLittleEndian() || triple.isArch16Bit())
    return usageError(triple.str() +
                      ": targets have little-endian numbers, and addresses of "
                      "32 or 64 bits");
  return llvm::Error::success();
}

llvm::Expected<std::vector<std::string>>
compile::listFeatures(const codegen::TargetModel &model) {
  registerAllTargets();
  llvm::Triple triple(model.triple);
  std::string message;
  const llvm::Target *target =
      llvm::TargetRegistry::lookupTarget(triple, message);
  if (!target)
    return usageError("LLVM does not have a back end for " + triple.str());
  if (llvm::Error error = checkTriple(triple, *target))
    return std::move(error);
  Subtarget known(target->createMCSubtargetInfo(triple, "", ""));
  if (!known)
    return usageError("LLVM does not list the processors of " + triple.str());
  if (llvm::Error error = checkProcessor(*known, model.cpu))
    return std::move(error);
  if (llvm::Error error = checkFeatures(*known, model.features))
    return std::move(error);
  Subtarget chosen(
      target->createMCSubtargetInfo(triple, model.cpu, model.features));
  if (llvm::Error error = checkWidth(*chosen))
    return std::move(error);
  std::vector<std::string> names;
  for (const llvm::SubtargetFeatureKV &feature :
       chosen->getEnabledProcessorFeatures())
    names.push_back(feature.Key);
  return std::move(names);
}
