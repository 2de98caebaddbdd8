/*===- ModelLoad.c - Opening of compiled models ---------------------------===*
 *
 * Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*
 *
 * The dynamic loader knows a library by its file, and takes a path that it has
 * seen for the same one. So a file that replaced another one is opened by a
 * path that is spelled in another way, and a file that is open already by a
 * copy, since every model has variables and pointers to constants of its own.
 *
 *===----------------------------------------------------------------------===*/

#include "ModelInternal.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/*===----------------------------------------------------------------------===*
 * Executors
 *===----------------------------------------------------------------------===*/

/* Executors of models, one for each number of threads, which are never
 * destroyed: their threads sleep while nothing runs. */
typedef struct shared_executor {
  uint32_t threads;
  prof_executor *executor;
  struct shared_executor *next;
} shared_executor;

/* Signals that are not the code's own are for the program's threads, whose
 * handlers may need what they have. */
static void on_thread(void *context, uint32_t thread) {
  (void)context;
  (void)thread;
  sigset_t others;
  sigfillset(&others);
  static const int own[] = {SIGSEGV, SIGBUS, SIGFPE,  SIGILL,
                            SIGTRAP, SIGSYS, SIGPROF, PMD_WAKE};
  for (unsigned index = 0; index < sizeof own / sizeof *own; ++index)
    sigdelset(&others, own[index]);
  pthread_sigmask(SIG_BLOCK, &others, NULL);
  pmd_give_stack();
}

/* Under the lock. Null if memory is missing. */
static prof_executor *get_executor(uint32_t threads) {
  static shared_executor *executors;
  for (shared_executor *known = executors; known; known = known->next)
    if (known->threads == threads)
      return known->executor;
  shared_executor *made = malloc(sizeof *made);
  if (!made)
    return NULL;
  prof_executor_options options;
  prof_executor_default_options(&options);
  options.threads = threads;
  options.thread_started = on_thread;
  options.guard = pmd_run_guarded;
  *made = (shared_executor){threads, prof_executor_create(&options), executors};
  if (!made->executor) {
    free(made);
    return NULL;
  }
  executors = made;
  return made->executor;
}

/*===----------------------------------------------------------------------===*
 * Loading
 *===----------------------------------------------------------------------===*/

static int fail(char *error, const char *path, const char *what) {
  snprintf(error, PROF_MODEL_TEXT, "%s: %s", path, what);
  return 0;
}

static int is_same_file(const prof_model *model, const prof_model *other) {
  return model->device == other->device && model->inode == other->inode;
}

/* Whether an open model is the file of `model`; in `*others`, how many open
 * ones have its path and are others. Under the lock. */
static int is_open(const prof_model *model, unsigned *others) {
  int found = 0;
  *others = 0;
  for (const prof_model *open = pmd_models; open; open = open->next) {
    int is_same = is_same_file(open, model);
    found |= is_same;
    *others += !is_same && !strcmp(open->path, model->path);
  }
  return found;
}

/* Lets models of the file of `model` read their own constants, since they are
 * about to have one library. Under the lock. */
static void share_library(prof_model *model) {
  model->has_own_library = 0;
  for (prof_model *open = pmd_models; open; open = open->next) {
    if (!is_same_file(open, model))
      continue;
    open->has_own_library = 0;
    pmd_use_own_constants(open);
  }
}

/* The path by which the loader does not take the file for one of `others` files
 * that had its path. */
static void spell_path(const prof_model *model, unsigned others, char *path,
                       size_t room) {
  const char *name = strrchr(model->path, '/');
  int length =
      snprintf(path, room, "%.*s", (int)(name - model->path), model->path);
  while (others-- && length < PATH_MAX)
    length += snprintf(path + length, room - (size_t)length, "/.");
  snprintf(path + length, room - (size_t)length, "%s", name);
}

/* Opens the library of the file `descriptor`; a copy if others can change the
 * file meanwhile, since the loader would not survive that. Under the lock. */
static int open_library(prof_model *model, int descriptor, int is_held,
                        char *error) {
  char path[PATH_MAX + 64];
  unsigned others;
  int is_known = is_open(model, &others);
  int is_copied = (is_known || !is_held) &&
                  pmd_copy_library(&model->file, descriptor, path, sizeof path);
  if (is_known && !is_copied) {
    if (model->file.flags & PROF_MODEL_HAS_STATE)
      return fail(error, model->path,
                  "has variables and is open already, and no copy of it can be "
                  "made in $TMPDIR");
    share_library(model);
  }
  if (!is_copied)
    spell_path(model, others, path, sizeof path);
  model->library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (is_copied)
    unlink(path);
  if (!model->library)
    return fail(error, model->path, dlerror());
  if (is_copied && !pmd_map_constants(model, descriptor))
    return fail(error, model->path, strerror(errno));
  return 1;
}

/* Functions and variables of the library. */
static int find_symbols(prof_model *model, char *error) {
  *(void **)&model->entry = dlsym(model->library, PROF_MODEL_ENTRY);
  *(void **)&model->reset = dlsym(model->library, PROF_MODEL_RESET);
  model->instance = dlsym(model->library, PROF_MODEL_INSTANCE);
  const prof_model_host **host = dlsym(model->library, PROF_MODEL_HOST);
  if (!model->entry || !host ||
      ((model->file.flags & PROF_MODEL_HAS_STATE) && !model->reset))
    return fail(error, model->path, "is damaged: its library lacks a function");
  *host = &pmd_host;
  uintptr_t entry = (uintptr_t)model->entry;
  model->text_begin = entry + (uintptr_t)model->file.text_begin;
  model->text_end = entry + (uintptr_t)model->file.text_end;
  return 1;
}

