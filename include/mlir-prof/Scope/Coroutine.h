//===- Coroutine.h - Scopes of C++20 coroutines -----------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Needs C++20. A coroutine leaves its thread at each co_await that suspends it,
// and may go on elsewhere. Its scopes have to be interrupted meanwhile: else
// scopes of whatever the thread does next would be their children.
//
// A promise type that derives from CoroutinePromise does that for all scopes
// that PROF_COROUTINE_SCOPE begins. In coroutines of other types, suspending()
// does it for one co_await and for scopes that are named there.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_SCOPE_COROUTINE_H
#define MLIR_PROF_SCOPE_COROUTINE_H

#include "mlir-prof/Scope/Scope.h"

#include <array>
#include <concepts>
#include <coroutine>
#include <type_traits>

namespace mlirprof::scope {

namespace coroutine {

template <typename T>
concept HasMemberAwait =
    requires(T &&of) { static_cast<T &&>(of).operator co_await(); };
template <typename T>
concept HasFreeAwait =
    requires(T &&of) { operator co_await(static_cast<T &&>(of)); };

/// The awaiter of an awaitable, as co_await finds it: a new object, or
/// `awaitable` itself.
template <typename T>
decltype(auto) getAwaiter(T &&awaitable) {
  if constexpr (HasMemberAwait<T>)
    return static_cast<T &&>(awaitable).operator co_await();
  else if constexpr (HasFreeAwait<T>)
    return operator co_await(static_cast<T &&>(awaitable));
  else
    return static_cast<T &&>(awaitable);
}

/// An awaiter that calls `scopes.suspend()` before its coroutine is suspended,
/// and `scopes.resume()` before it goes on. `Awaiter` may be a reference.
template <typename Awaiter, typename Scopes>
class Interruption {
  using Inner = std::remove_reference_t<Awaiter>;

public:
  template <typename T>
  Interruption(Scopes scopes, T &&awaitable)
      : awaiter(getAwaiter(static_cast<T &&>(awaitable))), scopes(scopes) {}
  Interruption(Awaiter awaiter, Scopes scopes)
      : awaiter(static_cast<Awaiter &&>(awaiter)), scopes(scopes) {}

  bool await_ready() noexcept(noexcept(std::declval<Inner &>().await_ready())) {
    return bool(awaiter.await_ready());
  }

  /// Nothing of the coroutine may be used after the awaiter has it: another
  /// thread may have resumed or destroyed it. Not inline, since compilers have
  /// kept variables of inlined ones in the coroutine.
  template <typename Handle>
  [[gnu::noinline]] auto await_suspend(Handle handle) noexcept(
      noexcept(std::declval<Inner &>().await_suspend(handle)))
      -> decltype(std::declval<Inner &>().await_suspend(handle)) {
    scopes.suspend();
    Undo undo{&scopes};
    if constexpr (std::is_void_v<decltype(awaiter.await_suspend(handle))>) {
      awaiter.await_suspend(handle);
      undo.scopes = nullptr;
    } else {
      auto result = awaiter.await_suspend(handle);
      undo.scopes = nullptr;
      return result;
    }
  }

  decltype(auto)
  await_resume() noexcept(noexcept(std::declval<Inner &>().await_resume())) {
    scopes.resume();
    return awaiter.await_resume();
  }

private:
  /// A coroutine goes on if await_suspend() throws, and does not call
  /// await_resume().
  struct Undo {
    Scopes *scopes;
    ~Undo() {
      if (scopes)
        scopes->resume();
    }
  };

  Awaiter awaiter;
  Scopes scopes;
};

/// The name of a scope that a coroutine is to begin, from coroutineScope().
struct Request {
  std::string_view name;
  ScopeType type;
  int level;
  ScopeRole role;
};

/// The same of a static site.
struct SiteRequest {
  prof_scope_site *site;
};

/// Scopes of a coroutine whose promise does not know them.
template <size_t count>
struct NamedScopes {
  std::array<Scope *, count> scopes;
  bool isSuspended = false;

