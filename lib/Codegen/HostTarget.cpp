//===- HostTarget.cpp - The capabilities of this machine ------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Codegen/Target.h"
#include "mlir-prof/Support/Error.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/TargetParser/X86TargetParser.h"

using namespace mlirprof;
using namespace mlirprof::codegen;

/// The size that a file of /sys holds, such as "32K".
static std::optional<uint64_t> readSize(const llvm::Twine &path) {
  auto buffer = llvm::MemoryBuffer::getFileAsStream(path);
  if (!buffer)
    return std::nullopt;
  llvm::StringRef text = (*buffer)->getBuffer().trim();
  uint64_t unit = text.consume_back("K")   ? 1 << 10
                  : text.consume_back("M") ? 1 << 20
                                           : 1;
  uint64_t value = 0;
  if (text.getAsInteger(10, value) || !value || value > (uint64_t(1) << 40))
    return std::nullopt;
  return value * unit;
}

static void readCaches(TargetModel &target) {
  for (unsigned index = 0; index < 8; ++index) {
    std::string folder = "/sys/devices/system/cpu/cpu0/cache/index" +
                         std::to_string(index) + "/";
    auto level = readSize(folder + "level");
    auto size = readSize(folder + "size");
    auto type = llvm::MemoryBuffer::getFileAsStream(folder + "type");
    if (!level || !size || !type ||
        (*type)->getBuffer().starts_with("Instruction"))
      continue;
    if (*level == 1)
      target.l1Bytes = *size;
    else if (*level == 2)
      target.l2Bytes = *size;
  }
}

/// Gives `target` the features, and the vectors that they bring.
static void setFeatures(TargetModel &target,
                        const llvm::StringMap<bool> &features) {
  llvm::SmallVector<std::string> names;
  for (const auto &feature : features)
    names.push_back((feature.second ? "+" : "-") + feature.first().str());
  llvm::sort(names);
  target.features = llvm::join(names, ",");
  setX86Registers(target);
  if (llvm::Triple(llvm::sys::getProcessTriple()).isAArch64())
    target.vectorRegisters = 32;
}

void codegen::setX86Registers(TargetModel &target) {
  bool isLong = hasFeature(target, "avx512f");
  target.vectorRegisters = isLong ? 32 : 16;
  target.vectorBits = isLong ? 512 : hasFeature(target, "avx") ? 256 : 128;
}

bool codegen::isBareMetal(const TargetModel &target) {
  return !target.triple.empty() &&
         llvm::Triple(target.triple).getOS() == llvm::Triple::UnknownOS;
}

TargetModel codegen::getHostTarget(unsigned threads) {
  TargetModel target;
  target.threads = threads;
  target.cpu = llvm::sys::getHostCPUName();
  setFeatures(target, llvm::sys::getHostCPUFeatures());
  readCaches(target);
  return target;
}

llvm::Expected<TargetModel> codegen::getTarget(unsigned threads,
                                               llvm::StringRef cpu) {
  TargetModel target = getHostTarget(threads);
  if (cpu == target.cpu)
    return target;
  if (!llvm::Triple(llvm::sys::getProcessTriple()).isX86())
    return usageError("'--cpu' can only choose another processor on x86");
  constexpr bool only64Bit = true;
  if (llvm::X86::parseArchX86(cpu, only64Bit) == llvm::X86::CK_None)
    return usageError("'--cpu': LLVM does not know a 64-bit x86 processor '" +
                      cpu + "'; x86-64-v3, for example, has AVX2");
  llvm::SmallVector<llvm::StringRef> listed;
  llvm::X86::getFeaturesForCPU(cpu, listed);
  // LLVM does not list what others imply, nor what all of these processors
  // have.
  listed.append({"64bit", "sse2"});
  llvm::StringMap<bool> wanted;
  for (llvm::StringRef feature : listed) {
    wanted[feature] = true;
    llvm::X86::updateImpliedFeatures(feature, true, wanted);
  }
  llvm::StringMap<bool> features = llvm::sys::getHostCPUFeatures();
  for (auto &feature : features)
    feature.second &= wanted.lookup(feature.first());
  target.cpu = cpu;
  setFeatures(target, features);
  return target;
}