/* Under the lock. */
static int load(prof_model *model, int descriptor, int is_held,
                uint32_t threads, char *error) {
  model->has_own_library = 1;
  if (!open_library(model, descriptor, is_held, error) ||
      !find_symbols(model, error))
    return 0;
  model->sources =
      calloc((size_t)model->file.result_count + 1, sizeof *model->sources);
  if (!model->sources || !pmd_fill_constants(model))
    return fail(error, model->path, strerror(ENOMEM));
  model->info.threads = 1;
  if (model->file.flags & PROF_MODEL_USES_EXECUTOR) {
    model->info.threads = threads ? threads : model->file.threads;
    model->executor = get_executor(model->info.threads);
    if (!model->executor)
      return fail(error, model->path, "there is no memory for its threads");
  }
  model->next = pmd_models;
  pmd_models = model;
  return 1;
}

static void fill_info(prof_model *model) {
  prof_model_info *info = &model->info;
  info->arguments = model->file.arguments;
  info->argument_count = model->file.argument_count;
  info->results = model->file.results;
  info->result_count = model->file.result_count;
  info->state_bytes = model->file.state_bytes;
  info->fingerprint = model->file.fingerprint;
}

/* The name by which the loader opens the file of `status`: its real path, or
 * that which led to it if it has lost its name and is open only
 * (/proc/self/fd/3). */
static char *find_name(const char *path, const struct stat *status) {
  char *real = realpath(path, NULL);
  struct stat found;
  if (real && !stat(real, &found) && found.st_dev == status->st_dev &&
      found.st_ino == status->st_ino)
    return real;
  free(real);
  return strchr(path, '/') ? strdup(path) : NULL;
}

/* Arguments of parse(). */
typedef struct parsing {
  const void *bytes;
  uint64_t size;
  const char *path;
  pmd_file *file;
  char *error;
  int is_good;
} parsing;

static void parse(void **arguments) {
  parsing *of = arguments[0];
  of->is_good =
      pmd_parse_file(of->bytes, of->size, of->path, of->file, of->error);
}

/* Reads all but the library, before any code runs. */
static int read_file(prof_model *model, int descriptor, const char *path,
                     char *error) {
  struct stat status;
  if (fstat(descriptor, &status) || !S_ISREG(status.st_mode) ||
      status.st_size == 0)
    return fail(error, path, "is not a compiled model");
  uint64_t size = (uint64_t)status.st_size;
  void *bytes = mmap(NULL, size, PROT_READ, MAP_PRIVATE, descriptor, 0);
  if (bytes == MAP_FAILED)
    return fail(error, path, strerror(errno));
  parsing of = {bytes, size, path, &model->file, error, 0};
  void *arguments[] = {&of};
  if (pmd_read_guarded(model, bytes, size, parse, arguments)) {
    /* The fields that it had read leak. */
    memset(&model->file, 0, sizeof model->file);
    of.is_good = fail(error, path, "was cut off while it was read");
  }
  munmap(bytes, size);
  return of.is_good;
}

/* Whether nobody changes the file until release_file: others who open it for
 * writing wait (fcntl(2), leases), or cannot. Not all file systems, and only
 * owners, can do that. */
static int hold_file(int descriptor) {
  /* The default of the signal that tells that somebody waits would end the
   * process. */
  if (!fcntl(descriptor, F_SETSIG, PMD_WAKE) &&
      !fcntl(descriptor, F_SETLEASE, F_RDLCK))
    return 1;
  int seals = fcntl(descriptor, F_GET_SEALS);
  struct stat status;
  return (seals > 0 && (seals & F_SEAL_SHRINK) && (seals & F_SEAL_WRITE)) ||
         (!fstat(descriptor, &status) && status.st_uid == 0 && geteuid() != 0 &&
          !(status.st_mode & (S_IWGRP | S_IWOTH)));
}

/* Also a child of a fork may have the descriptor. */
static void release_file(int descriptor) {
  fcntl(descriptor, F_SETLEASE, F_UNLCK);
  close(descriptor);
}

static int open_model(prof_model *model, const char *path, uint32_t threads,
                      char *error) {
  pthread_mutex_init(&model->lock, NULL);
  pmd_watch_forks();
  int descriptor = open(path, O_RDONLY | O_CLOEXEC);
  int is_held = descriptor >= 0 && hold_file(descriptor);
  struct stat status;
  if (descriptor < 0 || fstat(descriptor, &status) ||
      !(model->path = find_name(path, &status))) {
    fail(error, path, strerror(errno));
    if (descriptor >= 0)
      release_file(descriptor);
    return 0;
  }
  model->device = status.st_dev;
  model->inode = status.st_ino;
  model->file_bytes = (uint64_t)status.st_size;
  model->written = status.st_mtim;
  pthread_mutex_lock(&pmd_registry);
  pmd_install_handlers();
  pthread_mutex_unlock(&pmd_registry);
  int is_good = read_file(model, descriptor, path, error);
  if (is_good) {
    pthread_mutex_lock(&pmd_registry);
    is_good = load(model, descriptor, is_held, threads, error);
    pthread_mutex_unlock(&pmd_registry);
  }
  release_file(descriptor);
  return is_good;
}

prof_model *prof_model_open(const char *path, uint32_t threads, char *error) {
  prof_model *model = calloc(1, sizeof *model);
  if (!model) {
    fail(error, path, strerror(ENOMEM));
    return NULL;
  }
  if (!open_model(model, path, threads, error)) {
    prof_model_close(model);
    return NULL;
  }
  fill_info(model);
  prof_model_failure failure;
  if (prof_model_reset(model, &failure)) {
    fail(error, path, failure.text);
    prof_model_close(model);
    return NULL;
  }
  return model;
}
