/*===- ScopeRegistry.c - One registry a process, and its threads -----------===*
 *
 * Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*/

#include "ScopeInternal.h"

#define PRS_MAGIC (UINT64_C(0x6d6c697270726f00) + PRS_LAYOUT)
/* Open scopes for which a thread has room at first; all those of short paths.
 */
#define PRS_DEPTH 256
#define PRS_OPEN_BYTES(depth)                                                  \
  (sizeof(prof_scope_threads) +                                                \
   (uint64_t)(depth) * (sizeof(prof_scope_slot) + sizeof(uint32_t)))

prs_state *prs;
_Thread_local prs_thread *prs_current;

/* Above all levels: the first scope of a copy attaches it. */
int32_t prof_scope_level = INT32_MAX;

static prt_guard attaching_guard;
prt_lock prs_attaching = {0, &attaching_guard};
prs_copy prs_own_copy;

/*===----------------------------------------------------------------------===*
 * Copies of the runtime
 *===----------------------------------------------------------------------===*/

/* Under the lock of `state`. */
static void choose_fork_copy(prs_state *state) {
  const prs_copy *first = state->copies;
  for (const prs_copy *copy = first; copy; copy = copy->next)
    if (copy->registered < first->registered)
      first = copy;
  RT_STORE(&state->fork_copy, first);
}

static void add_copy(prs_state *state) {
  uint64_t used = PRS_LAST_BIT;
  for (const prs_copy *copy = state->copies; copy; copy = copy->next)
    used |= copy->bit;
  prs_own_copy.bit = ~used ? ~used & (used + 1) : PRS_LAST_BIT;
  prs_own_copy.level = &prof_scope_level;
  prs_own_copy.next = state->copies;
  state->copies = &prs_own_copy;
  choose_fork_copy(state);
}

int prs_attach(void) {
  if (RT_ACQUIRE(&prs))
    return 1;
  prt_acquire(&prs_attaching);
  prs_state *state = prs;
  if (!state && (state = prs_find_shared(sizeof(prs_state), PRS_MAGIC))) {
    RT_STORE(&state->lock.guard, &state->guard);
    prt_acquire(&state->lock);
    add_copy(state);
    RT_STORE(&prof_scope_level, state->level);
    int is_first = !state->process.process;
    if (is_first) {
      state->process.process = prs_self();
      state->process.clock = prs_choose_clock();
    }
    prs_adopt_clock(state);
    prs_add_reader(state);
    prt_release(&state->lock);
    /* The end of any thread that begins a scope must be noticed. */
    prs_arrange();
    RT_RELEASE(&prs, state);
    if (is_first) {
      prt_acquire(&state->lock);
      prs_read_clocks(1);
      prt_release(&state->lock);
    }
  } else if (!state) {
    RT_STORE(&prof_scope_level, 0);
  }
  prt_release(&prs_attaching);
  return state != NULL;
}

/* Whether they end is not told any more. */
static void leave_threads(void) {
  uint64_t bit = prs_own_copy.bit;
  for (prs_thread *thread = prs->threads; bit != PRS_LAST_BIT && thread;
       thread = thread->next) {
    if (!(thread->copies & bit))
      continue;
    thread->copies &= ~bit;
    prs->orphans += !thread->copies;
  }
}

void prs_detach(void) {
  if (!prs)
    return;
  prt_acquire(&prs->lock);
  for (prs_copy **copy = &prs->copies; *copy; copy = &(*copy)->next)
    if (*copy == &prs_own_copy) {
      *copy = prs_own_copy.next;
      break;
    }
  choose_fork_copy(prs);
  leave_threads();
  prs_remove_reader();
  prt_release(&prs->lock);
}

void prs_publish(void) {
  for (prs_copy *copy = prs->copies; copy; copy = copy->next)
    RT_STORE(copy->level, prs->level);
  for (prs_thread *thread = prs->threads; thread; thread = thread->next)
    if (!RT_ACQUIRE(&thread->ended))
      prs_set_slow(thread, PRS_REFRESH);
}

/*===----------------------------------------------------------------------===*
 * Open scopes
 *===----------------------------------------------------------------------===*/

static prof_scope_threads *make_private_open(prs_thread *thread,
                                             uint32_t depth) {
  return (prof_scope_threads *)prs_make_private(
      PROF_SCOPE_BLOCK_THREAD, PRS_OPEN_BYTES(depth), thread->number);
}

