//===- StackTree.h - Stacks with their times --------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_EXPORT_STACKS_STACKTREE_H
#define MLIR_PROF_LIB_EXPORT_STACKS_STACKTREE_H

#include "mlir-prof/Trace/Event.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"

namespace mlirprof::exporter {

/// One entry of a stack; file is empty when unknown.
struct StackFrame {
  std::string name;
  std::string file;
  uint32_t line = 0;
};

/// Stacks with shared outer frames.
class StackTree {
public:
  /// Limit on the depth of stacks; deeper time counts for the frame at this
  /// depth.
  static constexpr size_t kMaxDepth = 128;

  struct Node {
    /// Node of the frame around it, or kNone. Parents come first.
    uint32_t parent = trace::kNone;
    uint32_t frame = 0;
    /// Time measured for exactly this stack.
    int64_t timePs = 0;
    uint64_t count = 0;
  };

  /// Finds or adds a frame. Control characters in names become blanks.
  uint32_t addFrame(llvm::StringRef name, llvm::StringRef file = {},
                    uint32_t line = 0);
  /// Adds to the stack `frames`, outermost first.
  void charge(llvm::ArrayRef<uint32_t> frames, int64_t timePs, uint64_t count);

  llvm::ArrayRef<StackFrame> getFrames() const { return frames; }
  llvm::ArrayRef<Node> getNodes() const { return nodes; }
  /// Frames of the stack that ends at a node, outermost first.
  llvm::SmallVector<uint32_t> getPath(uint32_t node) const;

private:
  std::vector<StackFrame> frames;
  llvm::StringMap<uint32_t> frameIds;
  std::vector<Node> nodes;
  llvm::DenseMap<std::pair<uint32_t, uint32_t>, uint32_t> nodeIds;
};

} // namespace mlirprof::exporter

#endif // MLIR_PROF_LIB_EXPORT_STACKS_STACKTREE_H
