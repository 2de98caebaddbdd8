/*===- prof_model.h - Calling compiled models ----------------------*- C -*-===*
 *
 * Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*
 *
 * Loads a compiled model (*.mprof, which mlir-prof compile writes) into any
 * process, and calls it: without MLIR, LLVM, and a C++ runtime.
 * docs/compiled-models.md describes how.
 *
 *===----------------------------------------------------------------------===*/

#ifndef MLIR_PROF_RUNTIME_PROF_MODEL_H
#define MLIR_PROF_RUNTIME_PROF_MODEL_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/*===----------------------------------------------------------------------===*
 * Models
 *===----------------------------------------------------------------------===*/

typedef struct prof_model prof_model;

/// In prof_model_value.dims: a size that each call chooses.
#define PROF_MODEL_ANY_SIZE INT64_MIN

/// An argument or a result.
typedef struct prof_model_value {
  /// "x"; the element type by MLIR's name: "f32", "i1", "complex<f64>".
  const char *name, *type;
  uint64_t bytes_per_element;
  /// Whether it is a number, which is passed by its address alone.
  uint32_t is_scalar;
  /// Whether a call may write the array of an argument.
  uint32_t is_written;
  uint32_t rank;
  const int64_t *dims;
} prof_model_value;

/// A constant of the model's file.
typedef struct prof_model_constant {
  /// Where the file is mapped: its bytes are read when they are first used.
  const void *bytes;
  uint64_t size;
  /// Code relies on it.
  uint64_t alignment;
} prof_model_constant;

/// The properties of a model. All of them live as long as the model.
typedef struct prof_model_info {
  const prof_model_value *arguments, *results;
  uint32_t argument_count, result_count;
  /// Threads that a call may use.
  uint32_t threads;
  /// Bytes of the variables that the model keeps between calls.
  uint64_t state_bytes;
  /// Names the program that was compiled.
  const char *fingerprint;
  /// Those of 1 KiB and more.
  const prof_model_constant *constants;
  uint32_t constant_count;
} prof_model_info;

#define PROF_MODEL_TEXT 1024

/// Loads the model in the file `path`, which runs on at most `threads` threads
/// if it was compiled for several (0: as many as it was compiled for; models
/// with an equal number share them). Its variables have their first values.
/// Null if that fails, and then `error`, which has PROF_MODEL_TEXT bytes, says
/// why. The code of a file can do anything that this process can.
prof_model *prof_model_open(const char *path, uint32_t threads, char *error);

/// Unloads a model that no thread calls. Null is ignored.
void prof_model_close(prof_model *model);

const prof_model_info *prof_model_get_info(const prof_model *model);

/// Lets the model read constant `index` at `address` instead of in its file:
/// the bytes there must not change until the model is closed, or this is called
/// with null, which makes it read its own again. Returns 0, and changes
/// nothing, if the bytes are others, `address` is not aligned, the model has
/// variables, or its library is that of another open model. Calls that run
/// meanwhile read one of the two.
int prof_model_share(prof_model *model, uint32_t index, const void *address);

/// Why a call did not return: a signal's number, or one of these.
enum {
  /// An assertion of the model failed.
  PROF_MODEL_ASSERTION = -1,
  /// prof_model_interrupt.
  PROF_MODEL_INTERRUPTED = -2,
  /// Memory is missing.
  PROF_MODEL_MEMORY = -3,
  /// A size of the call is beyond what the executor can run.
  PROF_MODEL_RANGE = -4,
};

typedef struct prof_model_failure {
  int32_t reason;
  /// "an assertion failed: index out of bounds, in cf.assert at model.py:7".
  char text[PROF_MODEL_TEXT];
} prof_model_failure;

/// Calls the model. For each argument, then for each result, `addresses` has
/// the address of a scalar or of a descriptor: two addresses, the offset, sizes
/// and strides in elements. The arguments must fit prof_model_info; the model
/// reads them, also memrefs that it writes, where they are. Arrays of results
/// belong to the caller, who frees the first address with prof_model_release.
/// Several threads may call a model; if it has variables, they wait for one
/// another. Returns 0, or else `failure` says what ended the call: a fault of
/// the model's code does not end the process. Memory that the call had
/// allocated is freed then, except by other threads of the executor, and
/// variables are as the call left them. Other code must not replace the
/// handlers of SIGSEGV, SIGBUS, SIGFPE and SIGILL, which the first
/// prof_model_open installs.
int prof_model_call(prof_model *model, void **addresses,
                    prof_model_failure *failure);

/// Memory of the caller for the elements of a result.
typedef struct prof_model_output {
  /// A multiple of 64; null for none.
  void *data;
  /// That of the elements, in bytes.
  size_t size;
} prof_model_output;

/// As prof_model_call, but lets the code store results where `outputs`, one for
/// each result, has memory for them, which must not overlap that of arguments
/// and of each other. The first address of a result that is there is that of
/// its output, and is not released; other results have memory of their own as
/// before. The model learns from a call which memory becomes a result, so the
/// first such call stores none there. After a call that fails, outputs may have
/// any bytes.
int prof_model_call_into(prof_model *model, void **addresses,
                         const prof_model_output *outputs,
                         prof_model_failure *failure);

/// Gives the variables their first values. Returns 0, or else `failure` says
/// what ended it: the file may have been cut off.
int prof_model_reset(prof_model *model, prof_model_failure *failure);

/// For a signal handler: ends the calling thread's call, now or before its next
/// dispatch. Returns 0 if the thread does not call a model. May not return.
int prof_model_interrupt(void);
/// Installs a handler of SIGINT that calls the one that is there, and then
/// prof_model_interrupt. Does nothing if there is none.
void prof_model_watch_interrupts(void);

/*===----------------------------------------------------------------------===*
 * Memory
 *===----------------------------------------------------------------------===*/

/// Memory as models allocate it: at a multiple of 64 bytes. Freed blocks are
/// kept for the next calls, at most as much as was in use at once. Null if
/// memory is missing.
void *prof_model_allocate(size_t size);
/// Null is ignored.
void prof_model_release(void *pointer);

#ifdef __cplusplus
}
#endif

#endif /* MLIR_PROF_RUNTIME_PROF_MODEL_H */
