//===- Processors.cpp - Asking processors for features --------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Processors.h"
#include "mlir-prof/Support/Error.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/TargetParser/AArch64TargetParser.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/TargetParser/X86TargetParser.h"

using namespace llvm;
using namespace mlirprof;
using namespace mlirprof::deploy;

namespace {
/// A feature by LLVM's name, and bits that tell whether a processor has it.
struct ProcessorFeature {
  StringLiteral name;
  unsigned word;
  uint32_t bits;
};
} // namespace

/// Bits as in Intel's and AMD's manuals. The registers of vectors also need a
/// system that keeps them.
static constexpr ProcessorFeature kX86[] = {
    {"sse3", PROF_X86_1_ECX, 1u << 0},
    {"pclmul", PROF_X86_1_ECX, 1u << 1},
    {"ssse3", PROF_X86_1_ECX, 1u << 9},
    {"fma", PROF_X86_1_ECX, 1u << 12},
    {"cx16", PROF_X86_1_ECX, 1u << 13},
    {"sse4.1", PROF_X86_1_ECX, 1u << 19},
    {"sse4.2", PROF_X86_1_ECX, 1u << 20},
    {"crc32", PROF_X86_1_ECX, 1u << 20},
    {"movbe", PROF_X86_1_ECX, 1u << 22},
    {"popcnt", PROF_X86_1_ECX, 1u << 23},
    {"aes", PROF_X86_1_ECX, 1u << 25},
    {"xsave", PROF_X86_1_ECX, 1u << 27},
    {"avx", PROF_X86_1_ECX, 1u << 28},
    {"f16c", PROF_X86_1_ECX, 1u << 29},
    {"rdrnd", PROF_X86_1_ECX, 1u << 30},
    {"x87", PROF_X86_1_EDX, 1u << 0},
    {"cx8", PROF_X86_1_EDX, 1u << 8},
    {"cmov", PROF_X86_1_EDX, 1u << 15},
    {"mmx", PROF_X86_1_EDX, 1u << 23},
    {"fxsr", PROF_X86_1_EDX, 1u << 24},
    {"sse", PROF_X86_1_EDX, 1u << 25},
    {"sse2", PROF_X86_1_EDX, 1u << 26},
    {"fsgsbase", PROF_X86_7_EBX, 1u << 0},
    {"bmi", PROF_X86_7_EBX, 1u << 3},
    {"avx2", PROF_X86_7_EBX, 1u << 5},
    {"bmi2", PROF_X86_7_EBX, 1u << 8},
    {"avx512f", PROF_X86_7_EBX, 1u << 16},
    {"avx512dq", PROF_X86_7_EBX, 1u << 17},
    {"rdseed", PROF_X86_7_EBX, 1u << 18},
    {"adx", PROF_X86_7_EBX, 1u << 19},
    {"avx512ifma", PROF_X86_7_EBX, 1u << 21},
    {"avx512cd", PROF_X86_7_EBX, 1u << 28},
    {"sha", PROF_X86_7_EBX, 1u << 29},
    {"avx512bw", PROF_X86_7_EBX, 1u << 30},
    {"avx512vl", PROF_X86_7_EBX, 1u << 31},
    {"avx512vbmi", PROF_X86_7_ECX, 1u << 1},
    {"avx512vbmi2", PROF_X86_7_ECX, 1u << 6},
    {"gfni", PROF_X86_7_ECX, 1u << 8},
    {"vaes", PROF_X86_7_ECX, 1u << 9},
    {"vpclmulqdq", PROF_X86_7_ECX, 1u << 10},
    {"avx512vnni", PROF_X86_7_ECX, 1u << 11},
    {"avx512bitalg", PROF_X86_7_ECX, 1u << 12},
    {"avx512vpopcntdq", PROF_X86_7_ECX, 1u << 14},
    {"movdiri", PROF_X86_7_ECX, 1u << 27},
    {"movdir64b", PROF_X86_7_ECX, 1u << 28},
    {"avx512vp2intersect", PROF_X86_7_EDX, 1u << 8},
    {"serialize", PROF_X86_7_EDX, 1u << 14},
    {"amx-bf16", PROF_X86_7_EDX, 1u << 22},
    {"avx512fp16", PROF_X86_7_EDX, 1u << 23},
    {"amx-tile", PROF_X86_7_EDX, 1u << 24},
    {"amx-int8", PROF_X86_7_EDX, 1u << 25},
    {"sha512", PROF_X86_7_1_EAX, 1u << 0},
    {"sm3", PROF_X86_7_1_EAX, 1u << 1},
    {"sm4", PROF_X86_7_1_EAX, 1u << 2},
    {"avxvnni", PROF_X86_7_1_EAX, 1u << 4},
    {"avx512bf16", PROF_X86_7_1_EAX, 1u << 5},
    {"cmpccxadd", PROF_X86_7_1_EAX, 1u << 7},
    {"amx-fp16", PROF_X86_7_1_EAX, 1u << 21},
    {"avxifma", PROF_X86_7_1_EAX, 1u << 23},
    {"avxvnniint8", PROF_X86_7_1_EDX, 1u << 4},
    {"avxneconvert", PROF_X86_7_1_EDX, 1u << 5},
    {"amx-complex", PROF_X86_7_1_EDX, 1u << 8},
    {"avxvnniint16", PROF_X86_7_1_EDX, 1u << 10},
    {"sahf", PROF_X86_EXTENDED_ECX, 1u << 0},
    {"lzcnt", PROF_X86_EXTENDED_ECX, 1u << 5},
    {"sse4a", PROF_X86_EXTENDED_ECX, 1u << 6},
    {"prfchw", PROF_X86_EXTENDED_ECX, 1u << 8},
    {"xop", PROF_X86_EXTENDED_ECX, 1u << 11},
    {"lwp", PROF_X86_EXTENDED_ECX, 1u << 15},
    {"fma4", PROF_X86_EXTENDED_ECX, 1u << 16},
    {"tbm", PROF_X86_EXTENDED_ECX, 1u << 21},
    {"avx", PROF_X86_STATE, 0x6},
    {"avx512f", PROF_X86_STATE, 0xe0},
    {"amx-tile", PROF_X86_STATE, 0x60000},
};

