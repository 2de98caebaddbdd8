//===- Objects.h - Source lines of code in objects --------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_IMPORT_PERFSCRIPT_OBJECTS_H
#define MLIR_PROF_LIB_IMPORT_PERFSCRIPT_OBJECTS_H

#include "CallChain.h"
#include "Lines.h"
#include "Mappings.h"
#include "mlir-prof/Import/Importer.h"
#include "mlir-prof/Profile/SourcePosition.h"
#include "llvm/ADT/StringMap.h"

#include <memory>

namespace mlirprof::importer::perfscript {

class Object;
struct ProgramPlace;

/// Whether files of that name contain models: not the sources of libraries.
bool isModelSource(llvm::StringRef path);

/// The result of looking up a frame's code.
enum class LineResult : uint8_t {
  /// The chain of its lines, or its instruction.
  Found,
  /// Its object does not have lines of a compiler on MLIR: a library, a
  /// program.
  Foreign,
  /// Its object is not on this machine, or cannot be read.
  Missing,
  /// Its object is not the one that ran.
  Changed,
  /// Its debug information was moved to a file that is not here.
  DebugMissing,
  /// That file has another build id.
  DebugBuildId,
  /// That file has another checksum than its object says.
  DebugChecksum,
  /// That file cannot be read.
  DebugDamaged,
  /// The place of its object in memory is unknown.
  Unplaced,
  /// The same, and several functions of its object have its function's name.
  Ambiguous,
  /// The compiler did not give it a line.
  NoLine,
};

/// The objects of samples. Opens those that the frames name, and no other
/// files. Lines that lead to MLIR are those of units that name a compiler on
/// MLIR as their producer, and those of units compiled from a *.mlir or *.py
/// file.
class Objects {
public:
  /// `folder`, or "": searched for objects by their names before their own
  /// paths, and for their debug information by its name or build id.
  Objects(std::string folder, ObjectPlaces places);
  ~Objects();

  /// Looks up a frame of `thread`. `use`: the meaning of its address. `chain`
  /// is valid until the next call. If the object has the program that it
  /// contains, `place` is set instead.
  LineResult find(const Frame &frame, const Mappings &mappings, int64_t thread,
                  AddressUse use,
                  llvm::ArrayRef<profile::SourcePosition> &chain,
                  ProgramPlace &place);

  /// Fails if one of the opened ones has changed since.
  llvm::Error checkUnchanged() const;

  /// Number of functions of all objects whose names are too long to be printed,
  /// if frames were looked up by printed names.
  uint64_t countUnspelled() const;

private:
  Object *open(llvm::StringRef path);
  std::unique_ptr<Object> openMoved(llvm::StringRef path) const;
  Object *openDeleted(const Frame &frame, const Mappings &mappings,
                      int64_t thread);

  std::string folder;
  ObjectPlaces places;
  /// By path. Null for files that cannot be opened.
  llvm::StringMap<std::unique_ptr<Object>> objects;
  /// By path, those in `folder` that were deleted at their own paths.
  llvm::StringMap<std::unique_ptr<Object>> movedObjects;
};

} // namespace mlirprof::importer::perfscript

#endif // MLIR_PROF_LIB_IMPORT_PERFSCRIPT_OBJECTS_H
