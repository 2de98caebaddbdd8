//===- KernelFunctionsTest.cpp - Kernels that are functions of a module ---===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Recordings.h"
#include "gtest/gtest.h"

using namespace mlirprof;
using namespace mlirprof::attribution;
using namespace mlirprof::match;
using namespace mlirprof::profile;
using namespace mlirprof::test;

namespace {

Profile makeProfile(llvm::ArrayRef<llvm::StringRef> names, DeviceWork work) {
  Profile profile;
  Run &run = profile.runs.emplace_back();
  for (llvm::StringRef name : names) {
    OpKey key(name.str(), "", FrameworkCallKey());
    key.work = work;
    OpSummary op;
    op.op = uint32_t(profile.opKeys.size());
    op.get(Quantity::Execute).add(70);
    profile.opKeys.push_back(std::move(key));
    run.ops.push_back(std::move(op));
  }
  return profile;
}

/// Triton's modules, whose dialects are not registered.
TEST(KernelFunctions, KernelsOfTriton) {
  llvm::json::Object expected = loadExpected("proton");
  llvm::StringRef names[] = {"add_relu", "matmul", "softmax"};
  Profile profile = makeProfile(names, DeviceWork::Kernel);
  for (const char *file : {"kernels.ttir.mlir", "kernels.ttgir.mlir"}) {
    SCOPED_TRACE(file);
    LoadedModule module = loadModule(getPath("proton", file));
    ASSERT_TRUE(module.root);
    Ownership ownership = matchProfile(profile, *module.root);
    const llvm::json::Object &functions =
        *expected.getObject("modules")->getObject(file)->getObject("functions");
    for (size_t i = 0; i != std::size(names); ++i) {
      std::vector<uint32_t> ops;
      for (const llvm::json::Value &op : *functions.getArray(names[i]))
        ops.push_back(uint32_t(*op.getAsInteger()));
      const Match &match = ownership.matches[i];
      EXPECT_EQ(std::vector<uint32_t>(match.ops.begin(), match.ops.end()), ops);
      EXPECT_EQ(match.matchClass, MatchClass::Fused);
    }
    EXPECT_EQ(attribute(profile, ownership).coverage.fusedPs, 210);
  }
}

TEST(KernelFunctions, OnlyKernelsAreFunctions) {
  LoadedModule module = loadModule(getPath("proton", "kernels.ttir.mlir"));
  ASSERT_TRUE(module.root);
  for (const Match &match :
       matchProfile(makeProfile({"matmul"}, DeviceWork::None), *module.root)
           .matches)
    EXPECT_EQ(match.matchClass, MatchClass::Unmatched);
  for (const Match &match :
       matchProfile(makeProfile({"other"}, DeviceWork::Kernel), *module.root)
           .matches)
    EXPECT_EQ(match.matchClass, MatchClass::Unmatched);
}

} // namespace