/* A block that is not valid yet; or null. */
static prof_scope_threads *make_open(prs_thread *thread, uint32_t depth) {
  prof_scope_threads *open = NULL;
  if (prs->file)
    open = (prof_scope_threads *)prs_make_block(
        PROF_SCOPE_BLOCK_THREAD, PRS_OPEN_BYTES(depth), thread->number);
  uint32_t in_file = open != NULL;
  /* Open scopes must lie somewhere. */
  if (!open)
    open = make_private_open(thread, depth);
  if (open) {
    open->replaced = 1;
    open->in_file = in_file;
    open->capacity = depth;
    open->id = thread->id;
    open->device = thread->device;
    open->ticks_per_second = thread->ticks_per_second;
  }
  return open;
}

/* A block that is valid from now on. Files keep the one before, which the
 * reader ignores as it comes first. */
static void use_open(prs_thread *thread, prof_scope_threads *to) {
  RT_RELEASE(&to->replaced, 0);
  thread->open = to;
  thread->open_in_file = to->in_file ? prs->file_serial : 0;
}

void prs_move_open(prs_thread *thread, prof_scope_threads *to, uint32_t state) {
  prof_scope_threads *from = thread->open;
  uint64_t lost = (uint64_t)state << PROF_SCOPE_SITE_BITS;
  prt_acquire(&thread->lock);
  uint32_t depth = RT_LOAD(&from->depth);
  for (uint32_t index = 0; index < depth; ++index) {
    to->slots[index].begin = RT_LOAD(&from->slots[index].begin);
    to->slots[index].word = RT_LOAD(&from->slots[index].word) & ~lost;
  }
  prt_copy(prs_numbers(to), prs_numbers(from), depth * sizeof(uint32_t));
  prt_copy(to->name, from->name, sizeof to->name);
  to->ended = from->ended;
  RT_RELEASE(&to->depth, depth);
  use_open(thread, to);
  prt_release(&thread->lock);
  prs_free_block(&from->block);
}

int prs_grow_open(prs_thread *thread) {
  uint32_t capacity = thread->open->capacity;
  /* The slot of a prefix has 32 bits. */
  if (capacity > UINT32_MAX / 64)
    return 0;
  prt_acquire(&prs->lock);
  prof_scope_threads *open = make_open(thread, capacity * 2);
  if (open)
    prs_move_open(thread, open, 0);
  prt_release(&prs->lock);
  return open != NULL;
}

int prs_grow_sites(prs_thread *thread, uint32_t site) {
  uint32_t sites = 2 * thread->sites;
  sites = sites > site ? sites : (site | 63) + 1;
  prt_acquire(&prs->lock);
  prof_scope_row **rows = prs_allocate(sites * sizeof *rows);
  uint32_t *skipped = prs_allocate(sites * sizeof *skipped);
  prt_release(&prs->lock);
  if (!rows || !skipped)
    return 0;
  if (thread->sites) {
    prt_copy(rows, thread->rows, thread->sites * sizeof *rows);
    prt_copy(skipped, thread->skipped, thread->sites * sizeof *skipped);
  }
  thread->rows = rows;
  thread->skipped = skipped;
  thread->sites = sites;
  return 1;
}

/*===----------------------------------------------------------------------===*
 * Sessions of a thread
 *===----------------------------------------------------------------------===*/

void prs_forget_records(prs_thread *thread) {
  thread->records = (prof_scope_records *)prs->no_records;
  thread->limit = thread->mask = 0;
  thread->written = thread->drops = 0;
}

static void join_session(prs_thread *thread) {
  prs_free_blocks(thread);
  prs_forget_records(thread);
  thread->session = prs->session;
  prof_scope_threads *open = make_open(thread, thread->open->capacity);
  /* The other halves of marks are in the session before. */
  if (open)
    prs_move_open(thread, open, PROF_SCOPE_STATE_MOVED);
  else
    prs_lose(PROF_SCOPE_LOSS_MEMORY, 1);
  if (thread->sites)
    prt_zero(thread->skipped, thread->sites * sizeof *thread->skipped);
}

/* Files do not have what happens after the stop. */
static void leave_old_file(prs_thread *thread) {
  if (!thread->open_in_file ||
      (prs->file && thread->open_in_file == prs->file_serial))
    return;
  prof_scope_threads *open = make_private_open(thread, thread->open->capacity);
  if (!open)
    return;
  open->capacity = thread->open->capacity;
  open->id = thread->id;
  open->device = thread->device;
  open->ticks_per_second = thread->ticks_per_second;
  prs_move_open(thread, open, 0);
  uint64_t written = thread->written + RT_LOAD(&thread->records->used);
  prs_forget_records(thread);
  thread->written = written;
}

