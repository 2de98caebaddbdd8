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
  prs->ended_rings = 0;
  prs_forget_pending();
  prt_zero(prs->process.losses, sizeof prs->process.losses);
  if (prs->process_in_file)
    prt_zero(prs->process_in_file->losses, sizeof prs->process.losses);
  for (prs_thread *thread = prs->threads; thread; thread = thread->next)
    if (RT_ACQUIRE(&thread->ended))
      prs_free_blocks(thread);
}

static uint64_t round_ring(uint64_t records) {
  /* So that a block keeps a size that can be mapped. */
  const uint64_t most = UINT64_C(1) << 32;
  uint64_t rounded = 16;
  while (rounded < records && rounded < most)
    rounded *= 2;
  return records ? rounded : 0;
}

static int set_path(const char *path) {
  size_t length = path ? __builtin_strlen(path) : 0;
  if (!length)
    return 0;
  if (length >= PRS_PATH)
    return ENAMETOOLONG;
  prt_copy(prs->path, path, length + 1);
  prs->file_wanted = 1;
  return 0;
}

static int start_first(const prof_scope_options *options) {
  begin_session();
  RT_STORE(&prs->modes, 0);
  RT_STORE(&prs->level, 0);
  RT_STORE(&prs->types, 0);
  RT_STORE(&prs->roles, 0);
  RT_STORE(&prs->counting, 0);
  prs->device_period_ns = options->device_period_ns;
  prs->ring_records = round_ring(options->ring_records);
  RT_STORE(&prs->sample_every, options->sample_every);
  prs->process.devices = 0;
  if (prs->process.clock == PROF_SCOPE_CLOCK_TEST || !prs->process.cost_pair)
    prs_measure_cost();
  prs_read_clocks(1);
  int error = set_path(options->path);
  return error || !prs->file_wanted ? error : prs_open_file();
}

static void widen(const prof_scope_options *options) {
  int32_t level = (int32_t)options->level;
  level = level ? level : PROF_SCOPE_LEVEL_DEFAULT;
  uint64_t types = options->types, roles = options->roles;
  if (prs->sessions) {
    types = types && prs->types ? types | prs->types : 0;
    roles = roles && prs->roles ? roles | prs->roles : 0;
  }
  uint32_t modes = options->modes ? options->modes : PROF_SCOPE_EVENTS;
  RT_STORE(&prs->types, types);
  RT_STORE(&prs->roles, roles);
  RT_STORE(&prs->counting, prs->counting | options->counting);
  RT_STORE(&prs->modes, prs->modes | modes);
  RT_STORE(&prs->level, level > prs->level ? level : prs->level);
  ++prs->generation;
}

static void tell_moment(prof_scope_moment *moment) {
  if (!moment)
    return;
  moment->ticks = prs_ticks();
  moment->generation = prs->generation;
}

int prof_scope_start(const prof_scope_options *options,
                     prof_scope_moment *moment) {
  static const prof_scope_options defaults;
  options = options ? options : &defaults;
  if (!prs_attach())
    return ENOMEM;
  prt_acquire(&prs->lock);
  int error = prs->sessions ? 0 : start_first(options);
  widen(options);
  RT_STORE(&prs->sessions, prs->sessions + 1);
  prs_read_clocks(0);
  prs_publish();
  tell_moment(moment);
  prt_release(&prs->lock);
  /* Without a device the host is recorded. */
  if (options->devices)
    prs_start_devices();
  return error;
}

void prs_set_roles(uint64_t roles) {
  prt_acquire(&prs->lock);
  if (prs->sessions > 1)
    roles = roles && prs->roles ? roles | prs->roles : 0;
  RT_STORE(&prs->roles, roles);
  prs_publish();
  prt_release(&prs->lock);
}

void prof_scope_stop(prof_scope_moment *moment) {
  if (!prs_attach())
    return;
  if (RT_LOAD(&prs->sessions) == 1)
    prs_stop_devices();
  prt_acquire(&prs->lock);
  if (!prs->sessions) {
    prs_lose(PROF_SCOPE_LOSS_STOP, 1);
  } else {
    RT_STORE(&prs->sessions, prs->sessions - 1);
    if (!prs->sessions) {
      RT_STORE(&prs->level, 0);
      prs_close_file();
    }
  }
  ++prs->generation;
  prs_publish();
  prs_read_clocks(0);
  tell_moment(moment);
  prt_release(&prs->lock);
}

void prof_scope_reset(void) {
  if (!prs_attach())
    return;
  prt_acquire(&prs->lock);
  begin_session();
  prs_read_clocks(0);
  if (prs->process_in_file)
    prs->process_in_file->block.session = prs->session;
  prs_publish();
  prt_release(&prs->lock);
  /* Readings of clocks are gone, too. */
  prof_scope_sync_devices();
}

void prof_scope_mark(prof_scope_moment *moment) {
  moment->ticks = 0;
  moment->generation = 0;
  if (!prs_attach())
    return;
  prt_acquire(&prs->lock);
  ++prs->generation;
  prs_publish();
  tell_moment(moment);
  prt_release(&prs->lock);
}

uint32_t prof_scope_sessions(void) {
  return prs_attach() ? RT_LOAD(&prs->sessions) : 0;
}
