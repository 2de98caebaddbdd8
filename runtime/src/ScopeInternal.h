/*===- ScopeInternal.h - Data structures of scopes -----------------*- C -*-===*
 *
 * Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*
 *
 * Ownership and locks:
 *  - A thread alone writes its records and statistics, and pushes and pops its
 *    open scopes; other threads read them (words, relaxed), and mark a scope
 *    that they end as dead, under the thread's lock.
 *  - Everything else changes under prs->lock. Memory of records, statistics and
 *    open scopes is replaced by the thread itself, under prs->lock, so that who
 *    holds it can read that of all threads; after a thread's end, by anyone.
 *  - A track of a device belongs to who holds prs->device_lock, which also is
 *    held while functions of the source run.
 *  - Locks are taken in this order: prs->switch_lock, prs->device_lock,
 *    prs->lock, prs_thread.lock.
 *  - prs is in pages that all copies of the runtime in the process use. It and
 *    what it points to does not contain addresses of code, but for those of
 *    sources of devices and readers of allocations, which their copy removes
 *    when it is unloaded.
 *
 *===----------------------------------------------------------------------===*/

#ifndef MLIR_PROF_RUNTIME_SCOPEINTERNAL_H
#define MLIR_PROF_RUNTIME_SCOPEINTERNAL_H

#include "Internal.h"
#include "Lock.h"
#include "mlir-prof/Runtime/prof_scope_file.h"
#pragma GCC visibility push(default)
#include "mlir-prof/Runtime/prof_scope.h"
#pragma GCC visibility pop

#define PRS_UNLIKELY(condition) __builtin_expect(!!(condition), 0)

/* Changes whenever anything in prs does: copies of other layouts have a
 * registry of their own. */
#define PRS_LAYOUT 3
#define PRS_PATH 1024
/* Buckets of sites at first, and of threads. */
#define PRS_HASH 4096
#define PRS_THREAD_HASH 1024
/* Sessions whose options are known. */
#define PRS_SESSIONS 32
/* Freed blocks that are kept for further ones. */
#define PRS_POOL 16
/* Sets of prof_scope_mode. */
#define PRS_MODE_SETS 4
/* Entries of a thread's cache of names. */
#define PRS_CACHE 256
/* Rings of ended threads that are kept. */
#define PRS_ENDED_RINGS 64
/* Sources of scopes of devices. */
#define PRS_DEVICES 16

/* Reasons why a thread may not use the short paths. */
enum prs_slow {
  /* The configuration or the session changed. */
  PRS_REFRESH = 1,
  /* A scope on its stack is dead. */
  PRS_DEAD = 2,
  /* Statistics, types, roles, sampling or counts. */
  PRS_MODES = 4,
};

/* A block of a thread. */
typedef struct prs_memory {
  struct prs_memory *next;
  prof_scope_block *block;
  /* Records or rows of the copy that is being made. */
  uint64_t copied;
} prs_memory;

/* An interned site. */
typedef struct prs_site {
  struct prs_site *next;
  struct prs_site *in_bucket;
  uint64_t hash;
  prof_scope_site_entry entry;
  /* Name, then file. */
  char bytes[];
} prs_site;

/* Sums over what has ended directly inside a slot, while statistics are on: of
 * the scopes there, and for `inside` of those inside them. */
typedef struct prs_inside {
  uint64_t ticks;
  uint64_t children;
  uint64_t inside;
  /* The sums are those of the slot's scope if it has this serial. */
  uint32_t serial;
  /* In which it began. */
  uint32_t generation;
  /* If another thread ended it: what the scope around it has not been charged
   * with yet, if the serial is that of the slot. */
  uint64_t charge;
  uint64_t charged_inside;
  uint32_t charged_serial;
} prs_inside;

/* The parts so far of a suspended scope, while statistics are on. */
typedef struct prs_pending {
  struct prs_pending *next;
  uint32_t number;
  /* Number of the thread and generation in which it began. */
  uint32_t thread;
  uint32_t generation;
  uint64_t ticks;
  uint64_t self;
  uint64_t children;
  uint64_t inside;
} prs_pending;

/* The amounts at the begin of a slot's scope. */
typedef struct prs_counts {
  uint64_t values[PROF_SCOPE_COUNTS];
  /* prof_scope_counting. */
  uint32_t counting;
  /* A bit for each amount that could be read. */
  uint32_t known;
} prs_counts;

