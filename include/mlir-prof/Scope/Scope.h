//===- Scope.h - Intervals that a program names -----------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Needs the runtime (prof_rt) alone, neither LLVM nor MLIR. Profiler.h reads
// what is recorded here.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_SCOPE_SCOPE_H
#define MLIR_PROF_SCOPE_SCOPE_H

#include "mlir-prof/Runtime/prof_scope.h"

#include <string>
#include <string_view>
#include <utility>

namespace mlirprof::scope {

/// The category of a scope. The first 17 have the numbers of Paddle's
/// TracerEventType.
enum class ScopeType : uint16_t {
  Operator = 0,
  Dataloader,
  ProfileStep,
  CudaRuntime,
  Kernel,
  Memcpy,
  Memset,
  UserDefined,
  OperatorInner,
  Forward,
  Backward,
  Optimization,
  Communication,
  PythonOp,
  PythonUserDefined,
  DygraphKernelLaunch,
  StaticKernelLaunch,
  /// A pass of a compiler.
  Pass,
  /// A call of a compiled model: the site's name is its entry function, the
  /// site's file the fingerprint of the program.
  Model,
};

/// The part that a scope plays for the one around it.
enum class ScopeRole : uint8_t {
  Ordinary,
  /// An inner part of an op, such as `compute`.
  InnerOp,
  /// An op with a name of its own.
  UniqueOp,
  /// The work of a thread outside of those that are compared.
  Special,
};

/// A scope that is recorded from level `level` on, by default from that of
/// sessions that do not choose one.
inline constexpr int kDefaultLevel = PROF_SCOPE_LEVEL_DEFAULT;

/// Ends a scope of a static site when it leaves the C++ scope that contains it.
/// PROF_SCOPE makes it.
class [[nodiscard]] StaticScope {
public:
  explicit StaticScope(prof_scope_token token) : token(token) {}
  StaticScope(const StaticScope &) = delete;
  StaticScope &operator=(const StaticScope &) = delete;
  ~StaticScope() {
    if (__builtin_expect(token.thread != nullptr, 0))
      prof_scope_end(token);
  }

private:
  prof_scope_token token;
};

/// A scope whose name is made at run time. It may be moved, ended early, ended
/// on another thread, and suspended.
class [[nodiscard]] Scope {
public:
  /// Does not record anything.
  Scope() = default;
  /// Begins a scope. `name` may be any bytes, and need not outlive the call.
  explicit Scope(std::string_view name, ScopeType type = ScopeType::UserDefined,
                 int level = kDefaultLevel,
                 ScopeRole role = ScopeRole::Ordinary) {
    if (prof_scope_is_on(level))
      token = prof_scope_begin_name(name.data(), name.size(), unsigned(type),
                                    unsigned(level), unsigned(role));
  }
  /// Begins a scope of a static site.
  explicit Scope(prof_scope_site &site) {
    if (prof_scope_is_on(site.level))
      token = prof_scope_begin(&site);
  }
  Scope(Scope &&other) noexcept
      : token(std::exchange(other.token, prof_scope_token())) {}
  Scope &operator=(Scope &&other) noexcept {
    if (this != &other) {
      end();
      token = std::exchange(other.token, prof_scope_token());
    }
    return *this;
  }
  ~Scope() { end(); }

  /// Whether it is recorded and has not ended.
  bool isOpen() const { return token.thread != nullptr; }
  /// Ends it; further calls do nothing.
  void end() {
    if (token.thread)
      prof_scope_end(std::exchange(token, prof_scope_token()));
  }
  /// Interrupts it until resume(): that time does not belong to it.
  void suspend() { prof_scope_suspend(&token); }
  /// Goes on, on the calling thread.
  void resume() { prof_scope_resume(&token); }

private:
  prof_scope_token token = {};
};

/// A scope that is open somewhere, below which scopes of other threads can
/// hang. Cheap to copy; may outlive the scope.
using Context = prof_scope_context;

/// The innermost open scope of the calling thread.
inline Context here() { return prof_scope_here(); }

/// While it lives, scopes that its thread begins directly inside of it are
/// children of `context`.
class [[nodiscard]] ContextGuard {
public:
  explicit ContextGuard(Context context) : token(prof_scope_enter(context)) {}
  ContextGuard(const ContextGuard &) = delete;
  ContextGuard &operator=(const ContextGuard &) = delete;
  ~ContextGuard() { prof_scope_end(token); }

private:
  prof_scope_token token;
};

/// `work`, to be called once on any thread, as a child of the calling thread's
/// innermost scope: for std::async, std::thread and llvm::ThreadPool.
template <typename Work>
auto bindContext(Work work) {
  return [context = here(), work = std::move(work)](
             auto &&...arguments) mutable -> decltype(auto) {
    ContextGuard guard(context);
    return work(std::forward<decltype(arguments)>(arguments)...);
  };
}

} // namespace mlirprof::scope

#define MLIRPROF_SCOPE_JOIN_AGAIN(a, b) a##b
#define MLIRPROF_SCOPE_JOIN(a, b) MLIRPROF_SCOPE_JOIN_AGAIN(a, b)

#ifdef MLIRPROF_NO_SCOPES
/// Compiled out.
#define PROF_SCOPE_AS(name, type, level, role) static_assert(true, "")
#define PROF_SCOPE_COUNTING(name, counting) static_assert(true, "")
#else
/// The rest of the C++ scope is a scope `name`, a literal, with a ScopeType, a
/// level from 1 to 255 and a ScopeRole.
#define PROF_SCOPE_AS(name, type, level, role)                                 \
  MLIRPROF_SCOPE_OF(name, type, level, role, 0)
/// The rest of the C++ scope is a scope `name`, a literal, which counts any of
/// prof_scope_counting, such as PROF_SCOPE_ALLOCATIONS.
#define PROF_SCOPE_COUNTING(name, counting)                                    \
  MLIRPROF_SCOPE_OF(name, ::mlirprof::scope::ScopeType::UserDefined,           \
                    ::mlirprof::scope::kDefaultLevel,                          \
                    ::mlirprof::scope::ScopeRole::Ordinary, counting)
#define MLIRPROF_SCOPE_OF(name, type, level, role, counting)                   \
  ::mlirprof::scope::StaticScope MLIRPROF_SCOPE_JOIN(profScope, __COUNTER__)(  \
      []() -> prof_scope_token {                                               \
        static prof_scope_site site = PROF_SCOPE_COUNTING_SITE(                \
            name, uint16_t(type), level, uint8_t(role), counting);             \
        return prof_scope_is_on(level) ? prof_scope_begin(&site)               \
                                       : prof_scope_token();                   \
      }())
#endif

/// The rest of the C++ scope is a scope `name`, a literal.
#define PROF_SCOPE(name)                                                       \
  PROF_SCOPE_AS(name, ::mlirprof::scope::ScopeType::UserDefined,               \
                ::mlirprof::scope::kDefaultLevel,                              \
                ::mlirprof::scope::ScopeRole::Ordinary)

#endif // MLIR_PROF_SCOPE_SCOPE_H
