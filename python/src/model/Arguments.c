/*===- Arguments.c - Arguments of a call ----------------------------------===*
 *
 * Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*
 *
 * The code reads an array where it is if it can, else a copy of its rows.
 *
 *===----------------------------------------------------------------------===*/

#include "ModelObject.h"

/*===----------------------------------------------------------------------===*
 * Checking
 *===----------------------------------------------------------------------===*/

/* "float32[2, ?]". */
static void describe(pmo_dtype dtype, const int64_t *shape, uint32_t rank,
                     char *text, size_t room) {
  pmo_write_dtype(dtype, text, room);
  size_t at = strlen(text);
  for (uint32_t index = 0; index < rank && at + 32 < room; ++index) {
    const char *before = index ? ", " : "[";
    if (shape[index] == PROF_MODEL_ANY_SIZE)
      at += (size_t)snprintf(text + at, room - at, "%s?", before);
    else
      at += (size_t)snprintf(text + at, room - at, "%s%lld", before,
                             (long long)shape[index]);
  }
  if (at + 4 < room)
    snprintf(text + at, room - at, rank ? "]" : "[]");
}

static int fits_dtype(const pmo_value *value, pmo_dtype dtype) {
  if (dtype.bits != value->dtype.bits || dtype.lanes != 1)
    return 0;
  if (dtype.code == value->dtype.code)
    return 1;
  return value->is_signless && value->dtype.code == PMO_INT &&
         dtype.code == PMO_UINT;
}

static int fits_shape(const pmo_array *array, const int64_t *shape,
                      uint32_t rank) {
  if ((uint32_t)array->ndim != rank)
    return 0;
  for (uint32_t index = 0; index < rank; ++index)
    if (shape[index] != array->shape[index] &&
        shape[index] != PROF_MODEL_ANY_SIZE)
      return 0;
  return 1;
}

int pmo_check(const pmo_value *value, const int64_t *shape, const char *kind,
              const pmo_array *array) {
  uint32_t rank = value->of->rank;
  if (fits_dtype(value, array->dtype) && fits_shape(array, shape, rank))
    return 1;
  char expected[512], found[512];
  describe(value->dtype, shape, rank, expected, sizeof expected);
  describe(array->dtype, array->shape, (uint32_t)array->ndim, found,
           sizeof found);
  PyErr_Format(
      fits_dtype(value, array->dtype) ? PyExc_ValueError : PyExc_TypeError,
      "%s '%s' is %s; expected %s", kind, value->of->name, found, expected);
  return 0;
}

/*===----------------------------------------------------------------------===*
 * Numbers
 *===----------------------------------------------------------------------===*/

/* A number of Python's as argument; 0 with an exception. */
static int read_number(PyObject *object, const pmo_value *value, void *to) {
  if (value->dtype.code == PMO_FLOAT && value->dtype.bits >= 32) {
    double number = PyFloat_AsDouble(object);
    if (number == -1 && PyErr_Occurred())
      return 0;
    if (value->dtype.bits == 64)
      *(double *)to = number;
    else
      *(float *)to = (float)number;
    return 1;
  }
  if (value->dtype.code == PMO_BOOL) {
    int number = PyObject_IsTrue(object);
    *(char *)to = number == 1;
    return number >= 0;
  }
  if (value->dtype.code != PMO_INT && value->dtype.code != PMO_UINT) {
    PyErr_Format(PyExc_TypeError,
                 "argument '%s' is a number of Python; expected an array "
                 "without dimensions of %s",
                 value->of->name, value->of->type);
    return 0;
  }
  int is_beyond = 0;
  long long number = PyLong_AsLongLongAndOverflow(object, &is_beyond);
  if (number == -1 && PyErr_Occurred())
    return 0;
  int bits = value->dtype.bits;
  long long most = bits < 64 ? (1LL << bits) - 1 : LLONG_MAX;
  long long least = bits < 64 ? -(1LL << (bits - 1)) : LLONG_MIN;
  if (value->dtype.code == PMO_UINT)
    least = 0;
  else if (!value->is_signless && bits < 64)
    most >>= 1;
  if (is_beyond || number < least || number > most) {
    PyErr_Format(PyExc_OverflowError, "argument '%s' does not fit %s",
                 value->of->name, value->of->type);
    return 0;
  }
  memcpy(to, &number, (size_t)bits / 8);
  return 1;
}

