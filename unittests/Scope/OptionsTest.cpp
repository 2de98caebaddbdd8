//===- OptionsTest.cpp - Options of other versions ------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReadScopes.h"
#include "mlir-prof/Scope/Scope.h"

#include <cerrno>
#include <cstddef>
#include <cstring>
#include <sys/mman.h>
#include <unistd.h>

using namespace mlirprof::scope;

namespace {

/// The options of a later version.
struct LaterOptions {
  prof_scope_options known = PROF_SCOPE_OPTIONS;
  uint32_t more = 0;
  uint32_t evenMore = 0;
  LaterOptions() { known.size = sizeof *this; }
};

/// Options at the end of readable memory, of `size` bytes.
class EarlierOptions {
public:
  EarlierOptions(const prof_scope_options &options, size_t size)
      : page(sysconf(_SC_PAGESIZE)) {
    memory = static_cast<char *>(mmap(nullptr, 2 * page, PROT_READ | PROT_WRITE,
                                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    char *at = memory + page - size;
    EXPECT_EQ(mprotect(memory + page, page, PROT_NONE), 0);
    std::memcpy(at, &options, size);
    std::memcpy(at, &size, sizeof size);
    made = reinterpret_cast<const prof_scope_options *>(at);
  }
  ~EarlierOptions() { munmap(memory, 2 * page); }
  const prof_scope_options *get() const { return made; }

private:
  size_t page;
  char *memory = nullptr;
  const prof_scope_options *made = nullptr;
};

/// The names of what a session records of a scope of each level up to 3.
std::string recordLevels() {
  PROF_SCOPE_AS("1", ScopeType::UserDefined, 1, ScopeRole::Ordinary);
  PROF_SCOPE_AS("2", ScopeType::UserDefined, 2, ScopeRole::Ordinary);
  PROF_SCOPE_AS("3", ScopeType::UserDefined, 3, ScopeRole::Ordinary);
  std::string names;
  Recording recording = readScopes();
  for (const ScopeEvent &event : recording.events)
    names = recording.sites[event.site].name + names;
  return names;
}

} // namespace

TEST(ScopeOptions, OfEarlierVersionsHaveDefaults) {
  prof_scope_options options = PROF_SCOPE_OPTIONS;
  options.level = 2;
  options.types = 1;
  EarlierOptions earlier(options, offsetof(prof_scope_options, types));
  EXPECT_EQ(prof_scope_start(earlier.get(), nullptr), 0);
  EXPECT_EQ(recordLevels(), "12");
  prof_scope_stop(nullptr);
  EXPECT_EQ(prof_scope_enable(PROF_SCOPE_CPU, earlier.get(), nullptr), 0);
  EXPECT_EQ(recordLevels(), "12");
  prof_scope_disable(nullptr, nullptr, nullptr);
}

TEST(ScopeOptions, OfLaterVersionsMayBeDefaults) {
  LaterOptions options;
  options.known.level = 3;
  EXPECT_EQ(prof_scope_start(&options.known, nullptr), 0);
  EXPECT_EQ(recordLevels(), "123");
  prof_scope_stop(nullptr);
}

TEST(ScopeOptions, OfLaterVersionsAreErrors) {
  LaterOptions options;
  options.known.level = 2;
  options.evenMore = 1;
  prof_scope_moment start;
  EXPECT_EQ(prof_scope_start(&options.known, &start), E2BIG);
  EXPECT_EQ(recordLevels(), "12");
  prof_scope_stop_session(&start, nullptr);
  EXPECT_EQ(prof_scope_enable(PROF_SCOPE_CPU, &options.known, nullptr), E2BIG);
  EXPECT_EQ(recordLevels(), "12");
  prof_scope_disable(nullptr, nullptr, nullptr);
  EXPECT_EQ(prof_scope_sessions(), 0u);
}

TEST(ScopeOptions, WithoutASizeAreErrors) {
  for (size_t size : {size_t(0), size_t(7), size_t(4097), ~size_t(0)}) {
    prof_scope_options options = PROF_SCOPE_OPTIONS;
    options.size = size;
    options.level = 3;
    EXPECT_EQ(prof_scope_start(&options, nullptr), EINVAL) << size;
    EXPECT_EQ(recordLevels(), "1");
    prof_scope_stop(nullptr);
  }
  EXPECT_EQ(prof_scope_sessions(), 0u);
}
