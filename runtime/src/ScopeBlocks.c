/*===- ScopeBlocks.c - Memory of recordings, and their files ---------------===*
 *
 * Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*/

#include "ScopeInternal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

/* Bytes of a thread's first block of records; each further one is larger, up to
 * the size of a huge page. */
#define PRS_FIRST_BLOCK (UINT64_C(64) << 10)
#define PRS_GROWTH 4
#define PRS_LARGEST_BLOCK (UINT64_C(2) << 20)
/* From here on all pages of a block are made with it: one call instead of a
 * fault for each. */
#define PRS_POPULATED_BLOCK (UINT64_C(256) << 10)
/* Size of a request for small memory. */
#define PRS_SMALL_MEMORY (UINT64_C(1) << 20)
/* Records that are lost before memory is asked for again. */
#define PRS_DROPS 4096

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

static void *map(uint64_t size, int file, uint64_t offset) {
  int flags = file ? MAP_SHARED : MAP_PRIVATE | MAP_ANONYMOUS;
  if (size == PRS_LARGEST_BLOCK && !file)
    return map_huge_page();
  if (size >= PRS_POPULATED_BLOCK && !prs->ring_records)
    flags |= MAP_POPULATE;
  void *pages = mmap(NULL, (size_t)size, PROT_READ | PROT_WRITE, flags,
                     file ? file : -1, (off_t)offset);
  return pages == MAP_FAILED ? NULL : pages;
}

/* Pages at the end of the file. A page that the disk does not have would end
 * the process when it is written. */
static void *extend_file(uint64_t size) {
  int error;
  do
    error = posix_fallocate(prs->file, (off_t)prs->file_size, (off_t)size);
  while (error == EINTR);
  void *pages = error ? NULL : map(size, prs->file, prs->file_size);
  if (pages)
    prs->file_size += size;
  return pages;
}

prof_scope_block *prs_make_private(uint16_t kind, uint64_t size,
                                   uint32_t thread) {
  size = prs_round_up(size);
  prof_scope_block *block = map(size, 0, 0);
  if (block)
    prs_fill_header(block, kind, size, thread);
  return block;
}

prof_scope_block *prs_make_block(uint16_t kind, uint64_t size,
                                 uint32_t thread) {
  if (!prs->file)
    return prs_make_private(kind, size, thread);
  size = prs_round_up(size);
  prof_scope_block *block = extend_file(size);
  if (block)
    prs_fill_header(block, kind, size, thread);
  return block;
}

void prs_free_block(prof_scope_block *block) {
  munmap(block, (size_t)block->size);
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
  thread->limit = ring ? UINT64_MAX - PROF_SCOPE_PAGE : made->capacity;
  thread->mask = ring ? ring - 1 : UINT64_MAX;
  thread->records = made;
  prs_read_clocks(0);
  return 1;
}

int prs_next_records(prs_thread *thread) {
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

/*===----------------------------------------------------------------------===*
 * The file
 *===----------------------------------------------------------------------===*/

/* "%p" is the process; a child of the process that named the file has a file of
 * its own in any case. */
static int name_file(char *path) {
  const char *from = prs->path;
  size_t length = 0;
  int is_named = prs->file_wanted < 2;
  while (*from) {
    if (length + 32 > PRS_PATH)
      return 0;
    if (from[0] == '%' && from[1] == 'p') {
      length += (size_t)snprintf(path + length, 32, "%ld", (long)getpid());
      from += 2;
      is_named = 1;
    } else {
      path[length++] = *from++;
    }
  }
  path[length] = 0;
  if (!is_named)
    snprintf(path + length, 32, ".%ld", (long)getpid());
  return 1;
}

static int start_file(void) {
  prof_scope_process *process = (prof_scope_process *)prs_make_block(
      PROF_SCOPE_BLOCK_PROCESS, sizeof *process, 0);
  if (!process)
    return ENOSPC;
  prt_copy(process->losses, prs->process.losses, sizeof process->losses);
  RT_RELEASE(&prs->process_in_file, process);
  prs_wait_for_clock();
  prs_read_clocks(0);
  for (const prs_site *site = prs->first_site; site; site = site->next)
    prs_write_site(site);
  return 0;
}

int prs_open_file(void) {
  char path[PRS_PATH];
  int error = ENAMETOOLONG;
  prs->sites_in_file = NULL;
  if (name_file(path)) {
    int file = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    /* 0 stands for none. */
    if (file == 0) {
      file = fcntl(0, F_DUPFD_CLOEXEC, 3);
      close(0);
    }
    error = file < 0 ? errno : 0;
    prs->file = file < 0 ? 0 : file;
  }
  prs->file_wanted = 0;
  prs->file_size = 0;
  if (!error && (error = start_file()))
    prs_close_file();
  if (error)
    prs_lose(PROF_SCOPE_LOSS_FILE, 1);
  return error;
}

void prs_close_file(void) {
  prs->file_wanted = 0;
  if (!prs->file)
    return;
  if (prs->process_in_file)
    prs_read_clocks(0);
  close(prs->file);
  prs->file = 0;
  /* Others may be counting a loss in the page, which therefore stays. */
  RT_RELEASE(&prs->process_in_file, NULL);
  prs->sites_in_file = NULL;
}
