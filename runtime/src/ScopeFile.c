/*===- ScopeFile.c - Files that are written while scopes are recorded ---------
 * ===*
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
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

/* Address space that is reserved at once. */
#define PRS_ARENA (UINT64_C(64) << 20)
/* Descriptors of the program are below. */
#define PRS_HIGH_FILE 1000

/*===----------------------------------------------------------------------===*
 * Paths
 *===----------------------------------------------------------------------===*/

/* Makes it absolute: children may be elsewhere. */
int prs_set_path(const char *path) {
  size_t length = path ? __builtin_strlen(path) : 0, folder = 0;
  if (!length)
    return 0;
  char whole[PRS_PATH];
  if (path[0] != '/') {
    if (!getcwd(whole, sizeof whole - 1))
      return errno;
    folder = __builtin_strlen(whole);
    whole[folder++] = '/';
  }
  if (folder + length >= PRS_PATH)
    return ENAMETOOLONG;
  prt_copy(whole + folder, path, length + 1);
  prt_copy(prs->path, whole, folder + length + 1);
  prs->file_wanted = 1;
  return 0;
}

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

/*===----------------------------------------------------------------------===*
 * The descriptor
 *===----------------------------------------------------------------------===*/

/* A new file, never one that somebody may have mapped: to cut that would end
 * its process. The file that had the name, if any, loses it. */
static int make_new(const char *path) {
  for (int attempt = 0; attempt < 3; ++attempt) {
    int file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file >= 0 || errno != EEXIST)
      return file;
    struct stat found;
    if (lstat(path, &found))
      continue;
    if (!S_ISREG(found.st_mode)) {
      errno = EEXIST;
      return -1;
    }
    if (unlink(path) && errno != ENOENT)
      return -1;
  }
  errno = EEXIST;
  return -1;
}

/* Gives the file a descriptor that programs do not close by chance; 0 or an
 * errno. */
static int adopt_file(int file) {
  struct stat of;
  int high = fcntl(file, F_DUPFD_CLOEXEC, PRS_HIGH_FILE);
  if (high < 0)
    high = fcntl(file, F_DUPFD_CLOEXEC, 3);
  int error = high < 0 || fstat(high, &of) ? errno : 0;
  close(file);
  if (error) {
    if (high >= 0)
      close(high);
    return error;
  }
  prs->file = high;
  prs->file_device = (uint64_t)of.st_dev;
  prs->file_inode = (uint64_t)of.st_ino;
  prs->file_size = 0;
  ++prs->file_serial;
  return 0;
}

/* Whether the descriptor is still that of the file: the program may have closed
 * it, and opened another. */
static int is_own(void) {
  struct stat now;
  return !fstat(prs->file, &now) && (uint64_t)now.st_dev == prs->file_device &&
         (uint64_t)now.st_ino == prs->file_inode;
}

/*===----------------------------------------------------------------------===*
 * Pages
 *===----------------------------------------------------------------------===*/

/* Beyond the limit, a signal would end the program. */
static int is_within_limit(uint64_t size) {
  struct rlimit limit;
  return getrlimit(RLIMIT_FSIZE, &limit) || limit.rlim_cur == RLIM_INFINITY ||
         size <= (uint64_t)limit.rlim_cur;
}

static void reserve_arena(uint64_t size) {
  uint64_t wanted = size > PRS_ARENA ? size : PRS_ARENA;
  void *arena = mmap(NULL, wanted, PROT_NONE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  prs->arena = arena == MAP_FAILED ? NULL : arena;
  prs->arena_left = prs->arena ? wanted : 0;
}

static void release_arena(void) {
  if (prs->arena_left)
    munmap(prs->arena, prs->arena_left);
  prs->arena = NULL;
  prs->arena_left = 0;
}

/* A page that the disk does not have would end the process when it is
 * written. */
void *prs_extend_file(uint64_t size) {
  if (!is_own()) {
    prs_lose(PROF_SCOPE_LOSS_FILE, 1);
    prs->file = 0;
    return NULL;
  }
  if (!is_within_limit(prs->file_size + size))
    return NULL;
  int error;
  do
    error = posix_fallocate(prs->file, (off_t)prs->file_size, (off_t)size);
  while (error == EINTR);
  if (error)
    return NULL;
  if (prs->arena_left < size) {
    release_arena();
    reserve_arena(size);
  }
  void *pages = prs_map(size, prs->file, prs->file_size);
  if (pages)
    prs->file_size += size;
  return pages;
}

/*===----------------------------------------------------------------------===*
 * The file
 *===----------------------------------------------------------------------===*/

static int start_file(void) {
  prof_scope_process *process = (prof_scope_process *)prs_make_block(
      PROF_SCOPE_BLOCK_PROCESS, sizeof *process, 0);
  if (!process)
    return ENOSPC;
  prt_copy(process->losses, prs->process.losses, sizeof process->losses);
  RT_RELEASE(&prs->process_in_file, process);
  prs->process.closed = 0;
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
    int file = make_new(path);
    error = file < 0 ? errno : adopt_file(file);
  }
  prs->file_wanted = 0;
  if (!error && (error = start_file()))
    prs_close_file();
  if (error)
    prs_lose(PROF_SCOPE_LOSS_FILE, 1);
  return error;
}

static void unmap_sites(void) {
  if (prs->sites_in_file)
    prs_free_block(&prs->sites_in_file->block);
  prs->sites_in_file = NULL;
}

void prs_close_file(void) {
  prs->file_wanted = 0;
  if (prs->process_in_file) {
    prs->process.closed = 1;
    prs_read_clocks(0);
    prs->process.closed = 0;
  }
  if (prs->file && is_own())
    close(prs->file);
  prs->file = 0;
  unmap_sites();
  release_arena();
  if (!prs->process_in_file)
    return;
  /* Others may be counting a loss in the page, which therefore stays until the
   * next file is closed. */
  if (prs->closed_process)
    prs_free_block(&prs->closed_process->block);
  prs->closed_process = prs->process_in_file;
  RT_RELEASE(&prs->process_in_file, NULL);
}

void prs_leave_file(void) {
  if (prs->file)
    close(prs->file);
  prs->file = 0;
  prs->process_in_file = NULL;
  prs->sites_in_file = NULL;
  prs->closed_process = NULL;
  release_arena();
}
