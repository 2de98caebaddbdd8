//===- Main.cpp - Runs the tests, or writes the released file -------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestProfiles.h"
#include "mlir-prof/Support/File.h"

#include "gtest/gtest.h"

/// With --write-fixed-profile=PATH it writes the file that is checked in, once,
/// for every released version of the format:
/// test/data/profiles/vMAJOR.MINOR.mlprof. A PATH that ends in .json gets the
/// JSON form.
int main(int argc, char **argv) {
  testing::InitGoogleTest(&argc, argv);
  llvm::StringRef flag = argc == 2 ? argv[1] : "";
  if (!flag.consume_front("--write-fixed-profile="))
    return RUN_ALL_TESTS();
  llvm::Error error = mlirprof::writeOutput(flag, [&](llvm::raw_ostream &os) {
    mlirprof::profile::Profile profile = mlirprof::test::makeFixedProfile();
    os << (flag.ends_with(".json") ? mlirprof::test::toJson(profile)
                                   : mlirprof::test::toBytes(profile));
    return llvm::Error::success();
  });
  if (!error)
    return 0;
  llvm::errs() << llvm::toString(std::move(error)) << "\n";
  return 1;
}
