//===- Targets.cpp - Machines to deploy to --------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Deploy/Targets.h"
#include "mlir-prof/Compile/Backend.h"
#include "mlir-prof/Support/Error.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/TargetParser/Triple.h"

using namespace mlirprof;
using namespace mlirprof::deploy;

/// In the order of --help. The registers of a machine without vectors are those
/// of the scalars that rules keep in registers at once; its vectors have 8
/// bits: each element is one.
static constexpr NamedTarget kTargets[] = {
    {"x86-64", "servers with AVX2", "x86_64-unknown-linux-gnu", "x86-64-v3", "",
     "", 256, 16, 32 << 10, 512 << 10},
    {"aarch64", "servers and phones", "aarch64-unknown-linux-gnu", "cortex-a53",
     "", "", 128, 32, 32 << 10, 512 << 10},
    {"rv64gc", "RISC-V with Linux", "riscv64-unknown-linux-gnu", "generic-rv64",
     "+m,+a,+f,+d,+c", "lp64d", 8, 16, 32 << 10, 256 << 10},
    {"cortex-m4", "Armv7E-M", "thumbv7em-none-eabi", "cortex-m4", "", "aapcs",
     8, 8, 16 << 10, 64 << 10},
    {"cortex-m7", "Armv7E-M", "thumbv7em-none-eabi", "cortex-m7", "", "aapcs",
     8, 8, 16 << 10, 64 << 10},
    {"cortex-m33", "Armv8-M", "thumbv8m.main-none-eabi", "cortex-m33", "",
     "aapcs", 8, 8, 16 << 10, 64 << 10},
    {"rv32imac", "RISC-V without floats", "riscv32-unknown-elf", "generic-rv32",
     "+m,+a,+c", "ilp32", 8, 16, 16 << 10, 64 << 10},
    {"rv64imac", "RISC-V without floats and a system", "riscv64-unknown-elf",
     "generic-rv64", "+m,+a,+c", "lp64", 8, 16, 16 << 10, 64 << 10},
};

llvm::ArrayRef<NamedTarget> deploy::getTargets() { return kTargets; }

/// A machine of which nothing but the triple is known.
static NamedTarget getUnknownTarget(llvm::StringRef triple) {
  NamedTarget target;
  target.triple = triple;
  target.vectorBits = 8;
  target.vectorRegisters = 8;
  target.l1Bytes = 16 << 10;
  target.l2Bytes = 64 << 10;
  return target;
}

static llvm::Error explainName(llvm::StringRef name) {
  std::string names;
  for (const NamedTarget &target : getTargets())
    names += (names.empty() ? "" : ", ") + target.name.str();
  return usageError("'--target=" + name + "' is neither one of " + names +
                    " nor a triple such as thumbv7em-none-eabi");
}

//===----------------------------------------------------------------------===//
// Calling conventions
//===----------------------------------------------------------------------===//

namespace {
/// A calling convention, and the feature that its registers need.
struct Abi {
  llvm::StringRef name, feature;
};
} // namespace

static llvm::ArrayRef<Abi> getAbis(const llvm::Triple &triple) {
  static constexpr Abi kArm[] = {{"aapcs", ""}, {"aapcs-vfp", "fpregs"}};
  static constexpr Abi kAArch64[] = {{"aapcs", ""}};
  static constexpr Abi kRiscV32[] = {
      {"ilp32", ""}, {"ilp32f", "f"}, {"ilp32d", "d"}, {"ilp32e", "e"}};
  static constexpr Abi kRiscV64[] = {
      {"lp64", ""}, {"lp64f", "f"}, {"lp64d", "d"}, {"lp64e", "e"}};
  if (triple.isARM() || triple.isThumb())
    return kArm;
  if (triple.isAArch64())
    return kAArch64;
  if (triple.isRISCV32())
    return kRiscV32;
  if (triple.isRISCV64())
    return kRiscV64;
  return {};
}