void prs_refresh_locked(prs_thread *thread) {
  prs_clear_slow(thread, PRS_REFRESH | PRS_MODES);
  int is_new = thread->session != prs->session;
  if (prs->file_wanted)
    prs_open_file();
  if (is_new)
    join_session(thread);
  else
    leave_old_file(thread);
  if (is_new || thread->generation != prs->generation) {
    thread->generation = prs->generation;
    thread->statistics = NULL;
    if (thread->sites)
      prt_zero(thread->rows, thread->sites * sizeof *thread->rows);
  }
  if (prs->modes != PROF_SCOPE_EVENTS || prs->types || prs->roles ||
      prs->sample_every > 1 || prs->counting)
    prs_set_slow(thread, PRS_MODES);
}

void prs_refresh(prs_thread *thread) {
  prt_acquire(&prs->lock);
  prs_refresh_locked(thread);
  prt_release(&prs->lock);
}

void prs_free_blocks(prs_thread *thread) {
  while (thread->blocks) {
    prs_memory *entry = thread->blocks;
    thread->blocks = entry->next;
    prs_free_block(entry->block);
    entry->next = prs->spare_entries;
    prs->spare_entries = entry;
  }
  thread->statistics = NULL;
}

/*===----------------------------------------------------------------------===*
 * Threads
 *===----------------------------------------------------------------------===*/

static int has_open(const prs_thread *thread) {
  for (uint32_t index = RT_LOAD(&thread->open->depth); index--;)
    if (!(PROF_SCOPE_SLOT_STATE(RT_LOAD(&thread->open->slots[index].word)) &
          PROF_SCOPE_STATE_DEAD))
      return 1;
  return 0;
}

static void count_overwritten(prs_thread *thread) {
  for (prs_memory *entry = thread->blocks; entry; entry = entry->next)
    if (entry->block->kind == PROF_SCOPE_BLOCK_RECORDS)
      prs_lose(PROF_SCOPE_LOSS_RING,
               ((prof_scope_records *)entry->block)->used);
}

static uint32_t hash_id(uint64_t id) {
  return (uint32_t)(id % PRS_THREAD_HASH);
}

static void add_id(prs_thread *thread) {
  prs_thread **bucket = &prs->by_id[hash_id(thread->id)];
  thread->next_of_id = *bucket;
  *bucket = thread;
}

static void remove_id(prs_thread *thread) {
  prs_thread **at = &prs->by_id[hash_id(thread->id)];
  while (*at && *at != thread)
    at = &(*at)->next_of_id;
  if (*at)
    *at = thread->next_of_id;
}

void prs_change_id(prs_thread *thread, uint64_t id) {
  remove_id(thread);
  thread->id = thread->open->id = id;
  add_id(thread);
}

static void free_thread(prs_thread *thread) {
  thread->next_ended = prs->free_threads;
  prs->free_threads = thread;
}

static void add_ended(prs_thread *thread) {
  thread->next_ended = NULL;
  if (prs->first_ended)
    prs->last_ended->next_ended = thread;
  else
    prs->first_ended = thread;
  prs->last_ended = thread;
}

/* The record of a thread that has ended and whose measurements nobody needs; or
 * null. */
static prs_thread *take_over(void) {
  prs_thread *thread;
  while (prs->ring_records && prs->ended_rings > PRS_ENDED_RINGS &&
         (thread = prs->first_ended)) {
    prs->first_ended = thread->next_ended;
    --prs->ended_rings;
    /* Its open scopes are kept until the next session. */
    if (has_open(thread))
      continue;
    count_overwritten(thread);
    prs_free_blocks(thread);
    return thread;
  }
  thread = prs->free_threads;
  if (thread)
    prs->free_threads = thread->next_ended;
  return thread;
}

void prs_forget_ended(void) {
  prs->first_ended = prs->last_ended = prs->free_threads = NULL;
  prs->ended_rings = 0;
}

void prs_free_ended(void) {
  prs_forget_ended();
  for (prs_thread *thread = prs->threads; thread; thread = thread->next) {
    if (!RT_ACQUIRE(&thread->ended))
      continue;
    prs_free_blocks(thread);
    if (!has_open(thread))
      free_thread(thread);
  }
}

