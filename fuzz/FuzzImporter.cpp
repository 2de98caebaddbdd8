//===- FuzzImporter.cpp - Importers in the fuzzer ------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FuzzImporter.h"
#include "mlir-prof/Import/Importer.h"
#include "mlir-prof/Profile/ProfileFile.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdlib>

using namespace mlirprof;
using namespace mlirprof::importer;
using namespace mlirprof::profile;

void mlirprof::requireReadable(Profile &profile) {
  // The file's hash, which importers do not know.
  for (Run &run : profile.runs)
    if (run.hash.empty())
      run.hash = std::string(32, 'a');
  std::string bytes;
  llvm::raw_string_ostream os(bytes);
  if (llvm::Error error = writeProfile(profile, os))
    return llvm::consumeError(std::move(error));
  llvm::Expected<Profile> again = readProfile(bytes, "again");
  if (again)
    return;
  std::string error = llvm::toString(again.takeError());
  if (llvm::StringRef(error).contains("not a valid profile")) {
    llvm::errs() << error << '\n';
    std::abort();
  }
}

void mlirprof::fuzzImporter(llvm::StringRef format, llvm::StringRef bytes,
                            llvm::StringRef objects) {
  ImportInput input = {bytes, "input"};
  input.objects = objects;
  input.objectPlaces = ObjectPlaces::Folder;
  for (const Importer &importer : getImporters()) {
    if (importer.name != format)
      continue;
    importer.detect(bytes);
    Profile profile;
    ProfileBuilder builder(profile, {KeepEvents::Mode::All, {}});
    if (llvm::Error error = importer.read(input, builder)) {
      llvm::consumeError(std::move(error));
      return;
    }
    builder.finish();
    requireReadable(profile);
  }
}
