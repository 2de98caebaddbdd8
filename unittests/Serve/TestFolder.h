//===- TestFolder.h - A folder for a test -----------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_UNITTESTS_SERVE_TESTFOLDER_H
#define MLIR_PROF_UNITTESTS_SERVE_TESTFOLDER_H

#include "mlir-prof/Serve/Store.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"

#include "gtest/gtest.h"

#include <fstream>

namespace mlirprof::test {

/// A new folder, removed at the end of the test.
class TestFolder {
public:
  TestFolder() : scratch(makeFolder()) {}

  std::string join(llvm::StringRef name) const {
    llvm::SmallString<128> path(scratch.getPath());
    llvm::sys::path::append(path, name);
    return path.str().str();
  }
  const std::string &getPath() const { return scratch.getPath(); }

  static void write(const std::string &path, llvm::StringRef text) {
    std::ofstream(path, std::ios::binary) << text.str();
  }

private:
  static std::string makeFolder() {
    llvm::SmallString<128> path;
    EXPECT_FALSE(llvm::sys::fs::createUniqueDirectory("serve-test", path));
    return path.str().str();
  }
  serve::ScratchFolder scratch;
};

} // namespace mlirprof::test

#endif // MLIR_PROF_UNITTESTS_SERVE_TESTFOLDER_H
