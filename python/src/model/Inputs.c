/*===- Inputs.c - Arrays of other libraries -------------------------------===*
 *
 * Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*
 *
 * The buffer protocol comes first, since it is fast and gives read-only arrays,
 * then DLPack: its functions of C, then its methods of Python.
 *
 *===----------------------------------------------------------------------===*/

#include "Model.h"

static int fail(const char *what, const char *problem) {
  PyErr_Format(PyExc_TypeError, "%s %s", what, problem);
  return 0;
}

/*===----------------------------------------------------------------------===*
 * The buffer protocol
 *===----------------------------------------------------------------------===*/

/* The element type that the attribute "dtype" names: buffers do not have a
 * format for bfloat16 and smaller numbers. */
static int read_dtype(PyObject *object, pmo_dtype *dtype) {
  PyObject *value = PyObject_GetAttrString(object, "dtype");
  PyObject *text = value ? PyObject_Str(value) : NULL;
  const char *name = text ? PyUnicode_AsUTF8(text) : NULL;
  int is_known = name && pmo_parse_dtype(name, dtype);
  Py_XDECREF(text);
  Py_XDECREF(value);
  PyErr_Clear();
  return is_known;
}

static int get_buffer(PyObject *object, int flags, pmo_array *array) {
  Py_buffer *buffer = &array->buffer;
  if (!PyObject_GetBuffer(object, buffer, flags | PyBUF_FORMAT)) {
    if (pmo_parse_format(buffer->format, buffer->itemsize, &array->dtype))
      return 1;
    PyBuffer_Release(buffer);
  }
  PyErr_Clear();
  if (read_dtype(object, &array->dtype) &&
      !PyObject_GetBuffer(object, buffer, flags)) {
    if (buffer->itemsize == array->dtype.bits / 8)
      return 1;
    PyBuffer_Release(buffer);
  }
  PyErr_Clear();
  return 0;
}

/* Whether a library lends the array to readers only: JAX does, and its DLPack
 * does not tell. */
static int is_for_readers(PyObject *object, pmo_array *array) {
  if (!get_buffer(object, PyBUF_STRIDES, array))
    return 0;
  PyBuffer_Release(&array->buffer);
  return 1;
}

/* Returns 0 without an exception if DLPack may do, -1 with one that names
 * `what`. */
static int acquire_buffer(PyObject *object, const char *what, int is_written,
                          pmo_array *array) {
  Py_buffer *buffer = &array->buffer;
  if (!get_buffer(object, PyBUF_STRIDES | (is_written ? PyBUF_WRITABLE : 0),
                  array)) {
    if (!is_written || !is_for_readers(object, array))
      return 0;
    fail(what, "is read-only; expected an array that can be written");
    return -1;
  }
  if (buffer->ndim > PMO_MOST_RANK) {
    PyBuffer_Release(buffer);
    return 0;
  }
  array->data = buffer->buf;
  array->ndim = buffer->ndim;
  array->is_read_only = buffer->readonly;
  for (int index = 0; index < buffer->ndim; ++index) {
    array->shape[index] = buffer->shape[index];
    array->strides[index] = buffer->strides[index];
  }
  return 1;
}

/*===----------------------------------------------------------------------===*
 * DLPack
 *===----------------------------------------------------------------------===*/

static const char kPlain[] = "dltensor", kVersioned[] = "dltensor_versioned";

/* Static objects, made once. */
static PyObject *version_names, *version_arguments[2], *dlpack_name;

static int prepare(void) {
  if (dlpack_name)
    return 1;
  version_names = Py_BuildValue("(s)", "max_version");
  version_arguments[1] = Py_BuildValue("(ii)", 1, 0);
  dlpack_name = PyUnicode_InternFromString("__dlpack__");
  return version_names && version_arguments[1] && dlpack_name;
}

/* A capsule of the object's; old producers know no versions. */
static PyObject *get_capsule(PyObject *object) {
  if (!prepare())
    return NULL;
  PyObject *arguments[] = {object, version_arguments[1]};
  PyObject *capsule =
      PyObject_VectorcallMethod(dlpack_name, arguments, 1, version_names);
  if (capsule || !PyErr_ExceptionMatches(PyExc_TypeError))
    return capsule;
  PyErr_Clear();
  return PyObject_CallMethodNoArgs(object, dlpack_name);
}

static const pmo_tensor *get_tensor(PyObject *capsule, int *is_read_only) {
  *is_read_only = 0;
  if (PyCapsule_IsValid(capsule, kVersioned)) {
    const pmo_versioned *managed = PyCapsule_GetPointer(capsule, kVersioned);
    *is_read_only = (managed->flags & PMO_READ_ONLY) != 0;
    return managed->major == 1 ? &managed->tensor : NULL;
  }
  if (!PyCapsule_IsValid(capsule, kPlain))
    return NULL;
  return &((const pmo_managed *)PyCapsule_GetPointer(capsule, kPlain))->tensor;
}

