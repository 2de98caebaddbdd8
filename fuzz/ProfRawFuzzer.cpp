//===- ProfRawFuzzer.cpp - Fuzzes the reader of the runtime's files -------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FuzzImporter.h"
#include "mlir-prof/Runtime/prof_raw.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CRC.h"
#include "llvm/Support/Endian.h"

/// Corrects sizes and checksums, so that the code behind these checks runs too.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  std::string bytes(reinterpret_cast<const char *>(data), size);
  mlirprof::fuzzImporter("prof-raw", bytes);
  if (size < sizeof(prof_raw_header))
    return 0;
  llvm::StringRef body = llvm::StringRef(bytes).substr(sizeof(prof_raw_header));
  uint64_t checksum = llvm::crc32(llvm::arrayRefFromStringRef(body));
  llvm::support::endian::write64le(&bytes[0], PROF_RAW_MAGIC);
  llvm::support::endian::write64le(&bytes[8], uint64_t(PROF_RAW_MAJOR) << 32 |
                                                  PROF_RAW_MINOR);
  llvm::support::endian::write64le(&bytes[16], size);
  llvm::support::endian::write64le(&bytes[32], checksum);
  mlirprof::fuzzImporter("prof-raw", bytes);
  return 0;
}
