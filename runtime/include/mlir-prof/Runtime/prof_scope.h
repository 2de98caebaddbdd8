/*===- prof_scope.h - Intervals that a program names ---------------*- C -*-===*
 *
 * Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*
 *
 * The C interface of the scope profiler. Programs in C++ use
 * mlir-prof/Scope/Scope.h. All copies of the runtime in a process, linked
 * statically or shared, record into one registry. Any order of calls is
 * allowed: a call that does not make sense is counted as a loss. Signal
 * handlers may begin, end, suspend and resume scopes; if one interrupts the
 * profiler itself, its scope may be a loss.
 *
 *===----------------------------------------------------------------------===*/

#ifndef MLIR_PROF_RUNTIME_PROF_SCOPE_H
#define MLIR_PROF_RUNTIME_PROF_SCOPE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The level of a scope, from 1: it is recorded if the level of the session is
 * at least as high. */
#define PROF_SCOPE_LEVEL_DEFAULT 1
#define PROF_SCOPE_LEVEL_ALL 255

/* A place in the program with a name: a static variable. */
typedef struct prof_scope_site {
  const char *name;
  /* May be null. */
  const char *file;
  uint32_t line;
  /* The category of the scope, below 64, and the part that it plays there: see
   * mlir-prof/Scope/Scope.h. */
  uint16_t type;
  uint8_t level;
  uint8_t role;
  /* Used by the runtime only; initially 0. */
  uint32_t id;
  /* Amounts that its scopes count: any of prof_scope_counting. */
  uint32_t counting;
  /* Used by the runtime only; initially 0. */
  uint32_t counted_id;
} prof_scope_site;

#define PROF_SCOPE_SITE(name, type, level, role)                               \
  PROF_SCOPE_COUNTING_SITE(name, type, level, role, 0)
#define PROF_SCOPE_COUNTING_SITE(name, type, level, role, counting)            \
  {(name), __FILE__, __LINE__, (type), (level), (role), 0, (counting), 0}

/* Amounts that scopes count next to the time, where their site or the session
 * asks for it. */
enum prof_scope_counting {
  /* Allocations and their bytes, as far as the thread reports them by
   * prof_scope_allocated, as the library prof_malloc does. */
  PROF_SCOPE_ALLOCATIONS = 1,
  /* Processor time of the thread. */
  PROF_SCOPE_CPU_TIME = 2,
  /* Events of the processor, where a program may count them; else page faults
   * and context switches of the thread. */
  PROF_SCOPE_COUNTERS = 4,
};

/* A scope that has begun. All zero: a scope that is not recorded. */
typedef struct prof_scope_token {
  struct prof_scope_thread *thread;
  uint32_t slot;
  uint32_t serial;
} prof_scope_token;

/* The level of the session, 0 while nothing is recorded. Read it as
 * prof_scope_is_on does. */
extern int32_t prof_scope_level;

/* Whether scopes of `level` are recorded; below 1 it is 1. True before the
 * runtime's first use. */
static inline int prof_scope_is_on(int level) {
  return __builtin_expect(
      __atomic_load_n(&prof_scope_level, __ATOMIC_RELAXED) >=
          (level > 0 ? level : 1),
      0);
}

/* Begins a scope on the calling thread. Its level must have been compared with
 * prof_scope_level. */
prof_scope_token prof_scope_begin(prof_scope_site *site);
/* The same for a name made at run time, of any bytes; scopes of one name, type,
 * level and role have one site. */
prof_scope_token prof_scope_begin_name(const char *name, size_t length,
                                       unsigned type, unsigned level,
                                       unsigned role);
/* The same, counting any of prof_scope_counting. */
prof_scope_token prof_scope_begin_counting(const char *name, size_t length,
                                           unsigned type, unsigned level,
                                           unsigned role, unsigned counting);
/* Ends a scope, on any thread. A scope that has ended already is a loss; so are
 * counts of one that began on another thread. */
void prof_scope_end(prof_scope_token token);
/* Begin and end a scope and one right inside of it, with one reading of the
 * clock where that is possible. Either token may be none, and each may be ended
 * alone. */
void prof_scope_begin_pair(prof_scope_site *outer, prof_scope_site *inner,
                           prof_scope_token tokens[2]);
void prof_scope_end_pair(const prof_scope_token tokens[2]);
/* Interrupts a scope, such as a coroutine that waits: the time until
 * prof_scope_resume, by any thread, does not belong to it. `token` may be ended
 * while interrupted. */
void prof_scope_suspend(prof_scope_token *token);
void prof_scope_resume(prof_scope_token *token);

/* Records an interval that was measured elsewhere, in nanoseconds of
 * CLOCK_MONOTONIC. It stands on a track of its own. One that ends before it
 * begins, ends more than a second from now, or begins more than 2^50 ns ago is
 * a loss. Like other scopes, it is left out of sessions that began after it. */
void prof_scope_record(prof_scope_site *site, int64_t begin_ns, int64_t end_ns);
/* The same with a name made at run time. */
void prof_scope_record_name(const char *name, size_t length, unsigned type,
                            unsigned level, unsigned role, int64_t begin_ns,
                            int64_t end_ns);

