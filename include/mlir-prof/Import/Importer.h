//===- Importer.h - Import formats ------------------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_IMPORT_IMPORTER_H
#define MLIR_PROF_IMPORT_IMPORTER_H

#include "mlir-prof/Profile/ProfileBuilder.h"
#include "mlir-prof/Support/File.h"
#include "mlir-prof/Support/GzipInput.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"

namespace mlirprof::importer {

/// Where to look for the objects that a recording names: code, and descriptions
/// of code that was generated at run time.
enum class ObjectPlaces : uint8_t {
  /// In ImportOptions::objects, then at the paths in the recording.
  FolderAndPaths,
  Folder,
};

/// A recording in memory.
struct ImportInput {
  llvm::StringRef bytes;
  /// The name of the recording in errors.
  llvm::StringRef where;
  Backing backing = Backing::Memory;
  /// ImportOptions::objects.
  llvm::StringRef objects = "";
  /// If `bytes` are only the beginning of a compressed recording: the
  /// decompressor of the rest, which follows at consecutive addresses. Else
  /// null.
  GzipInput *inflating = nullptr;
  ObjectPlaces objectPlaces = ObjectPlaces::FolderAndPaths;
  /// ImportOptions::samplePeriodPs.
  int64_t samplePeriodPs = 0;
  /// Whether single events are kept; only then samples become events.
  profile::KeepEvents::Mode keep = profile::KeepEvents::Mode::None;
  /// ImportOptions::loadAddress.
  std::optional<uint64_t> loadAddress = {};
};

/// One format of recordings. To add one, add a folder under Import/ and a line
/// in lib/Import/Importers.def.
struct Importer {
  /// For --input-format, "xplane".
  llvm::StringRef name;
  /// One line for `mlir-prof info`.
  llvm::StringRef description;
  /// Whether `bytes`, a whole uncompressed file, is of this format. Cheap and
  /// safe on any input.
  bool (*detect)(llvm::StringRef bytes);
  /// Reads `input` into `builder`.
  llvm::Error (*read)(const ImportInput &input,
                      profile::ProfileBuilder &builder);
  /// Set for formats whose files may begin alike (bare protobuf). Among these,
  /// the content must identify exactly one; otherwise the first importer that
  /// accepts the bytes reads the file.
  bool sharesBeginning = false;
  /// Whether `read` supports recordings that are inflated while being read
  /// (ImportInput::inflating).
  bool inflatesWhileReading = false;
};

llvm::ArrayRef<Importer> getImporters();

struct ImportOptions {
  /// Name of an importer, "mlprof", or empty to detect it from the content.
  std::string inputFormat;
  profile::KeepEvents keep;
  /// Maximum inflation factor of a gzipped recording, beyond 512 MiB.
  uint64_t maxInflation = kMostInflation;
  /// Folder with the objects that a recording names if they were moved since;
  /// or "".
  std::string objects;
  /// The time per sample, in picoseconds, for recordings that contain samples
  /// but no times; 0 if unknown.
  int64_t samplePeriodPs = 0;
  /// For records of light-weight profiling: the address in memory of the first
  /// byte of the program in `objects`, if that is not its own.
  std::optional<uint64_t> loadAddress;
};

/// One format whose recordings are folders of files. To add one, add a folder
/// under Import/ and a line in lib/Import/FolderImporters.def.
struct FolderImporter {
  llvm::StringRef name;
  llvm::StringRef description;
  /// Whether `path`, a folder, is of this format.
  bool (*detect)(llvm::StringRef path);
  llvm::Expected<profile::Profile> (*read)(llvm::StringRef path,
                                           const ImportOptions &options);
};

llvm::ArrayRef<FolderImporter> getFolderImporters();

/// Reads a profile from a recording, a *.mlprof file or its JSON form, each
/// possibly gzipped, or from a folder of files that belong together. `path` may
/// be "-".
llvm::Expected<profile::Profile>
importProfile(llvm::StringRef path, const ImportOptions &options = {});

} // namespace mlirprof::importer

#endif // MLIR_PROF_IMPORT_IMPORTER_H