static int is_number(PyObject *object) {
  return PyFloat_Check(object) || PyLong_Check(object);
}

/*===----------------------------------------------------------------------===*
 * Passing
 *===----------------------------------------------------------------------===*/

int64_t *pmo_get_words(const pmo_value *value, int64_t **next) {
  int64_t *words = *next;
  *next += value->of->is_scalar ? 2 : 3 + 2 * (size_t)value->of->rank;
  return words;
}

static void fill_descriptor(const pmo_array *array, void *data,
                            int64_t *words) {
  words[0] = words[1] = (int64_t)(uintptr_t)data;
  words[2] = 0;
  int64_t stride = 1;
  for (int32_t index = array->ndim; index-- > 0;) {
    words[3 + index] = array->shape[index];
    words[3 + array->ndim + index] = stride;
    stride *= array->shape[index];
  }
}

/* Whether the code can read the array where it is. */
static int is_in_place(const pmo_array *array) {
  size_t bytes = array->dtype.bits / 8;
  size_t alignment = array->dtype.code == PMO_COMPLEX ? bytes / 2 : bytes;
  return (uintptr_t)array->data % alignment == 0 && pmo_is_contiguous(array);
}

static int pass_array(frame *call, size_t index, const pmo_array *array,
                      int64_t *words) {
  void *data = array->data;
  if (!is_in_place(array)) {
    data = prof_model_allocate(
        pmo_count_bytes(array->dtype, array->ndim, array->shape) + 1);
    if (!data) {
      PyErr_NoMemory();
      return 0;
    }
    int is_written = call->self->arguments[index].of->is_written != 0;
    call->copies[index].rows = data;
    call->copies[index].array = is_written ? array : NULL;
    pmo_gather(array, data);
    ++call->self->copies;
  }
  fill_descriptor(array, data, words);
  return 1;
}

static int pass_argument(frame *call, size_t index, int64_t *words) {
  const pmo_value *value = &call->self->arguments[index];
  PyObject *object = PyTuple_GET_ITEM(call->inputs, (Py_ssize_t)index);
  call->addresses[index] = words;
  pmo_array *array = &call->arrays[call->acquired];
  if (value->of->is_scalar && is_number(object))
    return read_number(object, value, words);
  char what[256];
  /* Written only where something fails. */
  what[0] = 0;
  int is_written = value->of->is_written != 0;
  if (is_written || !PyObject_CheckBuffer(object))
    snprintf(what, sizeof what, "argument '%s'%s", value->of->name,
             is_written ? ", which the model writes," : "");
  if (!pmo_acquire(object, what[0] ? what : "an argument", is_written, array))
    return 0;
  ++call->acquired;
  if (!pmo_check(value, value->of->dims, "argument", array))
    return 0;
  call->copies[index].given = array;
  if (!value->of->is_scalar)
    return pass_array(call, index, array, words);
  memcpy(words, array->data, array->dtype.bits / 8);
  return 1;
}

int pmo_pass_arguments(frame *call, int64_t **words) {
  const prof_model_info *info = call->self->info;
  Py_ssize_t count = PyTuple_GET_SIZE(call->inputs);
  if (count != (Py_ssize_t)info->argument_count) {
    PyErr_Format(PyExc_TypeError, "the model takes %u arguments, not %zd",
                 info->argument_count, count);
    return 0;
  }
  for (size_t index = 0; index < info->argument_count; ++index)
    if (!pass_argument(call, index,
                       pmo_get_words(&call->self->arguments[index], words)))
      return 0;
  return 1;
}