/* Reports an allocation of the calling thread, for PROF_SCOPE_ALLOCATIONS. */
void prof_scope_allocated(size_t bytes);

/* A scope that is open somewhere: scopes of other threads can hang below it. 0
 * is none. */
typedef struct prof_scope_context {
  uint32_t id;
} prof_scope_context;

/* The innermost open scope of the calling thread. */
prof_scope_context prof_scope_here(void);
/* A scope of any thread, which does not end during the call. */
prof_scope_context prof_scope_context_of(prof_scope_token token);
/* Until the result is ended, scopes that the calling thread begins directly
 * inside of it are children of `context`. */
prof_scope_token prof_scope_enter(prof_scope_context context);

/* The data that a session keeps. */
enum prof_scope_mode {
  /* Each scope. */
  PROF_SCOPE_EVENTS = 1,
  /* For each site and thread: calls, total, self time, minimum, maximum and a
   * histogram. */
  PROF_SCOPE_STATISTICS = 2,
};

/* Later versions add members at the end, of which 0 is the default. So programs
 * and runtimes of different versions fit: members beyond `size` are as in the
 * defaults, and members that the runtime does not know must be 0. */
typedef struct prof_scope_options {
  /* sizeof(prof_scope_options), as PROF_SCOPE_OPTIONS sets it. */
  size_t size;
  /* Any of prof_scope_mode; 0 is PROF_SCOPE_EVENTS. */
  uint32_t modes;
  /* 0 is PROF_SCOPE_LEVEL_DEFAULT. */
  uint32_t level;
  /* A bit for each type that is recorded; 0 is all. */
  uint64_t types;
  /* The last so many records of each thread are kept, rounded up to a power of
   * two and to 16; 0 keeps all. */
  uint64_t ring_records;
  /* Each n-th scope of a site on a thread is an event, the first included. 0
   * and 1 are all. Statistics are of all scopes. */
  uint32_t sample_every;
  /* Where records are written as they are made, so that they outlive the
   * process; "%p" is the process id. A regular file of that name is replaced
   * by a new one. Null keeps them in memory. */
  const char *path;
  /* A bit for each role that is recorded; 0 is all. */
  uint64_t roles;
  /* Any of prof_scope_counting, for all scopes. */
  uint32_t counting;
  /* 1 records the scopes of devices too: see prof_scope_add_device. */
  uint32_t devices;
  /* Nanoseconds between two readings of the devices' clocks; 0 is a second. */
  uint64_t device_period_ns;
} prof_scope_options;

/* The defaults, as an initializer. */
#define PROF_SCOPE_OPTIONS                                                     \
  {sizeof(prof_scope_options), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}

/* A moment in the recording. */
typedef struct prof_scope_moment {
  uint64_t ticks;
  /* Statistics from one moment to another are those of the generations in
   * between. */
  uint32_t generation;
  /* If it is the start of a session: by which prof_scope_stop_session knows
   * it. */
  uint32_t session;
} prof_scope_moment;

/* Starts recording; null stands for default options. Sessions nest: an inner
 * one widens what is recorded until it stops (modes, level, types, roles,
 * counting), devices are recorded until the outermost stops, and ring, sampling
 * and path are those of the outermost. Returns 0, or an errno. The session
 * starts in every case: in memory if the file cannot be made (EBUSY in an inner
 * session), with the options that this runtime knows if others are set (E2BIG),
 * and with the defaults if `size` is less than its own or more than a page
 * (EINVAL). `moment` may be null. */
int prof_scope_start(const prof_scope_options *options,
                     prof_scope_moment *moment);
/* Stops the innermost session. Recording ends with the outermost; what was
 * recorded stays until the next start or reset. A call without a session is a
 * loss. */
void prof_scope_stop(prof_scope_moment *moment);
/* Stops the session that began at `start`; sessions stop in any order. */
void prof_scope_stop_session(const prof_scope_moment *start,
                             prof_scope_moment *moment);
/* Stops the session that began at `start`, and returns a copy from there on, as
 * prof_scope_copy does. After the outermost one, the memory is given back.
 * `moment` is that of the stop, and may be null. */
char *prof_scope_take(const prof_scope_moment *start, prof_scope_moment *moment,
                      size_t *size);
/* Discards what was recorded, in all sessions: if there are several, that is a
 * loss. Open scopes remain open. */
void prof_scope_reset(void);
/* Number of sessions. */
uint32_t prof_scope_sessions(void);

/* Tells the present moment, at which a new generation of statistics begins. */
void prof_scope_mark(prof_scope_moment *moment);
/* Tells the present moment. */
void prof_scope_now(prof_scope_moment *moment);

/* A copy of the recording, in the format of prof_scope_file.h, and its size; to
 * be freed by prof_scope_free. Scopes that had ended before `since`, which may
 * be null, may be left out. Other threads may go on. Null if memory is
 * missing. */
char *prof_scope_copy(const prof_scope_moment *since, size_t *size);
void prof_scope_free(char *copy, size_t size);
/* Writes the same to a file, completely or not at all; "%p" is the process id.
 * Returns 0 or an errno: EFBIG beyond the limit of files, EPIPE for a pipe
 * without a reader. */
