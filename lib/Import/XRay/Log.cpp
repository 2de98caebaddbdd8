//===- Log.cpp - XRay logs in their original form -------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The layout of a log changes from release to release, and logs do not contain
// names, which are in the program. llvm-xray of the same release reads both, so
// the error states the command.

#include "../Importers.h"
#include "mlir-prof/Support/Error.h"
#include "llvm/Support/Endian.h"

using namespace mlirprof;
using namespace mlirprof::importer;
using namespace mlirprof::profile;
using llvm::StringRef;

/// A log does not have a magic number: version, type (basic or FDR), flags, and
/// the frequency of the clock distinguish it from nearly all other formats.
static bool detect(StringRef bytes) {
  constexpr size_t kHeaderSize = 32;
  constexpr uint64_t kSlowest = 1000000, kFastest = 100000000000;
  if (bytes.size() < kHeaderSize)
    return false;
  const char *data = bytes.data();
  uint16_t version = llvm::support::endian::read16le(data);
  uint16_t type = llvm::support::endian::read16le(data + 2);
  uint64_t frequency = llvm::support::endian::read64le(data + 8);
  return version >= 1 && version <= 5 && type <= 1 && frequency >= kSlowest &&
         frequency <= kFastest;
}

static llvm::Error read(const ImportInput &input, ProfileBuilder &) {
  return inputError(input.where,
                    "is an XRay log, which llvm-xray must convert first",
                    "Run: llvm-xray convert --output-format=yaml --symbolize "
                    "--instr_map=PROGRAM --output=" +
                        input.where + ".yaml " + input.where);
}

Importer importer::XRayLog() {
  return {"xray-log", "XRay's logs as written, to be converted first", detect,
          read};
}
