/*===- ScopeSwitch.c - A session that anything may turn on -----------------===*
 *
 * Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*/

#include "ScopeInternal.h"

#include <errno.h>

/* Roles of inner parts of ops, and of ops by their own names. */
#define PRS_INNER_ROLE (UINT64_C(1) << 1)
#define PRS_UNIQUE_ROLE (UINT64_C(1) << 2)

static uint64_t get_roles(void) {
  switch (RT_LOAD(&prs->detail)) {
  case PROF_SCOPE_DETAIL_DEFAULT:
    return ~(PRS_INNER_ROLE | PRS_UNIQUE_ROLE);
  case PROF_SCOPE_DETAIL_OP:
    return ~PRS_UNIQUE_ROLE;
  default:
    return 0;
  }
}

static int has_devices(uint32_t state) { return state >= PROF_SCOPE_GPU; }

static int turn_on(uint32_t state, const prof_scope_options *options) {
  prof_scope_options set;
  int misfit = prs_read_options(options, &set);
  set.roles = get_roles();
  set.devices = 0;
  int error = prof_scope_start(&set, &prs->switch_from);
  int missing = has_devices(state) ? prs_start_devices() : 0;
  return misfit ? misfit : error ? error : missing;
}

/* Others may need devices: they stop only if the session is the only one. */
static int change_state(uint32_t state) {
  if (has_devices(state))
    return prs_start_devices();
  if (prof_scope_sessions() == 1)
    prs_stop_devices();
  return 0;
}

int prof_scope_enable(uint32_t state, const prof_scope_options *options,
                      prof_scope_moment *moment) {
  if (state > PROF_SCOPE_ALL)
    return EINVAL;
  if (state == PROF_SCOPE_DISABLED) {
    prof_scope_disable(NULL, moment, NULL);
    return 0;
  }
  if (!prs_attach())
    return ENOMEM;
  prt_acquire(&prs->switch_lock);
  int error = prs->switch_state ? change_state(state) : turn_on(state, options);
  RT_STORE(&prs->switch_state, state);
  if (moment)
    *moment = prs->switch_from;
  prt_release(&prs->switch_lock);
  return error;
}

char *prof_scope_disable(prof_scope_moment *from, prof_scope_moment *to,
                         size_t *size) {
  if (size)
    *size = 0;
  if (!prs_attach())
    return NULL;
  prt_acquire(&prs->switch_lock);
  char *copy = NULL;
  if (prs->switch_state) {
    prof_scope_moment end;
    RT_STORE(&prs->switch_state, PROF_SCOPE_DISABLED);
    RT_STORE(&prs->detail, PROF_SCOPE_DETAIL_DEFAULT);
    if (size)
      copy = prof_scope_take(&prs->switch_from, &end, size);
    else
      prof_scope_stop_session(&prs->switch_from, &end);
    if (from)
      *from = prs->switch_from;
    if (to)
      *to = end;
  }
  prt_release(&prs->switch_lock);
  return copy;
}

uint32_t prof_scope_get_state(void) {
  return prs_attach() ? RT_LOAD(&prs->switch_state) : PROF_SCOPE_DISABLED;
}

int prof_scope_is_enabled(void) {
  return prof_scope_get_state() != PROF_SCOPE_DISABLED;
}

void prof_scope_set_detail(uint32_t detail) {
  if (!prs_attach())
    return;
  prt_acquire(&prs->switch_lock);
  RT_STORE(&prs->detail, detail < PROF_SCOPE_DETAIL_ALL_OPS
                             ? detail
                             : (uint32_t)PROF_SCOPE_DETAIL_ALL_OPS);
  if (prs->switch_state)
    prs_set_roles(prs->switch_from.session, get_roles());
  prt_release(&prs->switch_lock);
}

uint32_t prof_scope_get_detail(void) {
  return prs_attach() ? RT_LOAD(&prs->detail) : PROF_SCOPE_DETAIL_DEFAULT;
}
