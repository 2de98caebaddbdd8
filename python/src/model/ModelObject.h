/*===- ModelObject.h - Parts of a model and of its calls -----------*- C -*-===*
 *
 * Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*
 *
 * Call.c runs a call in a frame: Arguments.c finds what the code reads, and
 * Outputs.c where it stores results.
 *
 *===----------------------------------------------------------------------===*/

#ifndef MLIR_PROF_PYTHON_MODEL_MODELOBJECT_H
#define MLIR_PROF_PYTHON_MODEL_MODELOBJECT_H

#include "Model.h"

typedef struct model_object {
  PyObject_HEAD prof_model *model;
  const prof_model_info *info;
  pmo_value *arguments, *results;
  /* Words of the descriptors of a call. */
  size_t words;
  /* Whether the model writes one of the arguments. */
  int is_writing;
  /* Arguments that were not contiguous, and so were copied. */
  uint64_t copies;
  /* Results that the code stored in outputs. */
  uint64_t placed;
  /* Null without any, and whether they are constants of the model's own again.
   */
  pmo_weights *weights;
  int has_own_weights;
} model_object;

static inline model_object *get(PyObject *self) { return (model_object *)self; }

/* Rows that an argument was copied to; null without a copy. If the model writes
 * it, `array` is where they go after the call. `given` is the array of the
 * caller; null for a number. */
typedef struct copied {
  void *rows;
  const pmo_array *array, *given;
} copied;

/* A call, in memory of one block. */
typedef struct frame {
  model_object *self;
  /* Tuples; the outputs are null if they are to be new. */
  PyObject *inputs, *outputs;
  /* Makes the results, if they are not to be Arrays. */
  const pmo_exchange *exchange;
  /* Those of the arguments, then those of the outputs. */
  pmo_array *arrays;
  size_t acquired;
  /* Those of the arguments. */
  copied *copies;
  void **addresses;
  int64_t *words;
  /* The memory in which the code may store results; only with outputs. */
  prof_model_output *places;
} frame;

/* ModelObject.c: raises what ended a call. */
void pmo_raise_failure(const prof_model_failure *failure);

/* Arguments.c. Whether an array can be passed as `value`, whose sizes in this
 * call are `shape`. 0 with an exception. */
int pmo_check(const pmo_value *value, const int64_t *shape, const char *kind,
              const pmo_array *array);
/* The words of the descriptor of `value`; `next` moves behind them. */
int64_t *pmo_get_words(const pmo_value *value, int64_t **next);
/* Fills the addresses of the arguments and the words there. 0 with an
 * exception. */
int pmo_pass_arguments(frame *call, int64_t **words);

/* Outputs.c, after the arguments. 0 with an exception. */
int pmo_acquire_outputs(frame *call);
/* Fills the places of a call with outputs. */
void pmo_find_places(frame *call);
/* Frees the results of a call of which nothing is returned. */
void pmo_release_results(const frame *call);
/* Moves results out of the places of others. 0 with an exception. */
int pmo_free_places(const frame *call);
/* The results as a tuple: new arrays, or the given ones. */
PyObject *pmo_finish(frame *call);

/* Overlaps.c: whether no written argument shares memory with another one. 0
 * with an exception. */
int pmo_are_apart(const frame *call);

/* Call.c: calls the model with a tuple of arrays. Returns a tuple of `outputs`,
 * which are null or a tuple, or of new arrays, made by `exchange` if there is
 * one. */
PyObject *pmo_call(model_object *self, PyObject *inputs, PyObject *outputs,
                   const pmo_exchange *exchange);
/* The functions of the type `like`; null for null or None. 0 with an exception.
 */
int pmo_read_like(PyObject *like, const pmo_exchange **exchange);
/* The method run(inputs, outputs=None, like=None). */
PyObject *pmo_run(PyObject *self, PyObject *const *arguments, Py_ssize_t count,
                  PyObject *names);

/* Caller.c: repeats calls; `unflatten` makes of a list of results that of the
 * call, or is None if that is the first one. */
PyObject *pmo_make_caller(PyObject *model, PyObject *unflatten);

/* Properties.c */
extern PyGetSetDef pmo_model_properties[];

#endif /* MLIR_PROF_PYTHON_MODEL_MODELOBJECT_H */
