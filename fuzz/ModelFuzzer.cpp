//===- ModelFuzzer.cpp - Fuzzing the reader of cached models -------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Hashes guard each part of a file, and would stop nearly every mutation there.
// Inputs thus get the right ones before they are read, and once in 16 as they
// are.
//
//===----------------------------------------------------------------------===//

#include "../lib/Compile/Cache/ModelFile.h"
#include "mlir-prof/Compile/Bytes.h"
#include "mlir-prof/Compile/ModelCache.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/xxhash.h"

#include <cstdint>

using namespace llvm;
using namespace mlirprof::compile;

static constexpr size_t kMagicBytes = kModelMagic.size();
static constexpr size_t kParts = 4;
static constexpr size_t kHeaderBytes = kMagicBytes + kParts * 16;

static std::string write(const CompiledModel &model,
                         const BuildWarnings &warnings) {
  std::string bytes;
  raw_string_ostream os(bytes);
  writeModel(model, warnings, os);
  return bytes;
}

static void setHash(std::string &bytes, size_t at, StringRef content) {
  support::endian::write64le(&bytes[at], xxh3_64bits(content));
}

/// The hashes of constants in the table, of `size` bytes at `at` of `bytes`.
static void repairTable(std::string &bytes, size_t at, size_t size,
                        size_t constantsAt) {
  ByteReader reader(StringRef(bytes).substr(at, size));
  auto skipTexts = [&](uint64_t count, bool hasNumber) {
    for (; reader.isGood() && count != 0; --count) {
      reader.getBytes();
      if (hasNumber)
        reader.getInteger();
    }
  };
  skipTexts(2, /*hasNumber=*/false);
  for (int field = 0; field != 3; ++field)
    reader.getInteger();
  skipTexts(reader.getInteger(), /*hasNumber=*/false);
  reader.getSignature();
  reader.getInteger();
  skipTexts(reader.getInteger(), /*hasNumber=*/true);
  for (uint64_t count = reader.getInteger(); reader.isGood() && count != 0;
       --count) {
    reader.getBytes();
    uint64_t begin = reader.getInteger(), length = reader.getInteger();
    reader.getInteger();
    reader.getInteger();
    if (!reader.isGood() || constantsAt > bytes.size())
      return;
    StringRef constants = StringRef(bytes).drop_front(constantsAt);
    setHash(bytes, at + size - reader.getRest().size() - 8,
            constants.substr(begin, length));
  }
  // Not whole, or longer: neither matters here.
  (void)reader.isDone();
}

/// Gives the file in `bytes` the version and the hashes that its content asks
/// for, as far as it has parts.
static void repair(std::string &bytes) {
  if (bytes.size() < kHeaderBytes)
    return;
  bytes.replace(0, kMagicBytes, kModelMagic);
  size_t begins[kParts], sizes[kParts], end = kHeaderBytes;
  for (size_t part = 0; part != kParts; ++part) {
    uint64_t size = support::endian::read64le(&bytes[kMagicBytes + part * 16]);
    if (size > bytes.size() - end)
      return;
    begins[part] = end;
    sizes[part] = size_t(size);
    end += sizes[part];
  }
  repairTable(bytes, begins[0], sizes[0], alignTo(end, kFileAlignment));
  for (size_t part = 0; part != kParts; ++part)
    setHash(bytes, kMagicBytes + part * 16 + 8,
            StringRef(bytes).substr(begins[part], sizes[part]));
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  std::string bytes(reinterpret_cast<const char *>(data), size);
  if (size == 0 || data[0] % 16 != 0)
    repair(bytes);
  BuildWarnings warnings;
  std::optional<CompiledModel> model = parseModel(bytes, warnings);
  if (!model)
    return 0;
  // A model that was read is written in a way that reads as the same one.
  std::string written = write(*model, warnings);
  BuildWarnings again;
  std::optional<CompiledModel> read = parseModel(written, again);
  if (!read || write(*read, again) != written)
    __builtin_trap();
  return 0;
}