static void fill(const pmo_tensor *tensor, pmo_array *array) {
  array->data = (char *)tensor->data + tensor->byte_offset;
  array->dtype = tensor->dtype;
  array->ndim = tensor->ndim;
  int64_t bytes = tensor->dtype.bits / 8, stride = bytes;
  for (int32_t index = tensor->ndim; index-- > 0;) {
    array->shape[index] = tensor->shape[index];
    array->strides[index] =
        tensor->strides ? tensor->strides[index] * bytes : stride;
    stride *= tensor->shape[index];
  }
}

/* PyTorch has tensors that only stand for others, or for zeros. */
static int has_memory(const pmo_tensor *tensor) {
  int is_good = tensor->data != NULL;
  for (int32_t index = 0; index < tensor->ndim; ++index)
    is_good |= tensor->shape[index] == 0;
  return is_good;
}

/* Whether the code can use `tensor`; 0 with an exception. */
static int accept(const pmo_tensor *tensor, const char *what, int is_written,
                  pmo_array *array) {
  if (tensor->device_type != PMO_CPU) {
    PyErr_Format(PyExc_ValueError,
                 "%s is on device %d:%d of DLPack; expected memory of the CPU "
                 "(1:0)",
                 what, tensor->device_type, tensor->device_id);
    return 0;
  }
  if (tensor->ndim < 0 || tensor->ndim > PMO_MOST_RANK)
    return fail(what, "has too many dimensions");
  if (is_written && array->is_read_only)
    return fail(what, "is read-only");
  if (!has_memory(tensor))
    return fail(what, "does not have memory of its own");
  fill(tensor, array);
  return 1;
}

static int acquire_capsule(PyObject *object, const char *what, int is_written,
                           pmo_array *array) {
  PyObject *capsule = get_capsule(object);
  if (!capsule) {
    if (!PyErr_ExceptionMatches(PyExc_AttributeError))
      return 0;
    PyErr_Clear();
    PyErr_Format(PyExc_TypeError,
                 "%s is a %s; expected an array, with __dlpack__ or the buffer "
                 "protocol",
                 what, Py_TYPE(object)->tp_name);
    return 0;
  }
  const pmo_tensor *tensor = get_tensor(capsule, &array->is_read_only);
  /* The capsule keeps the memory, and is never used up. */
  array->owner = capsule;
  if (!tensor)
    return fail(what, "gives a capsule that is not of DLPack 1");
  return accept(tensor, what, is_written, array);
}

int pmo_acquire(PyObject *object, const char *what, int is_written,
                pmo_array *array) {
  array->owner = NULL;
  array->buffer.obj = NULL;
  int has_buffer = PyObject_CheckBuffer(object)
                       ? acquire_buffer(object, what, is_written, array)
                       : 0;
  if (has_buffer > 0)
    return 1;
  array->buffer.obj = NULL;
  if (has_buffer < 0)
    return 0;
  array->is_read_only = 0;
  pmo_tensor tensor;
  int has_view = pmo_view(object, what, is_written, &tensor, &array->owner);
  if (has_view > 0) {
    if (accept(&tensor, what, is_written, array))
      return 1;
  } else if (!has_view && acquire_capsule(object, what, is_written, array)) {
    return 1;
  }
  pmo_release(array);
  return 0;
}

void pmo_release(pmo_array *array) {
  if (array->buffer.obj)
    PyBuffer_Release(&array->buffer);
  Py_CLEAR(array->owner);
}

/*===----------------------------------------------------------------------===*
 * Rows
 *===----------------------------------------------------------------------===*/

int pmo_is_contiguous(const pmo_array *array) {
  int64_t stride = array->dtype.bits / 8;
  int is_contiguous = 1;
  for (int32_t index = array->ndim; index-- > 0;) {
    /* Nothing of an empty array is read. */
    if (!array->shape[index])
      return 1;
    is_contiguous &=
        array->shape[index] == 1 || array->strides[index] == stride;
    stride *= array->shape[index];
  }
  return is_contiguous;
}

/* Copies from `array` to `rows`, or back; returns the end of the rows. */
static char *copy(const pmo_array *array, int32_t at, char *data, char *rows,
                  int is_back) {
  size_t bytes = array->dtype.bits / 8;
  if (at == array->ndim) {
    memcpy(is_back ? data : rows, is_back ? rows : data, bytes);
    return rows + bytes;
  }
  for (int64_t index = 0; index < array->shape[at]; ++index)
    rows =
        copy(array, at + 1, data + index * array->strides[at], rows, is_back);
  return rows;
}

void pmo_gather(const pmo_array *array, char *rows) {
  copy(array, 0, array->data, rows, 0);
}

void pmo_scatter(const pmo_array *array, const char *rows) {
  copy(array, 0, array->data, (char *)rows, 1);
}
