//===- ProfileFuzzer.cpp - Fuzzes the reader of *.mlprof ----------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Input that starts with the magic number is a file. Any other input is the
// content of a section of a valid file, because checksums would otherwise stop
// the fuzzer.
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Attribution/Ownership.h"
#include "mlir-prof/Attribution/ProgramMatch.h"
#include "mlir-prof/Export/Exporter.h"
#include "mlir-prof/Profile/Merge.h"
#include "mlir-prof/Profile/ProfileFile.h"
#include "mlir-prof/Report/Report.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/xxhash.h"

using namespace mlirprof;
using namespace mlirprof::attribution;
using namespace mlirprof::exporter;
using namespace mlirprof::profile;
using namespace mlirprof::report;

template <typename T>
static void append(std::string &out, T value) {
  char bytes[sizeof(T)];
  llvm::support::endian::write(bytes, value, llvm::endianness::little);
  out.append(bytes, sizeof(T));
}

static uint64_t hash(llvm::StringRef bytes) {
  return llvm::xxh3_64bits(llvm::arrayRefFromStringRef(bytes));
}

/// Appends a section of plain protobuf; returns its checksum.
static uint64_t appendSection(std::string &file, uint32_t type,
                              llvm::StringRef content) {
  size_t begin = file.size();
  append<uint32_t>(file, type);
  append<uint32_t>(file, 0);
  append<uint32_t>(file, uint32_t(content.size()));
  append<uint32_t>(file, uint32_t(content.size()));
  file += content;
  uint64_t checksum = hash(llvm::StringRef(file).drop_front(begin));
  append<uint64_t>(file, checksum);
  return checksum;
}

static std::string wrap(llvm::StringRef content) {
  std::string file("\x89MLP\r\n\x1a\n\1\0\0\0", 12);
  std::string chain = file;
  append<uint64_t>(chain, appendSection(file, 1, content));
  std::string end;
  append<uint32_t>(end, 1);
  append<uint64_t>(end, hash(chain));
  appendSection(file, 0, end);
  return file;
}

static std::string write(const Profile &profile) {
  std::string bytes;
  llvm::raw_string_ostream os(bytes);
  if (llvm::errorToBool(writeProfile(profile, os)))
    __builtin_trap();
  return bytes;
}

/// Tables of all levels, and the formats for other programs.
static void show(const Profile &profile) {
  for (const std::string &level : getLevels(profile)) {
    Ownership ownership = matchProgram(profile, level);
    Attribution attribution = attribute(profile, ownership);
    ReportInput input{profile, &ownership, &attribution, level};
    for (const ReportKind &kind : getReports())
      llvm::consumeError(buildReport(input, kind).takeError());
  }
  for (const Exporter &exporter : getExporters())
    llvm::consumeError(exporter.write({profile}, llvm::nulls()));
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  llvm::StringRef input(reinterpret_cast<const char *>(data), size);
  std::string file = isProfileFile(input) ? input.str() : wrap(input);
  llvm::Expected<Profile> profile = readProfile(file, "input");
  if (!profile) {
    llvm::consumeError(profile.takeError());
    return 0;
  }
  // A profile that was read is usable, and survives writing in both forms.
  std::string bytes = write(*profile);
  llvm::Expected<Profile> again = readProfile(bytes, "again");
  if (!again || write(*again) != bytes)
    __builtin_trap();
  std::string json;
  llvm::raw_string_ostream os(json);
  writeProfileJson(*profile, os);
  llvm::Expected<Profile> fromJson = readProfileJson(json, "json");
  if (!fromJson || write(*fromJson) != bytes)
    __builtin_trap();
  for (const HloModule &module : profile->hloModules) {
    HloIndex index(module);
    if (!module.instructions.empty()) {
      (void)index.getMembers(0);
      (void)index.getConsumers(0);
    }
  }
  (void)attribute(*profile, Ownership());
  show(*profile);
  llvm::consumeError(mergeProfiles({&*profile, &*again}).takeError());
  return 0;
}