  void suspend() noexcept {
    for (auto it = scopes.rbegin(); it != scopes.rend(); ++it)
      (*it)->suspend();
    isSuspended = true;
  }
  void resume() noexcept {
    if (!std::exchange(isSuspended, false))
      return;
    for (Scope *scope : scopes)
      scope->resume();
  }
};

} // namespace coroutine

class CoroutineScope;

/// A base of promise types. Each co_await of such a coroutine interrupts its
/// scopes while it is suspended. Scopes without another one of the coroutine
/// around them are children of the scope that was the innermost one when the
/// coroutine was created, wherever they begin.
///
/// A promise type with an await_transform of its own returns
/// `interruptAt(awaitable)` from it, and one with yield_value
/// `interrupt(awaiter)`. initial_suspend and final_suspend remain as they are.
class CoroutinePromise {
public:
  CoroutinePromise() {
    if (prof_scope_is_on(1))
      context = here();
  }
  CoroutinePromise(const CoroutinePromise &) = delete;
  CoroutinePromise &operator=(const CoroutinePromise &) = delete;

  /// `awaitable`, with the scopes interrupted: for one co_await expression,
  /// which keeps its operand.
  template <typename Awaitable>
  auto interruptAt(Awaitable &&awaitable) {
    using Awaiter =
        decltype(coroutine::getAwaiter(std::forward<Awaitable>(awaitable)));
    return coroutine::Interruption<Awaiter, Handle>(
        Handle{this}, std::forward<Awaitable>(awaitable));
  }
  /// The same for an awaiter that a function of the promise returns.
  template <typename Awaiter>
  auto interrupt(Awaiter awaiter) {
    return coroutine::Interruption<Awaiter, Handle>(std::move(awaiter),
                                                    Handle{this});
  }

  template <typename Awaitable>
  auto await_transform(Awaitable &&awaitable) {
    return interruptAt(std::forward<Awaitable>(awaitable));
  }
  auto await_transform(coroutine::Request request);
  auto await_transform(coroutine::SiteRequest request);

private:
  friend class CoroutineScope;

  struct Handle {
    CoroutinePromise *promise;
    void suspend() noexcept { promise->suspend(); }
    void resume() noexcept { promise->resume(); }
  };

  /// Begins a scope of `level` by `begin()`.
  template <typename Begin>
  static CoroutineScope begin(CoroutinePromise &promise, int level,
                              Begin begin);
  void add(CoroutineScope &scope);
  void remove(CoroutineScope &scope);
  void enter() {
    if (context.id)
      link = prof_scope_enter(context);
  }
  void leave() { prof_scope_end(std::exchange(link, prof_scope_token())); }
  void suspend() noexcept;
  void resume() noexcept;

  Context context = {};
  /// Around the scopes, while there are any and the coroutine runs.
  prof_scope_token link = {};
  CoroutineScope *outermost = nullptr;
  CoroutineScope *innermost = nullptr;
  bool isSuspended = false;
};

/// A scope of a coroutine, from `co_await coroutineScope(name)` or
/// PROF_COROUTINE_SCOPE until the end of its C++ scope.
class [[nodiscard]] CoroutineScope {
public:
  CoroutineScope(const CoroutineScope &) = delete;
  CoroutineScope &operator=(const CoroutineScope &) = delete;
  ~CoroutineScope() { end(); }

  /// Ends it; further calls do nothing.
  void end() {
    if (promise)
      std::exchange(promise, nullptr)->remove(*this);
  }

private:
  friend class CoroutinePromise;

  template <typename Begin>
  CoroutineScope(CoroutinePromise &to, int level, Begin begin) {
    if (!prof_scope_is_on(level))
      return;
    promise = &to;
    if (!to.outermost)
      to.enter();
    scope = begin();
    to.add(*this);
  }

