//===- ProfileJsonFuzzer.cpp - Fuzzes the reader of profiles in JSON ----===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Profile/ProfileFile.h"

using namespace mlirprof;
using namespace mlirprof::profile;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  llvm::StringRef input(reinterpret_cast<const char *>(data), size);
  (void)isProfileJson(input);
  llvm::Expected<Profile> profile = readProfileJson(input, "input");
  if (!profile) {
    llvm::consumeError(profile.takeError());
    return 0;
  }
  std::string bytes, again;
  llvm::raw_string_ostream os(bytes), againOs(again);
  llvm::cantFail(writeProfile(*profile, os));
  llvm::Expected<Profile> reread = readProfile(bytes, "again");
  if (!reread)
    __builtin_trap();
  llvm::cantFail(writeProfile(*reread, againOs));
  if (again != bytes)
    __builtin_trap();
  return 0;
}
