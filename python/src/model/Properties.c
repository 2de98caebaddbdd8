/*===- Properties.c - What a model tells of itself ------------------------===*
 *
 * Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*/

#include "ModelObject.h"

static PyObject *list_shape(const prof_model_value *value) {
  PyObject *shape = PyTuple_New(value->rank);
  for (uint32_t index = 0; shape && index < value->rank; ++index) {
    int64_t size = value->dims[index];
    PyObject *item = NULL;
    if (size == PROF_MODEL_ANY_SIZE) {
      item = Py_None;
      Py_INCREF(item);
    } else {
      item = PyLong_FromLongLong(size);
    }
    if (!item)
      Py_CLEAR(shape);
    else
      PyTuple_SET_ITEM(shape, index, item);
  }
  return shape;
}

/* (name, dtype, shape) of each. */
static PyObject *list_values(const pmo_value *values, uint32_t count) {
  PyObject *list = PyTuple_New(count);
  for (uint32_t index = 0; list && index < count; ++index) {
    char dtype[64];
    pmo_write_dtype(values[index].dtype, dtype, sizeof dtype);
    PyObject *shape = list_shape(values[index].of);
    PyObject *item =
        shape ? Py_BuildValue("(ssN)", values[index].of->name, dtype, shape)
              : NULL;
    if (!item)
      Py_CLEAR(list);
    else
      PyTuple_SET_ITEM(list, index, item);
  }
  return list;
}

static PyObject *get_arguments(PyObject *self, void *none) {
  (void)none;
  return list_values(get(self)->arguments, get(self)->info->argument_count);
}

static PyObject *get_results(PyObject *self, void *none) {
  (void)none;
  return list_values(get(self)->results, get(self)->info->result_count);
}

static PyObject *get_written(PyObject *self, void *none) {
  (void)none;
  const prof_model_info *info = get(self)->info;
  PyObject *list = PyList_New(0);
  for (uint32_t index = 0; list && index < info->argument_count; ++index) {
    if (!info->arguments[index].is_written)
      continue;
    PyObject *number = PyLong_FromUnsignedLong(index);
    if (!number || PyList_Append(list, number))
      Py_CLEAR(list);
    Py_XDECREF(number);
  }
  PyObject *tuple = list ? PyList_AsTuple(list) : NULL;
  Py_XDECREF(list);
  return tuple;
}

static PyObject *get_state_bytes(PyObject *self, void *none) {
  (void)none;
  return PyLong_FromUnsignedLongLong(get(self)->info->state_bytes);
}

static PyObject *get_threads(PyObject *self, void *none) {
  (void)none;
  return PyLong_FromUnsignedLong(get(self)->info->threads);
}

static PyObject *get_copies(PyObject *self, void *none) {
  (void)none;
  return PyLong_FromUnsignedLongLong(get(self)->copies);
}

/* (size in bytes, alignment) of each. */
static PyObject *get_constants(PyObject *self, void *none) {
  (void)none;
  const prof_model_info *info = get(self)->info;
  PyObject *list = PyTuple_New(info->constant_count);
  for (uint32_t index = 0; list && index < info->constant_count; ++index) {
    const prof_model_constant *constant = &info->constants[index];
    PyObject *item = Py_BuildValue("(KK)", (unsigned long long)constant->size,
                                   (unsigned long long)constant->alignment);
    if (!item)
      Py_CLEAR(list);
    else
      PyTuple_SET_ITEM(list, index, item);
  }
  return list;
}

static PyObject *get_shared_bytes(PyObject *self, void *none) {
  (void)none;
  model_object *model = get(self);
  return PyLong_FromSize_t(
      model->has_own_weights ? 0 : pmo_count_shared(model->weights));
}

static PyObject *get_placed(PyObject *self, void *none) {
  (void)none;
  return PyLong_FromUnsignedLongLong(get(self)->placed);
}

static PyObject *get_fingerprint(PyObject *self, void *none) {
  (void)none;
  const char *name = get(self)->info->fingerprint;
  return PyUnicode_DecodeUTF8(name, (Py_ssize_t)strlen(name), "replace");
}

PyGetSetDef pmo_model_properties[] = {
    {"arguments", get_arguments, NULL,
     "(name, dtype, shape) of each; None is a size that each call chooses.",
     NULL},
    {"results", get_results, NULL, "The same of the results.", NULL},
    {"written", get_written, NULL,
     "Indices of the arguments whose arrays a call may write.", NULL},
    {"state_bytes", get_state_bytes, NULL, "Bytes of the variables.", NULL},
    {"threads", get_threads, NULL, "Threads that a call may use.", NULL},
    {"copies", get_copies, NULL,
     "Arguments that were copied, because they were not contiguous.", NULL},
    {"placed", get_placed, NULL,
     "Results that were stored in outputs without a copy.", NULL},
    {"constants", get_constants, NULL,
     "(size in bytes, alignment) of each constant of 1 KiB and more.", NULL},
    {"shared_bytes", get_shared_bytes, NULL,
     "Bytes of constants that are read in arrays of share().", NULL},
    {"fingerprint", get_fingerprint, NULL, "Names the compiled program.", NULL},
    {NULL, NULL, NULL, NULL, NULL}};
