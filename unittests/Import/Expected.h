//===- Expected.h - Test data and known numbers -----------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_UNITTESTS_IMPORT_EXPECTED_H
#define MLIR_PROF_UNITTESTS_IMPORT_EXPECTED_H

#include "llvm/Support/JSON.h"

#include <string>
#include <vector>

namespace mlirprof::test {

/// A JSON value that accepts any access: absent values are empty or 0, so that
/// tests read like the numbers they compare.
class Json {
public:
  Json() : value(nullptr) {}
  Json(llvm::json::Value value) : value(std::move(value)) {}

  Json operator[](llvm::StringRef key) const;
  int64_t integer() const { return value.getAsInteger().value_or(0); }
  std::string string() const { return value.getAsString().value_or("").str(); }
  std::vector<std::pair<std::string, Json>> members() const;

  std::vector<Json> list() const;

private:
  llvm::json::Value value;
};

/// Names of the folders under test/data/recordings.
std::vector<std::string> recordings();
std::string recordingPath(llvm::StringRef recording, llvm::StringRef file);
std::string readFile(llvm::StringRef path);
/// expected.json of a recording.
Json loadExpected(llvm::StringRef recording);

} // namespace mlirprof::test

#endif // MLIR_PROF_UNITTESTS_IMPORT_EXPECTED_H