  CoroutinePromise *promise = nullptr;
  CoroutineScope *outer = nullptr;
  CoroutineScope *inner = nullptr;
  Scope scope;
};

/// A scope with a name that is made at run time, for a coroutine whose promise
/// is a CoroutinePromise: `auto scope = co_await coroutineScope("op 3");`,
/// which does not suspend it.
[[nodiscard]] inline coroutine::Request
coroutineScope(std::string_view name, ScopeType type = ScopeType::UserDefined,
               int level = kDefaultLevel,
               ScopeRole role = ScopeRole::Ordinary) {
  return {name, type, level, role};
}
/// The same of a static site.
[[nodiscard]] inline coroutine::SiteRequest
coroutineScope(prof_scope_site &site) {
  return {&site};
}

/// `awaitable`, with `scopes` interrupted while the coroutine is suspended, the
/// outermost first: for coroutines of any type.
///
///   co_await suspending(read(file), outer, inner);
template <typename Awaitable, std::same_as<Scope>... Scopes>
auto suspending(Awaitable &&awaitable, Scopes &...scopes) {
  using Awaiter =
      decltype(coroutine::getAwaiter(std::forward<Awaitable>(awaitable)));
  using Named = coroutine::NamedScopes<sizeof...(scopes)>;
  return coroutine::Interruption<Awaiter, Named>(
      Named{{&scopes...}}, std::forward<Awaitable>(awaitable));
}

inline void CoroutinePromise::add(CoroutineScope &scope) {
  scope.outer = innermost;
  (innermost ? innermost->inner : outermost) = &scope;
  innermost = &scope;
}

inline void CoroutinePromise::remove(CoroutineScope &scope) {
  scope.scope.end();
  (scope.outer ? scope.outer->inner : outermost) = scope.inner;
  (scope.inner ? scope.inner->outer : innermost) = scope.outer;
  if (!outermost)
    leave();
}

inline void CoroutinePromise::suspend() noexcept {
  if (!outermost)
    return;
  for (CoroutineScope *at = innermost; at; at = at->outer)
    at->scope.suspend();
  leave();
  isSuspended = true;
}

inline void CoroutinePromise::resume() noexcept {
  if (!std::exchange(isSuspended, false))
    return;
  enter();
  for (CoroutineScope *at = outermost; at; at = at->inner)
    at->scope.resume();
}

template <typename Begin>
CoroutineScope CoroutinePromise::begin(CoroutinePromise &promise, int level,
                                       Begin begin) {
  return CoroutineScope(promise, level, begin);
}

inline auto CoroutinePromise::await_transform(coroutine::Request request) {
  struct Awaiter : std::suspend_never {
    CoroutinePromise *promise;
    coroutine::Request request;
    CoroutineScope await_resume() const {
      const auto &[name, type, level, role] = request;
      return CoroutinePromise::begin(
          *promise, level, [&] { return Scope(name, type, level, role); });
    }
  };
  return Awaiter{{}, this, request};
}

inline auto CoroutinePromise::await_transform(coroutine::SiteRequest request) {
  struct Awaiter : std::suspend_never {
    CoroutinePromise *promise;
    prof_scope_site *site;
    CoroutineScope await_resume() const {
      return CoroutinePromise::begin(*promise, site->level,
                                     [&] { return Scope(*site); });
    }
  };
  return Awaiter{{}, this, request.site};
}

} // namespace mlirprof::scope

#ifdef MLIRPROF_NO_SCOPES
/// Compiled out.
#define PROF_COROUTINE_SCOPE(name) static_assert(true, "")
#else
/// The rest of the C++ scope, in a coroutine whose promise is a
/// CoroutinePromise, is a scope `name`, a literal.
#define PROF_COROUTINE_SCOPE(name)                                             \
  auto MLIRPROF_SCOPE_JOIN(profCoroutine, __COUNTER__) =                       \
      co_await ::mlirprof::scope::coroutineScope([]() -> prof_scope_site & {   \
        static prof_scope_site site = PROF_SCOPE_SITE(                         \
            name, uint16_t(::mlirprof::scope::ScopeType::UserDefined),         \
            ::mlirprof::scope::kDefaultLevel, 0);                              \
        return site;                                                           \
      }())
#endif

#endif // MLIR_PROF_SCOPE_COROUTINE_H
