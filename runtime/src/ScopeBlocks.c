/*===- ScopeBlocks.c - Memory of recordings, and their files ---------------===*
 *
 * Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*/

#include "ScopeInternal.h"

#include <sys/mman.h>
#include <unistd.h>

/* Bytes of a thread's first block of records; each further one is larger, up to
 * the size of a huge page. */
#define PRS_FIRST_BLOCK (UINT64_C(4) << 10)
#define PRS_GROWTH 4
#define PRS_LARGEST_BLOCK (UINT64_C(2) << 20)
/* From here on all pages of a block are made with it: one call instead of a
 * fault for each. */
#define PRS_POPULATED_BLOCK (UINT64_C(256) << 10)
/* Size of a request for small memory. */
#define PRS_SMALL_MEMORY (UINT64_C(1) << 20)
/* Records that are lost before memory is asked for again. */
#define PRS_DROPS 4096
/* Records in a ring after which the clocks may be read. */
#define PRS_TURN 4096

/*===----------------------------------------------------------------------===*
 * Blocks
 *===----------------------------------------------------------------------===*/

void *prs_allocate(uint64_t size) {
  size = (size + 63) & ~UINT64_C(63);
  if (size > prs->memory_left) {
    uint64_t wanted = size > PRS_SMALL_MEMORY ? size : PRS_SMALL_MEMORY;
    char *pages = prt_map(wanted);
    if (!pages)
      return NULL;
    prs->memory = pages;
    prs->memory_left = wanted;
  }
  void *memory = prs->memory;
  prs->memory += size;
  prs->memory_left -= size;
  return memory;
}

uint64_t prs_round_up(uint64_t size) {
  uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
  page = page < PROF_SCOPE_PAGE ? PROF_SCOPE_PAGE : page;
  return (size + page - 1) / page * page;
}

void prs_fill_header(prof_scope_block *block, uint16_t kind, uint64_t size,
                     uint32_t thread) {
  block->version = PROF_SCOPE_FILE_VERSION;
  block->kind = kind;
  block->size = size;
  block->session = prs->session;
  block->thread = thread;
  RT_RELEASE(&block->magic, PROF_SCOPE_FILE_MAGIC);
}

/* A block in one huge page, if the system grants it. */
static void *map_huge_page(void) {
  const uint64_t size = PRS_LARGEST_BLOCK;
  char *pages = mmap(NULL, 2 * size, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED)
    return NULL;
  uint64_t before = (size - (uint64_t)(uintptr_t)pages % size) % size;
  if (before)
    munmap(pages, before);
  munmap(pages + before + size, size - before);
#ifdef MADV_HUGEPAGE
  madvise(pages + before, size, MADV_HUGEPAGE);
#endif
  return pages + before;
}

void *prs_map(uint64_t size, int file, uint64_t offset) {
  int flags = file ? MAP_SHARED : MAP_PRIVATE | MAP_ANONYMOUS;
  void *at = NULL;
  if (size == PRS_LARGEST_BLOCK && !file)
    return map_huge_page();
  if (size >= PRS_POPULATED_BLOCK && !prs->ring_records)
    flags |= MAP_POPULATE;
  if (file && prs->arena_left >= size) {
    at = prs->arena;
    flags |= MAP_FIXED;
  }
  void *pages = mmap(at, (size_t)size, PROT_READ | PROT_WRITE, flags,
                     file ? file : -1, (off_t)offset);
  if (pages == MAP_FAILED)
    return NULL;
  if (at) {
    prs->arena += size;
    prs->arena_left -= size;
  }
  return pages;
}

prof_scope_block *prs_make_private(uint16_t kind, uint64_t size,
                                   uint32_t thread) {
  size = prs_round_up(size);
  prof_scope_block *block = NULL;
  if (size == PRS_LARGEST_BLOCK && prs->pooled) {
    block = prs->pool[--prs->pooled];
    /* Readers do not look at records that are not in use. */
    prt_zero(block, sizeof(prof_scope_records));
  } else {
    block = prs_map(size, 0, 0);
  }
  if (block)
    prs_fill_header(block, kind, size, thread);
  if (block && kind == PROF_SCOPE_BLOCK_RECORDS)
    ((prof_scope_records *)block)->in_memory = 1;
  return block;
}

