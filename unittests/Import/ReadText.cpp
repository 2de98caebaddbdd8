//===- ReadText.cpp - Reading recordings in tests -------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReadText.h"
#include "mlir-prof/Profile/KeyTraits.h"
#include "gtest/gtest.h"

using namespace mlirprof;
using namespace mlirprof::importer;
using namespace mlirprof::profile;
using namespace mlirprof::trace;

const Importer &reading::getImporter(llvm::StringRef name) {
  for (const Importer &importer : getImporters())
    if (importer.name == name)
      return importer;
  llvm_unreachable("no such importer");
}

llvm::Expected<Profile> reading::readText(llvm::StringRef format,
                                          llvm::StringRef text) {
  Profile profile;
  ProfileBuilder builder(profile);
  if (llvm::Error error = getImporter(format).read({text, "test"}, builder))
    return std::move(error);
  builder.finish();
  return std::move(profile);
}

Profile reading::readGood(llvm::StringRef format, llvm::StringRef text) {
  llvm::Expected<Profile> profile = readText(format, text);
  if (profile)
    return std::move(*profile);
  ADD_FAILURE() << llvm::toString(profile.takeError());
  return {};
}

std::string reading::readBad(llvm::StringRef format, llvm::StringRef text) {
  llvm::Expected<Profile> profile = readText(format, text);
  return profile ? "" : llvm::toString(profile.takeError());
}

Profile reading::readSeed(llvm::StringRef format, llvm::StringRef name) {
  llvm::Expected<Profile> profile =
      importProfile((MLIRPROF_TEST_DIR "/data/fuzz/" + name).str());
  if (!profile) {
    ADD_FAILURE() << llvm::toString(profile.takeError());
    return {};
  }
  EXPECT_EQ(profile->runs[0].producer.format, format);
  return std::move(*profile);
}

reading::OpTotal reading::getTotal(const Profile &profile, llvm::StringRef name,
                                   llvm::StringRef module) {
  OpTotal total;
  for (const OpSummary &op : profile.runs[0].ops) {
    const OpKey &key = profile.opKeys[op.op];
    if (key.op != name || getKeyTraits(key).module.value_or("") != module)
      continue;
    ++total.keys;
    total.count += op.getCount();
    total.executePs += op.getSum(Quantity::Execute);
    total.selfPs += op.getSum(Quantity::Self);
  }
  return total;
}

const OpKey *reading::findKey(const Profile &profile, llvm::StringRef op,
                              llvm::StringRef kernel) {
  for (const OpKey &key : profile.opKeys)
    if (key.op == op && key.kernel == kernel)
      return &key;
  return nullptr;
}

uint64_t reading::getLoss(const Profile &profile, llvm::StringRef name) {
  uint64_t count = 0;
  for (const Loss &loss : profile.runs[0].losses)
    if (loss.name == name)
      count += loss.count;
  return count;
}
