/*===- ScopeSession.c - Starting, stopping and copying recordings ----------===*
 *
 * Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*/

#include "ScopeInternal.h"

#include <errno.h>

/*===----------------------------------------------------------------------===*
 * Sessions
 *===----------------------------------------------------------------------===*/

/* Makes all that was recorded stale. Under prs->lock. */
static void begin_session(void) {
  ++prs->session;
  ++prs->generation;
  prs_forget_pending();
  prs_copy_losses(prs->process.losses, NULL);
  if (prs->process_in_file)
    prs_copy_losses(prs->process_in_file->losses, NULL);
  if (prs->is_private)
    prs_lose(PROF_SCOPE_LOSS_REGISTRY, 1);
}

/* Gives memory of threads back that do not record meanwhile. Under
 * prs->lock. */
static void discard(void) {
  for (prs_thread *thread = prs->threads; thread; thread = thread->next) {
    if (thread == prs_current) {
      prs_free_blocks(thread);
      prs_forget_records(thread);
    } else if (thread->session != prs->session) {
      prs_drop_pages(thread);
    }
  }
}

static uint64_t round_ring(uint64_t records) {
  /* So that a block keeps a size that can be mapped. */
  const uint64_t most = UINT64_C(1) << 32;
  uint64_t rounded = 16;
  while (rounded < records && rounded < most)
    rounded *= 2;
  return records ? rounded : 0;
}

static int start_first(const prof_scope_options *options) {
  begin_session();
  prs_free_ended();
  prt_zero(prs->configs, sizeof prs->configs);
  prt_zero(&prs->others, sizeof prs->others);
  /* Measuring does not take what the session before asked for. */
  RT_STORE(&prs->modes, 0);
  RT_STORE(&prs->stop_ticks, UINT64_MAX);
  prs->device_period_ns = options->device_period_ns;
  prs->ring_records = round_ring(options->ring_records);
  RT_STORE(&prs->sample_every, options->sample_every);
  prs->process.devices = 0;
  if (prs->process.clock == PROF_SCOPE_CLOCK_TEST || !prs->cost_pairs[1])
    prs_measure_cost();
  prs_read_clocks(1);
  int error = prs_set_path(options->path);
  return error || !prs->file_wanted ? error : prs_open_file();
}

static uint64_t unite(uint64_t mask, uint64_t more) {
  return mask && more ? mask | more : 0;
}

static void add_config(prs_config *to, const prs_config *more, int is_first) {
  to->modes |= more->modes;
  to->counting |= more->counting;
  to->level = to->level > more->level ? to->level : more->level;
  to->types = is_first ? more->types : unite(to->types, more->types);
  to->roles = is_first ? more->roles : unite(to->roles, more->roles);
}

/* Records what any session needs. Under prs->lock. */
static void apply_configs(void) {
  prs_config all = {0};
  int is_first = 1;
  for (uint32_t index = 0; index < PRS_SESSIONS; ++index)
    if (prs->configs[index].session) {
      add_config(&all, &prs->configs[index], is_first);
      is_first = 0;
    }
  if (prs->others.session)
    add_config(&all, &prs->others, is_first);
  RT_STORE(&prs->types, all.types);
  RT_STORE(&prs->roles, all.roles);
  RT_STORE(&prs->counting, all.counting);
  RT_STORE(&prs->modes, all.modes);
  prs->process.cost_pair = prs->cost_pairs[all.modes & (PRS_MODE_SETS - 1)];
  RT_STORE(&prs->level, all.level);
  ++prs->generation;
}

static prs_config *find_config(uint32_t session) {
  for (uint32_t index = 0; index < PRS_SESSIONS; ++index)
    if (prs->configs[index].session == session)
      return &prs->configs[index];
  return NULL;
}

/* The number of a new session. */
static uint32_t keep_config(const prof_scope_options *options) {
  uint32_t level = options->level ? options->level : PROF_SCOPE_LEVEL_DEFAULT;
  prs_config made = {
      ++prs->starts,
      options->modes ? options->modes : (uint32_t)PROF_SCOPE_EVENTS,
      (int32_t)(level < PROF_SCOPE_LEVEL_ALL ? level : PROF_SCOPE_LEVEL_ALL),
      options->counting,
      options->types,
      options->roles};
  prs_config *free = find_config(0);
  if (free)
    *free = made;
  else
    add_config(&prs->others, &made, !prs->others.session);
  if (!free)
    prs->others.session = 1;
  return made.session;
}

static void tell_moment(prof_scope_moment *moment) {
  if (!moment)
    return;
  moment->ticks = prs_ticks();
  moment->generation = prs->generation;
  moment->session = 0;
}

/* Another session determines the file. */
static int start_inner(const prof_scope_options *options) {
  if (!options->path || !*options->path)
    return 0;
  prs_lose(PROF_SCOPE_LOSS_FILE, 1);
  return EBUSY;
}

