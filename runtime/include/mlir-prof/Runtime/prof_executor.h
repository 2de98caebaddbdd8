/*===- prof_executor.h - Execution of graphs of dispatches ---------*- C -*-===*
 *
 * Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*
 *
 * A program is a graph of dispatches: constant data that a compiler emits, and
 * the addresses of the kernels. prof_executor_run runs it on buffers of the
 * caller. docs/executor.md describes both sides.
 *
 *===----------------------------------------------------------------------===*/

#ifndef MLIR_PROF_RUNTIME_PROF_EXECUTOR_H
#define MLIR_PROF_RUNTIME_PROF_EXECUTOR_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/*===----------------------------------------------------------------------===*
 * Programs
 *===----------------------------------------------------------------------===*/

/// The first word of a table. Another number means another layout, or another
/// byte order.
#define PROF_EXECUTOR_ABI UINT32_C(0x4d450001)

/// The code of a dispatch, called once for each workgroup (x, y, z) of its
/// grid. Workgroups of one dispatch run in any order, at the same time, on any
/// thread: one may not read anything that another one writes, and two may not
/// write to the same place. Then results do not depend on the number of
/// threads. `bindings` and `parameters` are those of the dispatch, valid during
/// the call.
typedef void (*prof_executor_kernel)(void *const *bindings,
                                     const int64_t *parameters, uint32_t x,
                                     uint32_t y, uint32_t z);

/// In a size of a grid: the other bits are the index of one of the caller's
/// parameters. Without it, they are the size.
#define PROF_EXECUTOR_PARAMETER UINT32_C(0x80000000)
/// In prof_executor_value.base: the value is the constant alone.
#define PROF_EXECUTOR_NO_BASE UINT32_MAX
/// The most bindings, and the most arguments, of a dispatch.
#define PROF_EXECUTOR_MOST_VALUES 1024

/// A binding, which is one of the caller's addresses plus a constant number of
/// bytes, or an argument, which is one of the caller's parameters plus a
/// constant.
typedef struct prof_executor_value {
  /// Index of an address or a parameter. PROF_EXECUTOR_NO_BASE for a constant
  /// argument.
  uint32_t base;
  /// The lower and the upper half of a signed constant of 64 bits.
  uint32_t low, high;
} prof_executor_value;

/// One place of the host side that runs a kernel.
typedef struct prof_executor_dispatch {
  /// Index into prof_executor_program.kernels.
  uint32_t kernel;
  /// The number that threads publish while they run it: at most
  /// PROF_EXECUTOR_LAST_INSTANCE. Dispatches may share one.
  uint32_t instance;
  /// Workgroups along x, y and z: constants below 2^31, or
  /// PROF_EXECUTOR_PARAMETER + index. All workgroups together are fewer than
  /// 2^32. A grid of 0 workgroups is complete when its inputs are.
  uint32_t grid[3];
  /// Estimated time of one workgroup in ns; 0 if unknown. Measured times
  /// replace it.
  uint32_t cost_ns;
  /// Ranges of prof_executor_table.bindings and .arguments. The kernel gets the
  /// arguments as `parameters`.
  uint32_t first_binding, bindings;
  uint32_t first_argument, arguments;
  /// A range of the successors: dispatches that wait for this one, in ascending
  /// order, all behind this one. So the order of the table is one in which
  /// everything can run.
  uint32_t first_successor, successors;
  /// The number of lists of successors that this dispatch is in.
  uint32_t dependencies;
} prof_executor_dispatch;

/// Words of 32 bits without addresses, so that it can be in read-only memory
/// and in files. The header is followed by the dispatches, then the bindings,
/// the arguments (prof_executor_value both) and the successors (numbers of
/// dispatches), without gaps.
typedef struct prof_executor_table {
  /// PROF_EXECUTOR_ABI.
  uint32_t abi;
  /// Lengths of these arrays.
  uint32_t dispatches, bindings, arguments, successors;
  /// Lengths of the arrays that the program and the caller give.
  uint32_t kernels, addresses, parameters;
  /// The most bindings and arguments that one dispatch has.
  uint32_t most_bindings, most_arguments;
} prof_executor_table;

