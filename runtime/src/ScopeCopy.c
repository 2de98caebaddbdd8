/*===- ScopeCopy.c - Copies of recordings ----------------------------------===*
 *
 * Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*/

#include "Output.h"
#include "ScopeInternal.h"

#include <errno.h>
#include <limits.h>
#include <sys/mman.h>

/* A copy in the making. Without bytes, its size is counted, and what
 * each block has by then is noted: threads go on, and what they add is not
 * copied. */
typedef struct prs_output {
  char *bytes;
  uint64_t size;
} prs_output;

/* Room for a zeroed block, or null. */
static void *reserve(prs_output *output, const prof_scope_block *from,
                     uint64_t size) {
  size = (size + PROF_SCOPE_PAGE - 1) / PROF_SCOPE_PAGE * PROF_SCOPE_PAGE;
  uint64_t at = output->size;
  output->size += size;
  if (!output->bytes)
    return NULL;
  prof_scope_block *block = (prof_scope_block *)(output->bytes + at);
  prt_zero(block, size);
  *block = *from;
  block->size = size;
  return block;
}

static void copy_sites(prs_output *output) {
  uint64_t used = 0;
  for (const prs_site *site = prs->first_site; site; site = site->next)
    used += prs_entry_size(site);
  prof_scope_block header = prs->process.block;
  header.kind = PROF_SCOPE_BLOCK_SITES;
  prof_scope_sites *sites =
      reserve(output, &header, sizeof(prof_scope_sites) + used);
  if (!sites)
    return;
  sites->used = used;
  char *to = (char *)(sites + 1);
  for (const prs_site *site = prs->first_site; site; site = site->next)
    to = prs_write_entry(site, to);
}

/* Room for the open scopes of a thread, slots and then numbers; 0 if memory is
 * missing. */
static int reserve_slots(prs_thread *thread, uint32_t depth) {
  if (depth <= thread->copied_capacity)
    return 1;
  prof_scope_slot *slots =
      prs_allocate((uint64_t)depth * (sizeof *slots + sizeof(uint32_t)));
  if (!slots)
    return 0;
  thread->copied_slots = slots;
  thread->copied_capacity = depth;
  return 1;
}

static uint32_t *get_copied_numbers(prs_thread *thread) {
  return (uint32_t *)(thread->copied_slots + thread->copied_capacity);
}

/* Copies what is open at one moment, before records are counted: what ends
 * meanwhile then is among both, and the reader takes the record. */
static void note_open(prs_thread *thread) {
  prof_scope_threads *open = thread->open;
  for (unsigned tries = 0; tries < 100; ++tries) {
    uint32_t depth = RT_ACQUIRE(&open->depth);
    uint32_t serial = RT_LOAD(&thread->serial);
    thread->copied_depth = reserve_slots(thread, depth) ? depth : 0;
    for (uint32_t index = 0; index < thread->copied_depth; ++index) {
      thread->copied_slots[index].begin = RT_LOAD(&open->slots[index].begin);
      thread->copied_slots[index].word = RT_LOAD(&open->slots[index].word);
      get_copied_numbers(thread)[index] = RT_LOAD(&prs_numbers(open)[index]);
    }
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    if (RT_LOAD(&open->depth) == depth && RT_LOAD(&thread->serial) == serial)
      return;
  }
}

static void copy_open(prs_output *output, prs_thread *thread) {
  prof_scope_threads *open = thread->open;
  if (!output->bytes)
    note_open(thread);
  uint32_t depth = thread->copied_depth;
  prof_scope_threads *to =
      reserve(output, &open->block,
              sizeof *open + (uint64_t)depth *
                                 (sizeof(prof_scope_slot) + sizeof(uint32_t)));
  if (!to)
    return;
  to->id = open->id;
  prt_copy(to->name, open->name, sizeof to->name);
  to->depth = to->capacity = depth;
  to->ended = open->ended;
  to->device = open->device;
  to->ticks_per_second = open->ticks_per_second;
  if (!depth)
    return;
  prt_copy(to->slots, thread->copied_slots, depth * sizeof(prof_scope_slot));
  prt_copy(prs_numbers(to), get_copied_numbers(thread),
           depth * sizeof(uint32_t));
}

/* The first record that nobody overwrites. */
static uint64_t find_first(const prof_scope_records *from, uint64_t used,
                           int is_running) {
  uint64_t margin = is_running ? PROF_SCOPE_IN_FLIGHT : 0;
  uint64_t first =
      used + margin > from->capacity ? used + margin - from->capacity : 0;
  return first < used ? first : used;
}

