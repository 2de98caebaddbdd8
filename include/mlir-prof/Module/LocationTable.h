//===- LocationTable.h - The contents of locations --------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_MODULE_LOCATIONTABLE_H
#define MLIR_PROF_MODULE_LOCATIONTABLE_H

#include "mlir-prof/Trace/Event.h"
#include "mlir/IR/Location.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"

#include <string>
#include <vector>

namespace mlirprof::module {

/// A source position; without a file it is unknown. The file name belongs to
/// the MLIR context.
struct Frame {
  llvm::StringRef file;
  uint32_t line = 0;
  uint32_t column = 0;

  explicit operator bool() const { return !file.empty(); }
  bool operator==(const Frame &other) const {
    return line == other.line && column == other.column && file == other.file;
  }
};

/// The facts in a location about its op.
struct LocationInfo {
  /// Numbers of the names that the op carries itself, without those of the
  /// calls around it (LocationTable::getName).
  llvm::SmallVector<uint32_t, 1> names;
  /// The innermost frame, callee before caller.
  Frame frame;
  /// The innermost frame if the call chain is in reverse order, as in
  /// TensorFlow: the last one outside of TensorFlow.
  Frame lastUserFrame;
  bool hasTensorFlowFrame = false;
  /// Depth of nested locations, itself included.
  uint32_t depth = 1;

  /// The place in the user's program from which the op comes.
  const Frame &getUserFrame() const {
    return hasTensorFlowFrame ? lastUserFrame : frame;
  }
};

/// Reads locations, each unique one once: ops of large models share few
/// locations, and long call chains share their tails.
class LocationTable {
public:
  LocationTable();

  /// Number of `location`; equal locations have equal numbers.
  uint32_t add(mlir::LocationAttr location);
  const LocationInfo &get(uint32_t number) const { return infos[number]; }

  /// Number of a name, or kNone if no location has it.
  uint32_t findName(llvm::StringRef name) const;
  llvm::StringRef getName(uint32_t name) const { return names[name]; }
  /// "names (file:line:column)", of which either may be missing.
  std::string describe(const LocationInfo &info) const;
  uint32_t getNameCount() const { return uint32_t(names.size()); }

private:
  /// Creates the info of a location whose parts have theirs.
  LocationInfo read(mlir::LocationAttr location);
  const LocationInfo &getPart(mlir::LocationAttr part) const;
  void addName(llvm::StringRef name, LocationInfo &info);

  llvm::DenseMap<mlir::Attribute, uint32_t> numbers;
  std::vector<LocationInfo> infos;
  llvm::StringMap<uint32_t> nameNumbers;
  std::vector<llvm::StringRef> names;
};

} // namespace mlirprof::module

#endif // MLIR_PROF_MODULE_LOCATIONTABLE_H