/* A thread's counters of the processor. */
#define PRS_COUNTERS 4
enum prs_counters_state { PRS_UNTRIED, PRS_OPEN, PRS_FAILED };
typedef struct prs_counters {
  uint32_t state;
  int files[PRS_COUNTERS];
  void *pages[PRS_COUNTERS];
} prs_counters;

/* A scope that ends. */
typedef struct prs_ending {
  uint64_t begin;
  uint32_t site;
  uint32_t state;
  uint32_t number;
  uint32_t serial;
} prs_ending;

typedef struct prof_scope_thread {
  /* Used by each scope. */
  prof_scope_threads *open;
  prof_scope_records *records;
  uint64_t limit;
  uint64_t mask;
  uint32_t slow;
  uint32_t serial;

  prt_lock lock;
  /* Set while it holds the lock of any thread, or writes several words that a
   * signal handler must not. */
  uint32_t is_locking;
  struct prof_scope_thread *next;
  /* Others with an id of the same hash. */
  struct prof_scope_thread *next_of_id;
  /* Others that have ended. */
  struct prof_scope_thread *next_ended;
  /* The file in which `open` lies: its prs->file_serial, or 0. */
  uint32_t open_in_file;
  uint32_t number;
  /* Set at the end of the thread: then another one may use this. */
  uint32_t ended;
  /* Copies of the runtime that use it. If there is none and it has not ended,
   * it is an orphan: those were unloaded. */
  uint64_t copies;
  uint64_t id;
  /* If this is a track of a device, as in prof_scope_threads; else 0. */
  uint32_t device;
  uint64_t ticks_per_second;
  uint32_t session;
  uint32_t generation;
  /* Open scopes in the copy that is being made, and room for them. */
  uint32_t copied_depth;
  uint32_t copied_capacity;
  prof_scope_slot *copied_slots;
  /* Dead slots on the stack. */
  uint32_t dead;
  /* Records before those of `records`. */
  uint64_t written;
  /* Drops since memory was asked for the last time. */
  uint64_t drops;
  /* All blocks but `open`. */
  prs_memory *blocks;
  prof_scope_statistics *statistics;
  /* Rows and numbers of skipped scopes, by site. */
  prof_scope_row **rows;
  uint32_t *skipped;
  uint32_t sites;
  prs_inside *inside;
  uint32_t inside_capacity;
  prs_counts *counts;
  uint32_t counts_capacity;
  prs_counters counters;
  const prs_site *cache[PRS_CACHE];
} prs_thread;

/* A copy's variable prof_scope_level. */
typedef struct prs_copy {
  struct prs_copy *next;
  int32_t *level;
  /* Its bit in prs_thread.copies. */
  uint64_t bit;
  /* Nanoseconds at which its handlers of forks were registered. */
  uint64_t registered;
} prs_copy;

/* That of copies for which there was no bit left: threads that use them never
 * end. */
#define PRS_LAST_BIT (UINT64_C(1) << 63)

typedef struct prs_track {
  struct prs_track *next;
  uint32_t number;
  prs_thread *thread;
} prs_track;

/* Suspended scopes are found by their numbers. */
#define PRS_PENDING 256

/* Copies of the runtime that may report allocations. */
#define PRS_READERS 8
typedef int prs_reader(uint64_t *values);

/* A source of scopes of a device. Under prs->device_lock. */
typedef struct prs_device {
  prof_scope_device table;
  /* The copy of the runtime that added it; null if it is free. */
  const prs_copy *copy;
  uint32_t is_started;
  /* Readings of its clock in the session. */
  uint32_t session;
  uint32_t readings;
  prs_thread *clock;
  prs_track *tracks;
} prs_device;

/* A session's options that sessions share. */
typedef struct prs_config {
  /* Number of the session, 0 if this is free. */
  uint32_t session;
  uint32_t modes;
  int32_t level;
  uint32_t counting;
  uint64_t types;
  uint64_t roles;
} prs_config;

