//===- ErrorTest.cpp - Errors with a place and a hint ---------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Support/Error.h"

#include "gtest/gtest.h"

using namespace mlirprof;

namespace {

TEST(InputError, PrintsPlaceProblemAndHint) {
  EXPECT_EQ(llvm::toString(inputError("f.pb: byte 3", "is cut", "Copy it.")),
            "f.pb: byte 3: is cut\n  hint: Copy it.");
  EXPECT_EQ(llvm::toString(inputError("f.pb", "is cut")), "f.pb: is cut");
  EXPECT_EQ(llvm::toString(inputError("", "is cut")), "is cut");
}

TEST(InputError, KeepsItsParts) {
  llvm::handleAllErrors(inputError("a", "b", "c"), [](const InputError &error) {
    EXPECT_EQ(error.getWhere(), "a");
    EXPECT_EQ(error.getWhat(), "b");
    EXPECT_EQ(error.getHint(), "c");
  });
}

} // namespace
