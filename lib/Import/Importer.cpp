//===- Importer.cpp - The formats that can be read ------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Import/Importer.h"
#include "Importers.h"
#include "mlir-prof/Profile/ProfileFile.h"
#include "mlir-prof/Support/Error.h"
#include "mlir-prof/Support/File.h"

using namespace mlirprof;

llvm::ArrayRef<Importer> mlirprof::getImporters() {
  static const Importer importers[] = {
#define MLIRPROF_IMPORTER(NAME) importer::NAME(),
#include "Importers.def"
  };
  return importers;
}

namespace {

constexpr llvm::StringLiteral kProfileFormat = "mlprof";

std::string listFormats() {
  std::string formats = kProfileFormat.str();
  for (const Importer &importer : getImporters())
    formats += ", " + importer.name.str();
  return formats;
}

/// The importer to use for `bytes`; null for a profile of our own.
llvm::Expected<const Importer *> chooseImporter(llvm::StringRef bytes,
                                                llvm::StringRef where,
                                                llvm::StringRef format) {
  if (format == kProfileFormat)
    return nullptr;
  if (format.empty() && (isProfileFile(bytes) || isProfileJson(bytes)))
    return nullptr;
  for (const Importer &importer : getImporters())
    if (format.empty() ? importer.detect(bytes) : format == importer.name)
      return &importer;
  if (!format.empty())
    return inputError("--input-format", "'" + format + "' is not a format",
                      "Formats are " + listFormats() + ".");
  return inputError(where, "is of no known format",
                    "Formats are " + listFormats() +
                        "; name one with --input-format when the content does "
                        "not tell.");
}

llvm::Expected<Profile> import(const Importer &importer,
                               const ImportInput &input, llvm::StringRef hash,
                               const KeepEvents &keep) {
  Profile profile;
  ProfileBuilder builder(profile, keep);
  builder.getRun().hash = hash.str();
  builder.getRun().source = input.where.str();
  builder.getRun().producer.format = importer.name.str();
  if (llvm::Error error = importer.read(input, builder))
    return std::move(error);
  builder.finish();
  return std::move(profile);
}

} // namespace

llvm::Expected<Profile> mlirprof::importProfile(llvm::StringRef path,
                                                const ImportOptions &options) {
  auto file = openInput(path);
  if (!file)
    return file.takeError();
  std::unique_ptr<llvm::MemoryBuffer> buffer = std::move(*file);
  llvm::StringRef given = buffer->getBuffer();
  std::unique_ptr<llvm::MemoryBuffer> inflated;
  if (isGzip(given)) {
    auto plain = gunzip(given, path);
    if (!plain)
      return plain.takeError();
    inflated = std::move(*plain);
  }
  llvm::StringRef bytes = inflated ? inflated->getBuffer() : given;
  auto importer = chooseImporter(bytes, path, options.inputFormat);
  if (!importer)
    return importer.takeError();
  if (!*importer)
    return isProfileJson(bytes) ? readProfileJson(bytes, path)
                                : readProfile(bytes, path);
  Backing backing = getBacking(*buffer);
  auto profile =
      import(**importer, {bytes, path, inflated ? Backing::Memory : backing},
             contentHash(given, backing), options.keep);
  if (profile && inflated)
    profile->runs.back().facts.emplace_back(
        "input", "gzip, inflated in memory (" + std::to_string(bytes.size()) +
                     " bytes)");
  return profile;
}
