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
 * allowed: a call that does not make sense is counted as a loss.
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
} prof_scope_site;

#define PROF_SCOPE_SITE(name, type, level, role)                               \
  {(name), __FILE__, __LINE__, (type), (level), (role), 0}

/* A scope that has begun. All zero: a scope that is not recorded. */
typedef struct prof_scope_token {
  struct prof_scope_thread *thread;
  uint32_t slot;
  uint32_t serial;
} prof_scope_token;

/* The level of the session, 0 while nothing is recorded. Read it as
 * prof_scope_is_on does. */
extern int32_t prof_scope_level;

/* Whether scopes of `level` are recorded. True before the runtime's first
 * use. */
static inline int prof_scope_is_on(int level) {
  return __builtin_expect(
      __atomic_load_n(&prof_scope_level, __ATOMIC_RELAXED) >= level, 0);
}

/* Begins a scope on the calling thread. Its level must have been compared with
 * prof_scope_level. */
prof_scope_token prof_scope_begin(prof_scope_site *site);
/* The same for a name made at run time, of any bytes; scopes of one name, type,
 * level and role have one site. */
prof_scope_token prof_scope_begin_name(const char *name, size_t length,
                                       unsigned type, unsigned level,
                                       unsigned role);
/* Ends a scope, on any thread. A scope that has ended already is a loss. */
void prof_scope_end(prof_scope_token token);
/* Interrupts a scope, such as a coroutine that waits: the time until
 * prof_scope_resume, by any thread, does not belong to it. `token` may be ended
 * while interrupted. */
void prof_scope_suspend(prof_scope_token *token);
void prof_scope_resume(prof_scope_token *token);

/* Records an interval that was measured elsewhere, in nanoseconds of
 * CLOCK_MONOTONIC. It stands on a track of its own. */
void prof_scope_record(prof_scope_site *site, int64_t begin_ns, int64_t end_ns);
/* The same with a name made at run time. */
void prof_scope_record_name(const char *name, size_t length, unsigned type,
                            unsigned level, unsigned role, int64_t begin_ns,
                            int64_t end_ns);

/* A scope that is open somewhere: scopes of other threads can hang below it. 0
 * is none. */
typedef struct prof_scope_context {
  uint32_t id;
} prof_scope_context;

/* The innermost open scope of the calling thread. */
prof_scope_context prof_scope_here(void);
/* Until the result is ended, scopes that the calling thread begins without one
 * around them are children of `context`. */
prof_scope_token prof_scope_enter(prof_scope_context context);

/* The data that a session keeps. */
enum prof_scope_mode {
  /* Each scope. */
  PROF_SCOPE_EVENTS = 1,
  /* For each site and thread: calls, total, self time, minimum, maximum and a
   * histogram. */
  PROF_SCOPE_STATISTICS = 2,
};

typedef struct prof_scope_options {
  /* Any of prof_scope_mode; 0 is PROF_SCOPE_EVENTS. */
  uint32_t modes;
  /* 0 is PROF_SCOPE_LEVEL_DEFAULT. */
  uint32_t level;
  /* A bit for each type that is recorded; 0 is all. */
  uint64_t types;
  /* The last so many records of each thread are kept, rounded up to a power of
   * two; 0 keeps all. */
  uint64_t ring_records;
  /* Each n-th scope of a site on a thread is an event, the first included. 0
   * and 1 are all. Statistics are of all scopes. */
  uint32_t sample_every;
  /* Where records are written as they are made, so that they outlive the
   * process; "%p" is the process id. Null keeps them in memory. */
  const char *path;
} prof_scope_options;

/* A moment in the recording. */
typedef struct prof_scope_moment {
  uint64_t ticks;
  /* Statistics from one moment to another are those of the generations in
   * between. */
  uint32_t generation;
} prof_scope_moment;

/* Starts recording; null stands for default options. Sessions nest: an inner
 * one widens what is recorded (modes, level, types); ring, sampling and path
 * are those of the outermost. Returns 0, or an errno if the file cannot be
 * made; then the session is in memory. `moment` may be null. */
int prof_scope_start(const prof_scope_options *options,
                     prof_scope_moment *moment);
/* Stops the innermost session. Recording ends with the outermost; what was
 * recorded stays until the next start or reset. A call without a session is a
 * loss. */
void prof_scope_stop(prof_scope_moment *moment);
/* Discards what was recorded. Open scopes remain open. */
void prof_scope_reset(void);
/* Number of sessions. */
uint32_t prof_scope_sessions(void);

/* Tells the present moment, at which a new generation of statistics begins. */
void prof_scope_mark(prof_scope_moment *moment);

/* A copy of the recording, in the format of prof_scope_file.h, and its size; to
 * be freed by prof_scope_free. Scopes that had ended before `since`, which may
 * be null, may be left out. Other threads may go on. Null if memory is
 * missing. */
char *prof_scope_copy(const prof_scope_moment *since, size_t *size);
void prof_scope_free(char *copy, size_t size);
/* Writes the same to a file, completely or not at all; returns 0 or an
 * errno. */
int prof_scope_write(const char *path);

/* For tests: replaces the clock, which counts nanoseconds then and costs
 * nothing; null restores it. Call while nothing is recorded. Affects the copy
 * of the runtime that is called. */
void prof_scope_use_clock(int64_t (*clock)(void));

#ifdef __cplusplus
}
#endif

#endif /* MLIR_PROF_RUNTIME_PROF_SCOPE_H */
