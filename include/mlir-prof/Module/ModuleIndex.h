//===- ModuleIndex.h - The ops of a module by number, name and function *- C++
//-*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_MODULE_MODULEINDEX_H
#define MLIR_PROF_MODULE_MODULEINDEX_H

#include "mlir-prof/Module/LocationTable.h"
#include "mlir/IR/Operation.h"

#include <vector>

namespace mlirprof::module {

/// The way in which ops of a callee are named after the calling op.
enum class CallKind : uint8_t {
  /// call/op
  Call,
  /// while/body/_N/op, or the op's own name in XLA's naming.
  LoopBody,
  /// while/cond/_N/op, and so on.
  LoopCondition,
  /// if/then/_N/op
  Then,
  /// if/else/_N/op
  Else,
};

/// Facts that follow from an op's name, for every op of that name.
struct OpNameTraits {
  bool isFunction = false;
  bool isTerminator = false;
  /// Wrappers of tf_executor share the location of the op that they wrap.
  bool isWrapper = false;
  bool mayCall = false;
};

struct IndexedOp {
  mlir::Operation *op = nullptr;
  /// Number of the op that contains it; 0 for the module itself.
  uint32_t parent = 0;
  /// Number after the last op within it.
  uint32_t end = 0;
  /// Index into ModuleIndex::getFunctions.
  uint32_t function = 0;
  /// Number in the location table.
  uint32_t location = 0;
};

struct IndexedFunction {
  /// Number of its op; 0 for the first, which represents the module's own ops.
  uint32_t op = 0;
  llvm::StringRef name;
  bool isCalled = false;
  /// Whether it is public, or called by one that is reachable.
  bool isReachable = false;
};

struct IndexedCall {
  uint32_t caller = 0;
  /// Number of the calling op.
  uint32_t op = 0;
  uint32_t callee = 0;
  CallKind kind = CallKind::Call;
};

/// The ops below a root in pre-order, with their functions, calls and names.
/// Numbers of ops are indices in that order; the root is 0.
class ModuleIndex {
public:
  explicit ModuleIndex(mlir::Operation *root);

  uint32_t size() const { return uint32_t(ops.size()); }
  const IndexedOp &operator[](uint32_t number) const { return ops[number]; }
  llvm::StringRef getOpName(uint32_t number) const {
    return ops[number].op->getName().getStringRef();
  }
  const OpNameTraits &getTraits(uint32_t number) const;
  const LocationInfo &getLocation(uint32_t number) const {
    return locations.get(ops[number].location);
  }
  const LocationTable &getLocations() const { return locations; }
  /// Number of `op`, or kNone. Builds a table at the first call.
  uint32_t find(mlir::Operation *op) const;

  llvm::ArrayRef<IndexedFunction> getFunctions() const { return functions; }
  /// In module order.
  llvm::ArrayRef<IndexedCall> getCalls() const { return calls; }
  /// Whether the module has ops of TensorFlow's dialect.
  bool hasTensorFlowOps() const { return tensorFlowOps; }

  /// Numbers of the ops that carry the name `name` themselves, grouped by
  /// function, ascending in each; with `function`, those of one.
  llvm::ArrayRef<uint32_t> getNamed(uint32_t name) const;
  llvm::ArrayRef<uint32_t> getNamed(uint32_t name, uint32_t function) const;

  /// The op that computes `value`, seen through the islands of tf_executor;
  /// null for block arguments.
  static mlir::Operation *getProducer(mlir::Value value);

private:
  void addOps(mlir::Operation *root);
  void addCalls(llvm::ArrayRef<uint32_t> callingOps);
  void markReachable();
  void addNames();
  const OpNameTraits &addTraits(mlir::Operation *op);

  std::vector<IndexedOp> ops;
  std::vector<IndexedFunction> functions;
  std::vector<IndexedCall> calls;
  LocationTable locations;
  llvm::DenseMap<mlir::OperationName, OpNameTraits> traits;
  /// Sorted by (name, function, op); the name's part is nameBegin.
  std::vector<uint32_t> named;
  std::vector<size_t> nameBegin;
  mutable llvm::DenseMap<mlir::Operation *, uint32_t> numbers;
  bool tensorFlowOps = false;
};

} // namespace mlirprof::module

#endif // MLIR_PROF_MODULE_MODULEINDEX_H
