//===- TimesOfCodeTest.cpp - Searches that measure nothing ----------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Optimize/TimesOfCode.h"
#include "StubServer.h"
#include "mlir/IR/BuiltinOps.h"
#include "gtest/gtest.h"

using namespace mlirprof;
using namespace mlirprof::compile;
using namespace mlirprof::optimize;
using namespace mlirprof::record;
using namespace mlirprof::test;

namespace {

/// Serves a model with `textBytes` of code; `stub` is the server below.
std::unique_ptr<ModelServer> serve(uint64_t textBytes, StubServer *&stub) {
  SearchTools tools;
  tools.serve = [&](mlir::ModuleOp, const CompileOptions &,
                    llvm::ArrayRef<Arguments>, const ServerOptions &)
      -> llvm::Expected<std::unique_ptr<ModelServer>> {
    auto made = std::make_unique<StubServer>(/*seconds=*/7, 1, textBytes);
    stub = made.get();
    return made;
  };
  return llvm::cantFail(
      useTimesOfCode(tools).serve(nullptr, CompileOptions(), {}, {}));
}

TEST(TimesOfCodeTest, MoreCodeIsFaster) {
  StubServer *stub = nullptr;
  auto page = serve(4096, stub), pages = serve(8192, stub);
  EXPECT_DOUBLE_EQ(llvm::cantFail(page->run(1)), 0.1);
  EXPECT_DOUBLE_EQ(llvm::cantFail(page->run(3, 100)), 0.3);
  EXPECT_DOUBLE_EQ(llvm::cantFail(pages->run(1)), 0.05);
  auto again = llvm::cantFail(pages->startAgain({}, {}));
  EXPECT_DOUBLE_EQ(llvm::cantFail(again->run(1)), 0.05);
  EXPECT_EQ(llvm::cantFail(again->getResults()).size(), 1u);
}

TEST(TimesOfCodeTest, FailuresAreThoseOfTheModel) {
  StubServer *stub = nullptr;
  auto server = serve(4096, stub);
  stub->isDead = true;
  EXPECT_TRUE(llvm::errorToBool(server->run(1).takeError()));
  EXPECT_TRUE(llvm::errorToBool(server->startAgain({}, {}).takeError()));
}

} // namespace
