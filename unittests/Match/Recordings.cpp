//===- Recordings.cpp - Recordings and expected results -------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Recordings.h"
#include "mlir-prof/Import/Importer.h"
#include "mlir-prof/Support/File.h"
#include "gtest/gtest.h"

using namespace mlirprof;
using namespace mlirprof::importer;
using namespace mlirprof::module;
using namespace mlirprof::profile;

const std::vector<std::string> &test::getRecordings() {
  static const std::vector<std::string> names = {"gpu/jax/calls",
                                                 "gpu/jax/cnn",
                                                 "gpu/jax/enc",
                                                 "gpu/jax/enc-kernels",
                                                 "gpu/jax/loop",
                                                 "gpu/jax/mlp",
                                                 "gpu/jax/mlp-copies",
                                                 "gpu/jax/mlp-level0",
                                                 "gpu/jax/train",
                                                 "jax/calls",
                                                 "jax/cnn",
                                                 "jax/dp-2dev",
                                                 "jax/enc",
                                                 "jax/loop",
                                                 "jax/mlp",
                                                 "jax/mlp-noynn",
                                                 "jax/names",
                                                 "jax/train",
                                                 "jax/train-noynn",
                                                 "tf/calls",
                                                 "tf/cnn",
                                                 "tf/cnn-xla",
                                                 "tf/enc",
                                                 "tf/enc-xla",
                                                 "tf/loop",
                                                 "tf/loop-xla",
                                                 "tf/mixed",
                                                 "tf/mlp",
                                                 "tf/mlp-xla",
                                                 "tf/names",
                                                 "tf/train-xla"};
  return names;
}

std::string test::getPath(llvm::StringRef recording, llvm::StringRef file) {
  return std::string(MLIRPROF_TEST_DIR) + "/data/recordings/" +
         recording.str() + "/" + file.str();
}

Profile test::loadProfile(llvm::StringRef recording) {
  llvm::Expected<Profile> profile =
      importProfile(getPath(recording, "xplane.pb"));
  if (profile)
    return std::move(*profile);
  ADD_FAILURE() << llvm::toString(profile.takeError());
  return Profile();
}

llvm::json::Object test::loadExpected(llvm::StringRef recording) {
  auto buffer = openInput(getPath(recording, "expected.json"));
  if (buffer) {
    llvm::Expected<llvm::json::Value> value =
        llvm::json::parse((*buffer)->getBuffer());
    if (value && value->getAsObject())
      return std::move(*value->getAsObject());
    if (!value)
      ADD_FAILURE() << llvm::toString(value.takeError());
  } else {
    ADD_FAILURE() << llvm::toString(buffer.takeError());
  }
  return {};
}

static test::LoadedModule makeContext() {
  test::LoadedModule result;
  result.context = std::make_unique<mlir::MLIRContext>(
      mlir::MLIRContext::Threading::DISABLED);
  prepareContext(*result.context);
  return result;
}

test::LoadedModule test::loadModule(llvm::StringRef path) {
  LoadedModule result = makeContext();
  auto root = readModule(path, *result.context);
  if (root)
    result.root = std::move(*root);
  else
    ADD_FAILURE() << llvm::toString(root.takeError());
  return result;
}

test::LoadedModule test::parseText(llvm::StringRef text) {
  LoadedModule result = makeContext();
  auto root = parseModule(llvm::MemoryBuffer::getMemBufferCopy(text, "text"),
                          *result.context);
  if (root)
    result.root = std::move(*root);
  else
    ADD_FAILURE() << llvm::toString(root.takeError());
  return result;
}

std::string test::getMessage(llvm::Error error) {
  return error ? llvm::toString(std::move(error)) : std::string();
}