typedef struct prs_state {
  /* Set last, with the layout in it. */
  uint64_t magic;
  prt_lock lock;
  prt_guard guard;
  /* 1 if other copies of the runtime cannot find it. */
  uint32_t is_private;
  /* The copy that prepares for forks, and the forking thread. */
  const prs_copy *fork_copy;
  uint64_t fork_thread;
  /* Memory that is never given back; prt_allocate's is that of one copy. */
  char *memory;
  uint64_t memory_left;

  /* Configuration of the running sessions, and that of those that did not fit:
   * it stays. */
  prs_config configs[PRS_SESSIONS];
  prs_config others;
  uint32_t starts;
  uint64_t stop_ticks;
  uint32_t sessions;
  uint32_t session;
  uint32_t generation;
  uint32_t modes;
  int32_t level;
  uint32_t sample_every;
  uint64_t types;
  uint64_t roles;
  uint32_t counting;
  uint64_t ring_records;

  prt_lock switch_lock;
  uint32_t switch_state;
  uint32_t detail;
  prof_scope_moment switch_from;

  prt_lock device_lock;
  /* The thread that holds it. */
  uint64_t device_owner;
  uint32_t has_devices;
  /* Changes when a thread that reads clocks shall end. */
  uint32_t device_epoch;
  uint64_t device_period_ns;
  prs_device devices[PRS_DEVICES];

  prs_pending *pending[PRS_PENDING];
  prs_pending *spare_pending;
  prs_reader *readers[PRS_READERS];

  prs_copy *copies;
  prs_thread *threads;
  prs_thread *last_thread;
  prs_thread *by_id[PRS_THREAD_HASH];
  /* Ended threads of the session, the oldest first, and those of others. */
  prs_thread *first_ended;
  prs_thread *last_ended;
  prs_thread *free_threads;
  uint32_t thread_count;
  uint32_t ended_rings;
  uint32_t orphans;
  uint32_t number;
  uint32_t site_count;
  prs_site *first_site;
  prs_site *last_site;
  uint64_t bucket_count;
  prs_site **buckets;
  prs_site *first_buckets[PRS_HASH];
  prs_memory *spare_entries;
  prof_scope_block *pool[PRS_POOL];
  uint32_t pooled;

  prof_scope_process process;
  /* The values of process.cost_pair by modes. */
  uint64_t cost_pairs[PRS_MODE_SETS];
  uint32_t reading_count;
  uint64_t reading_spacing;
  /* The same in the file, or null. */
  prof_scope_process *process_in_file;
  /* Stands for the records of a thread that does not have any. */
  uint64_t no_records[sizeof(prof_scope_records) / sizeof(uint64_t)];
  /* The descriptor, or 0. */
  int file;
  uint32_t file_wanted;
  /* Its device and inode: the descriptor may become another's. */
  uint64_t file_device;
  uint64_t file_inode;
  uint32_t file_serial;
  uint64_t file_size;
  /* Address space for the file, so that its blocks are one mapping. */
  char *arena;
  uint64_t arena_left;
  /* The page of the file before. */
  prof_scope_process *closed_process;
  prof_scope_sites *sites_in_file;
  char path[PRS_PATH];
} prs_state;

/* Stands for the thread of a suspended scope, whose token has its number as
 * serial, and as slot its site, what it counts, and whether it is skipped. */
#define PRS_SUSPENDED ((prs_thread *)1)

/* Null before the first use. */
extern prs_state *prs;
extern int64_t (*prs_clock)(void);
/* In code that may be loaded at run time, few bytes can be of this model; in
 * other C libraries than glibc, none. */
#ifdef __GLIBC__
#define PRS_FAST_TLS __attribute__((tls_model("initial-exec")))
#else
#define PRS_FAST_TLS
#endif
extern _Thread_local prs_thread *prs_current PRS_FAST_TLS;

static inline uint64_t prs_ticks(void) {
  int64_t (*clock)(void) = RT_LOAD(&prs_clock);
  if (PRS_UNLIKELY(clock != 0))
    return (uint64_t)clock() & PROF_SCOPE_TICKS_MASK;
  return (uint64_t)prt_inline_ticks() & PROF_SCOPE_TICKS_MASK;
}

/* Whether the session records scopes of a level. */
static inline int prs_has_level(unsigned level) {
  return RT_LOAD(&prs->level) >= (int32_t)(level ? level : 1);
}

