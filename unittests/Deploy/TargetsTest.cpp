//===- TargetsTest.cpp - Machines to deploy to ----------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Deploy/Targets.h"
#include "llvm/TargetParser/Triple.h"
#include "gtest/gtest.h"

using namespace mlirprof;
using namespace mlirprof::deploy;

namespace {

/// The error of a target, or "" if there is none.
std::string explain(llvm::StringRef name, const TargetChanges &changes = {}) {
  auto target = getTarget(name, changes);
  return target ? "" : llvm::toString(target.takeError());
}

codegen::TargetModel get(llvm::StringRef name,
                         const TargetChanges &changes = {}) {
  return llvm::cantFail(getTarget(name, changes));
}

TEST(Targets, NamedOnesAreKnownToLLVM) {
  for (const NamedTarget &named : getTargets()) {
    SCOPED_TRACE(named.name.str());
    EXPECT_EQ(explain(named.name), "");
    codegen::TargetModel target = get(named.name);
    EXPECT_EQ(target.triple, named.triple);
    EXPECT_EQ(target.cpu, named.cpu);
    EXPECT_EQ(target.abi, named.abi);
    EXPECT_FALSE(target.hasHeap);
    EXPECT_EQ(target.addressBits,
              llvm::Triple(named.triple).isArch32Bit() ? 32u : 64u);
  }
}

TEST(Targets, HaveTheFeaturesOfTheirProcessors) {
  EXPECT_TRUE(codegen::hasFeature(get("x86-64"), "avx2"));
  EXPECT_FALSE(codegen::hasFeature(get("x86-64"), "avx512f"));
  EXPECT_TRUE(
      codegen::hasFeature(get("x86-64", {"x86-64-v4", "", ""}), "avx512f"));
  EXPECT_TRUE(codegen::hasFeature(get("cortex-m4"), "dsp"));
  EXPECT_FALSE(
      codegen::hasFeature(get("cortex-m4", {"cortex-m3", "", ""}), "dsp"));
  EXPECT_FALSE(codegen::hasFeature(
      get("thumbv7m-none-eabi", {"cortex-m3", "", ""}), "dsp"));
  EXPECT_TRUE(codegen::hasFeature(get("rv32imac"), "m"));
  EXPECT_FALSE(codegen::hasFeature(get("rv32imac"), "f"));
  EXPECT_TRUE(codegen::hasFeature(get("rv32imac", {"", "+f", ""}), "f"));
}

TEST(Targets, MayBeTriples) {
  codegen::TargetModel target = get("riscv64-unknown-elf");
  EXPECT_EQ(target.triple, "riscv64-unknown-elf");
  EXPECT_EQ(target.addressBits, 64u);
  EXPECT_TRUE(codegen::isBareMetal(target));
  EXPECT_FALSE(codegen::isBareMetal(get("aarch64")));
}

TEST(Targets, RefuseWhatDoesNotFit) {
  EXPECT_NE(explain("cortex-m44").find("nor a triple"), std::string::npos);
  EXPECT_NE(explain("cortex-m4", {"i386", "", ""}).find("'i386'"),
            std::string::npos);
  EXPECT_NE(explain("x86-64", {"", "+dsp", ""}).find("'dsp'"),
            std::string::npos);
  EXPECT_NE(explain("x86-64", {"", "avx", ""}).find("needs + (has)"),
            std::string::npos);
  EXPECT_NE(explain("rv64gc", {"", "-d", ""}).find("feature 'd'"),
            std::string::npos);
  EXPECT_EQ(explain("rv64gc", {"", "-d", "lp64f"}), "");
  EXPECT_NE(explain("thumbv7m-none-eabi", {"cortex-m3", "", "aapcs-vfp"})
                .find("feature 'fpregs'"),
            std::string::npos);
  EXPECT_NE(explain("avr").find("addresses"), std::string::npos);
}

} // namespace
