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
#include "llvm/Support/FileSystem.h"

using namespace mlirprof;

llvm::ArrayRef<Importer> mlirprof::getImporters() {
  static const Importer importers[] = {
#define MLIRPROF_IMPORTER(NAME) importer::NAME(),
#include "Importers.def"
  };
  return importers;
}

llvm::ArrayRef<FolderImporter> mlirprof::getFolderImporters() {
  static const FolderImporter importers[] = {
#define MLIRPROF_IMPORTER(NAME)
#define MLIRPROF_FOLDER_IMPORTER(NAME) importer::NAME(),
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

/// The importers that say that `bytes` are theirs, where only the first counts
/// unless others may have files that begin alike.
llvm::SmallVector<const Importer *> findCandidates(llvm::StringRef bytes) {
  llvm::SmallVector<const Importer *> candidates;
  for (const Importer &importer : getImporters()) {
    if (!candidates.empty() && !importer.sharesBeginning)
      continue;
    if (!importer.detect(bytes))
      continue;
    candidates.push_back(&importer);
    if (!importer.sharesBeginning)
      break;
  }
  return candidates;
}

/// What `bytes` show themselves to be.
llvm::Expected<const Importer *> detectImporter(llvm::StringRef bytes,
                                                llvm::StringRef where) {
  llvm::SmallVector<const Importer *> candidates = findCandidates(bytes);
  if (candidates.size() == 1)
    return candidates.front();
  if (candidates.empty())
    return inputError(where, "is of no known format",
                      "Formats are " + listFormats() +
                          "; name one with --input-format when the content "
                          "does not tell.");
  std::string names;
  for (const Importer *candidate : candidates)
    names += (names.empty() ? "" : ", ") + candidate->name.str();
  return inputError(where, "may be of several formats: " + names,
                    "Name the right one with --input-format.");
}

/// The importer to use for `bytes`; null for a profile of our own.
llvm::Expected<const Importer *> chooseImporter(llvm::StringRef bytes,
                                                llvm::StringRef where,
                                                llvm::StringRef format) {
  if (format == kProfileFormat)
    return nullptr;
  if (format.empty() && (isProfileFile(bytes) || isProfileJson(bytes)))
    return nullptr;
  if (format.empty())
    return detectImporter(bytes, where);
  for (const Importer &importer : getImporters())
    if (format == importer.name)
      return &importer;
  return inputError("--input-format", "'" + format + "' is not a format",
                    "Formats are " + listFormats() + ".");
}

/// Reads a folder of files that belong together.
llvm::Expected<Profile> importFolder(llvm::StringRef path,
                                     const ImportOptions &options) {
  std::string names;
  for (const FolderImporter &importer : getFolderImporters()) {
    bool isMeant = options.inputFormat.empty()
                       ? importer.detect(path)
                       : options.inputFormat == importer.name;
    if (isMeant)
      return importer.read(path, options);
    names += (names.empty() ? "" : ", ") + importer.name.str();
  }
  return inputError(path, "is a folder, and of no known format",
                    "Name a file in it. Formats of folders are " + names + ".");
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

llvm::Expected<Profile> readOwn(llvm::StringRef bytes, llvm::StringRef where) {
  return isProfileJson(bytes) ? readProfileJson(bytes, where)
                              : readProfile(bytes, where);
}

/// The importer for what `input` holds, of which all is read unless that
/// importer reads while the rest is inflated.
llvm::Expected<const Importer *> chooseGzipImporter(GzipInput &input,
                                                    llvm::StringRef where,
                                                    llvm::StringRef format) {
  // More than any format looks at that is inflated while it is read.
  constexpr size_t kDetect = size_t(1) << 20;
  input.require(input.begin(), kDetect);
  if (!input.isComplete()) {
    auto importer = chooseImporter(input.getBytes(), where, format);
    if (importer && *importer && (*importer)->inflatesWhileReading)
      return importer;
    llvm::consumeError(importer.takeError());
  }
  if (llvm::Error error = input.readAll())
    return std::move(error);
  return chooseImporter(input.getBytes(), where, format);
}

llvm::Expected<Profile> importGzip(const llvm::MemoryBuffer &buffer,
                                   llvm::StringRef path,
                                   const ImportOptions &options) {
  llvm::StringRef given = buffer.getBuffer();
  auto opened = GzipInput::open(given, path);
  if (!opened)
    return opened.takeError();
  GzipInput &input = **opened;
  auto importer = chooseGzipImporter(input, path, options.inputFormat);
  if (!importer)
    return importer.takeError();
  if (!*importer)
    return readOwn(input.getBytes(), path);
  bool isWhole = input.isComplete();
  auto profile = import(**importer,
                        {input.getBytes(), path, Backing::Memory,
                         options.objects, isWhole ? nullptr : &input},
                        contentHash(given, getBacking(buffer)), options.keep);
  // What is wrong with the file comes before what that made of its content.
  if (llvm::Error error = input.finish()) {
    llvm::consumeError(profile.takeError());
    return std::move(error);
  }
  if (profile)
    profile->runs.back().facts.emplace_back(
        "input", std::string("gzip, inflated ") +
                     (isWhole ? "in memory (" : "while it was read (") +
                     std::to_string(input.getBytes().size()) + " bytes)");
  return profile;
}

} // namespace

llvm::Expected<Profile> mlirprof::importProfile(llvm::StringRef path,
                                                const ImportOptions &options) {
  if (llvm::sys::fs::is_directory(path))
    return importFolder(path, options);
  auto file = openInput(path);
  if (!file)
    return file.takeError();
  std::unique_ptr<llvm::MemoryBuffer> buffer = std::move(*file);
  llvm::StringRef given = buffer->getBuffer();
  if (isGzip(given))
    return importGzip(*buffer, path, options);
  auto importer = chooseImporter(given, path, options.inputFormat);
  if (!importer)
    return importer.takeError();
  if (!*importer)
    return readOwn(given, path);
  Backing backing = getBacking(*buffer);
  return import(**importer, {given, path, backing, options.objects},
                contentHash(given, backing), options.keep);
}
