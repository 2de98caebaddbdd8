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

/// Whether models are written in files of that name: not the sources of
/// libraries.
bool isModelSource(llvm::StringRef path);

/// What is known of a frame's code.
enum class LineResult : uint8_t {
  /// The chain of its lines, or its instruction.
  Found,
  /// Its object has no lines of a compiler on MLIR: a library, a program.
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
  /// Nothing says where its object lay in memory.
  Unplaced,
  /// The same, and several functions of its object have its function's name.
  Ambiguous,
  /// The compiler gave it no line.
  NoLine,
};

/// The objects that samples lie in. Opens those that the frames name, and no
/// other files. Lines that lead to MLIR are those of units that a compiler on
/// MLIR says it made, and those of units that a
/// *.mlir or *.py file was compiled to.
class Objects {
public:
  /// `folder`: where objects are looked for by their names before they are at
  /// their own paths, and their debug information by its name or build id; or
  /// "".
  Objects(std::string folder, ObjectPlaces places);
  ~Objects();

  /// Of a frame of `thread`. `use`: what its address is. `chain` is valid until
  /// the next call. Where the object has the program that it was made of,
  /// `place` is set instead.
  LineResult find(const Frame &frame, const Mappings &mappings, int64_t thread,
                  AddressUse use,
                  llvm::ArrayRef<profile::SourcePosition> &chain,
                  ProgramPlace &place);

  /// Fails when one of those that were opened has changed since.
  llvm::Error checkUnchanged() const;

  /// How many functions of all objects have names that are too long to be
  /// printed, where frames were looked for by what is printed.
  uint64_t countUnspelled() const;

private:
  Object *open(llvm::StringRef path);
  std::unique_ptr<Object> openMoved(llvm::StringRef path) const;
  Object *openDeleted(const Frame &frame, const Mappings &mappings,
                      int64_t thread);

  std::string folder;
  ObjectPlaces places;
  /// By path. Null for what cannot be opened.
  llvm::StringMap<std::unique_ptr<Object>> objects;
  /// By path, those in `folder` that were deleted where they ran.
  llvm::StringMap<std::unique_ptr<Object>> movedObjects;
};

} // namespace mlirprof::importer::perfscript

#endif // MLIR_PROF_LIB_IMPORT_PERFSCRIPT_OBJECTS_H
