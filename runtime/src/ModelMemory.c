/*===- ModelMemory.c - Memory of compiled models --------------------------===*
 *
 * Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*
 *
 * The C library would give large blocks back to the system and fault their
 * pages in again in each call. So freed blocks are kept, by classes of sizes.
 *
 *===----------------------------------------------------------------------===*/

#include "ModelInternal.h"

#include <stdlib.h>

/* Classes for each power of two: at most an eighth of a block is idle. */
#define STEPS 8
#define CLASSES (64 * STEPS)
/* So much may be kept in any case. */
#define LEAST_KEPT (UINT64_C(16) << 20)
#define MOST_BYTES (UINT64_C(1) << 47)

prt_lock pmd_memory_lock;
/* Under the lock. */
static struct {
  pmd_block *free[CLASSES];
  /* Bytes of blocks in use and of kept ones; the most of the former. */
  uint64_t used, kept, most_used;
} pool;

/* The smallest class of at least `bytes`, and its size. */
static uint64_t get_class(uint64_t bytes, uint64_t *size) {
  if (bytes < PMD_LINE * STEPS)
    bytes = PMD_LINE * STEPS;
  uint64_t log = 63 - (uint64_t)__builtin_clzll(bytes);
  uint64_t step = (UINT64_C(1) << log) / STEPS;
  uint64_t above = (bytes - (UINT64_C(1) << log) + step - 1) / step;
  *size = (UINT64_C(1) << log) + above * step;
  return log * STEPS + above;
}

static void note_use(uint64_t size) {
  pool.used += size;
  if (pool.used > pool.most_used)
    pool.most_used = pool.used;
}

static pmd_block *take_kept(uint64_t size_class, uint64_t size) {
  prt_acquire(&pmd_memory_lock);
  pmd_block *block = pool.free[size_class];
  if (block) {
    pool.free[size_class] = block->next;
    pool.kept -= size;
  }
  note_use(size);
  prt_release(&pmd_memory_lock);
  return block;
}

static void unlink_block(pmd_block *block) {
  if (block->previous)
    block->previous->next = block->next;
  else
    block->call->blocks = block->next;
  if (block->next)
    block->next->previous = block->previous;
  block->call = NULL;
}

static void link_block(pmd_call *call, pmd_block *block) {
  block->call = call;
  block->previous = NULL;
  block->next = call->blocks;
  if (call->blocks)
    call->blocks->previous = block;
  call->blocks = block;
}

void *pmd_allocate(pmd_call *call, uint64_t name, size_t size,
                   size_t alignment) {
  if (alignment < PMD_LINE)
    alignment = PMD_LINE;
  if (size > MOST_BYTES || alignment > MOST_BYTES)
    return NULL;
  uint64_t extra = alignment > PMD_LINE ? alignment : 0, bytes;
  uint64_t size_class = get_class(size + sizeof(pmd_block) + extra, &bytes);
  char *memory = (char *)take_kept(size_class, bytes);
  if (!memory)
    memory = aligned_alloc(PMD_LINE, bytes);
  if (!memory)
    return NULL;
  uintptr_t user = (uintptr_t)memory + sizeof(pmd_block);
  user = (user + alignment - 1) / alignment * alignment;
  pmd_block *block = (pmd_block *)(user - sizeof(pmd_block));
  *block = (pmd_block){.size_class = size_class,
                       .bytes = bytes,
                       .requested = size,
                       .offset = (uint64_t)((char *)block - memory),
                       .name = name};
  if (call)
    link_block(call, block);
  return (void *)user;
}

void *prof_model_allocate(size_t size) {
  return pmd_allocate(NULL, 0, size, 0);
}

void prof_model_release(void *pointer) {
  if (!pointer)
    return;
  pmd_block *block = (pmd_block *)((char *)pointer - sizeof(pmd_block));
  if (block->call)
    unlink_block(block);
  uint64_t size = block->bytes, size_class = block->size_class;
  pmd_block *memory = (pmd_block *)((char *)block - block->offset);
  prt_acquire(&pmd_memory_lock);
  uint64_t limit = pool.most_used > LEAST_KEPT ? pool.most_used : LEAST_KEPT;
  pool.used -= size;
  int is_kept = pool.used + pool.kept + size <= limit;
  if (is_kept) {
    memory->next = pool.free[size_class];
    pool.free[size_class] = memory;
    pool.kept += size;
  }
  prt_release(&pmd_memory_lock);
  if (!is_kept)
    free(memory);
}

void pmd_free_blocks(pmd_call *call) {
  while (call->blocks)
    prof_model_release((char *)call->blocks + sizeof(pmd_block));
}

void pmd_keep_blocks(pmd_call *call) {
  for (pmd_block *block = call->blocks; block; block = block->next)
    block->call = NULL;
  call->blocks = NULL;
}
