//===- ProgramAttribute.h - A program as builtin attributes -----*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   prof.program = {
//     version = 1 : i32, entry = "main", pipeline = "...", target = "...",
//     fingerprint = "...",                 // texts that are empty are left out
//     strings = ["", "linalg.matmul", ...],
//     levels = [{level = "input", kind = array<i8>, op = array<i32>, ...},
//     ...], probes = {kind = array<i8>, node = array<i32>, ...}, sites = [{kind
//     = 0 : i8, node = 3 : i32, names = ["arg0.dim0"]}]}
//
// Nodes and probes are stored in columns, one array per field of ProgramNode
// and ProgramProbe; an index of -1 is kNone. The nodes' lists (parents,
// callers) are concatenated, with their lengths in a separate column.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_TRANSFORMS_PROGRAM_PROGRAMATTRIBUTE_H
#define MLIR_PROF_LIB_TRANSFORMS_PROGRAM_PROGRAMATTRIBUTE_H

#include "mlir-prof/Profile/Program.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/DenseMap.h"

namespace mlirprof::transforms {

/// Encodes `program` except its machine code, which exists only after MLIR.
mlir::DictionaryAttr encodeProgram(mlir::MLIRContext *context,
                                   const profile::Program &program);
/// The nodes of one level.
mlir::DictionaryAttr encodeLevel(mlir::MLIRContext *context,
                                 llvm::StringRef name,
                                 llvm::ArrayRef<profile::ProgramNode> nodes);

/// Decodes `attribute`. Returns a description of the first problem, or "" if
/// every index in `program` is in range, parents and callers are at earlier
/// levels and containers come before their content.
std::string decodeProgram(mlir::Attribute attribute, profile::Program &program);

/// Appends a level to an encoded program without decoding it.
class ProgramAppender {
public:
  /// `attribute` may be null, for a new program. Returns a description of the
  /// problem, or "".
  std::string open(mlir::Attribute attribute);
  bool hasLevel(llvm::StringRef name) const;
  bool isNew() const { return levels.empty(); }
  /// Index of the first node of the next level.
  uint64_t getNodeCount() const { return nodes; }
  uint32_t intern(mlir::StringAttr text);
  /// All texts in the order of their indices; the first is empty.
  std::vector<std::string> getStrings(mlir::MLIRContext *context);
  /// The program with one more level.
  mlir::DictionaryAttr append(mlir::MLIRContext *context,
                              mlir::DictionaryAttr level);

private:
  mlir::DictionaryAttr before;
  llvm::SmallVector<mlir::Attribute> strings;
  llvm::DenseMap<mlir::Attribute, uint32_t> numbers;
  llvm::SmallVector<mlir::Attribute> levels;
  uint64_t nodes = 0;
};

} // namespace mlirprof::transforms

#endif // MLIR_PROF_LIB_TRANSFORMS_PROGRAM_PROGRAMATTRIBUTE_H
