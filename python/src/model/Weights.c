/*===- Weights.c - Constants in memory of frameworks ----------------------===*
 *
 * Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*
 *
 * A model keeps the values of its weights: it reads a framework's array only
 * while that has the bytes that the file has. PyTorch counts changes of a
 * tensor. Those that it does not count show in a few bytes, if all of the
 * tensor has changed.
 *
 *===----------------------------------------------------------------------===*/

#include "Model.h"

enum { SAMPLES = 8 };

typedef struct weight {
  uint32_t constant;
  pmo_array array;
  size_t bytes;
  /* For arrays that can change, else null. */
  PyObject *tensor;
  const pmo_exchange *exchange;
  long long version;
  uint64_t samples[SAMPLES];
} weight;

struct pmo_weights {
  size_t count, room;
  weight *list;
};

/* Static, made once. */
static PyObject *version_name;

/* The number of changes of a tensor; -1 without an exception if it does not
 * count them. */
static long long read_version(PyObject *tensor) {
  if (!version_name)
    version_name = PyUnicode_InternFromString("_version");
  PyObject *value =
      version_name ? PyObject_GetAttr(tensor, version_name) : NULL;
  long long version = value ? PyLong_AsLongLong(value) : -1;
  Py_XDECREF(value);
  PyErr_Clear();
  return version;
}

static void read_samples(const weight *from, uint64_t *samples) {
  size_t words = from->bytes / sizeof(uint64_t);
  for (size_t index = 0; index < SAMPLES; ++index)
    memcpy(&samples[index],
           from->array.data + words * index / SAMPLES * sizeof(uint64_t),
           sizeof(uint64_t));
}

/* Whether the memory of a tensor is where it was: its storage can be replaced
 * and resized. */
static int is_in_place(const weight *of) {
  pmo_tensor tensor;
  if (of->exchange->view(of->tensor, &tensor)) {
    PyErr_Clear();
    return 0;
  }
  return (char *)tensor.data + tensor.byte_offset == of->array.data;
}

static int has_changed(const weight *of) {
  if (!of->tensor)
    return 0;
  uint64_t samples[SAMPLES];
  if (read_version(of->tensor) != of->version || !is_in_place(of))
    return 1;
  read_samples(of, samples);
  return memcmp(samples, of->samples, sizeof samples) != 0;
}

int pmo_has_changed(const pmo_weights *weights) {
  for (size_t index = 0; weights && index < weights->count; ++index)
    if (has_changed(&weights->list[index]))
      return 1;
  return 0;
}

int pmo_overlaps_weights(const pmo_weights *weights, const char *begin,
                         const char *end) {
  for (size_t index = 0; weights && index < weights->count; ++index) {
    const weight *of = &weights->list[index];
    if (begin < of->array.data + of->bytes && of->array.data < end)
      return 1;
  }
  return 0;
}

/* Calls of other threads may still read the arrays, which stay. */
void pmo_unshare(pmo_weights *weights, prof_model *model) {
  for (size_t index = 0; index < weights->count; ++index)
    prof_model_share(model, weights->list[index].constant, NULL);
}

void pmo_free_weights(pmo_weights *weights) {
  for (size_t index = 0; weights && index < weights->count; ++index) {
    pmo_release(&weights->list[index].array);
    Py_XDECREF(weights->list[index].tensor);
  }
  if (weights)
    PyMem_Free(weights->list);
  PyMem_Free(weights);
}

/* Room for one more; null with an exception. */
static weight *add(pmo_weights **weights) {
  if (!*weights)
    *weights = PyMem_Calloc(1, sizeof **weights);
  pmo_weights *to = *weights;
  if (to && to->count == to->room) {
    size_t room = 2 * to->room + 4;
    weight *list = PyMem_Realloc(to->list, room * sizeof *list);
    if (list) {
      to->list = list;
      to->room = room;
    } else {
      to = NULL;
    }
  }
  if (!to) {
    PyErr_NoMemory();
    return NULL;
  }
  weight *made = &to->list[to->count];
  memset(made, 0, sizeof *made);
  return made;
}

/* Notes by what a change shows; 0 for arrays that can change without a trace.
 */
static int watch(PyObject *object, weight *made) {
  made->exchange = pmo_find_exchange(Py_TYPE(object));
  made->version = read_version(object);
  if (made->version < 0)
    /* JAX lends its arrays, which do not change, for reading only. */
    return made->array.is_read_only;
  if (!made->exchange || !made->exchange->view ||
      made->bytes < SAMPLES * sizeof(uint64_t))
    return 0;
  Py_INCREF(object);
  made->tensor = object;
  read_samples(made, made->samples);
  return 1;
}

int pmo_share(pmo_weights **weights, prof_model *model, uint32_t constant,
              PyObject *object) {
  const prof_model_info *info = prof_model_get_info(model);
  weight *made = add(weights);
  if (!made || !pmo_acquire(object, "a weight", 0, &made->array))
    return -1;
  made->constant = constant;
  made->bytes =
      pmo_count_bytes(made->array.dtype, made->array.ndim, made->array.shape);
  int is_shared = pmo_is_contiguous(&made->array) &&
                  made->bytes == info->constants[constant].size &&
                  watch(object, made);
  /* With the interpreter's lock, or another thread could move the list. */
  if (is_shared &&
      (is_shared = prof_model_share(model, constant, made->array.data)) != 0) {
    ++(*weights)->count;
  } else {
    pmo_release(&made->array);
    Py_XDECREF(made->tensor);
  }
  return is_shared;
}

size_t pmo_count_shared(const pmo_weights *weights) {
  size_t bytes = 0;
  for (size_t index = 0; weights && index < weights->count; ++index)
    bytes += weights->list[index].bytes;
  return bytes;
}
