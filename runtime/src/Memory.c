/*===- Memory.c - Memory that is never given back --------------------------===*
 *
 * Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*/

#include "Internal.h"

/* Size of a request to the operating system. */
#define RT_CHUNK (UINT64_C(1) << 20)
#define RT_ALIGNMENT 64

prt_lock prt_memory;
static char *memory_next;
static uint64_t memory_left;
/* Set by prof_rt_use_memory: then no other memory is used. */
static int memory_given;

/* Makes memory_next aligned. Under prt_memory. */
static void align_next(void) {
  uint64_t past = (uint64_t)(uintptr_t)memory_next % RT_ALIGNMENT;
  uint64_t skip = past ? RT_ALIGNMENT - past : 0;
  if (skip > memory_left)
    skip = memory_left;
  memory_next += skip;
  memory_left -= skip;
}

void prof_rt_use_memory(void *memory, size_t size) {
  prt_acquire(&prt_memory);
  memory_next = memory;
  memory_left = memory ? size : 0;
  memory_given = memory != NULL;
  align_next();
  prt_release(&prt_memory);
}

static void *take(uint64_t size) {
  if (size > memory_left) {
    uint64_t wanted = size > RT_CHUNK ? size : RT_CHUNK;
    void *chunk = memory_given ? NULL : prt_map(wanted);
    if (!chunk)
      return NULL;
    memory_next = chunk;
    memory_left = wanted;
  }
  void *result = memory_next;
  memory_next += size;
  memory_left -= size;
  return result;
}

void *prt_allocate(uint64_t size) {
  if (size > SIZE_MAX / 2)
    return NULL;
  /* An empty allocation has an address too: null would mean that memory is
   * exhausted. */
  size = (size + !size + RT_ALIGNMENT - 1) & ~(uint64_t)(RT_ALIGNMENT - 1);
  prt_acquire(&prt_memory);
  void *result = take(size);
  prt_release(&prt_memory);
  /* The given memory may contain anything. */
  if (result && memory_given)
    prt_zero(result, (size_t)size);
  return result;
}

void *prt_allocate_array(uint64_t count, uint64_t size) {
  /* Both come from 32-bit numbers or small constants. */
  if (count >> 32 || size >> 31)
    return NULL;
  return prt_allocate(count * size);
}