int prof_scope_write(const char *path);

/*===----------------------------------------------------------------------===*
 * The global switch: one session of the process that anything may turn on
 *===----------------------------------------------------------------------===*/

enum prof_scope_switch {
  PROF_SCOPE_DISABLED = 0,
  /* Host scopes. */
  PROF_SCOPE_CPU = 1,
  /* Host scopes and those of devices, in both states. */
  PROF_SCOPE_GPU = 2,
  PROF_SCOPE_ALL = 3,
};

/* The scopes that the switch's session records, by their roles. */
enum prof_scope_detail {
  /* All but inner parts of ops and ops by their own names (roles 1 and 2). */
  PROF_SCOPE_DETAIL_DEFAULT = 0,
  /* Also inner parts (role 1). */
  PROF_SCOPE_DETAIL_OP = 1,
  /* All. */
  PROF_SCOPE_DETAIL_ALL_OPS = 2,
};

/* Turns the switch to `state`, of prof_scope_switch. From
 * PROF_SCOPE_DISABLED, a session with `options` starts, which may be null;
 * state and detail determine its `devices` and `roles`. If the switch is on,
 * only the state changes: devices start or stop. Returns prof_scope_start's
 * result, ENODEV if `state` is one with devices and none has been added (the
 * host is recorded, and the recording has the loss PROF_SCOPE_LOSS_DEVICE), or
 * EINVAL for an unknown state, which changes nothing. `moment` may be null. */
int prof_scope_enable(uint32_t state, const prof_scope_options *options,
                      prof_scope_moment *moment);
/* Turns it off, sets the detail back, and stops its session; nothing if it is
 * off. The moments, which may be null, are those of its start and its stop.
 * Returns a copy as prof_scope_copy does, of the time until the stop, if `size`
 * is not null and the switch was on. */
char *prof_scope_disable(prof_scope_moment *from, prof_scope_moment *to,
                         size_t *size);
/* Whether the state is another one than PROF_SCOPE_DISABLED. */
int prof_scope_is_enabled(void);
uint32_t prof_scope_get_state(void);
/* May be changed at any time; an unknown one is PROF_SCOPE_DETAIL_ALL_OPS.
 * Where another session needs more, that is recorded. */
void prof_scope_set_detail(uint32_t detail);
uint32_t prof_scope_get_detail(void);

/*===----------------------------------------------------------------------===*
 * Devices
 *===----------------------------------------------------------------------===*/

/* A scope of a device, on the device's clock. */
typedef struct prof_scope_device_event {
  /* Any bytes, needed during the call only. */
  const char *name;
  size_t name_length;
  uint16_t type;
  uint8_t level;
  uint8_t role;
  /* Queue, stream or engine: each is a thread of the recording. */
  uint32_t track;
  uint64_t begin;
  uint64_t end;
  /* The number that prof_scope_launch was called with, or 0. */
  uint64_t correlation;
} prof_scope_device_event;

/* A source of the scopes of a device. Its functions are called one at a time,
 * on any thread, and must not start, stop, copy, write, reset or mark. */
typedef struct prof_scope_device {
  /* sizeof(prof_scope_device). */
  size_t size;
  const char *name;
  /* Given to the functions. */
  void *state;
  /* Begins to measure; 0 or an errno: then it is not recorded. */
  int (*start)(void *state);
  void (*stop)(void *state);
  /* Reads the device's clock; 0 or an errno. */
  int (*read_clock)(void *state, uint64_t *now);
  /* Calls `add` for all events that have ended and were not told before. It may
   * wait for the device. */
  void (*tell)(void *state,
               void (*add)(void *sink, const prof_scope_device_event *event),
               void *sink);
  /* The rate of its clock, or 0: it follows from readings that lie apart. */
  uint64_t ticks_per_second;
  /* A track's name, or null: then it has a number. May be null. */
  const char *(*name_track)(void *state, uint32_t track);
} prof_scope_device;

/* Adds a source; the table is copied. If devices are being recorded, it starts.
 * Returns the device's number, from 1, or 0 if there are too many. The source
 * must be removed before its code is unloaded. */
uint32_t prof_scope_add_device(const prof_scope_device *device);
void prof_scope_remove_device(uint32_t device);
/* Tells that the calling thread gives the device the work `correlation`, which
 * is not 0: its events are children of the thread's innermost scope, on
 * threads of their own. */
void prof_scope_launch(uint32_t device, uint64_t correlation);
/* Reads clocks of host and devices, and asks for events. This happens at each
 * start, stop and copy, and every device_period_ns. */
void prof_scope_sync_devices(void);

/* For tests: replaces the clock, which counts nanoseconds then and costs
 * nothing; null restores it. Call while nothing is recorded. Affects the copy
 * of the runtime that is called. */
void prof_scope_use_clock(int64_t (*clock)(void));

#ifdef __cplusplus
}
#endif

#endif /* MLIR_PROF_RUNTIME_PROF_SCOPE_H */
