//===- Importer.cpp - Import formats --------------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Import/Importer.h"
#include "Common/WireProbe.h"
#include "Importers.h"
#include "mlir-prof/Profile/ProfileFile.h"
#include "mlir-prof/Scope/Scope.h"
#include "mlir-prof/Support/Error.h"
#include "mlir-prof/Support/File.h"
#include "llvm/Support/FileSystem.h"

using namespace mlirprof;
using namespace mlirprof::importer;
using namespace mlirprof::profile;

llvm::ArrayRef<Importer> importer::getImporters() {
  static const Importer importers[] = {
#define MLIRPROF_IMPORTER(NAME) importer::NAME(),
#include "Importers.def"
  };
  return importers;
}

llvm::ArrayRef<FolderImporter> importer::getFolderImporters() {
  static const FolderImporter importers[] = {
#define MLIRPROF_FOLDER_IMPORTER(NAME) importer::NAME(),
#include "FolderImporters.def"
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

/// The importers that accept `bytes`: only the first one, unless other formats
/// may begin alike.
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

/// The importer that the content of `bytes` identifies.
llvm::Expected<const Importer *> detectImporter(llvm::StringRef bytes,
                                                llvm::StringRef where) {
  llvm::SmallVector<const Importer *> candidates = findCandidates(bytes);
  if (candidates.size() == 1)
    return candidates.front();
  if (candidates.empty())
    return inputError(where, "is not in a known format",
                      "Formats are " + listFormats() +
                          "; name one with --input-format if the content does "
                          "not identify it.");
  std::string names;
  for (const Importer *candidate : candidates)
    names += (names.empty() ? "" : ", ") + candidate->name.str();
  return inputError(where, "may be of several formats: " + names,
                    "Name the right one with --input-format.");
}

/// The importer to use for `bytes`; null for a profile written by mlir-prof.
llvm::Expected<const Importer *> chooseImporter(llvm::StringRef bytes,
                                                llvm::StringRef where,
                                                llvm::StringRef format) {
  PROF_SCOPE("detect");
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
  return inputError(path, "is a folder, but not in a known format",
                    "Name a file in it. Formats of folders are " + names + ".");
}

/// A description of a compressed recording.
std::string describeInflating(const ImportInput &input) {
  llvm::StringRef bytes =
      input.inflating ? input.inflating->getBytes() : input.bytes;
  return std::string("gzip, inflated ") +
         (input.inflating ? "while it was read (" : "in memory (") +
         std::to_string(bytes.size()) + " bytes)";
}

llvm::Error decode(const Importer &importer, const ImportInput &input,
                   ProfileBuilder &builder) {
  PROF_SCOPE("decode");
  scope::Scope format(importer.name);
  return importer.read(input, builder);
}

/// Reads `input`, which is the content of `file`, or its inflated form.
llvm::Expected<Profile> import(const Importer &importer,
                               const ImportInput &input,
                               const llvm::MemoryBuffer &file,
                               const KeepEvents &keep) {
  Profile profile;
  ProfileBuilder builder(profile, keep);
  llvm::StringRef given = file.getBuffer();
  {
    PROF_SCOPE("hash");
    builder.getRun().hash = contentHash(given, getBacking(file));
  }
  builder.getRun().source = input.where.str();
  builder.getRun().producer.format = importer.name.str();
  llvm::Error error = decode(importer, input, builder);
  // Damage of the file takes precedence over the resulting errors in its
  // content.
  if (input.inflating)
    if (llvm::Error damage = input.inflating->finish()) {
      llvm::consumeError(std::move(error));
      return std::move(damage);
    }
  if (error)
    return std::move(error);
  PROF_SCOPE("build");
  builder.finish();
  if (isGzip(given))
    profile.runs.back().facts.emplace_back("input", describeInflating(input));
  return std::move(profile);
}

llvm::Expected<Profile> readOwn(llvm::StringRef bytes, llvm::StringRef where) {
  PROF_SCOPE("decode");
  scope::Scope format(kProfileFormat);
  return isProfileJson(bytes) ? readProfileJson(bytes, where)
                              : readProfile(bytes, where);
}

/// Reads `input`, all of which is available, like import().
llvm::Expected<Profile> importWhole(const ImportInput &input,
                                    const llvm::MemoryBuffer &file,
                                    const ImportOptions &options) {
  auto importer = chooseImporter(input.bytes, input.where, options.inputFormat);
  if (!importer)
    return importer.takeError();
  if (!*importer)
    return readOwn(input.bytes, input.where);
  return import(**importer, input, file, options.keep);
}

ImportInput makeInput(llvm::StringRef bytes, llvm::StringRef path,
                      Backing backing, const ImportOptions &options) {
  ImportInput input = {bytes, path, backing, options.objects};
  input.samplePeriodPs = options.samplePeriodPs;
  input.loadAddress = options.loadAddress;
  input.keep = options.keep.mode;
  return input;
}

/// Whether a recording of which only the beginning is available may belong to a
/// format identified by later bytes: a protobuf message.
bool mayBeMessage(llvm::StringRef begin) {
  WireProbe probe(begin);
  while (probe.next())
    ;
  return !probe.isBroken();
}

llvm::Expected<Profile> importGzip(const llvm::MemoryBuffer &file,
                                   llvm::StringRef path,
                                   const ImportOptions &options) {
  // More than any format that supports inflation while reading examines.
  constexpr size_t kDetect = size_t(1) << 20;
  ImportInput input = makeInput("", path, Backing::Memory, options);
  uint64_t limit =
      getInflationLimit(file.getBufferSize(), options.maxInflation);
  auto inflating = GzipInput::open(file.getBuffer(), path, limit);
  if (inflating) {
    inflating->require(inflating->begin(), kDetect);
    input.bytes = inflating->getBytes();
  }
  if (inflating && inflating->isComplete()) {
    if (llvm::Error error = inflating->finish())
      return std::move(error);
    return importWhole(input, file, options);
  }
  if (inflating) {
    auto importer = chooseImporter(input.bytes, path, options.inputFormat);
    if (importer && *importer && (*importer)->inflatesWhileReading) {
      input.inflating = inflating.get();
      return import(**importer, input, file, options.keep);
    }
    // Decompression bombs do not belong to any format: they need not be
    // inflated further.
    if (!importer && !mayBeMessage(input.bytes))
      return importer.takeError();
    llvm::consumeError(importer.takeError());
  }
  // Its addresses may be the only ones available.
  inflating.reset();
  scope::Scope scope("inflate");
  auto plain = gunzip(file.getBuffer(), path, limit);
  scope.end();
  if (!plain)
    return plain.takeError();
  input.bytes = (*plain)->getBuffer();
  return importWhole(input, file, options);
}

llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
readFile(llvm::StringRef path) {
  PROF_SCOPE("read");
  return openInput(path);
}

} // namespace

llvm::Expected<Profile> importer::importProfile(llvm::StringRef path,
                                                const ImportOptions &options) {
  PROF_SCOPE("import");
  if (llvm::sys::fs::is_directory(path))
    return importFolder(path, options);
  auto file = readFile(path);
  if (!file)
    return file.takeError();
  llvm::StringRef given = (*file)->getBuffer();
  return unlessChanged(
      **file,
      isGzip(given)
          ? importGzip(**file, path, options)
          : importWhole(makeInput(given, path, getBacking(**file), options),
                        **file, options));
}