/* Whether the session records scopes of a type and a role. */
static inline int prs_is_selected(unsigned type, unsigned role) {
  uint64_t types = RT_LOAD(&prs->types), roles = RT_LOAD(&prs->roles);
  return (!types || types >> (type & 63) & 1) &&
         (!roles || roles >> (role & 63) & 1);
}

static inline uint32_t *prs_numbers(prof_scope_threads *open) {
  return (uint32_t *)(open->slots + open->capacity);
}

static inline void prs_lose(enum prof_scope_loss kind, uint64_t count) {
  RT_ADD(&prs->process.losses[kind], count);
  prof_scope_process *in_file = RT_ACQUIRE(&prs->process_in_file);
  if (in_file)
    RT_ADD(&in_file->losses[kind], count);
}

/* Whether an interval that was measured elsewhere may be recorded. */
int prs_is_possible(int64_t begin_ns, int64_t end_ns);

/* Other threads may be counting meanwhile; null stands for zeros. */
static inline void prs_copy_losses(uint64_t *to, const uint64_t *from) {
  for (unsigned kind = 0; kind < PROF_SCOPE_LOSSES; ++kind)
    RT_STORE(&to[kind], from ? RT_LOAD(&from[kind]) : 0);
}

static inline void prs_set_slow(prs_thread *thread, uint32_t reason) {
  __atomic_fetch_or(&thread->slow, reason, __ATOMIC_RELAXED);
}

static inline void prs_clear_slow(prs_thread *thread, uint32_t reason) {
  __atomic_fetch_and(&thread->slow, ~reason, __ATOMIC_RELAXED);
}

/* Makes a slot that of a scope, if a signal handler has used it meanwhile; the
 * word is that of the slot without the serial. ScopeStack.c */
void prs_push_again(prs_thread *thread, uint32_t slot, uint32_t word,
                    uint32_t serial);

/* Pushes a scope; there must be room. */
static inline prof_scope_token prs_push(prs_thread *thread, uint32_t site,
                                        uint32_t state) {
  prof_scope_threads *open = thread->open;
  uint32_t depth = RT_LOAD(&open->depth);
  uint32_t serial = RT_LOAD(&thread->serial) + 1;
  RT_STORE(&thread->serial, serial);
  prof_scope_slot *slot = &open->slots[depth];
  RT_STORE(&slot->word, site | (uint64_t)state << PROF_SCOPE_SITE_BITS |
                            (uint64_t)serial << 32);
  /* A killed process shows it only when it is complete. */
  RT_RELEASE(&slot->begin, prs_ticks());
  RT_RELEASE(&open->depth, depth + 1);
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  /* Meanwhile a signal handler may have used the slot. */
  if (PRS_UNLIKELY(RT_LOAD(&thread->serial) != serial))
    prs_push_again(thread, depth, site | state << PROF_SCOPE_SITE_BITS, serial);
  prof_scope_token token = {thread, depth, serial};
  return token;
}

/* ScopeRecords.c */
/* Writes the record of a scope where a signal handler has written one. */
void prs_write_again(prs_thread *thread, prof_scope_record_words *record,
                     uint64_t begin, uint64_t second);

/* The thread sanitizer does not see what assembler code writes. */
#if defined(__SANITIZE_THREAD__)
#define PRS_THREAD_SANITIZER
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define PRS_THREAD_SANITIZER
#endif
#endif

/* Increases `word` from `from`, unless a signal handler of the thread has
 * changed it. Only this thread writes it, so one instruction is enough, without
 * a lock of the bus. */
static inline int prs_advance(uint64_t *word, uint64_t from) {
#if defined(__x86_64__) && !defined(PRS_THREAD_SANITIZER)
  int is_same;
  uint64_t seen = from;
  __asm__ volatile("cmpxchgq %3, %1"
                   : "=@ccz"(is_same), "+m"(*word), "+a"(seen)
                   : "r"(from + 1)
                   : "memory");
  return is_same;
#else
  return __atomic_compare_exchange_n(word, &from, from + 1, 0, __ATOMIC_RELEASE,
                                     __ATOMIC_RELAXED);
#endif
}

/* Writes the record of a scope about which nothing is special; there must be
 * room. */
