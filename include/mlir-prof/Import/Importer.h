//===- Importer.h - The formats that can be read ----------------*- C++ -*-===//
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

/// Where the objects that a recording names are looked for: code, and what
/// tells of code that was made at run time.
enum class ObjectPlaces : uint8_t {
  /// In ImportOptions::objects, then at the paths that the recording says.
  FolderAndPaths,
  Folder,
};

/// A recording in memory.
struct ImportInput {
  llvm::StringRef bytes;
  /// Names it in errors.
  llvm::StringRef where;
  Backing backing = Backing::Memory;
  /// ImportOptions::objects.
  llvm::StringRef objects = "";
  /// Where `bytes` are only the beginning of a compressed recording, what gives
  /// the rest, at the addresses behind; else null.
  GzipInput *inflating = nullptr;
  ObjectPlaces objectPlaces = ObjectPlaces::FolderAndPaths;
  /// ImportOptions::samplePeriodPs.
  int64_t samplePeriodPs = 0;
  /// Whether single events are kept; samples are events only then.
  profile::KeepEvents::Mode keep = profile::KeepEvents::Mode::None;
};

/// One format of recordings. Adding one is a folder under Import/ and a line in
/// lib/Import/Importers.def.
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
  /// Formats whose files may begin alike (bare protobuf). Of these the content
  /// must leave one only; elsewhere the first that says yes reads the file.
  bool sharesBeginning = false;
  /// Whether `read` takes recordings that are inflated while it reads them
  /// (ImportInput::inflating).
  bool inflatesWhileReading = false;
};

llvm::ArrayRef<Importer> getImporters();

struct ImportOptions {
  /// Name of an importer, "mlprof", or empty to detect it from the content.
  std::string inputFormat;
  profile::KeepEvents keep;
  /// How many times its size a gzipped recording may hold, beyond 512 MiB.
  uint64_t maxInflation = kMostInflation;
  /// Folder with objects that a recording names, where they are not where they
  /// were when it was made; or "".
  std::string objects;
  /// The time that one sample stands for where a recording has samples and no
  /// time, in picoseconds; 0: such a recording has none.
  int64_t samplePeriodPs = 0;
};

/// One format whose recordings are folders of files. Adding one is a folder
/// under Import/ and a line in lib/Import/Importers.def.
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
/// perhaps gzipped, or from a folder of files that belong together. `path` may
/// be "-".
llvm::Expected<profile::Profile>
importProfile(llvm::StringRef path, const ImportOptions &options = {});

} // namespace mlirprof::importer

#endif // MLIR_PROF_IMPORT_IMPORTER_H