/// A variable of the generated code.
typedef struct prof_executor_program {
  /// A prof_executor_table and its arrays.
  const uint32_t *table;
  const prof_executor_kernel *kernels;
  /// Used by the executor only; initially null.
  void *state;
} prof_executor_program;

/// Checks that a table of `words` words is valid: sizes, indices, ranges,
/// counts of dependencies, and that dispatches only wait for earlier ones.
/// Returns null, or what is wrong with it, and then in `*dispatch`, unless it
/// is null, the dispatch that is wrong (UINT32_MAX for the table as a whole).
/// Tables from files must be checked; the executor does not check again.
const char *prof_executor_check_table(const uint32_t *table, size_t words,
                                      uint32_t *dispatch);

/// Frees what the executor keeps for a program (measured costs). Call it before
/// the memory of the program is reused, while no thread runs it.
void prof_executor_release(prof_executor_program *program);

/*===----------------------------------------------------------------------===*
 * Executors
 *===----------------------------------------------------------------------===*/

/// Threads that run programs. Programs and callers may share one.
typedef struct prof_executor prof_executor;

/// Spinning as the executor chooses: at most 50 us, and less while that does
/// not help.
#define PROF_EXECUTOR_SPIN_DEFAULT UINT32_MAX

/// A thread pool of the caller.
typedef struct prof_executor_pool {
  void *context;
  /// Lets a thread of the pool call `work(argument)` soon, and returns 0; or
  /// returns another number if it will not. Called by any thread that runs a
  /// program, inside of it. `work` returns when nothing is left to do.
  /// Everything that was accepted must be called before prof_executor_destroy
  /// can end.
  int (*submit)(void *context, void (*work)(void *), void *argument);
} prof_executor_pool;

/// Zeroed options are the defaults, but for spin_ns: see
/// prof_executor_default_options.
typedef struct prof_executor_options {
  /// Threads that run one program, with the caller's. 0: one for each processor
  /// that the process may use.
  uint32_t threads;
  /// How long a thread without work spins before it sleeps;
  /// PROF_EXECUTOR_SPIN_DEFAULT.
  uint32_t spin_ns;
  /// Bytes of the stacks of threads; 0 for the system's default.
  size_t stack_size;
  /// If `submit` is not null, no threads are created.
  prof_executor_pool pool;
  /// Unless it is null, each created thread calls it before its first work,
  /// with its number (the first is 1).
  void (*thread_started)(void *context, uint32_t thread);
  void *thread_context;
  /// Unless it is null, threads call kernels of cancelable programs by it:
  /// `work(argument)` calls some. Returns 0, or, if `work` did not return
  /// because a handler of a signal jumped out of it, another number, with which
  /// the program then ends. `cancel` is that of prof_executor_run_cancelable.
  int (*guard)(const uint32_t *cancel, void (*work)(void *), void *argument);
} prof_executor_options;

/// Fills in the defaults.
void prof_executor_default_options(prof_executor_options *options);

/// A new executor, or null if memory is missing. Null options are the defaults.
/// Threads are created by the first program that needs them, and handle the
/// signals that its caller does.
prof_executor *prof_executor_create(const prof_executor_options *options);

/// The executor of the process, which is created by the first call and never
/// destroyed; its threads are one for each processor, or PROF_EXECUTOR_THREADS
/// of the environment. Null if memory is missing.
prof_executor *prof_executor_get_default(void);

/// Makes programs in progress stop before their next chunk, and those that
/// begin later return ECANCELED.
void prof_executor_shut_down(prof_executor *executor);

/// Waits for programs in progress, ends the threads and frees the executor. Not
/// for use inside a kernel. Null is ignored.
void prof_executor_destroy(prof_executor *executor);

/// Changes the number of threads; 0 as in the options. Waits until threads that
/// are too many ended their chunks. Not for use inside a kernel.
void prof_executor_resize(prof_executor *executor, uint32_t threads);

