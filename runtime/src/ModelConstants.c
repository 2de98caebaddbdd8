/*===- ModelConstants.c - Constants of compiled models --------------------===*
 *
 * Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*
 *
 * Code finds a constant by a pointer of its library, so that it can be read in
 * memory of the caller's. Every model has pointers of its own: a library that
 * is open already is opened again by a copy, which lacks the constants; they
 * are mapped over the copy from the file itself.
 *
 *===----------------------------------------------------------------------===*/

#include "ModelInternal.h"

#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/*===----------------------------------------------------------------------===*
 * Copies of a library
 *===----------------------------------------------------------------------===*/

/* The range of whole pages with constants, as offsets of the file. */
static void find_pages(const pmd_file *file, uint64_t *begin, uint64_t *end) {
  uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
  *begin = (file->footer.constants_begin + page - 1) / page * page;
  *end = file->footer.constants_end / page * page;
  if (*end < *begin || !file->constant_count)
    *begin = *end = 0;
}

/* Copies a range of a file to the same place of another one. */
static int copy_range(int from, int to, uint64_t begin, uint64_t end) {
  char bytes[1 << 16];
  while (begin < end) {
    size_t size = end - begin < sizeof bytes ? end - begin : sizeof bytes;
    ssize_t count = pread(from, bytes, size, (off_t)begin);
    if (count <= 0 || pwrite(to, bytes, (size_t)count, (off_t)begin) != count)
      return 0;
    begin += (uint64_t)count;
  }
  return 1;
}

int pmd_copy_library(const pmd_file *file, int from, char *to, size_t room) {
  const char *folder = getenv("TMPDIR");
  snprintf(to, room, "%s/mlir-prof-XXXXXX", folder ? folder : "/tmp");
  int copy = mkstemp(to);
  if (copy < 0)
    return 0;
  uint64_t begin, end;
  find_pages(file, &begin, &end);
  int is_good = copy_range(from, copy, 0, begin) &&
                copy_range(from, copy, end, file->footer.library_bytes);
  close(copy);
  if (!is_good)
    unlink(to);
  return is_good;
}

/* The distance from addresses in the library to those in memory. */
static char *get_base(const prof_model *model) {
  struct link_map *map = NULL;
  dlinfo(model->library, RTLD_DI_LINKMAP, &map);
  return map ? (char *)map->l_addr : NULL;
}

int pmd_map_constants(const prof_model *model, int descriptor) {
  uint64_t begin, end, first = UINT64_MAX;
  find_pages(&model->file, &begin, &end);
  if (begin == end)
    return 1;
  for (uint32_t index = 0; index < model->file.constant_count; ++index)
    if (model->file.constants[index].address < first)
      first = model->file.constants[index].address;
  char *target =
      get_base(model) + first + (begin - model->file.footer.constants_begin);
  return mmap(target, end - begin, PROT_READ, MAP_PRIVATE | MAP_FIXED,
              descriptor, (off_t)begin) == target;
}

/*===----------------------------------------------------------------------===*
 * Sharing
 *===----------------------------------------------------------------------===*/

/* Compares bytes a few pages at a time, and does not keep those of the file in
 * memory. */
static int is_equal(const char *bytes, const char *other, uint64_t size) {
  enum { STEP = 1 << 20 };
  uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
  int is_same = 1;
  for (uint64_t at = 0; is_same && at < size; at += STEP) {
    uint64_t count = size - at < STEP ? size - at : STEP;
    is_same = memcmp(bytes + at, other + at, count) == 0;
    uintptr_t begin = ((uintptr_t)(bytes + at) + page - 1) / page * page;
    uintptr_t end = (uintptr_t)(bytes + at + count) / page * page;
    if (begin < end)
      madvise((void *)begin, end - begin, MADV_DONTNEED);
  }
  return is_same;
}

/* Lets the code read a constant at `address`. The pages of its pointers, which
 * the loader protected, stay writable: so they can be changed in a call. */
static int set_pointers(const prof_model *model, const pmd_constant *constant,
                        const void *address) {
  char *base = get_base(model);
  uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
  for (uint64_t index = 0; index < constant->slot_count; ++index) {
    const void **slot = (const void **)(base + constant->slots[index]);
    void *begin = (void *)((uintptr_t)slot / page * page);
    if (mprotect(begin, page, PROT_READ | PROT_WRITE))
      return 0;
    __atomic_store_n(slot, address, __ATOMIC_RELEASE);
  }
  return constant->slot_count != 0;
}

void pmd_use_own_constants(const prof_model *model) {
  for (uint32_t index = 0; index < model->info.constant_count; ++index)
    set_pointers(model, &model->file.constants[index],
                 model->info.constants[index].bytes);
}

/* Arguments of compare(). */
typedef struct comparison {
  const char *bytes, *other;
  uint64_t size;
  int is_equal;
} comparison;

static void compare(void **arguments) {
  comparison *of = arguments[0];
  of->is_equal = is_equal(of->bytes, of->other, of->size);
}

/* Whether a constant, which is in the file, has the bytes at `address`. */
static int has_bytes(prof_model *model, const prof_model_constant *own,
                     const void *address) {
  comparison of = {own->bytes, address, own->size, 0};
  void *arguments[] = {&of};
  return !pmd_read_guarded(model, own->bytes, own->size, compare, arguments) &&
         of.is_equal;
}

int prof_model_share(prof_model *model, uint32_t index, const void *address) {
  if (index >= model->info.constant_count)
    return 0;
  const prof_model_constant *own = &model->info.constants[index];
  if (address && (model->reset || (uintptr_t)address % own->alignment != 0 ||
                  !has_bytes(model, own, address)))
    return 0;
  pthread_mutex_lock(&pmd_registry);
  int is_shared = model->has_own_library &&
                  set_pointers(model, &model->file.constants[index],
                               address ? address : own->bytes);
  pthread_mutex_unlock(&pmd_registry);
  return is_shared;
}

int pmd_fill_constants(prof_model *model) {
  const pmd_file *file = &model->file;
  prof_model_constant *constants =
      calloc((size_t)file->constant_count + 1, sizeof *constants);
  char *base = get_base(model);
  if (!constants || !base) {
    free(constants);
    return 0;
  }
  for (uint32_t index = 0; index < file->constant_count; ++index)
    constants[index] =
        (prof_model_constant){.bytes = base + file->constants[index].address,
                              .size = file->constants[index].size,
                              .alignment = file->constants[index].alignment};
  model->info.constants = constants;
  model->info.constant_count = file->constant_count;
  return 1;
}
