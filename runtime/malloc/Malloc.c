/*===- Malloc.c - Allocations that scopes count ----------------------------===*
 *
 * Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*
 *
 * A program that links this before the C library has its allocations counted,
 * those of operator new too, which calls malloc. Memory is that of the C
 * library: glibc, whose own names of these functions it calls.
 *
 *===----------------------------------------------------------------------===*/

#include "mlir-prof/Runtime/prof_scope.h"

#include <errno.h>
#include <stdlib.h>

#pragma GCC visibility push(default)

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

static void *report(void *memory, size_t size) {
  if (memory)
    prof_scope_allocated(size);
  return memory;
}

void *malloc(size_t size) { return report(__libc_malloc(size), size); }

void *calloc(size_t count, size_t size) {
  return report(__libc_calloc(count, size), count * size);
}

/* Counts as one more allocation, of the new size. */
void *realloc(void *memory, size_t size) {
  return report(__libc_realloc(memory, size), size);
}

void *memalign(size_t alignment, size_t size) {
  return report(__libc_memalign(alignment, size), size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  return memalign(alignment, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size) {
  if (alignment % sizeof(void *) || alignment & (alignment - 1) || !alignment)
    return EINVAL;
  void *made = memalign(alignment, size);
  if (!made)
    return ENOMEM;
  *memory = made;
  return 0;
}
