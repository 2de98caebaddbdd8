//===- Tvm.h - The interface of TVM's profiler ------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For code that was written for TVM's meta_schedule/profiler.h: with
// `namespace tvm = mlirprof::scope::tvm;` it records scopes.
// docs/scopes-compat.md says where these differ.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_SCOPE_COMPAT_TVM_H
#define MLIR_PROF_SCOPE_COMPAT_TVM_H

#include "mlir-prof/Scope/Scope.h"

#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <unordered_map>

namespace mlirprof::scope::tvm {

/// A scope that ends with it.
class [[nodiscard]] ScopedTimer {
public:
  ScopedTimer(ScopedTimer &&) = default;

private:
  friend class Profiler;
  explicit ScopedTimer(std::string_view name) : scope(name) {}

  Scope scope;
};

/// The sums of a profiler. Any thread may use it.
class ProfilerNode {
public:
  ProfilerNode();
  ~ProfilerNode();

  /// Seconds by name, at any time; `Total` is there once the profiler has been
  /// exited, and a scope of that name is `Total (scope)`.
  std::unordered_map<std::string, double> Get() const;
  /// The table. Throws std::runtime_error while there is nothing to print, or
  /// returns its text where exceptions are off.
  std::string Table() const {
    std::string text;
    if (makeTable(text))
      return text;
#ifdef __cpp_exceptions
    throw std::runtime_error(text);
#else
    return text;
#endif
  }
  /// Removes what was recorded.
  void Reset();

private:
  friend class Profiler;
  /// False if `text` is the reason why there is no table.
  bool makeTable(std::string &text) const;
  void enter();
  void exit();

  struct Data;
  std::unique_ptr<Data> data;
};

/// A profiler, shared by its copies. It has the scopes of all threads from
/// EnterWithScope() to ExitWithScope(), those of inner profilers included, and
/// adds up those of several such times. Entered again inside of itself, it goes
/// on. An exit without an entry does nothing.
class Profiler {
public:
  Profiler() : node(std::make_shared<ProfilerNode>()) {}

  void EnterWithScope();
  void ExitWithScope();
  /// The innermost one that the calling thread has entered.
  static std::optional<Profiler> Current();
  /// Begins a scope; it is recorded while any profiler is entered.
  static ScopedTimer TimedScope(std::string_view name) {
    return ScopedTimer(name);
  }

  std::unordered_map<std::string, double> Get() const { return node->Get(); }
  std::string Table() const { return node->Table(); }
  ProfilerNode *operator->() const { return node.get(); }
  ProfilerNode *get() const { return node.get(); }
  bool operator==(const Profiler &other) const { return node == other.node; }

private:
  std::shared_ptr<ProfilerNode> node;
};

namespace meta_schedule {
using namespace tvm;
} // namespace meta_schedule
namespace s_tir::meta_schedule {
using namespace tvm;
} // namespace s_tir::meta_schedule

} // namespace mlirprof::scope::tvm

#endif // MLIR_PROF_SCOPE_COMPAT_TVM_H
