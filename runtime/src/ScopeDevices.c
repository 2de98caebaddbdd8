/*===- ScopeDevices.c - Scopes of devices ----------------------------------===*
 *
 * Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*/

#include "ScopeInternal.h"

#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* Readings of a device's clock of which the one in the shortest time counts. */
#define PRS_ATTEMPTS 4
#define PRS_PERIOD UINT64_C(1000000000)

/*===----------------------------------------------------------------------===*
 * The lock
 *===----------------------------------------------------------------------===*/

/* 0 if the calling thread holds it: it is in a function of a source. */
static int enter(void) {
  uint64_t self = prs_self_thread();
  if (RT_LOAD(&prs->device_owner) == self)
    return 0;
  prt_acquire(&prs->device_lock);
  RT_STORE(&prs->device_owner, self);
  return 1;
}

static void leave(void) {
  RT_STORE(&prs->device_owner, 0);
  prt_release(&prs->device_lock);
}

void prs_lock_devices(void) { prt_acquire(&prs->device_lock); }

void prs_unlock_devices(void) { prt_release(&prs->device_lock); }

/*===----------------------------------------------------------------------===*
 * Tracks
 *===----------------------------------------------------------------------===*/

static uint32_t get_number(const prs_device *device) {
  return (uint32_t)(device - prs->devices) + 1;
}

static prs_thread *add_track(prs_device *device, uint64_t id,
                             const char *name) {
  prt_acquire(&prs->lock);
  prs_thread *thread = prs_add_thread(id, get_number(device), name);
  if (thread) {
    thread->ticks_per_second = device->table.ticks_per_second;
    thread->open->ticks_per_second = thread->ticks_per_second;
  } else {
    prs_lose(PROF_SCOPE_LOSS_MEMORY, 1);
  }
  prt_release(&prs->lock);
  return thread;
}

static void name_track(const prs_device *device, uint32_t number, char *name,
                       size_t size) {
  const char *given =
      device->table.name_track
          ? device->table.name_track(device->table.state, number)
          : NULL;
  if (given)
    snprintf(name, size, "%s", given);
  else
    snprintf(name, size, "%s track %u", device->table.name, number);
}

static prs_thread *get_track(prs_device *device, uint32_t number) {
  prs_track *track = device->tracks;
  while (track && track->number != number)
    track = track->next;
  if (track)
    return track->thread;
  char name[sizeof((prof_scope_threads *)0)->name];
  name_track(device, number, name, sizeof name);
  prs_thread *thread = add_track(device, number, name);
  if (!thread)
    return NULL;
  prt_acquire(&prs->lock);
  track = prs_allocate(sizeof *track);
  prt_release(&prs->lock);
  if (!track)
    return thread;
  track->number = number;
  track->thread = thread;
  track->next = device->tracks;
  device->tracks = track;
  return thread;
}

/*===----------------------------------------------------------------------===*
 * Readings and events
 *===----------------------------------------------------------------------===*/

static void read_device(prs_device *device) {
  uint64_t begin = 0, shortest = UINT64_MAX, device_now = 0;
  for (int attempt = 0; attempt < PRS_ATTEMPTS; ++attempt) {
    uint64_t now, before = prs_ticks();
    if (device->table.read_clock(device->table.state, &now))
      continue;
    uint64_t taken = prs_ticks() - before;
    if (taken >= shortest)
      continue;
    begin = before;
    shortest = taken;
    device_now = now;
  }
  if (shortest == UINT64_MAX || !device->clock)
    return;
  prs_catch_up(device->clock);
  if (device->session != device->clock->session) {
    device->session = device->clock->session;
    device->readings = 0;
  }
  prof_scope_record_words records[] = {
      prs_make_record(PROF_SCOPE_KIND_READING, 0, shortest),
      prs_make_record(PROF_SCOPE_KIND_CONTINUATION,
                      begin & PROF_SCOPE_TICKS_MASK, device_now)};
  prs_write_records(device->clock, records, 2);
  ++device->readings;
}

static void add_event(void *sink, const prof_scope_device_event *event) {
  prs_device *device = sink;
  if (!prs_has_level(event->level) ||
      !prs_is_selected(event->type, event->role))
    return;
  prs_thread *thread = get_track(device, event->track);
  if (!thread)
    return;
  prs_catch_up(thread);
  const prs_site *site = prs_find_name(thread, event->name, event->name_length,
                                       event->type, event->level, event->role);
  if (!site) {
    prs_lose(PROF_SCOPE_LOSS_NAME, 1);
    return;
  }
  uint64_t duration = event->end > event->begin ? event->end - event->begin : 0;
  prof_scope_record_words records[] = {
      prs_make_record(PROF_SCOPE_KIND_DEVICE,
                      (uint64_t)device->readings << PROF_SCOPE_SITE_BITS |
                          site->entry.id,
                      event->correlation),
      prs_make_record(PROF_SCOPE_KIND_CONTINUATION,
                      duration & PROF_SCOPE_TICKS_MASK, event->begin)};
  prs_write_records(thread, records, 2);
}

/* Events lie between two readings. */
static void sync_device(prs_device *device) {
  if (!device->is_started)
    return;
  read_device(device);
  device->table.tell(device->table.state, add_event, device);
}

void prof_scope_sync_devices(void) {
  if (!RT_ACQUIRE(&prs) || !RT_ACQUIRE(&prs->has_devices) || !enter())
    return;
  for (uint32_t index = 0; index < PRS_DEVICES; ++index)
    sync_device(&prs->devices[index]);
  leave();
}