/// Bits as in Linux (Documentation/arch/arm64/elf_hwcaps.rst).
static constexpr ProcessorFeature kAArch64[] = {
    {"fp-armv8", PROF_AARCH64_HWCAP, 1u << 0},
    {"neon", PROF_AARCH64_HWCAP, 1u << 1},
    {"aes", PROF_AARCH64_HWCAP, 1u << 3},
    {"aes", PROF_AARCH64_HWCAP, 1u << 4},
    {"sha2", PROF_AARCH64_HWCAP, 1u << 5},
    {"sha2", PROF_AARCH64_HWCAP, 1u << 6},
    {"crc", PROF_AARCH64_HWCAP, 1u << 7},
    {"lse", PROF_AARCH64_HWCAP, 1u << 8},
    {"fullfp16", PROF_AARCH64_HWCAP, 1u << 9},
    {"fullfp16", PROF_AARCH64_HWCAP, 1u << 10},
    {"rdm", PROF_AARCH64_HWCAP, 1u << 12},
    {"jsconv", PROF_AARCH64_HWCAP, 1u << 13},
    {"complxnum", PROF_AARCH64_HWCAP, 1u << 14},
    {"rcpc", PROF_AARCH64_HWCAP, 1u << 15},
    {"sha3", PROF_AARCH64_HWCAP, 1u << 17},
    {"sha3", PROF_AARCH64_HWCAP, 1u << 21},
    {"sm4", PROF_AARCH64_HWCAP, 1u << 18},
    {"sm4", PROF_AARCH64_HWCAP, 1u << 19},
    {"dotprod", PROF_AARCH64_HWCAP, 1u << 20},
    {"sve", PROF_AARCH64_HWCAP, 1u << 22},
    {"fp16fml", PROF_AARCH64_HWCAP, 1u << 23},
    {"lse2", PROF_AARCH64_HWCAP, 1u << 25},
    {"rcpc-immo", PROF_AARCH64_HWCAP, 1u << 26},
    {"flagm", PROF_AARCH64_HWCAP, 1u << 27},
    {"ssbs", PROF_AARCH64_HWCAP, 1u << 28},
    {"sb", PROF_AARCH64_HWCAP, 1u << 29},
    {"pauth", PROF_AARCH64_HWCAP, 1u << 30},
    {"pauth", PROF_AARCH64_HWCAP, 1u << 31},
    {"sve2", PROF_AARCH64_HWCAP2, 1u << 1},
    {"sve-aes", PROF_AARCH64_HWCAP2, 1u << 2},
    {"sve-bitperm", PROF_AARCH64_HWCAP2, 1u << 4},
    {"sve-sha3", PROF_AARCH64_HWCAP2, 1u << 5},
    {"sve-sm4", PROF_AARCH64_HWCAP2, 1u << 6},
    {"altnzcv", PROF_AARCH64_HWCAP2, 1u << 7},
    {"fptoint", PROF_AARCH64_HWCAP2, 1u << 8},
    {"f32mm", PROF_AARCH64_HWCAP2, 1u << 10},
    {"f64mm", PROF_AARCH64_HWCAP2, 1u << 11},
    {"i8mm", PROF_AARCH64_HWCAP2, 1u << 13},
    {"bf16", PROF_AARCH64_HWCAP2, 1u << 14},
    {"rand", PROF_AARCH64_HWCAP2, 1u << 16},
    {"bti", PROF_AARCH64_HWCAP2, 1u << 17},
    {"mte", PROF_AARCH64_HWCAP2, 1u << 18},
    {"sme", PROF_AARCH64_HWCAP2, 1u << 23},
    {"cssc", PROF_AARCH64_HWCAP2_HIGH, 1u << 2},
    {"sve2p1", PROF_AARCH64_HWCAP2_HIGH, 1u << 4},
    {"sme2", PROF_AARCH64_HWCAP2_HIGH, 1u << 5},
    {"mops", PROF_AARCH64_HWCAP2_HIGH, 1u << 11},
    {"hbc", PROF_AARCH64_HWCAP2_HIGH, 1u << 12},
    {"sve-b16b16", PROF_AARCH64_HWCAP2_HIGH, 1u << 13},
    {"rcpc3", PROF_AARCH64_HWCAP2_HIGH, 1u << 14},
    {"lse128", PROF_AARCH64_HWCAP2_HIGH, 1u << 15},
};

