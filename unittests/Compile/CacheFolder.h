//===- CacheFolder.h - A cache for one test ---------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_UNITTESTS_COMPILE_CACHEFOLDER_H
#define MLIR_PROF_UNITTESTS_COMPILE_CACHEFOLDER_H

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "gtest/gtest.h"

#include <cstdlib>
#include <string>
#include <vector>

namespace mlirprof::test {

/// A folder for the cache of `megabytes`, removed in the end.
class CacheFolder {
public:
  explicit CacheFolder(const char *megabytes = "1024") {
    EXPECT_FALSE(llvm::sys::fs::createUniqueDirectory("cache", path));
    setenv("MLIR_PROF_CACHE", path.c_str(), 1);
    setenv("MLIR_PROF_CACHE_SIZE", megabytes, 1);
  }
  ~CacheFolder() {
    setenv("MLIR_PROF_CACHE", "off", 1);
    unsetenv("MLIR_PROF_CACHE_SIZE");
    llvm::sys::fs::remove_directories(path);
  }

  /// The files with compiled code.
  std::vector<std::string> list() const {
    std::vector<std::string> files;
    std::error_code error;
    for (llvm::sys::fs::directory_iterator it(path, error), end; it != end;
         it.increment(error))
      if (!llvm::StringRef(it->path()).ends_with(".timestamp"))
        files.push_back(it->path());
    return files;
  }

private:
  llvm::SmallString<128> path;
};

} // namespace mlirprof::test

#endif // MLIR_PROF_UNITTESTS_COMPILE_CACHEFOLDER_H
