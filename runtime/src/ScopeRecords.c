/*===- ScopeRecords.c - Writing records of scopes --------------------------===*
 *
 * Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*/

#include "ScopeInternal.h"

/* Scopes that signal handlers end meanwhile are losses. */
static void write_all(prs_thread *thread,
                      const prof_scope_record_words *records, uint32_t count) {
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

void prs_write_records(prs_thread *thread,
                       const prof_scope_record_words *records, uint32_t count) {
  if (RT_LOAD(&thread->records->used) + count > thread->limit &&
      !prs_next_records(thread))
    return;
  if (thread != prs_current) {
    write_all(thread, records, count);
    return;
  }
  /* Short paths end at the limit. */
  uint64_t limit = thread->limit;
  RT_STORE(&thread->limit, 0);
  RT_STORE(&thread->is_locking, 1);
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  write_all(thread, records, count);
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  RT_STORE(&thread->is_locking, 0);
  RT_STORE(&thread->limit, limit);
}

void prs_write_again(prs_thread *thread, prof_scope_record_words *record,
                     uint64_t begin, uint64_t second) {
  prof_scope_record_words made = {begin, second};
  if (RT_LOAD(&record->second) != second) {
    /* That of the handler is whole. */
    prs_write_records(thread, &made, 1);
    return;
  }
  RT_STORE(&record->first, begin);
  prs_lose(PROF_SCOPE_LOSS_HANDLER, 1);
}