/// Tells whether code for a processor with `features` can follow `name`.
static llvm::Error checkAbi(llvm::StringRef name, const llvm::Triple &triple,
                            llvm::ArrayRef<std::string> features) {
  if (name.empty())
    return llvm::Error::success();
  std::string names;
  for (const Abi &abi : getAbis(triple)) {
    if (abi.name == name) {
      if (abi.feature.empty() || llvm::is_contained(features, abi.feature))
        return llvm::Error::success();
      return usageError("the ABI '" + name + "' needs a processor with the " +
                        "feature '" + abi.feature + "'");
    }
    names += (names.empty() ? "" : ", ") + abi.name.str();
  }
  return usageError(
      "'" + name + "' is not an ABI of " + triple.str() +
      (names.empty() ? ", which has one only" : "; it has " + names));
}

//===----------------------------------------------------------------------===//
// Targets by name
//===----------------------------------------------------------------------===//

static codegen::TargetModel makeModel(const NamedTarget &base,
                                      const TargetChanges &changes) {
  llvm::Triple triple(base.triple);
  codegen::TargetModel target;
  target.triple = triple.str();
  target.cpu = changes.cpu.empty() ? base.cpu : changes.cpu;
  target.features = base.features;
  if (!changes.features.empty())
    target.features +=
        (target.features.empty() ? "" : ",") + changes.features.str();
  target.abi = changes.abi.empty() ? base.abi : changes.abi;
  target.addressBits = triple.isArch32Bit() ? 32 : 64;
  target.hasHeap = false;
  target.isChecked = false;
  target.vectorBits = base.vectorBits;
  target.vectorRegisters = base.vectorRegisters;
  target.l1Bytes = base.l1Bytes;
  target.l2Bytes = base.l2Bytes;
  return target;
}

llvm::Expected<codegen::TargetModel>
deploy::getTarget(llvm::StringRef name, const TargetChanges &changes) {
  const auto *found =
      llvm::find_if(getTargets(), [&](const NamedTarget &target) {
        return target.name == name;
      });
  bool isNamed = found != getTargets().end();
  llvm::Triple triple(isNamed ? found->triple : name);
  if (triple.getArch() == llvm::Triple::UnknownArch)
    return explainName(name);
  codegen::TargetModel target =
      makeModel(isNamed ? *found : getUnknownTarget(name), changes);
  auto features = compile::listFeatures(target);
  if (!features)
    return features.takeError();
  if (llvm::Error error = checkAbi(target.abi, triple, *features))
    return std::move(error);
  // Rules ask which features there are, whatever names them.
  for (const std::string &feature : *features)
    target.features += (target.features.empty() ? "+" : ",+") + feature;
  if (triple.isX86() && codegen::hasVectors(target))
    codegen::setX86Registers(target);
  return target;
}

//===----------------------------------------------------------------------===//
// Variants of targets
//===----------------------------------------------------------------------===//

/// "+a,+b" of "a+b".
static std::string listAdded(llvm::StringRef name) {
  std::string features;
  for (llvm::StringRef feature : llvm::split(name, '+'))
    features += (features.empty() ? "+" : ",+") + feature.str();
  return features;
}

llvm::Expected<std::optional<Variant>>
deploy::getVariant(llvm::StringRef target, llvm::StringRef name,
                   const TargetChanges &changes) {
  auto base = getTarget(target, changes);
  if (!base)
    return base.takeError();
  llvm::Triple triple(base->triple);
  // No name is none, and not the target itself.
  if (name.empty() || !triple.isOSLinux() ||
      !(triple.isX86() || triple.isAArch64()))
    return std::nullopt;
  std::string level = ("x86-64-" + name).str(), features = listAdded(name);
  if (!changes.features.empty())
    features = (changes.features + "," + features).str();
  TargetChanges choices[] = {changes, changes, changes};
  choices[0].cpu = name;
  choices[1].cpu = level;
  choices[2].features = features;
  for (const TargetChanges &choice : choices) {
    auto found = getTarget(target, choice);
    if (found)
      return Variant{name.str(), std::move(*found)};
    llvm::consumeError(found.takeError());
  }
  return std::nullopt;
}
