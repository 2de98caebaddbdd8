//===- OpErrorTest.cpp - The error of one op by a choice ------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../../lib/Optimize/Search/OpError.h"
#include "SearchParts.h"
#include "StubServer.h"
#include "gtest/gtest.h"

using namespace mlirprof;
using namespace mlirprof::test;

namespace {

TEST(OpErrorTest, ComparesTheOpAloneWithUpstreamsLowerings) {
  FakeMachine machine({{0.1}}, 1, kQuiet);
  SearchParts parts(machine);
  std::vector<std::string> pipelines;
  parts.tools.serve = [&](mlir::ModuleOp module, const CompileOptions &compile,
                          llvm::ArrayRef<Arguments> requests,
                          const ServerOptions &)
      -> llvm::Expected<std::unique_ptr<ModelServer>> {
    pipelines.push_back(compile.pipeline);
    EXPECT_NE(module, machine.getModule());
    EXPECT_EQ(requests.size(), 1u);
    bool isExact = compile.pipeline == "naive";
    EXPECT_EQ(bool(compile.choose), !isExact);
    return std::make_unique<StubServer>(1, isExact ? 1 : 1.25);
  };
  const std::pair<size_t, Choice> &proposed =
      parts.proposals[0].proposal.choices.front();
  auto measure = [&](const OpSite &of) {
    return llvm::cantFail(measureOpError(parts.builder, parts.options.compile,
                                         of, "faked", proposed.second));
  };
  EXPECT_EQ(measure(machine.getSites().sites[proposed.first]), 0.25);
  EXPECT_EQ(pipelines, (std::vector<std::string>{"naive", "default"}));
  // A function cannot stand alone as an op of another one.
  OpSite function;
  function.ops = {machine.getSites().entry};
  EXPECT_EQ(measure(function), std::nullopt);
  EXPECT_EQ(pipelines.size(), 2u);
}

} // namespace
