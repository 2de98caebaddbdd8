/*===- Output.c - Files, whole or not at all -------------------------------===*
 *
 * Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*/

#include "Output.h"
#include "Internal.h"
#include "Lock.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/*===----------------------------------------------------------------------===*
 * Writing
 *===----------------------------------------------------------------------===*/

static int write_all(int file, const char *bytes, uint64_t size) {
  while (size) {
    ssize_t written = write(file, bytes, size > 1 << 30 ? 1 << 30 : size);
    if (written < 0 && errno == EINTR)
      continue;
    if (written <= 0)
      return written ? errno : EIO;
    bytes += written;
    size -= (uint64_t)written;
  }
  return 0;
}

static int is_pending(const sigset_t *set) {
  sigset_t pending;
  return !sigpending(&pending) && sigismember(&pending, SIGPIPE) &&
         sigismember(set, SIGPIPE);
}

/* The same without the signal by which a pipe without a reader ends the
 * process. */
static int write_quietly(int file, const char *bytes, uint64_t size) {
  sigset_t pipe, before;
  sigemptyset(&pipe);
  sigaddset(&pipe, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &pipe, &before);
  int was_pending = is_pending(&pipe);
  int error = write_all(file, bytes, size);
  struct timespec none = {0, 0};
  if (error == EPIPE && !was_pending)
    while (sigtimedwait(&pipe, NULL, &none) < 0 && errno == EINTR)
      continue;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return error;
}

/* Anything but a regular file (a pipe, a device) is written in place. */
static int write_in_place(const char *path, const char *bytes, uint64_t size) {
  int file = open(path, O_WRONLY | O_CLOEXEC);
  if (file < 0)
    return errno;
  int error = write_quietly(file, bytes, size);
  if (close(file) && !error)
    error = errno;
  return error;
}

/* Beyond the limit, a signal would end the process. */
static int is_within_limit(uint64_t size) {
  struct rlimit limit;
  return getrlimit(RLIMIT_FSIZE, &limit) || limit.rlim_cur == RLIM_INFINITY ||
         size <= (uint64_t)limit.rlim_cur;
}

static int write_beside(const char *path, mode_t mode, const char *bytes,
                        uint64_t size) {
  static uint32_t number;
  char temporary[PATH_MAX];
  int length = snprintf(temporary, sizeof temporary, "%s.tmp.%ld.%u", path,
                        (long)getpid(),
                        __atomic_fetch_add(&number, 1, __ATOMIC_RELAXED));
  if (length < 0 || (size_t)length >= sizeof temporary)
    return ENAMETOOLONG;
  if (!is_within_limit(size))
    return EFBIG;
  int file =
      open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode & 0777);
  if (file < 0)
    return errno;
  int error = write_all(file, bytes, size);
  if (close(file) && !error)
    error = errno;
  if (!error && rename(temporary, path))
    error = errno;
  if (error)
    unlink(temporary);
  return error;
}

static int write_file(const char *path, const char *bytes, uint64_t size) {
  struct stat status;
  if (stat(path, &status))
    return errno == ENOENT ? write_beside(path, 0666, bytes, size) : errno;
  if (S_ISDIR(status.st_mode))
    return EISDIR;
  if (!S_ISREG(status.st_mode))
    return write_in_place(path, bytes, size);
  if (access(path, W_OK))
    return errno;
  /* A link is kept: its target is replaced. */
  char target[PATH_MAX];
  if (!realpath(path, target))
    return errno;
  return write_beside(target, status.st_mode, bytes, size);
}

int prt_write_file(const char *path, const char *bytes, uint64_t size) {
  /* A thread that is canceled would leave half a file. */
#ifdef PTHREAD_CANCEL_DISABLE
  int before;
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before);
#endif
  int error = write_file(path, bytes, size);
#ifdef PTHREAD_CANCEL_DISABLE
  pthread_setcancelstate(before, NULL);
#endif
  return error;
}

int prt_expand_path(const char *pattern, char *path, size_t size,
                    int is_child) {
  size_t length = 0;
  int is_named = 0;
  for (; *pattern; ++pattern) {
    if (length + 32 > size)
      return ENAMETOOLONG;
    if (pattern[0] == '%' && pattern[1] == 'p') {
      length += (size_t)snprintf(path + length, 32, "%ld", (long)getpid());
      is_named = 1;
      ++pattern;
    } else {
      path[length++] = *pattern;
    }
  }
  path[length] = 0;
  if (is_child && !is_named)
    snprintf(path + length, 32, ".%ld", (long)getpid());
  return 0;
}

/* Bytes in separate pages, which are released: a profile may be large. */
static int serialize(char **bytes, uint64_t *size, uint64_t *capacity) {
  *capacity = prt_serialize(NULL, 0);
  for (;;) {
    /* Other threads continue to measure. */
    *capacity += *capacity / 8 + 4096;
    *bytes = prt_map(*capacity);
    if (!*bytes)
      return ENOMEM;
    *size = prt_serialize(*bytes, *capacity);
    if (*size <= *capacity)
      return 0;
    munmap(*bytes, *capacity);
    *capacity = *size;
  }
}

int prof_rt_write(const char *path) {
  if (!path || !*path)
    return EINVAL;
  char *bytes;
  uint64_t size, capacity;
  int error = serialize(&bytes, &size, &capacity);
  if (error)
    return error;
  error = prt_write_file(path, bytes, size);
  munmap(bytes, capacity);
  return error;
}

/*===----------------------------------------------------------------------===*
 * At exit
 *===----------------------------------------------------------------------===*/

static int is_forked;

void prt_output_forked(void) { is_forked = 1; }

/* Whether probes or values were measured since the last reset. */
static int has_measured(prt_module *module) {
  int found = 0;
  for (uint32_t probe = 0; probe < module->probes; ++probe)
    found |= module->ended[probe].count != 0;
  for (prt_block *block = module->blocks; block; block = block->next) {
    prt_derive(module, block);
    for (uint32_t probe = 0; probe < module->probes; ++probe)
      found |= module->derived[probe].count != 0;
    prt_flush_cells(block);
  }
  for (uint32_t table = 0; table < module->tables; ++table)
    found |= RT_LOAD(&module->table[table].tuples) != 0 ||
             RT_LOAD(&module->table[table].other) != 0;
  return found;
}

/* Whether anything was measured, or lost, since the start or the last reset. */
static int has_results(void) {
  int found = 0;
  prt_acquire(&prt.registry);
  for (prt_module *module = prt.modules; module; module = module->next)
    found |= has_measured(module);
  for (unsigned kind = 0; kind < PROF_RAW_LOSS_KINDS; ++kind)
    found |= RT_LOAD(&prt.losses[kind]) != 0;
  prt_release(&prt.registry);
  return found;
}

void prt_output_at_exit(void) {
  const char *pattern = getenv("MLIR_PROF_FILE");
  if (!pattern || !*pattern)
    return;
  /* A child that only started another program does not have results. */
  if (is_forked && !has_results())
    return;
  char path[PATH_MAX];
  int error = prt_expand_path(pattern, path, sizeof path, is_forked);
  error = error ? error : prof_rt_write(path);
  if (error)
    fprintf(stderr, "prof_rt: cannot write '%s': %s\n", pattern,
            strerror(error));
}