/* Gives the thread another stack, which is empty. */
static void exchange_open(prs_thread *thread, prof_scope_threads *open) {
  prt_acquire(&thread->lock);
  prof_scope_threads *old = thread->open;
  use_open(thread, open);
  thread->dead = 0;
  prt_release(&thread->lock);
  if (old)
    prs_free_block(&old->block);
}

static void add_to_list(prs_thread *thread) {
  if (prs->last_thread)
    prs->last_thread->next = thread;
  else
    prs->threads = thread;
  prs->last_thread = thread;
}

prs_thread *prs_add_thread(uint64_t id, uint32_t device, const char *name) {
  prs_thread *thread = take_over();
  int is_new = !thread;
  if (is_new && !(thread = prs_allocate(sizeof(prs_thread))))
    return NULL;
  if (prs->file_wanted)
    prs_open_file();
  thread->number = prs->thread_count;
  thread->id = id;
  thread->device = device;
  thread->ticks_per_second = 0;
  prof_scope_threads *open = make_open(thread, device ? 1 : PRS_DEPTH);
  if (!open) {
    if (!is_new)
      free_thread(thread);
    return NULL;
  }
  ++prs->thread_count;
  size_t length = __builtin_strlen(name);
  prt_copy(open->name, name,
           length < sizeof open->name ? length : sizeof open->name);
  exchange_open(thread, open);
  prs_forget_records(thread);
  thread->session = prs->session;
  thread->generation = prs->generation;
  if (thread->sites) {
    prt_zero(thread->rows, thread->sites * sizeof *thread->rows);
    prt_zero(thread->skipped, thread->sites * sizeof *thread->skipped);
  }
  RT_STORE(&thread->slow, 0);
  prs_refresh_locked(thread);
  RT_RELEASE(&thread->ended, 0);
  if (!device)
    add_id(thread);
  if (is_new)
    add_to_list(thread);
  return thread;
}

/* The calling thread's record that another copy of the runtime made. */
static prs_thread *find_thread(void) {
  uint64_t id = prt_thread_id();
  prs_thread *thread = id ? prs->by_id[hash_id(id)] : NULL;
  while (thread && (thread->id != id || RT_ACQUIRE(&thread->ended)))
    thread = thread->next_of_id;
  /* Perhaps that thread has ended, and the number is used again. */
  if (thread && !thread->copies) {
    --prs->orphans;
    prs_end_thread(thread);
    return NULL;
  }
  return thread;
}

void prs_end_orphans(void) {
  for (prs_thread *thread = prs->threads; prs->orphans && thread;
       thread = thread->next)
    if (!thread->copies && !thread->device && !RT_ACQUIRE(&thread->ended) &&
        !prs_is_alive(thread->id)) {
      --prs->orphans;
      prs_end_thread(thread);
    }
}

prs_thread *prs_get_thread(void) {
  prs_thread *thread = prs_current;
  if (thread || !prs_attach())
    return thread;
  prt_acquire(&prs->lock);
  thread = find_thread();
  if (!thread) {
    prs_end_orphans();
    char name[32] = "";
    prs_read_thread_name(name, sizeof name);
    thread = prs_add_thread(prt_thread_id(), 0, name);
  }
  if (thread) {
    thread->copies |= prs_own_copy.bit;
    prs_current = thread;
  } else {
    prs_lose(PROF_SCOPE_LOSS_MEMORY, 1);
  }
  prt_release(&prs->lock);
  if (thread)
    prs_arrange_thread(thread);
  return thread;
}

/* Else the recording would have the scope, but not its thread. */
void prs_join_ended(prof_scope_token token) {
  prs_thread *thread = token.thread;
  if (!RT_ACQUIRE(&thread->ended))
    return;
  prt_acquire(&prs->lock);
  if (RT_ACQUIRE(&thread->ended) && thread->session != prs->session &&
      prs_is_open(thread, token))
    prs_refresh_locked(thread);
  prt_release(&prs->lock);
}

void prs_end_thread(prs_thread *thread) {
  thread->copies = 0;
  prs_close_counters(thread);
  RT_STORE(&thread->open->ended, prs_ticks());
  if (!thread->device)
    remove_id(thread);
  RT_RELEASE(&thread->ended, 1);
  if (thread->session == prs->session) {
    add_ended(thread);
    prs->ended_rings += prs->ring_records != 0;
  } else if (!has_open(thread)) {
    prs_free_blocks(thread);
    free_thread(thread);
  }
}