/// The state of an executor.
typedef struct prof_executor_info {
  /// Wanted threads with the caller's, and those that were created.
  uint32_t threads, created;
  /// How often a thread could not be created, and the last error's number: the
  /// executor then runs on fewer, and tries again a second later. With a pool
  /// of the caller, how often it did not accept work.
  uint32_t failures;
  int error;
} prof_executor_info;

void prof_executor_get_info(prof_executor *executor, prof_executor_info *info);

/// Runs a program and returns when all of it is done. `addresses` and
/// `parameters` have the lengths of the table's header and must not change
/// meanwhile. Several threads may run the same program at once on different
/// buffers. With a null executor, with one thread and for short programs it is
/// a list of calls on the calling thread. Returns
///   0          all dispatches ran;
///   ERANGE     a parameter is not a size of a grid, or a grid has 2^32
///   workgroups
///              or more;
///   ECANCELED  prof_executor_shut_down, or `*cancel` became other than 0.
/// After an error some dispatches did not run. A process that forks inside a
/// kernel can only call exec or _exit in the child; a fork at any other time
/// leaves the child an executor that creates threads of its own.
int prof_executor_run(prof_executor *executor, prof_executor_program *program,
                      void *const *addresses, const int64_t *parameters);

/// The same. `cancel` may be null; other threads may set it while the program
/// runs.
int prof_executor_run_cancelable(prof_executor *executor,
                                 prof_executor_program *program,
                                 void *const *addresses,
                                 const int64_t *parameters,
                                 const uint32_t *cancel);

/// The same on the calling thread alone: needs neither an operating system nor
/// memory other than the stack.
int prof_executor_run_serial(const prof_executor_program *program,
                             void *const *addresses, const int64_t *parameters);

/*===----------------------------------------------------------------------===*
 * Measurement
 *===----------------------------------------------------------------------===*/

/// Instances are at most this.
#define PROF_EXECUTOR_LAST_INSTANCE UINT32_C(0xffffff00)
/// Classes of time in which a thread does not run an instance. Outside: it does
/// not run a program.
#define PROF_EXECUTOR_OUTSIDE UINT32_MAX
/// It has nothing to do: it spins or sleeps.
#define PROF_EXECUTOR_WAITING (UINT32_MAX - 1)
/// It looks for work, of its own program or of others'.
#define PROF_EXECUTOR_STEALING (UINT32_MAX - 2)
/// It begins or ends programs and dispatches.
#define PROF_EXECUTOR_SCHEDULING (UINT32_MAX - 3)

/// The instance that the calling thread runs, or a class of time. May be called
/// in a signal handler.
uint32_t prof_executor_current(void);

/// The address at which the calling thread publishes that number, until it
/// ends. Generated code that calls kernels without the executor may store to
/// it.
uint32_t *prof_executor_get_slot(void);

/// Workgroups of a dispatch that a thread ran one after the other.
typedef struct prof_executor_event {
  const prof_executor_program *program;
  /// Index into the table, and the dispatch's instance.
  uint32_t dispatch, instance;
  /// 0 for the caller, else the number of the thread. Threads of a caller's
  /// pool are UINT32_MAX.
  uint32_t thread;
  /// Number of the first workgroup (x varies fastest), and number of
  /// workgroups.
  uint32_t first, workgroups;
  /// CLOCK_MONOTONIC.
  uint64_t begin_ns, end_ns;
} prof_executor_event;

/// Receives events, at the same time from all threads that run programs.
typedef struct prof_executor_trace {
  void *context;
  void (*ran)(void *context, const prof_executor_event *event);
} prof_executor_trace;

/// Events of programs that begin from now on go to `trace`, until the next
/// call; null ends it. The caller keeps `*trace` until the last program that
/// began with it returned.
void prof_executor_set_trace(prof_executor *executor,
                             const prof_executor_trace *trace);

#ifdef __cplusplus
}
#endif

#endif /* MLIR_PROF_RUNTIME_PROF_EXECUTOR_H */