prof_scope_block *prs_make_block(uint16_t kind, uint64_t size,
                                 uint32_t thread) {
  if (!prs->file)
    return prs_make_private(kind, size, thread);
  size = prs_round_up(size);
  prof_scope_block *block = prs_extend_file(size);
  /* The file is another's by now: the recording goes on in memory. */
  if (!block && !prs->file)
    return prs_make_private(kind, size, thread);
  if (block)
    prs_fill_header(block, kind, size, thread);
  return block;
}

void prs_free_block(prof_scope_block *block) {
  uint64_t size = block->size;
  if (size == PRS_LARGEST_BLOCK && prs->pooled < PRS_POOL &&
      block->kind == PROF_SCOPE_BLOCK_RECORDS &&
      ((prof_scope_records *)block)->in_memory)
    prs->pool[prs->pooled++] = block;
  else
    munmap(block, (size_t)size);
}

void prs_drop_pages(prs_thread *thread) {
  for (prs_memory *entry = thread->blocks; entry; entry = entry->next)
    if (entry->block->size > PROF_SCOPE_PAGE)
      madvise((char *)entry->block + PROF_SCOPE_PAGE,
              entry->block->size - PROF_SCOPE_PAGE, MADV_DONTNEED);
}

int prs_keep(prs_thread *thread, prof_scope_block *block) {
  prs_memory *entry = prs->spare_entries;
  if (entry)
    prs->spare_entries = entry->next;
  else if (!(entry = prs_allocate(sizeof(prs_memory))))
    return 0;
  entry->block = block;
  entry->next = thread->blocks;
  thread->blocks = entry;
  return 1;
}

/*===----------------------------------------------------------------------===*
 * Records
 *===----------------------------------------------------------------------===*/

/* Bytes of the block after `last`, which is null for the first. */
static uint64_t get_next_size(const prof_scope_records *last) {
  if (prs->ring_records)
    return sizeof(prof_scope_records) +
           prs->ring_records * sizeof(prof_scope_record_words);
  uint64_t size = last ? last->block.size * PRS_GROWTH : PRS_FIRST_BLOCK;
  return size < PRS_LARGEST_BLOCK ? size : PRS_LARGEST_BLOCK;
}

static uint64_t count_records(uint64_t bytes) {
  return (bytes - sizeof(prof_scope_records)) / sizeof(prof_scope_record_words);
}

static int add_records(prs_thread *thread) {
  prof_scope_records *last = thread->records;
  int is_first = last == (prof_scope_records *)prs->no_records;
  uint64_t ring = prs->ring_records;
  uint64_t size = get_next_size(is_first ? NULL : last);
  prof_scope_records *made = (prof_scope_records *)prs_make_block(
      PROF_SCOPE_BLOCK_RECORDS, size, thread->number);
  if (!made)
    return 0;
  if (!prs_keep(thread, &made->block)) {
    prs_free_block(&made->block);
    return 0;
  }
  if (!is_first) {
    thread->written += last->used;
    RT_STORE(&last->until, prs_ticks());
  }
  made->before = thread->written;
  made->capacity = ring ? ring : count_records(made->block.size);
  thread->limit = ring ? PRS_TURN : made->capacity;
  thread->mask = ring ? ring - 1 : UINT64_MAX;
  thread->records = made;
  prs_read_clocks(0);
  return 1;
}

/* In a ring there is room at the limit; else 0. So that a process that is
 * killed leaves a reading that is not old. */
static int turn(prs_thread *thread) {
  uint64_t used = RT_LOAD(&thread->records->used);
  /* The thread's own memory tells: another session may have started. */
  if (thread->mask == UINT64_MAX || !thread->records->capacity)
    return 0;
  prt_acquire(&prs->lock);
  prs_read_clocks_sparsely();
  prt_release(&prs->lock);
  thread->limit = used + PRS_TURN;
  return 1;
}

int prs_next_records(prs_thread *thread) {
  if (turn(thread))
    return 1;
  int is_made = 0;
  if (thread->drops % PRS_DROPS == 0) {
    prt_acquire(&prs->lock);
    is_made = add_records(thread);
    prt_release(&prs->lock);
  }
  if (is_made) {
    thread->drops = 0;
    return 1;
  }
  /* Short paths end at the limit, until there is room again. */
  thread->limit = 0;
  ++thread->drops;
  prs_lose(PROF_SCOPE_LOSS_MEMORY, 1);
  return 0;
}
