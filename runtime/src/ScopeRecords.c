/*===- ScopeRecords.c - Writing records of scopes --------------------------===*
 *
 * Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*/

#include "ScopeInternal.h"

void prs_write_records(prs_thread *thread,
                       const prof_scope_record_words *records, uint32_t count) {
  if (RT_LOAD(&thread->records->used) + count > thread->limit &&
      !prs_next_records(thread))
    return;
  prof_scope_records *block = thread->records;
  uint64_t used = RT_LOAD(&block->used);
  for (uint32_t index = 0; index < count; ++index) {
    prof_scope_record_words *to =
        &block->records[(used + index) & thread->mask];
    RT_STORE(&to->first, records[index].first);
    RT_STORE(&to->second, records[index].second);
  }
  RT_RELEASE(&block->used, used + count);
}
