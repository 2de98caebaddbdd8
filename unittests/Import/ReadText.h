//===- ReadText.h - Reading recordings in tests -----------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_UNITTESTS_IMPORT_READTEXT_H
#define MLIR_PROF_UNITTESTS_IMPORT_READTEXT_H

#include "mlir-prof/Import/Importer.h"

using namespace mlirprof::importer;
using namespace mlirprof::profile;
using namespace mlirprof::trace;

namespace mlirprof::reading {

/// The importer `name`, which must exist.
const Importer &getImporter(llvm::StringRef name);

/// Reads `text` as `format`, regardless of its detection.
llvm::Expected<Profile> readText(llvm::StringRef format, llvm::StringRef text);

/// The same, where an error fails the test.
Profile readGood(llvm::StringRef format, llvm::StringRef text);

/// The error, or "" if there is none.
std::string readBad(llvm::StringRef format, llvm::StringRef text);

/// Reads the seed test/data/fuzz/`name`, and expects that its format is
/// detected.
Profile readSeed(llvm::StringRef format, llvm::StringRef name);

/// Sum and count of the measurements of the op `name` (of `module`, if op keys
/// have one), over all its keys.
struct OpTotal {
  uint64_t keys = 0;
  uint64_t count = 0;
  int64_t executePs = 0;
  int64_t selfPs = 0;
};
OpTotal getTotal(const Profile &profile, llvm::StringRef name,
                 llvm::StringRef module = "");

/// The key of the op `op` with `kernel`, or null.
const OpKey *findKey(const Profile &profile, llvm::StringRef op,
                     llvm::StringRef kernel = "");

/// How often the loss `name` was counted.
uint64_t getLoss(const Profile &profile, llvm::StringRef name);

} // namespace mlirprof::reading

#endif // MLIR_PROF_UNITTESTS_IMPORT_READTEXT_H