/// Instructions for systems and for hints, which compilers do not write
/// themselves.
static constexpr StringLiteral kUnused[] = {
    "cldemote", "clflushopt", "clwb", "clzero", "enqcmd", "hreset", "invpcid",
    "kl", "mwaitx", "pconfig", "pku", "prefetchi", "ptwrite", "rdpid", "rdpru",
    "sgx", "shstk", "tsxldtrk", "uintr", "usermsr", "waitpkg", "wbnoinvd",
    "widekl", "xsavec", "xsaveopt", "xsaves",
    // AArch64.
    "am", "amvs", "ccdp", "ccidx", "ccpp", "clrbhb", "crypto", "dit", "ecv",
    "ete", "fgt", "fpac", "gcs", "hcx", "lor", "mec", "mpam", "nmi", "nv",
    "pan", "pan-rwv", "perfmon", "predres", "ras", "rasv2", "rme", "sel2",
    "spe", "spe-eef", "specres2", "specrestrict", "tlb-rmi", "tracev8.4",
    "trbe", "uaops", "vh", "wfxt", "xs"};

/// The names of features that are instructions; LLVM has others that describe
/// how fast a processor is.
static std::vector<StringRef> listInstructions(const Triple &triple) {
  std::vector<StringRef> names;
  if (triple.isAArch64()) {
    for (const AArch64::ExtensionInfo &extension : AArch64::Extensions)
      names.push_back(extension.PosTargetFeature.drop_front());
    return names;
  }
  SmallVector<StringRef> processors, features;
  constexpr bool only64Bit = true;
  X86::fillValidCPUArchList(processors, only64Bit);
  for (StringRef processor : processors)
    X86::getFeaturesForCPU(processor, features);
  return {features.begin(), features.end()};
}

Expected<ProcessorNeeds> deploy::getNeeds(const codegen::TargetModel &target) {
  Triple triple(target.triple);
  ArrayRef<ProcessorFeature> known =
      triple.isAArch64() ? ArrayRef(kAArch64) : ArrayRef(kX86);
  ProcessorNeeds needs = {};
  for (StringRef name : listInstructions(triple)) {
    if (!codegen::hasFeature(target, name) || is_contained(kUnused, name))
      continue;
    if (none_of(known, [&](const ProcessorFeature &feature) {
          return feature.name == name;
        }))
      return usageError("a program cannot find out whether a processor has '" +
                        name + "', so that it cannot choose a variant with it");
  }
  for (const ProcessorFeature &feature : known)
    if (codegen::hasFeature(target, feature.name))
      needs[feature.word] |= feature.bits;
  return needs;
}
