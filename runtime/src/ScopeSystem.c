/*===- ScopeSystem.c - Scopes and the operating system ---------------------===*
 *
 * Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*/

#include "ScopeInternal.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/*===----------------------------------------------------------------------===*
 * Pages that all copies of the runtime find
 *===----------------------------------------------------------------------===*/

/* Symbols do not do it: an executable does not export those of a library that
 * it links statically, and a plugin may hide them. Only one mapping at an
 * address succeeds, so the first copy makes it and the others find it. */
#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0x100000
#endif

/* Below where Linux puts executables, libraries and heaps, and where the
 * address and thread sanitizers allow mappings; then one for address spaces of
 * 39 bits. Pages may have up to 2 MB. */
static const uint64_t places[] = {
    UINT64_C(0x55104d400000), UINT64_C(0x55114d400000), UINT64_C(0x204d400000)};

/* Whether memory can be read, without reading it. */
static int is_readable(const void *memory, size_t size) {
  int ends[2];
  if (pipe(ends))
    return 0;
  ssize_t written = write(ends[1], memory, size);
  close(ends[0]);
  close(ends[1]);
  return written == (ssize_t)size;
}

/* Memory at a place: that of another copy, or new; null if something else is
 * there. */
static void *try_place(uint64_t place, uint64_t size, uint64_t magic) {
  void *wanted = (void *)(uintptr_t)place;
  uint64_t *pages =
      mmap(wanted, size, PROT_READ | PROT_WRITE,
           MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
  if (pages == wanted) {
    RT_RELEASE(pages, magic);
    return pages;
  }
  /* Old kernels choose another address. */
  int is_taken = pages == MAP_FAILED ? errno == EEXIST : 1;
  if (pages != MAP_FAILED)
    munmap(pages, size);
  if (!is_taken || !is_readable(wanted, sizeof(uint64_t)))
    return NULL;
  pages = wanted;
  /* Another copy may be about to write it. */
  for (unsigned tries = 0; !RT_ACQUIRE(pages) && tries < 1000; ++tries)
    prt_yield();
  return RT_ACQUIRE(pages) == magic ? pages : NULL;
}

void *prs_find_shared(uint64_t size, uint64_t magic) {
  /* For tests: "mapping" and "private" do not look at the places. */
  const char *wanted = getenv("MLIR_PROF_SCOPE_REGISTRY");
  char way = wanted ? wanted[0] : 0;
  for (unsigned index = 0;
       way != 'm' && way != 'p' && index < sizeof places / sizeof *places;
       ++index) {
    if (places[index] > UINTPTR_MAX)
      continue;
    void *found = try_place(places[index], size, magic);
    if (found)
      return found;
  }
  void *found = way == 'p' ? NULL : prs_find_mapping(size, magic);
  if (found)
    return found;
  prs_state *private = prt_map(size);
  if (private) {
    private->magic = magic;
    private->is_private = 1;
  }
  return private;
}

uint64_t prs_self(void) { return (uint64_t)getpid(); }

uint64_t prs_self_thread(void) { return (uint64_t)(uintptr_t)pthread_self(); }

void prs_read_thread_name(char *name, size_t size) {
  char text[16] = "";
#ifdef PR_GET_NAME
  prctl(PR_GET_NAME, text, 0, 0, 0);
#endif
  prt_copy(name, text, size < sizeof text ? size : sizeof text);
}

/*===----------------------------------------------------------------------===*
 * Ends of threads
 *===----------------------------------------------------------------------===*/

static pthread_key_t key;
static int has_key;

/* A destructor that runs later may begin scopes: then the thread gets another
 * record. */
static void end_thread(void *thread) {
  prs_thread *ended = thread;
  uint64_t bit = prs_own_copy.bit;
  prs_current = NULL;
  prt_acquire(&prs->lock);
  int is_used = (ended->copies & bit) != 0 && bit != PRS_LAST_BIT;
  if (is_used && !(ended->copies &= ~bit)) {
    prs_read_thread_name(ended->open->name, sizeof ended->open->name);
    prs_end_thread(ended);
  }
  prt_release(&prs->lock);
}

void prs_arrange(void) {
  if (!has_key)
    has_key = pthread_key_create(&key, end_thread) == 0;
}

void prs_arrange_thread(prs_thread *thread) {
  if (has_key)
    pthread_setspecific(key, thread);
}

int prs_is_alive(uint64_t thread) {
  return !syscall(SYS_tgkill, getpid(), (pid_t)thread, 0);
}

__attribute__((destructor)) static void leave(void) {
  if (has_key)
    pthread_key_delete(key);
  has_key = 0;
  if (prs)
    prs_remove_devices();
  prs_detach();
}

/*===----------------------------------------------------------------------===*
 * Forks: the child records from zero, into a file of its own
 *===----------------------------------------------------------------------===*/

/* Handlers that prepare run in the reverse order of their registration. So
 * those of a library that locks a mutex there, within which other threads begin
 * scopes, run before that of the copy that was loaded first, which does it for
 * all. */
static uint64_t read_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec;
}

