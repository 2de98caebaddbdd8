//===- Expected.cpp - Test data and known numbers -------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Expected.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"

#include <algorithm>

using namespace mlirprof;
using namespace mlirprof::test;

Json Json::operator[](llvm::StringRef key) const {
  const llvm::json::Object *object = value.getAsObject();
  const llvm::json::Value *member = object ? object->get(key) : nullptr;
  return member ? Json(*member) : Json();
}

std::vector<std::pair<std::string, Json>> Json::members() const {
  std::vector<std::pair<std::string, Json>> result;
  if (const llvm::json::Object *object = value.getAsObject())
    for (const auto &member : *object)
      result.emplace_back(member.first.str(), Json(member.second));
  return result;
}

std::vector<Json> Json::list() const {
  std::vector<Json> result;
  if (const llvm::json::Array *array = value.getAsArray())
    for (const llvm::json::Value &item : *array)
      result.emplace_back(item);
  return result;
}

std::vector<std::string> test::recordings() {
  std::vector<std::string> names;
  std::string folder = MLIRPROF_TEST_DIR "/data/recordings/";
  for (const char *framework : {"gpu/jax", "jax", "tf"}) {
    std::error_code code;
    for (llvm::sys::fs::directory_iterator it(folder + framework, code), end;
         it != end && !code; it.increment(code))
      if (llvm::sys::fs::exists(it->path() + "/expected.json"))
        names.push_back(it->path().substr(folder.size()));
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::string test::recordingPath(llvm::StringRef recording,
                                llvm::StringRef file) {
  return (llvm::StringRef(MLIRPROF_TEST_DIR) + "/data/recordings/" + recording +
          "/" + file)
      .str();
}

std::string test::readFile(llvm::StringRef path) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  EXPECT_TRUE(bool(buffer)) << path.str();
  return buffer ? (*buffer)->getBuffer().str() : std::string();
}

Json test::loadExpected(llvm::StringRef recording) {
  auto parsed =
      llvm::json::parse(readFile(recordingPath(recording, "expected.json")));
  EXPECT_TRUE(bool(parsed));
  if (!parsed) {
    llvm::consumeError(parsed.takeError());
    return Json();
  }
  return Json(std::move(*parsed));
}
