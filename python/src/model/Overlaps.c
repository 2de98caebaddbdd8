/*===- Overlaps.c - Arrays that share memory ------------------------------===*
 *
 * Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*
 *
 * The code of a model relies on arguments that are apart, or are read only.
 * Arrays whose bounds overlap may be apart nevertheless, such as every other
 * column: for those it is found out byte by byte.
 *
 *===----------------------------------------------------------------------===*/

#include "ModelObject.h"

void pmo_find_bounds(const pmo_array *array, const char **begin,
                     const char **end) {
  *begin = array->data;
  *end = *begin + array->dtype.bits / 8;
  for (int32_t index = 0; index < array->ndim; ++index) {
    if (array->shape[index] == 0) {
      *end = *begin = array->data;
      return;
    }
    int64_t reach = (array->shape[index] - 1) * array->strides[index];
    *(reach < 0 ? begin : end) += reach;
  }
}

/* The memory in which the bounds of two arrays overlap, with a bit for each
 * byte of the first array. */
typedef struct region {
  const char *begin, *end;
  unsigned char *used;
} region;

/* Marks the bytes of an element; or returns whether one is marked. */
static int visit_element(const char *at, size_t bytes, region *in, int finds) {
  for (const char *end = at + bytes; at < end; ++at) {
    if (at < in->begin || at >= in->end)
      continue;
    size_t place = (size_t)(at - in->begin);
    unsigned char bit = (unsigned char)(1 << place % 8);
    if (!finds)
      in->used[place / 8] |= bit;
    else if (in->used[place / 8] & bit)
      return 1;
  }
  return 0;
}

/* The same of all elements from dimension `dim` on. */
static int visit(const pmo_array *array, int32_t dim, const char *at,
                 region *in, int finds) {
  if (dim == array->ndim)
    return visit_element(at, array->dtype.bits / 8, in, finds);
  for (int64_t index = 0; index < array->shape[dim]; ++index)
    if (visit(array, dim + 1, at + index * array->strides[dim], in, finds))
      return 1;
  return 0;
}

int pmo_share_memory(const pmo_array *array, const pmo_array *other) {
  const char *begin, *end;
  region in;
  pmo_find_bounds(array, &in.begin, &in.end);
  pmo_find_bounds(other, &begin, &end);
  in.begin = begin > in.begin ? begin : in.begin;
  in.end = end < in.end ? end : in.end;
  if (in.begin >= in.end)
    return 0;
  if (pmo_is_contiguous(array) && pmo_is_contiguous(other))
    return 1;
  in.used = calloc((size_t)(in.end - in.begin) / 8 + 1, 1);
  if (!in.used)
    return 1;
  visit(array, 0, array->data, &in, 0);
  int is_shared = visit(other, 0, other->data, &in, 1);
  free(in.used);
  return is_shared;
}

/* Whether a written argument is apart from the arguments before it, and from
 * those after it that are not written. 0 with an exception. */
static int is_apart(const frame *call, size_t written) {
  const pmo_value *arguments = call->self->arguments;
  for (size_t index = 0; index < call->self->info->argument_count; ++index) {
    const pmo_array *other = call->copies[index].given;
    if (!other || index == written ||
        (index > written && arguments[index].of->is_written) ||
        !pmo_share_memory(call->copies[written].given, other))
      continue;
    PyErr_Format(PyExc_ValueError,
                 "argument '%s', which the model writes, and argument '%s' "
                 "share memory; hint: pass a copy of one of them",
                 arguments[written].of->name, arguments[index].of->name);
    return 0;
  }
  return 1;
}

int pmo_are_apart(const frame *call) {
  for (size_t index = 0; index < call->self->info->argument_count; ++index)
    if (call->self->arguments[index].of->is_written &&
        call->copies[index].given && !is_apart(call, index))
      return 0;
  return 1;
}

PyObject *pmo_find_sharing(PyObject *module, PyObject *arguments) {
  (void)module;
  PyObject *first, *second;
  if (!PyArg_ParseTuple(arguments, "OO:share_memory", &first, &second))
    return NULL;
  /* Large, and for few calls. */
  pmo_array *arrays = PyMem_Malloc(2 * sizeof *arrays);
  if (!arrays)
    return PyErr_NoMemory();
  int is_shared = 0;
  if (pmo_acquire(first, "the first", 0, &arrays[0])) {
    if (pmo_acquire(second, "the second", 0, &arrays[1])) {
      is_shared = pmo_share_memory(&arrays[0], &arrays[1]);
      pmo_release(&arrays[1]);
    }
    pmo_release(&arrays[0]);
  }
  /* Numbers and lists do not lend theirs. */
  PyErr_Clear();
  PyMem_Free(arrays);
  return PyBool_FromLong(is_shared);
}
