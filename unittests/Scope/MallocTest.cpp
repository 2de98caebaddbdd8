//===- MallocTest.cpp - Allocations that scopes count ---------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReadScopes.h"
#include "mlir-prof/Scope/Scope.h"

#include <stdlib.h>

using namespace mlirprof;
using namespace mlirprof::scope;

TEST(ScopeMalloc, AllAreCounted) {
  prof_scope_start(nullptr, nullptr);
  void *volatile memory[6];
  {
    PROF_SCOPE_COUNTING("allocates", PROF_SCOPE_ALLOCATIONS);
    memory[0] = malloc(1000);
    memory[1] = calloc(10, 20);
    memory[2] = ::operator new(300);
    memory[3] = realloc(malloc(1), 4000);
    memory[4] = aligned_alloc(64, 640);
    void *aligned = nullptr;
    EXPECT_EQ(posix_memalign(&aligned, 4096, 8192), 0);
    memory[5] = aligned;
  }
  prof_scope_stop(nullptr);
  for (void *of : memory)
    free(of);
  Recording recording = readScopes();
  ASSERT_EQ(recording.counts.size(), 1u);
  EXPECT_EQ(recording.counts[0].getRaw(Count::Allocations), 7u);
  EXPECT_EQ(recording.counts[0].getRaw(Count::AllocatedBytes),
            1000u + 200 + 300 + 1 + 4000 + 640 + 8192);
  EXPECT_TRUE(recording.losses.empty());
}
