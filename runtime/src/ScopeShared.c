/*===- ScopeShared.c - A registry whose address copies look up -------------===*
 *
 * Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*
 *
 * Where the addresses that copies of the runtime know are taken, the registry
 * is a private mapping of a file in memory: its name stands in the process's
 * list of mappings.
 *
 *===----------------------------------------------------------------------===*/

#include "ScopeInternal.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <unistd.h>

#define PRS_LINE 512

/* Two copies may look at the same time. Other processes of the program may hold
 * the lock: it is not waited for without end. */
static int lock_program(void) {
  int file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
  for (unsigned tries = 0; file >= 0 && tries < 1000; ++tries) {
    if (!flock(file, LOCK_EX | LOCK_NB))
      break;
    prt_yield();
  }
  return file;
}

/* The address of a line of the list that has `name`, or 0. */
static uint64_t parse_line(const char *line, const char *name) {
  return __builtin_strstr(line, name) ? strtoull(line, NULL, 16) : 0;
}

/* The address of the mapping called `name`, or 0. */
static uint64_t find_mapping(const char *name) {
  int file = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
  char line[PRS_LINE], bytes[PRS_LINE];
  size_t length = 0;
  uint64_t found = 0;
  ssize_t size;
  while (file >= 0 && !found && (size = read(file, bytes, sizeof bytes)) > 0)
    for (ssize_t index = 0; index < size && !found; ++index) {
      /* The beginning of a long line is enough. */
      if (bytes[index] != '\n') {
        if (length + 1 < sizeof line)
          line[length++] = bytes[index];
        continue;
      }
      line[length] = 0;
      length = 0;
      found = parse_line(line, name);
    }
  if (file >= 0)
    close(file);
  return found;
}

static void *make_mapping(const char *name, uint64_t size, uint64_t magic) {
  int file = memfd_create(name, MFD_CLOEXEC);
  if (file < 0)
    return NULL;
  void *pages = MAP_FAILED;
  if (!ftruncate(file, (off_t)size))
    pages = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE, file, 0);
  close(file);
  if (pages == MAP_FAILED)
    return NULL;
  RT_RELEASE((uint64_t *)pages, magic);
  return pages;
}

void *prs_find_mapping(uint64_t size, uint64_t magic) {
  char name[64];
  snprintf(name, sizeof name, "mlir-prof-scopes-%llx",
           (unsigned long long)magic);
  int lock = lock_program();
  uint64_t address = find_mapping(name);
  void *found =
      address ? (void *)(uintptr_t)address : make_mapping(name, size, magic);
  /* The list must show it, or others do not find it. */
  if (found && !address && !find_mapping(name)) {
    munmap(found, size);
    found = NULL;
  }
  if (lock >= 0)
    close(lock);
  return found;
}