void prof_scope_launch(uint32_t device, uint64_t correlation) {
  if (!prs_current || !device || !correlation || !RT_LOAD(&prs->has_devices))
    return;
  prof_scope_context here = prof_scope_here();
  if (!here.id)
    return;
  prof_scope_record_words record =
      prs_make_record(PROF_SCOPE_KIND_LAUNCH,
                      (uint64_t)(device & 255) << 32 | here.id, correlation);
  prs_write_records(prs_current, &record, 1);
}

/*===----------------------------------------------------------------------===*
 * The thread that reads clocks meanwhile
 *===----------------------------------------------------------------------===*/

static pthread_t ticker;
static uint32_t has_ticker;

static void *run_ticker(void *argument) {
  uint32_t epoch = (uint32_t)(uintptr_t)argument;
  uint64_t period = prs->device_period_ns ? prs->device_period_ns : PRS_PERIOD;
  struct timespec wait = {(time_t)(period / PRS_PERIOD),
                          (long)(period % PRS_PERIOD)};
  for (;;) {
    syscall(SYS_futex, &prs->device_epoch, FUTEX_WAIT_PRIVATE, epoch, &wait,
            NULL, 0);
    if (RT_ACQUIRE(&prs->device_epoch) != epoch)
      return NULL;
    prof_scope_sync_devices();
  }
}

/* Waits for a ticker of this copy whose epoch is over. */
static void join_ticker(void) {
  if (__atomic_exchange_n(&has_ticker, 0, __ATOMIC_ACQ_REL))
    pthread_join(ticker, NULL);
}

static void start_ticker(void) {
  /* A simulated clock does not go on by itself. */
  if (prs->process.clock == PROF_SCOPE_CLOCK_TEST)
    return;
  join_ticker();
  sigset_t all, old;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &old);
  uintptr_t epoch = RT_LOAD(&prs->device_epoch);
  if (!pthread_create(&ticker, NULL, run_ticker, (void *)epoch))
    RT_RELEASE(&has_ticker, 1);
  pthread_sigmask(SIG_SETMASK, &old, NULL);
}

static void stop_ticker(void) {
  RT_ADD(&prs->device_epoch, 1);
  syscall(SYS_futex, &prs->device_epoch, FUTEX_WAKE_PRIVATE, INT32_MAX, NULL,
          NULL, 0);
}

void prs_forget_ticker(void) { has_ticker = 0; }

/*===----------------------------------------------------------------------===*
 * Starts and stops
 *===----------------------------------------------------------------------===*/

static int start_device(prs_device *device) {
  if (!device->copy || device->is_started)
    return device->is_started != 0;
  if (!device->clock &&
      !(device->clock =
            add_track(device, PROF_SCOPE_TRACK_CLOCK, device->table.name)))
    return 0;
  if (device->table.start(device->table.state))
    return 0;
  device->is_started = 1;
  read_device(device);
  return 1;
}

static void stop_device(prs_device *device) {
  if (!device->is_started)
    return;
  sync_device(device);
  device->table.stop(device->table.state);
  device->table.tell(device->table.state, add_event, device);
  device->is_started = 0;
}

int prs_start_devices(void) {
  if (!enter())
    return EDEADLK;
  int started = 0;
  for (uint32_t index = 0; index < PRS_DEVICES; ++index)
    started += start_device(&prs->devices[index]);
  prt_acquire(&prs->lock);
  prs->process.devices = 1;
  prt_release(&prs->lock);
  if (!started)
    prs_lose(PROF_SCOPE_LOSS_DEVICE, 1);
  int is_first = !RT_LOAD(&prs->has_devices);
  RT_RELEASE(&prs->has_devices, 1);
  if (is_first)
    start_ticker();
  leave();
  return started ? 0 : ENODEV;
}

void prs_stop_devices(void) {
  if (!RT_LOAD(&prs->has_devices) || !enter())
    return;
  for (uint32_t index = 0; index < PRS_DEVICES; ++index)
    stop_device(&prs->devices[index]);
  RT_RELEASE(&prs->has_devices, 0);
  stop_ticker();
  leave();
  join_ticker();
}

uint32_t prof_scope_add_device(const prof_scope_device *table) {
  if (table->size < sizeof *table || !prs_attach() || !enter())
    return 0;
  prs_device *device = prs->devices;
  while (device != prs->devices + PRS_DEVICES && device->copy)
    ++device;
  uint32_t number = 0;
  if (device != prs->devices + PRS_DEVICES) {
    prt_zero(device, sizeof *device);
    device->table = *table;
    device->copy = &prs_own_copy;
    number = get_number(device);
    if (RT_LOAD(&prs->has_devices))
      start_device(device);
  }
  leave();
  return number;
}

static void end_tracks(prs_device *device) {
  prt_acquire(&prs->lock);
  if (device->clock)
    prs_end_thread(device->clock);
  for (prs_track *track = device->tracks; track; track = track->next)
    prs_end_thread(track->thread);
  prt_release(&prs->lock);
  device->clock = NULL;
  device->tracks = NULL;
}

void prof_scope_remove_device(uint32_t number) {
  if (!number || number > PRS_DEVICES || !prs_attach() || !enter())
    return;
  prs_device *device = &prs->devices[number - 1];
  if (device->copy) {
    stop_device(device);
    end_tracks(device);
    device->copy = NULL;
  }
  leave();
}

void prs_remove_devices(void) {
  for (uint32_t index = 0; index < PRS_DEVICES; ++index)
    if (prs->devices[index].copy == &prs_own_copy)
      prof_scope_remove_device(index + 1);
  if (RT_LOAD(&has_ticker)) {
    stop_ticker();
    join_ticker();
  }
}

void prs_forget_devices(void) {
  prs->has_devices = 0;
  ++prs->device_epoch;
  for (uint32_t index = 0; index < PRS_DEVICES; ++index) {
    prs_device *device = &prs->devices[index];
    device->is_started = 0;
    device->clock = NULL;
    device->tracks = NULL;
  }
}
