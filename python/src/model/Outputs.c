/*===- Outputs.c - Results of a call --------------------------------------===*
 *
 * Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*
 *
 * The code stores a result in the memory of an output if that is aligned,
 * contiguous, and apart from the other arrays of the call. Other results are
 * copied to their outputs.
 *
 *===----------------------------------------------------------------------===*/

#include "ModelObject.h"

/*===----------------------------------------------------------------------===*
 * Places
 *===----------------------------------------------------------------------===*/

int pmo_acquire_outputs(frame *call) {
  const prof_model_info *info = call->self->info;
  if (!call->outputs)
    return 1;
  Py_ssize_t count = PyTuple_GET_SIZE(call->outputs);
  if (count != (Py_ssize_t)info->result_count) {
    PyErr_Format(PyExc_TypeError, "the model has %u results, not %zd",
                 info->result_count, count);
    return 0;
  }
  for (size_t index = 0; index < info->result_count; ++index) {
    const pmo_value *value = &call->self->results[index];
    char what[256];
    snprintf(what, sizeof what, "output '%s'", value->of->name);
    pmo_array *array = &call->arrays[call->acquired];
    if (!pmo_acquire(PyTuple_GET_ITEM(call->outputs, (Py_ssize_t)index), what,
                     1, array))
      return 0;
    ++call->acquired;
    if (!pmo_check(value, value->of->dims, "output", array))
      return 0;
  }
  return 1;
}

static int overlaps(const pmo_array *array, const pmo_array *other) {
  return array->data < other->data + pmo_count_bytes(other->dtype, other->ndim,
                                                     other->shape) &&
         other->data < array->data + pmo_count_bytes(array->dtype, array->ndim,
                                                     array->shape);
}

/* Whether the model writes a copy of an argument, which goes back to where it
 * came from after the code has stored its results. */
static int writes_copies(const frame *call) {
  for (size_t index = 0; index < call->self->info->argument_count; ++index)
    if (call->copies[index].array)
      return 1;
  return 0;
}

/* Whether the code can store a result in output `place` of the acquired arrays.
 * Arguments that are not contiguous were copied, so they cannot overlap. */
static int is_free(const frame *call, size_t place) {
  enum { LINE = 64 };
  const pmo_array *output = &call->arrays[place];
  if ((uintptr_t)output->data % LINE != 0 || !pmo_is_contiguous(output))
    return 0;
  for (size_t index = 0; index < call->acquired; ++index)
    if (index != place && pmo_is_contiguous(&call->arrays[index]) &&
        overlaps(output, &call->arrays[index]))
      return 0;
  return 1;
}

void pmo_find_places(frame *call) {
  const prof_model_info *info = call->self->info;
  size_t first = call->acquired - info->result_count;
  int has_copies = writes_copies(call);
  for (size_t index = 0; index < info->result_count; ++index) {
    const pmo_array *output = &call->arrays[first + index];
    call->places[index] = (prof_model_output){NULL, 0};
    if (!has_copies && !info->results[index].is_scalar &&
        is_free(call, first + index))
      call->places[index] = (prof_model_output){
          output->data,
          pmo_count_bytes(output->dtype, output->ndim, output->shape)};
  }
}

/* Whether a result is in the place of one. */
static int is_placed(const frame *call, const int64_t *words) {
  for (size_t index = 0;
       call->outputs && index < call->self->info->result_count; ++index)
    if (call->places[index].data &&
        call->places[index].data == (void *)(uintptr_t)words[0])
      return 1;
  return 0;
}

void pmo_release_results(const frame *call) {
  const prof_model_info *info = call->self->info;
  for (size_t index = 0; index < info->result_count; ++index)
    if (!info->results[index].is_scalar) {
      int64_t *words = call->addresses[info->argument_count + index];
      if (!is_placed(call, words))
        prof_model_release((void *)(uintptr_t)words[0]);
    }
}

/*===----------------------------------------------------------------------===*
 * Results
 *===----------------------------------------------------------------------===*/

/* The result of a call as an array, which takes over its memory. */
static PyObject *take_result(const frame *call, const pmo_value *value,
                             int64_t *words) {
  void *block = (void *)(uintptr_t)words[0];
  char *data = (char *)(uintptr_t)words[1];
  if (value->of->is_scalar) {
    block = data = prof_model_allocate(sizeof(int64_t) * 2);
    if (!block)
      return PyErr_NoMemory();
    memcpy(data, words, value->dtype.bits / 8);
  } else {
    data += words[2] * (value->dtype.bits / 8);
  }
  int32_t rank = value->of->is_scalar ? 0 : (int32_t)value->of->rank;
  return call->exchange
             ? pmo_adopt(call->exchange, value->dtype, rank, words + 3, block,
                         data)
             : pmo_make_array(value->dtype, rank, words + 3, block, data);
}

/* Copies a result to where the caller wants it. 0 with an exception. */
static int store_result(const frame *call, const pmo_value *value,
                        int64_t *words, const pmo_array *array) {
  if (value->of->is_scalar) {
    pmo_scatter(array, (const char *)words);
    return 1;
  }
  int is_good = pmo_check(value, words + 3, "output", array);
  const char *data =
      (const char *)(uintptr_t)words[1] + words[2] * (value->dtype.bits / 8);
  if (is_good && data != array->data) {
    if (pmo_is_contiguous(array))
      memcpy(array->data, data,
             pmo_count_bytes(array->dtype, array->ndim, array->shape));
    else
      pmo_scatter(array, data);
  }
  if (is_placed(call, words))
    ++call->self->placed;
  else
    prof_model_release((void *)(uintptr_t)words[0]);
  return is_good;
}

int pmo_free_places(const frame *call) {
  const prof_model_info *info = call->self->info;
  for (size_t index = 0; call->outputs && index < info->result_count; ++index) {
    int64_t *words = call->addresses[info->argument_count + index];
    if (info->results[index].is_scalar || !is_placed(call, words) ||
        call->places[index].data == (void *)(uintptr_t)words[0])
      continue;
    const pmo_value *value = &call->self->results[index];
    const char *data =
        (const char *)(uintptr_t)words[1] + words[2] * (value->dtype.bits / 8);
    size_t bytes =
        pmo_count_bytes(value->dtype, (int32_t)value->of->rank, words + 3);
    void *moved = prof_model_allocate(bytes + 1);
    if (!moved) {
      PyErr_NoMemory();
      return 0;
    }
    memcpy(moved, data, bytes);
    words[0] = words[1] = (int64_t)(uintptr_t)moved;
    words[2] = 0;
  }
  return 1;
}

PyObject *pmo_finish(frame *call) {
  const prof_model_info *info = call->self->info;
  PyObject *tuple = PyTuple_New(info->result_count);
  const pmo_array *given =
      call->arrays + call->acquired - (call->outputs ? info->result_count : 0);
  int is_good = tuple != NULL;
  for (size_t index = 0; index < info->result_count; ++index) {
    const pmo_value *value = &call->self->results[index];
    int64_t *words = call->addresses[info->argument_count + index];
    PyObject *result = NULL;
    if (!call->outputs) {
      /* Memory is taken over also after an error. */
      result = take_result(call, value, words);
    } else if (store_result(call, value, words, &given[index])) {
      result = PyTuple_GET_ITEM(call->outputs, (Py_ssize_t)index);
      Py_INCREF(result);
    }
    is_good &= result != NULL;
    if (tuple && result)
      PyTuple_SET_ITEM(tuple, (Py_ssize_t)index, result);
    else
      Py_XDECREF(result);
  }
  if (!is_good)
    Py_CLEAR(tuple);
  return tuple;
}
