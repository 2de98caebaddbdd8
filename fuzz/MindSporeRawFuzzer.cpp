//===- MindSporeRawFuzzer.cpp - Fuzzes the readers of raw recordings ------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The input is a folder in one piece: for each file its kind (a byte, modulo
// the number of kinds), its length (16 bits) and its content. Several of one
// kind are slices.
//
//===----------------------------------------------------------------------===//

#include "FuzzImporter.h"

#include "Files.h"
#include "Recording.h"

using namespace mlirprof;
using namespace mlirprof::importer::mindspore;
using namespace mlirprof::profile;

static void addFiles(llvm::StringRef bytes, RankFiles &files) {
  constexpr unsigned kKinds = unsigned(FileKind::Last);
  while (bytes.size() >= 3) {
    auto kind = FileKind(1 + uint8_t(bytes[0]) % kKinds);
    size_t size = uint8_t(bytes[1]) | size_t(uint8_t(bytes[2])) << 8;
    llvm::StringRef content = bytes.drop_front(3).take_front(size);
    files.add(kind, "hccl_info_0/allReduce_1_1_0/iter1.trace", content);
    bytes = bytes.drop_front(3 + content.size());
  }
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  RankFiles files;
  addFiles({reinterpret_cast<const char *>(data), size}, files);
  Profile profile;
  ProfileBuilder builder(profile, {KeepEvents::Mode::All, {}});
  Recording recording(builder);
  readRank(files, recording);
  recording.finish();
  requireReadable(profile);
  return 0;
}
