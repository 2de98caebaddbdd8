//===- DeviceProgramFuzzer.cpp - Fuzzing programs of devices --------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Device/ProgramFile.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CRC.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MathExtras.h"

#include <cstdlib>

using namespace mlirprof::device;

/// Makes the checksums right, so that contents are reached.
static void repair(std::string &bytes) {
  constexpr uint64_t kUnit = 64;
  for (uint64_t at = kUnit; at + kUnit <= bytes.size();) {
    uint64_t left = bytes.size() - at - kUnit;
    uint64_t length = llvm::support::endian::read64le(bytes.data() + at + 8);
    if (length > left)
      return;
    llvm::StringRef content(bytes.data() + at + kUnit, length);
    llvm::support::endian::write32le(
        bytes.data() + at + 4,
        llvm::crc32(llvm::arrayRefFromStringRef(content)));
    at += kUnit + llvm::alignTo(length, kUnit);
  }
}

/// A program that was read is written as the same program.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  std::string bytes(reinterpret_cast<const char *>(data), size);
  repair(bytes);
  auto program =
      readProgram(llvm::MemoryBuffer::getMemBufferCopy(bytes, "fuzz"));
  if (!program) {
    llvm::consumeError(program.takeError());
    return 0;
  }
  std::string first, second;
  llvm::raw_string_ostream firstStream(first), secondStream(second);
  writeProgram(*program, firstStream);
  auto again =
      readProgram(llvm::MemoryBuffer::getMemBufferCopy(first, "again"));
  if (!again)
    std::abort();
  writeProgram(*again, secondStream);
  if (first != second)
    std::abort();
  return 0;
}