static inline void prs_write(prs_thread *thread, uint64_t used, uint64_t begin,
                             uint64_t ticks, uint64_t word, uint32_t slot) {
  prof_scope_records *records = thread->records;
  prof_scope_record_words *record = &records->records[used & thread->mask];
  uint64_t second = ticks << 32 | (word & PROF_SCOPE_SITES_MAX) << 8 | slot;
  RT_STORE(&record->first, begin);
  RT_STORE(&record->second, second);
  /* Meanwhile a signal handler may have written records there. */
  if (PRS_UNLIKELY(!prs_advance(&records->used, used)))
    prs_write_again(thread, record, begin, second);
}

/* Ends the innermost scope of the thread and writes its record, if nothing
 * about it is special; else 0. */
static inline int prs_pop(prs_thread *thread, prof_scope_token token,
                          uint64_t now) {
  prof_scope_threads *open = thread->open;
  prof_scope_slot *slot = &open->slots[token.slot];
  if (PRS_UNLIKELY(RT_LOAD(&thread->slow) ||
                   RT_LOAD(&open->depth) != token.slot + 1))
    return 0;
  prof_scope_records *records = thread->records;
  uint64_t used = RT_LOAD(&records->used);
  uint64_t word = RT_LOAD(&slot->word), begin = RT_LOAD(&slot->begin);
  uint64_t ticks = now - begin;
  /* Without state. */
  if (PRS_UNLIKELY(word >> PROF_SCOPE_SITE_BITS !=
                       (uint64_t)token.serial << (32 - PROF_SCOPE_SITE_BITS) ||
                   ticks >> 32 || used >= thread->limit))
    return 0;
  prs_write(thread, used, begin, ticks, word, token.slot);
  RT_RELEASE(&open->depth, token.slot);
  return 1;
}

/* ScopeStack.c */
/* Acquires a thread's lock; 0 where a signal handler interrupted a function
 * that has set is_locking. */
int prs_lock_thread(prs_thread *owner);
void prs_unlock_thread(prs_thread *owner);
/* Whether that is the case, which is a loss. */
int prs_is_interrupted(void);
uint32_t prs_make_number(void);
static inline uint32_t prs_get_state(const prof_scope_slot *slot) {
  return PROF_SCOPE_SLOT_STATE(RT_LOAD(&slot->word));
}
/* Does what was left for the thread to do. */
void prs_catch_up(prs_thread *thread);
/* Whether `token` is an open scope of `thread`. */
int prs_is_open(prs_thread *thread, prof_scope_token token);
prs_ending prs_read_slot(prs_thread *thread, uint32_t index);
/* Ends an open scope of the calling thread in every case. */
void prs_finish(prs_thread *thread, uint32_t index, uint64_t now,
                uint32_t flags, uint32_t number);
/* Pushes a scope in every case; `counting` is what it counts. */
prof_scope_token prs_push_any(prs_thread *thread, uint32_t site, uint32_t state,
                              uint32_t number, uint32_t counting);
/* Marks the scope of another thread as dead; 0 if it is not open. */
int prs_take_away(prof_scope_token token, uint64_t now, prs_ending *ending,
                  prs_inside *inside);

/* ScopeRecords.c */
/* Writes records that belong together, or counts a loss. */
void prs_write_records(prs_thread *thread,
                       const prof_scope_record_words *records, uint32_t count);
static inline prof_scope_record_words
prs_make_record(enum prof_scope_kind kind, uint64_t first, uint64_t second) {
  prof_scope_record_words record = {
      (uint64_t)kind << PROF_SCOPE_KIND_SHIFT | first, second};
  return record;
}

/* ScopeDevices.c */
/* Starts sources that have not started; ENODEV if there is not any. */
int prs_start_devices(void);
void prs_stop_devices(void);
/* Removes the sources that this copy added. */
void prs_remove_devices(void);
/* Around a fork. */
void prs_lock_devices(void);
void prs_unlock_devices(void);
/* In the child, where devices are not recorded. */
void prs_forget_devices(void);
/* In the child, for each copy of the runtime. */
void prs_forget_ticker(void);

/* ScopeSession.c */
/* Completes options, perhaps of another version, or null; 0 or an errno. */
int prs_read_options(const prof_scope_options *from, prof_scope_options *to);
/* prof_scope_reset, for the child of a fork: threads that ended in the parent
 * stay as they are until the next session, as most children do not live long,
 * and each change of a page copies it. */
void prs_reset_child(void);
/* Changes the roles that a session records. */
void prs_set_roles(uint32_t session, uint64_t roles);

