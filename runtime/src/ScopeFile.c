/*===- ScopeFile.c - Files that are written while scopes are recorded ------===*
 *
 * Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*/

#include "Output.h"
#include "ScopeInternal.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
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

/* A path next to another one, where a file is made. */
static int name_beside(char *beside, size_t size, const char *path) {
  static uint32_t number;
  int length =
      snprintf(beside, size, "%s.tmp.%ld.%u", path, (long)getpid(), number++);
  return length > 0 && (size_t)length < size ? 0 : ENAMETOOLONG;
}

/* The file that a path means, behind links; or the path, if there is none. An
 * errno if it is not one that may be replaced. */
static int find_target(char *target, const char *path) {
  struct stat found;
  if (stat(path, &found)) {
    prt_copy(target, path, __builtin_strlen(path) + 1);
    return errno == ENOENT ? 0 : errno;
  }
  if (!S_ISREG(found.st_mode))
    return EEXIST;
  return access(path, W_OK) || !realpath(path, target) ? errno : 0;
}

/* Gives the file its name, when it is a recording that can be read. Another
 * process may have mapped the file that had the name: it goes on in a file
 * without a name. Children do not replace files. */
static int give_name(const char *beside, const char *path, int is_child) {
  char name[PATH_MAX + 32];
  for (unsigned number = 1; is_child && number < 1000; ++number) {
    snprintf(name, sizeof name, number > 1 ? "%s.%u" : "%s", path, number);
    if (!link(beside, name))
      return unlink(beside) ? errno : 0;
    if (errno != EEXIST)
      break;
  }
  return rename(beside, path) ? errno : 0;
}

/*===----------------------------------------------------------------------===*
 * The descriptor
 *===----------------------------------------------------------------------===*/

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
  if (!is_within_limit(prs->file_size + size)) {
    errno = EFBIG;
    return NULL;
  }
  int error;
  do
    error = posix_fallocate(prs->file, (off_t)prs->file_size, (off_t)size);
  while (error == EINTR);
  if (error) {
    errno = error;
    return NULL;
  }
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
  errno = ENOSPC;
  prof_scope_process *process = (prof_scope_process *)prs_make_block(
      PROF_SCOPE_BLOCK_PROCESS, sizeof *process, 0);
  if (!process)
    return errno;
  prs_copy_losses(process->losses, prs->process.losses);
  RT_RELEASE(&prs->process_in_file, process);
  prs->process.closed = 0;
  prs_wait_for_clock();
  prs_read_clocks(0);
  for (const prs_site *site = prs->first_site; site; site = site->next)
    prs_write_site(site);
  return 0;
}

/* Makes it next to the path: a start that fails leaves what is there. */
static int make_file(const char *path, const char *beside, int is_child) {
  int file = open(beside, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  int error = file < 0 ? errno : adopt_file(file);
  if (!error && (error = start_file()))
    prs_close_file();
  if (!error && (error = give_name(beside, path, is_child)))
    prs_close_file();
  if (error && file >= 0)
    unlink(beside);
  return error;
}

int prs_open_file(void) {
  char path[PRS_PATH], target[PATH_MAX], beside[PATH_MAX];
  int is_child = prs->file_wanted == 2;
  prs->sites_in_file = NULL;
  int error = prt_expand_path(prs->path, path, sizeof path, is_child);
  error = error ? error : find_target(target, path);
  error = error ? error : name_beside(beside, sizeof beside, target);
  prs->file_wanted = 0;
  error = error ? error : make_file(target, beside, is_child);
  if (error)
    prs_lose(PROF_SCOPE_LOSS_FILE, 1);
  return error;
}

/* Whether somebody removed or replaced it. */
static int has_name(void) {
  struct stat now;
  return !fstat(prs->file, &now) && now.st_nlink;
}

static void unmap_sites(void) {
  if (prs->sites_in_file)
    prs_free_block(&prs->sites_in_file->block);
  prs->sites_in_file = NULL;
}

void prs_close_file(void) {
  prs->file_wanted = 0;
  if (prs->file && is_own() && !has_name())
    prs_lose(PROF_SCOPE_LOSS_FILE, 1);
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
  if (prs->file && is_own())
    close(prs->file);
  prs->file = 0;
  prs->process_in_file = NULL;
  prs->sites_in_file = NULL;
  prs->closed_process = NULL;
  release_arena();
}