static int is_prepared;

/* Other threads cannot change such a record. */
static int is_idle(const prs_thread *thread) {
  return RT_ACQUIRE(&thread->ended) && !RT_LOAD(&thread->open->depth);
}

static void before_fork(void) {
  prt_acquire(&prs_attaching);
  if (!prs || RT_LOAD(&prs->fork_copy) != &prs_own_copy)
    return;
  prt_acquire(&prs->switch_lock);
  prs_lock_devices();
  prt_acquire(&prs->lock);
  for (prs_thread *thread = prs->threads; thread; thread = thread->next)
    if (!is_idle(thread))
      prt_acquire(&thread->lock);
  prs->fork_thread = prt_thread_id();
  is_prepared = 1;
}

static void release_all(void) {
  is_prepared = 0;
  prt_release(&prs->lock);
  prs_unlock_devices();
  prt_release(&prs->switch_lock);
}

static void after_fork_in_parent(void) {
  if (is_prepared) {
    for (prs_thread *thread = prs->threads; thread; thread = thread->next)
      if (!is_idle(thread))
        prt_release(&thread->lock);
    release_all();
  }
  prt_release(&prs_attaching);
}

/* Open scopes must not lie in the file of the parent. */
static void keep_open_scopes(prs_thread *thread) {
  prof_scope_threads *old = thread->open;
  uint64_t size = old->block.size;
  prof_scope_threads *open = (prof_scope_threads *)prs_make_private(
      PROF_SCOPE_BLOCK_THREAD, size, thread->number);
  if (!open)
    return;
  /* Without `replaced`, which the parent's file would show. */
  open->capacity = old->capacity;
  thread->open_in_file = 0;
  open->id = old->id;
  prt_copy(open->name, old->name, sizeof open->name);
  open->ended = old->ended;
  open->depth = RT_LOAD(&old->depth);
  prt_copy(open->slots, old->slots,
           open->capacity * (sizeof(prof_scope_slot) + sizeof(uint32_t)));
  thread->open = open;
  prs_free_block(&old->block);
}

/* Under all locks. */
static void adopt_threads(void) {
  uint64_t id = prt_thread_id();
  prs->orphans = 0;
  for (prs_thread *thread = prs->threads; thread; thread = thread->next) {
    /* Only changes copy pages. */
    if (RT_LOAD(&thread->lock.held))
      RT_STORE(&thread->lock.held, 0);
    if (!is_idle(thread))
      keep_open_scopes(thread);
    if (thread->ended)
      continue;
    prs_free_blocks(thread);
    prs_forget_records(thread);
    if (thread->id == prs->fork_thread) {
      prs_change_id(thread, id);
      prs_close_counters(thread);
      prs->orphans += !thread->copies;
    } else {
      prs_end_thread(thread);
    }
  }
}

static void begin_child(void) {
  int had_file = prs->file != 0 || prs->file_wanted;
  prs_leave_file();
  adopt_threads();
  uint32_t had_devices = prs->has_devices;
  prs_forget_devices();
  release_all();
  prs_reset_child();
  if (had_devices)
    prs_lose(PROF_SCOPE_LOSS_DEVICE, 1);
  prt_acquire(&prs->lock);
  prs->file_wanted = had_file ? 2 : 0;
  prs_read_clocks(1);
  prt_release(&prs->lock);
}

static void after_fork_in_child(void) {
  prs_forget_ticker();
  if (is_prepared)
    begin_child();
  prt_release(&prs_attaching);
}

/* Before libraries register theirs. */
__attribute__((constructor(101))) static void register_handlers(void) {
  int error =
      pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
  prs_own_copy.registered = error ? UINT64_MAX : read_ns();
}