static void copy_records(prs_output *output, prs_memory *entry,
                         int is_running) {
  prof_scope_records *from = (prof_scope_records *)entry->block;
  if (!output->bytes)
    entry->copied = RT_ACQUIRE(&from->used);
  is_running = is_running && prs->ring_records;
  uint64_t used = entry->copied, capacity = from->capacity;
  uint64_t first = find_first(from, used, is_running), kept = used - first;
  prof_scope_records *to =
      reserve(output, &from->block,
              sizeof *from + kept * sizeof(prof_scope_record_words));
  if (!to)
    return;
  uint64_t place = first % capacity;
  for (uint64_t index = 0; index < kept; ++index) {
    to->records[index].first = RT_LOAD(&from->records[place].first);
    to->records[index].second = RT_LOAD(&from->records[place].second);
    place = place + 1 == capacity ? 0 : place + 1;
  }
  /* Meanwhile the thread may have overwritten the first ones. */
  __atomic_thread_fence(__ATOMIC_ACQUIRE);
  uint64_t valid = is_running
                       ? find_first(from, RT_ACQUIRE(&from->used), is_running)
                       : first;
  uint64_t gone = valid > first ? valid - first : 0;
  gone = gone < kept ? gone : kept;
  __builtin_memmove(to->records, to->records + gone,
                    (kept - gone) * sizeof(prof_scope_record_words));
  to->before = from->before + first + gone;
  to->used = to->capacity = kept - gone;
}

/* A row as it was between two calls. */
static void copy_row(prof_scope_row *to, prof_scope_row *from) {
  uint64_t *out = (uint64_t *)to, *in = (uint64_t *)from;
  int is_whole = 0;
  for (unsigned tries = 0; tries < 1000 && !is_whole; ++tries) {
    uint32_t before = RT_ACQUIRE(&from->sequence);
    for (size_t word = 1; word < sizeof *to / sizeof *out; ++word)
      out[word] = RT_LOAD(&in[word]);
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    is_whole = !(before & 1) && RT_LOAD(&from->sequence) == before;
    if (!is_whole)
      prt_yield();
  }
  to->site = from->site;
  to->sequence = is_whole ? 0 : 1;
}

static void copy_statistics(prs_output *output, prs_memory *entry) {
  prof_scope_statistics *from = (prof_scope_statistics *)entry->block;
  if (!output->bytes)
    entry->copied = RT_ACQUIRE(&from->used);
  uint32_t used = (uint32_t)entry->copied;
  prof_scope_statistics *to =
      reserve(output, &from->block,
              sizeof *from + (uint64_t)used * sizeof(prof_scope_row));
  if (!to)
    return;
  to->generation = from->generation;
  to->used = used;
  for (uint32_t index = 0; index < used; ++index)
    copy_row(&to->rows[index], &from->rows[index]);
}

static void copy_thread(prs_output *output, prs_thread *thread,
                        const prof_scope_moment *since) {
  int is_current = thread->session == prs->session;
  if ((RT_ACQUIRE(&thread->ended) || thread->device) && !is_current)
    return;
  copy_open(output, thread);
  int is_running = thread != prs_current && !RT_ACQUIRE(&thread->ended);
  /* Newest first: readers sort by `before`. */
  for (prs_memory *entry = is_current ? thread->blocks : NULL; entry;
       entry = entry->next) {
    if (entry->block->kind == PROF_SCOPE_BLOCK_STATISTICS) {
      copy_statistics(output, entry);
      continue;
    }
    prof_scope_records *records = (prof_scope_records *)entry->block;
    uint64_t until = RT_LOAD(&records->until);
    if (!since || !until || until >= since->ticks)
      copy_records(output, entry, is_running);
  }
}

/* Under prs->lock. */
static void copy_all(prs_output *output, const prof_scope_moment *since) {
  output->size = 0;
  prof_scope_process *process =
      reserve(output, &prs->process.block, sizeof *process);
  if (process) {
    prt_copy((char *)process + sizeof(prof_scope_block),
             (char *)&prs->process + sizeof(prof_scope_block),
             offsetof(prof_scope_process, losses) - sizeof(prof_scope_block));
    prs_copy_losses(process->losses, prs->process.losses);
    process->closed = 1;
  }
  copy_sites(output);
  for (prs_thread *thread = prs->threads; thread; thread = thread->next)
    copy_thread(output, thread, since);
}

char *prof_scope_copy(const prof_scope_moment *since, size_t *size) {
  prs_output output = {NULL, 0};
  size_t ignored;
  size = size ? size : &ignored;
  *size = 0;
  if (!prs_attach())
    return NULL;
  prof_scope_sync_devices();
  prt_acquire(&prs->lock);
  prs_end_orphans();
  prs_read_clocks(0);
  copy_all(&output, since);
  output.bytes = prt_map(output.size);
  if (output.bytes) {
    copy_all(&output, since);
    *size = output.size;
  }
  prt_release(&prs->lock);
  return output.bytes;
}

void prof_scope_free(char *copy, size_t size) {
  if (copy)
    munmap(copy, size);
}

int prof_scope_write(const char *path) {
  if (!path || !*path)
    return EINVAL;
  char named[PATH_MAX];
  int error = prt_expand_path(path, named, sizeof named, 0);
  if (error)
    return error;
  size_t size;
  char *bytes = prof_scope_copy(NULL, &size);
  if (!bytes)
    return ENOMEM;
  error = prt_write_file(named, bytes, size);
  prof_scope_free(bytes, size);
  return error;
}
