/*===- Call.c - Calls of a model ------------------------------------------===*
 *
 * Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*/

#include "ModelObject.h"

/*===----------------------------------------------------------------------===*
 * Weights
 *===----------------------------------------------------------------------===*/

/* Lets the model read its own constants if an output is in a shared array,
 * which then changes without a trace. */
static void protect_weights(const frame *call) {
  model_object *self = call->self;
  size_t first = call->acquired - self->info->result_count;
  for (size_t at = first; !self->has_own_weights && at < call->acquired; ++at) {
    const char *begin, *end;
    pmo_find_bounds(&call->arrays[at], &begin, &end);
    if (pmo_overlaps_weights(self->weights, begin, end)) {
      pmo_unshare(self->weights, self->model);
      self->has_own_weights = 1;
    }
  }
}

/* Whether the model reads its own constants; it does so from now on if an array
 * in their place has changed. */
static int check_weights(model_object *self) {
  if (!self->has_own_weights && pmo_has_changed(self->weights)) {
    pmo_unshare(self->weights, self->model);
    self->has_own_weights = 1;
  }
  return self->has_own_weights;
}

/*===----------------------------------------------------------------------===*
 * Running
 *===----------------------------------------------------------------------===*/

static int run_model(frame *call) {
  model_object *self = call->self;
  prof_model_failure failure;
  int has_failed, had_own_weights = check_weights(self);
  Py_BEGIN_ALLOW_THREADS has_failed =
      prof_model_call_into(self->model, call->addresses,
                           call->outputs ? call->places : NULL, &failure);
  Py_END_ALLOW_THREADS if (!had_own_weights && check_weights(self)) {
    /* The call may have read old weights and new ones. */
    if (!has_failed)
      pmo_release_results(call);
    return run_model(call);
  }
  if (has_failed)
    pmo_raise_failure(&failure);
  return !has_failed;
}

/* Takes what the model wrote to copies of arguments to the arrays. */
static void store_arguments(const frame *call) {
  for (size_t index = 0; index < call->self->info->argument_count; ++index)
    if (call->copies[index].array)
      pmo_scatter(call->copies[index].array, call->copies[index].rows);
}

static void release(frame *call) {
  for (size_t index = 0; index < call->acquired; ++index)
    pmo_release(&call->arrays[index]);
  for (size_t index = 0; index < call->self->info->argument_count; ++index)
    prof_model_release(call->copies[index].rows);
}

static PyObject *call_model(frame *call) {
  const prof_model_info *info = call->self->info;
  int64_t *words = call->words;
  PyObject *results = NULL;
  if (pmo_pass_arguments(call, &words) && pmo_acquire_outputs(call) &&
      (!call->self->is_writing || pmo_are_apart(call))) {
    for (size_t index = 0; index < info->result_count; ++index)
      call->addresses[info->argument_count + index] =
          pmo_get_words(&call->self->results[index], &words);
    if (call->outputs) {
      protect_weights(call);
      pmo_find_places(call);
    }
    if (run_model(call)) {
      store_arguments(call);
      if (pmo_free_places(call))
        results = pmo_finish(call);
      else
        pmo_release_results(call);
    }
  }
  release(call);
  return results;
}

PyObject *pmo_call(model_object *self, PyObject *inputs, PyObject *outputs,
                   const pmo_exchange *exchange) {
  const prof_model_info *info = self->info;
  size_t values = info->argument_count + info->result_count;
  size_t bytes = values * (sizeof(pmo_array) + sizeof(void *)) +
                 info->argument_count * sizeof(copied) +
                 self->words * sizeof(int64_t) +
                 info->result_count * sizeof(prof_model_output);
  enum { ON_STACK = 16 << 10 };
  char stack[ON_STACK] __attribute__((aligned(16)));
  char *memory = bytes <= ON_STACK ? stack : PyMem_Malloc(bytes);
  if (!memory)
    return PyErr_NoMemory();
  frame call = {
      .self = self, .inputs = inputs, .outputs = outputs, .exchange = exchange};
  call.arrays = (pmo_array *)memory;
  call.copies = (copied *)(call.arrays + values);
  call.addresses = (void **)(call.copies + info->argument_count);
  call.words = (int64_t *)(call.addresses + values);
  call.places = (prof_model_output *)(call.words + self->words);
  memset(call.copies, 0, info->argument_count * sizeof *call.copies);
  PyObject *results = call_model(&call);
  if (memory != stack)
    PyMem_Free(memory);
  return results;
}

/*===----------------------------------------------------------------------===*
 * Parameters
 *===----------------------------------------------------------------------===*/

/* The parameters of run(). */
enum { INPUTS, OUTPUTS, LIKE, PARAMETERS };

/* Finds each parameter, by position or by name; 0 with an exception. */
static int read_parameters(PyObject *const *arguments, Py_ssize_t count,
                           PyObject *names, PyObject **values) {
  static const char *const known[PARAMETERS] = {"inputs", "outputs", "like"};
  Py_ssize_t named = names ? PyTuple_GET_SIZE(names) : 0;
  for (Py_ssize_t index = 0; index < count && count <= PARAMETERS; ++index)
    values[index] = arguments[index];
  for (Py_ssize_t index = 0; index < named; ++index)
    for (size_t parameter = 0; parameter < PARAMETERS; ++parameter)
      if (!values[parameter] &&
          !PyUnicode_CompareWithASCIIString(PyTuple_GET_ITEM(names, index),
                                            known[parameter])) {
        values[parameter] = arguments[count + index];
        break;
      }
  Py_ssize_t found = 0;
  for (size_t parameter = 0; parameter < PARAMETERS; ++parameter)
    found += values[parameter] != NULL;
  if (values[INPUTS] && found == count + named)
    return 1;
  PyErr_SetString(PyExc_TypeError,
                  "run() takes (inputs, outputs=None, like=None)");
  return 0;
}

int pmo_read_like(PyObject *like, const pmo_exchange **exchange) {
  *exchange = NULL;
  if (!like || like == Py_None)
    return 1;
  if (PyType_Check(like))
    *exchange = pmo_find_exchange((PyTypeObject *)like);
  if (!*exchange)
    PyErr_SetString(PyExc_TypeError,
                    "like is not a type with __dlpack_c_exchange_api__");
  return *exchange != NULL;
}

/* The elements of `object`, which other threads cannot change: they run while
 * the model does. */
static PyObject *get_tuple(PyObject *object, const char *problem) {
  PyObject *sequence = PySequence_Fast(object, problem);
  if (!sequence)
    return NULL;
  PyObject *tuple = PySequence_Tuple(sequence);
  Py_DECREF(sequence);
  return tuple;
}

PyObject *pmo_run(PyObject *self, PyObject *const *arguments, Py_ssize_t count,
                  PyObject *names) {
  PyObject *values[PARAMETERS] = {NULL};
  const pmo_exchange *exchange;
  if (!read_parameters(arguments, count, names, values) ||
      !pmo_read_like(values[LIKE], &exchange))
    return NULL;
  PyObject *inputs =
      get_tuple(values[INPUTS], "inputs is not a sequence of arrays");
  if (!inputs)
    return NULL;
  PyObject *outputs = NULL;
  if (values[OUTPUTS] && values[OUTPUTS] != Py_None &&
      !(outputs = get_tuple(values[OUTPUTS],
                            "outputs is not a sequence of arrays"))) {
    Py_DECREF(inputs);
    return NULL;
  }
  PyObject *results = pmo_call(get(self), inputs, outputs, exchange);
  Py_DECREF(inputs);
  Py_XDECREF(outputs);
  return results;
}