/* ScopeRegistry.c */
extern prs_copy prs_own_copy;
/* Held while this copy joins the registry. */
extern prt_lock prs_attaching;
/* Adds a record of a thread to the list, or null. Under prs->lock. */
prs_thread *prs_add_thread(uint64_t id, uint32_t device, const char *name);
/* Makes prs; 0 if there is no memory. */
int prs_attach(void);
/* The calling thread's record, or null. */
prs_thread *prs_get_thread(void);
/* Makes the memory of the calling thread that of the current session. */
void prs_refresh(prs_thread *thread);
/* The same, under prs->lock. */
void prs_refresh_locked(prs_thread *thread);
/* Gives back the memory of records and statistics. Under prs->lock. */
void prs_free_blocks(prs_thread *thread);
/* Doubles the thread's open scopes; 0 if that fails. */
int prs_grow_open(prs_thread *thread);
/* Makes room for `site` in the thread's tables; 0 if that fails. */
int prs_grow_sites(prs_thread *thread, uint32_t site);
/* Makes all threads and copies notice the configuration. Under prs->lock. */
void prs_publish(void);
/* Copies the open scopes, without `state`, to another block and gives the old
 * one back. Under prs->lock. */
void prs_move_open(prs_thread *thread, prof_scope_threads *to, uint32_t state);
/* Gives the records of ended threads back, whose sessions are over. Under
 * prs->lock. */
void prs_free_ended(void);
/* Leaves that to the next call. */
void prs_forget_ended(void);
/* Makes a thread that ended in another session one of this session, if a scope
 * of it is about to end. */
void prs_join_ended(prof_scope_token token);
/* In a child, the thread has another id. */
void prs_change_id(prs_thread *thread, uint64_t id);
/* Removes this copy from the registry, which remains. */
void prs_detach(void);
/* Ends the records of threads that have ended after their copies were unloaded.
 * Under prs->lock. */
void prs_end_orphans(void);
/* For the end of a thread, and for threads that a fork left behind. Under
 * prs->lock. */
void prs_end_thread(prs_thread *thread);

/* Makes the thread forget records whose memory is given back. */
void prs_forget_records(prs_thread *thread);

/* ScopeBlocks.c */
/* Zeroed memory, or null. Under prs->lock. */
void *prs_allocate(uint64_t size);
/* A zeroed block of at least `size` bytes, in the session's file if there is
 * one; or null. Under prs->lock. */
prof_scope_block *prs_make_block(uint16_t kind, uint64_t size, uint32_t thread);
/* The same, always in memory. */
prof_scope_block *prs_make_private(uint16_t kind, uint64_t size,
                                   uint32_t thread);
void prs_free_block(prof_scope_block *block);
/* Adds a block to the thread's list; 0 if memory is missing. */
int prs_keep(prs_thread *thread, prof_scope_block *block);
/* The next block for records, or null: then the record is lost. Takes
 * prs->lock. */
int prs_next_records(prs_thread *thread);
/* Gives pages of blocks back, while their thread may be writing. */
void prs_drop_pages(prs_thread *thread);
/* Pages of the file or, if `file` is 0, of memory; or null. */
void *prs_map(uint64_t size, int file, uint64_t offset);

/* ScopeFile.c */
/* Makes the session's file if it is wanted. Under prs->lock. */
int prs_open_file(void);
void prs_close_file(void);
/* Forgets the file of the parent, in a child. */
void prs_leave_file(void);
/* Takes over a path; 0 or an errno. */
int prs_set_path(const char *path);
/* More pages of the file, or null and errno. */
void *prs_extend_file(uint64_t size);
void prs_fill_header(prof_scope_block *block, uint16_t kind, uint64_t size,
                     uint32_t thread);
/* To whole pages. */
uint64_t prs_round_up(uint64_t size);

/* ScopeClock.c */
/* The clock of the process, a prof_scope_clock. */
uint32_t prs_choose_clock(void);
/* Makes this copy read the clock of `state`. */
void prs_adopt_clock(const prs_state *state);
/* Adds the reading of the clocks to the process block. Under prs->lock. */
void prs_read_clocks(int is_first);
/* The same if the last one is long ago. */
void prs_read_clocks_sparsely(void);
/* The ticks of so many nanoseconds, within 1e-4. */
uint64_t prs_ns_to_ticks(uint64_t ns);
/* The frequency of ticks is known only some time after the first reading. */
void prs_wait_for_clock(void);

