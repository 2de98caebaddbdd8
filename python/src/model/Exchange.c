/*===- Exchange.c - DLPack without Python's calls -------------------------===*
 *
 * Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*
 *
 * PyTorch's __dlpack__ is Python code, which takes longer than a small model.
 * Its type has functions of C that do the same.
 *
 *===----------------------------------------------------------------------===*/

#include "Model.h"

/* Static objects, made once. */
static PyObject *exchange_name, *requires_grad_name, *is_neg_name,
    *is_conj_name, *resolve_neg_name, *resolve_conj_name;

static int prepare(void) {
  if (resolve_conj_name)
    return 1;
  exchange_name = PyUnicode_InternFromString("__dlpack_c_exchange_api__");
  requires_grad_name = PyUnicode_InternFromString("requires_grad");
  is_neg_name = PyUnicode_InternFromString("is_neg");
  is_conj_name = PyUnicode_InternFromString("is_conj");
  resolve_neg_name = PyUnicode_InternFromString("resolve_neg");
  resolve_conj_name = PyUnicode_InternFromString("resolve_conj");
  return exchange_name && requires_grad_name && is_neg_name && is_conj_name &&
         resolve_neg_name && resolve_conj_name;
}

const pmo_exchange *pmo_find_exchange(PyTypeObject *type) {
  PyObject *capsule =
      prepare() ? PyObject_GetAttr((PyObject *)type, exchange_name) : NULL;
  const pmo_exchange *exchange =
      capsule ? PyCapsule_GetPointer(capsule, "dlpack_exchange_api") : NULL;
  PyErr_Clear();
  /* The type keeps it. */
  Py_XDECREF(capsule);
  while (exchange && exchange->major > 1)
    exchange = exchange->previous;
  return exchange && exchange->major == 1 ? exchange : NULL;
}

/* Whether an attribute, or what its call returns, is true. */
static int is_true(PyObject *object, PyObject *name, int is_method) {
  PyObject *value = is_method ? PyObject_CallMethodNoArgs(object, name)
                              : PyObject_GetAttr(object, name);
  PyErr_Clear();
  int answer = value == Py_True;
  Py_XDECREF(value);
  return answer;
}

/* Whether the numbers in memory are not those of the tensor: PyTorch negates
 * and conjugates later, and its functions of C do not look. */
static int is_lazy(PyObject *object, pmo_dtype dtype) {
  int is_signed = dtype.code == PMO_FLOAT || dtype.code == PMO_BFLOAT ||
                  dtype.code == PMO_COMPLEX;
  return is_signed &&
         (is_true(object, is_neg_name, 1) ||
          (dtype.code == PMO_COMPLEX && is_true(object, is_conj_name, 1)));
}

/* A tensor with the numbers of `object` in memory; null without an exception.
 */
static PyObject *resolve(PyObject *object) {
  PyObject *half = PyObject_CallMethodNoArgs(object, resolve_conj_name);
  PyObject *resolved =
      half ? PyObject_CallMethodNoArgs(half, resolve_neg_name) : NULL;
  Py_XDECREF(half);
  PyErr_Clear();
  return resolved;
}

static int has_viewed(const pmo_exchange *exchange, PyObject *object,
                      pmo_tensor *tensor) {
  int has_failed = exchange->view(object, tensor);
  PyErr_Clear();
  return !has_failed;
}

int pmo_view(PyObject *object, const char *what, int is_written,
             pmo_tensor *tensor, PyObject **owner) {
  const pmo_exchange *exchange = pmo_find_exchange(Py_TYPE(object));
  if (!exchange || !exchange->view ||
      (is_written && is_true(object, requires_grad_name, 0)))
    return 0;
  if (!has_viewed(exchange, object, tensor))
    return 0;
  if (!is_lazy(object, tensor->dtype)) {
    Py_INCREF(object);
    *owner = object;
    return 1;
  }
  *owner = is_written ? NULL : resolve(object);
  if (*owner && pmo_find_exchange(Py_TYPE(*owner)) == exchange &&
      has_viewed(exchange, *owner, tensor))
    return 1;
  Py_CLEAR(*owner);
  PyErr_Format(PyExc_BufferError,
               "%s is a view that negates or conjugates the numbers in its "
               "memory; hint: pass resolve_conj().resolve_neg() of it",
               what);
  return -1;
}

/* The memory of a result, for as long as the library uses it. */
typedef struct owned {
  pmo_versioned managed;
  /* The shape, then the strides in elements. */
  int64_t sizes[];
} owned;

/* On any thread, with or without the interpreter's lock. */
static void delete_owned(pmo_versioned *managed) {
  prof_model_release(managed->context);
  free(managed);
}

PyObject *pmo_adopt(const pmo_exchange *exchange, pmo_dtype dtype, int32_t ndim,
                    const int64_t *shape, void *block, char *data) {
  owned *result =
      calloc(1, sizeof *result + 2 * (size_t)ndim * sizeof *result->sizes);
  if (!result) {
    prof_model_release(block);
    return PyErr_NoMemory();
  }
  pmo_tensor tensor = {.data = data,
                       .device_type = PMO_CPU,
                       .ndim = ndim,
                       .dtype = dtype,
                       .shape = result->sizes,
                       .strides = result->sizes + ndim};
  result->managed = (pmo_versioned){
      .major = 1, .context = block, .deleter = delete_owned, .tensor = tensor};
  int64_t stride = 1;
  for (int32_t index = ndim; index-- > 0;) {
    tensor.shape[index] = shape[index];
    tensor.strides[index] = stride;
    stride *= shape[index];
  }
  PyObject *array = NULL;
  return exchange->adopt(&result->managed, &array) ? NULL : array;
}