int prs_read_options(const prof_scope_options *from, prof_scope_options *to) {
  static const prof_scope_options defaults = PROF_SCOPE_OPTIONS;
  *to = defaults;
  size_t size = from ? from->size : sizeof *to;
  if (size < sizeof from->size || size > PROF_SCOPE_PAGE)
    return EINVAL;
  if (!from)
    return 0;
  const char *bytes = (const char *)from;
  size_t known = size < sizeof *to ? size : sizeof *to;
  prt_copy(to, bytes, known);
  to->size = sizeof *to;
  for (size_t at = known; at < size; ++at)
    if (bytes[at])
      return E2BIG;
  return 0;
}

int prof_scope_start(const prof_scope_options *given,
                     prof_scope_moment *moment) {
  prof_scope_options all;
  const prof_scope_options *options = &all;
  int misfit = prs_read_options(given, &all);
  if (!prs_attach())
    return ENOMEM;
  prt_acquire(&prs->lock);
  int error = prs->sessions ? start_inner(options) : start_first(options);
  uint32_t session = keep_config(options);
  apply_configs();
  RT_STORE(&prs->sessions, prs->sessions + 1);
  prs_read_clocks(0);
  prs_publish();
  tell_moment(moment);
  if (moment)
    moment->session = session;
  prt_release(&prs->lock);
  /* Without a device the host is recorded. */
  if (options->devices)
    prs_start_devices();
  return misfit ? misfit : error;
}

void prs_set_roles(uint32_t session, uint64_t roles) {
  prt_acquire(&prs->lock);
  prs_config *config = find_config(session);
  if (config) {
    config->roles = roles;
    apply_configs();
    prs_publish();
  }
  prt_release(&prs->lock);
}

/* The last one that started. */
static uint32_t find_innermost(void) {
  uint32_t last = 0;
  for (uint32_t index = 0; index < PRS_SESSIONS; ++index)
    if (prs->configs[index].session > last)
      last = prs->configs[index].session;
  return last;
}

/* Under prs->lock. */
static void stop_session(uint32_t session) {
  prs_config *config = session ? find_config(session) : NULL;
  /* Has stopped already: others go on. */
  if (session && !config && !prs->others.session) {
    prs_lose(PROF_SCOPE_LOSS_STOP, 1);
    return;
  }
  RT_STORE(&prs->sessions, prs->sessions - 1);
  if (config)
    config->session = 0;
  if (prs->sessions) {
    apply_configs();
    return;
  }
  RT_STORE(&prs->stop_ticks, prs_ticks());
  RT_STORE(&prs->level, 0);
  prs_close_file();
  ++prs->generation;
}

static void stop(uint32_t session, prof_scope_moment *moment) {
  if (!prs_attach())
    return;
  if (RT_LOAD(&prs->sessions) == 1)
    prs_stop_devices();
  prt_acquire(&prs->lock);
  if (!prs->sessions)
    prs_lose(PROF_SCOPE_LOSS_STOP, 1);
  else
    stop_session(session ? session : find_innermost());
  prs_publish();
  prs_read_clocks(0);
  tell_moment(moment);
  prt_release(&prs->lock);
}

void prof_scope_stop(prof_scope_moment *moment) { stop(0, moment); }

void prof_scope_stop_session(const prof_scope_moment *start,
                             prof_scope_moment *moment) {
  stop(start ? start->session : 0, moment);
}

char *prof_scope_take(const prof_scope_moment *start, prof_scope_moment *moment,
                      size_t *size) {
  prof_scope_moment end;
  prof_scope_mark(&end);
  char *copy = prof_scope_copy(start, size);
  prof_scope_stop_session(start, NULL);
  if (moment)
    *moment = end;
  if (!copy)
    return NULL;
  prt_acquire(&prs->lock);
  if (!prs->sessions) {
    begin_session();
    prs_free_ended();
    prs_publish();
    discard();
  }
  prt_release(&prs->lock);
  return copy;
}

static void reset(int is_child) {
  if (!prs_attach())
    return;
  prt_acquire(&prs->lock);
  begin_session();
  if (is_child)
    prs_forget_ended();
  else
    prs_free_ended();
  if (prs->sessions > 1)
    prs_lose(PROF_SCOPE_LOSS_RESET, 1);
  prs_read_clocks(0);
  if (prs->process_in_file)
    prs->process_in_file->block.session = prs->session;
  prs_publish();
  if (!prs->sessions && !is_child)
    discard();
  prt_release(&prs->lock);
  /* Readings of clocks are gone, too. */
  prof_scope_sync_devices();
}

void prof_scope_reset(void) { reset(0); }

void prs_reset_child(void) { reset(1); }

void prof_scope_mark(prof_scope_moment *moment) {
  if (moment)
    prt_zero(moment, sizeof *moment);
  if (!prs_attach())
    return;
  prt_acquire(&prs->lock);
  ++prs->generation;
  prs_publish();
  tell_moment(moment);
  prt_release(&prs->lock);
}

void prof_scope_now(prof_scope_moment *moment) {
  if (!moment)
    return;
  prt_zero(moment, sizeof *moment);
  if (!prs_attach())
    return;
  prt_acquire(&prs->lock);
  tell_moment(moment);
  prt_release(&prs->lock);
}

uint32_t prof_scope_sessions(void) {
  return prs_attach() ? RT_LOAD(&prs->sessions) : 0;
}