/* ScopeSites.c */
/* Numbers of sites, 0 if memory is missing. */
uint32_t prs_register_site(prof_scope_site *site);
static inline uint32_t prs_get_site_id(prof_scope_site *site) {
  uint32_t id = RT_LOAD(site->counting ? &site->counted_id : &site->id);
  return id ? id : prs_register_site(site);
}
const prs_site *prs_find_name(prs_thread *thread, const char *name,
                              size_t length, unsigned type, unsigned level,
                              unsigned role);
/* Writes a site to the file. Under prs->lock. */
void prs_write_site(const prs_site *site);
uint64_t prs_entry_size(const prs_site *site);
char *prs_write_entry(const prs_site *site, char *to);

/* ScopeStatistics.c */
int prs_reserve_inside(prs_thread *thread);
static inline void prs_clear_inside(prs_thread *thread, uint32_t slot) {
  prs_inside *inside = &thread->inside[slot];
  RT_STORE(&inside->ticks, 0);
  RT_STORE(&inside->children, 0);
  RT_STORE(&inside->inside, 0);
  RT_STORE(&inside->serial, thread->serial + 1);
  RT_STORE(&inside->generation, thread->generation);
}
/* Counts the innermost scope of a thread, about which nothing is special. */
void prs_count_top(prs_thread *thread, uint32_t slot, uint32_t site,
                   uint32_t serial, uint64_t ticks);
/* Counts a scope, or a part of one, in every case. */
void prs_count(prs_thread *thread, uint32_t slot, const prs_ending *ending,
               uint64_t ticks, uint64_t now, uint32_t flags);
/* Gives what is inside of a context to what is around it. */
void prs_count_link(prs_thread *thread, uint32_t slot, uint32_t serial);
/* The sums of a slot that another thread ends, under its thread's lock;
 * the thread will charge it to what is around. */
prs_inside prs_take_inside(prs_thread *owner, uint32_t slot,
                           const prs_ending *ending, uint64_t now);
/* Counts what the thread `owner` has begun and `thread` has ended. */
void prs_count_taken(prs_thread *thread, const prs_thread *owner,
                     const prs_inside *inside, const prs_ending *ending,
                     uint64_t ticks, uint32_t flags);
/* Charges what another thread has ended in `slot`, which is popped. */
void prs_count_popped(prs_thread *thread, uint32_t slot);
/* Counts an interval that was measured elsewhere. */
void prs_count_outside(prs_thread *thread, uint32_t site, uint64_t ticks);
/* Forgets suspended scopes. Under prs->lock. */
void prs_forget_pending(void);

/* ScopeCounts.c */
/* Reads the amounts with which a scope begins; 0 if memory is missing. */
int prs_begin_counts(prs_thread *thread, uint32_t slot, uint32_t counting);
/* Makes the records of a scope's amounts; their number. */
uint32_t prs_end_counts(prs_thread *thread, uint32_t slot,
                        prof_scope_record_words *records);
/* As they are now, a bit for each that is known. */
uint32_t prs_read_counts(prs_thread *thread, uint32_t counting,
                         uint64_t *values);
void prs_close_counters(prs_thread *thread);
/* Makes the allocations of this copy known to all, and the reverse. Under
 * prs->lock. */
void prs_add_reader(prs_state *state);
void prs_remove_reader(void);

/* ScopeCost.c */
void prs_measure_cost(void);

/* ScopeSystem.c */
/* The registry of the process, made if `size` zeroed bytes can be had at the
 * address that all copies know; else private memory. */
void *prs_find_shared(uint64_t size, uint64_t magic);
/* ScopeShared.c: a registry that copies find by a name, or null. */
void *prs_find_mapping(uint64_t size, uint64_t magic);
uint64_t prs_self(void);
uint64_t prs_self_thread(void);
void prs_read_thread_name(char *name, size_t size);
/* Arranges for ends of threads. */
void prs_arrange(void);
void prs_arrange_thread(prs_thread *thread);
/* Whether the process has a thread with that id. */
int prs_is_alive(uint64_t thread);

#endif /* MLIR_PROF_RUNTIME_SCOPEINTERNAL_H */
