/*===- ModelObject.c - Compiled models, as Python objects -----------------===*
 *
 * Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*/

#include "ModelObject.h"

PyObject *pmo_model_error;

void pmo_raise_failure(const prof_model_failure *failure) {
  if (failure->reason == PROF_MODEL_INTERRUPTED) {
    if (!PyErr_CheckSignals())
      PyErr_SetNone(PyExc_KeyboardInterrupt);
  } else if (failure->reason == PROF_MODEL_MEMORY) {
    PyErr_SetString(PyExc_MemoryError, failure->text);
  } else {
    PyErr_SetString(pmo_model_error, failure->text);
  }
}

/*===----------------------------------------------------------------------===*
 * Opening
 *===----------------------------------------------------------------------===*/

/* Whether Python has a string for it; 0 with an exception. */
static int is_text(const char *text) {
  PyObject *string = PyUnicode_FromString(text);
  if (!string) {
    PyErr_Clear();
    PyErr_SetString(PyExc_ValueError,
                    "a name of the model is not UTF-8: the file is damaged");
  }
  Py_XDECREF(string);
  return string != NULL;
}

static pmo_value *read_values(const prof_model_value *values, uint32_t count,
                              size_t *words) {
  pmo_value *read = PyMem_Calloc(count + 1, sizeof *read);
  if (!read) {
    PyErr_NoMemory();
    return NULL;
  }
  for (uint32_t index = 0; index < count; ++index) {
    read[index].of = &values[index];
    /* Two words are enough for the widest number. */
    *words += values[index].is_scalar ? 2 : 3 + 2 * (size_t)values[index].rank;
    if (!is_text(values[index].name) || !is_text(values[index].type)) {
      PyMem_Free(read);
      return NULL;
    }
    if (!pmo_parse_type(values[index].type, &read[index]) ||
        read[index].dtype.bits / 8 != values[index].bytes_per_element ||
        values[index].rank > PMO_MOST_RANK) {
      PyErr_Format(PyExc_ValueError,
                   "'%s' of the model has element type %s and %u dimensions, "
                   "which Python's arrays do not have",
                   values[index].name, values[index].type, values[index].rank);
      PyMem_Free(read);
      return NULL;
    }
  }
  return read;
}

PyObject *pmo_open(PyObject *module, PyObject *arguments, PyObject *named) {
  (void)module;
  static const char *names[] = {"path", "threads", NULL};
  PyObject *path = NULL;
  unsigned threads = 0;
  if (!PyArg_ParseTupleAndKeywords(arguments, named, "O&|I:open",
                                   (char **)names, PyUnicode_FSConverter, &path,
                                   &threads))
    return NULL;
  char error[PROF_MODEL_TEXT];
  prof_model *model;
  Py_BEGIN_ALLOW_THREADS model =
      prof_model_open(PyBytes_AS_STRING(path), threads, error);
  Py_END_ALLOW_THREADS Py_DECREF(path);
  if (!model) {
    PyErr_SetString(PyExc_ValueError, error);
    return NULL;
  }
  /* Python's handler only notes the signal for when the call has ended, so ours
   * ends it. */
  prof_model_watch_interrupts();
  model_object *self = PyObject_New(model_object, &pmo_model_type);
  if (!self) {
    prof_model_close(model);
    return NULL;
  }
  self->model = model;
  self->info = prof_model_get_info(model);
  self->copies = self->placed = 0;
  self->weights = NULL;
  self->has_own_weights = 1;
  self->words = 0;
  self->is_writing = 0;
  for (uint32_t index = 0; index < self->info->argument_count; ++index)
    self->is_writing |= self->info->arguments[index].is_written != 0;
  self->results = NULL;
  self->arguments = read_values(self->info->arguments,
                                self->info->argument_count, &self->words);
  if (self->arguments)
    self->results = read_values(self->info->results, self->info->result_count,
                                &self->words);
  if (!self->results)
    Py_CLEAR(self);
  return (PyObject *)self;
}

static void dealloc(PyObject *self) {
  prof_model_close(get(self)->model);
  pmo_free_weights(get(self)->weights);
  PyMem_Free(get(self)->arguments);
  PyMem_Free(get(self)->results);
  PyObject_Free(self);
}

/*===----------------------------------------------------------------------===*
 * Methods
 *===----------------------------------------------------------------------===*/

static PyObject *share(PyObject *object, PyObject *arguments) {
  model_object *self = get(object);
  unsigned constant;
  PyObject *array;
  if (!PyArg_ParseTuple(arguments, "IO:share", &constant, &array))
    return NULL;
  if (constant >= self->info->constant_count) {
    PyErr_Format(PyExc_IndexError, "the model has %u constants, and not %u",
                 self->info->constant_count, constant);
    return NULL;
  }
  /* Those that have changed stay what they are. */
  if (self->has_own_weights && pmo_count_shared(self->weights))
    Py_RETURN_FALSE;
  int is_shared = pmo_share(&self->weights, self->model, constant, array);
  if (is_shared < 0)
    return NULL;
  if (is_shared)
    self->has_own_weights = 0;
  return PyBool_FromLong(is_shared);
}

static PyObject *reset(PyObject *self, PyObject *none) {
  (void)none;
  prof_model_failure failure;
  int has_failed;
  Py_BEGIN_ALLOW_THREADS has_failed =
      prof_model_reset(get(self)->model, &failure);
  Py_END_ALLOW_THREADS if (has_failed) {
    pmo_raise_failure(&failure);
    return NULL;
  }
  Py_RETURN_NONE;
}

/* Arguments of 'u' are unsigned integers, and those of 's' signed ones: the
 * code does not tell. */
static PyObject *set_signs(PyObject *self, PyObject *text) {
  Py_ssize_t size;
  const char *signs = PyUnicode_AsUTF8AndSize(text, &size);
  if (!signs)
    return NULL;
  if (size != (Py_ssize_t)get(self)->info->argument_count) {
    PyErr_Format(PyExc_ValueError, "%zd signs for %u arguments", size,
                 get(self)->info->argument_count);
    return NULL;
  }
  for (Py_ssize_t index = 0; index < size; ++index) {
    pmo_value *value = &get(self)->arguments[index];
    if (!value->is_signless || value->dtype.code != PMO_INT ||
        !strchr("us", signs[index]))
      continue;
    value->dtype.code = signs[index] == 'u' ? PMO_UINT : PMO_INT;
    value->is_signless = 0;
  }
  Py_RETURN_NONE;
}

static PyObject *make_caller(PyObject *self, PyObject *unflatten) {
  if (unflatten != Py_None || get(self)->info->result_count)
    return pmo_make_caller(self, unflatten);
  PyErr_SetString(PyExc_ValueError, "the model does not have a result");
  return NULL;
}

static PyMethodDef methods[] = {
    {"run", (PyCFunction)(void (*)(void))pmo_run, METH_FASTCALL | METH_KEYWORDS,
     "run(inputs, outputs=None, like=None)\n--\n\nCalls the model. Returns a "
     "tuple of `outputs`, into which the results are written, or of new "
     "arrays: "
     "of the library of the type `like`, which has __dlpack_c_exchange_api__, "
     "else of type Array."},
    {"make_caller", make_caller, METH_O,
     "make_caller(unflatten)\n--\n\nA Caller. `unflatten` makes of a list of "
     "results what a call returns; None if that is the first one."},
    {"share", share, METH_VARARGS,
     "share(constant, array)\n--\n\nReads `array` in place of constant number "
     "`constant` if it has the same bytes, until it changes. Returns whether "
     "it does. Not while other threads call the model."},
    {"reset", reset, METH_NOARGS,
     "Gives the variables of the model their first values."},
    {"set_signs", set_signs, METH_O,
     "Refuses unsigned arrays for the arguments whose letter is 's', and "
     "signed "
     "ones for those whose letter is 'u'."},
    {NULL, NULL, 0, NULL}};

PyTypeObject pmo_model_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "mlir_prof._model.Model",
    .tp_doc = "A compiled model; open() makes one.",
    .tp_basicsize = sizeof(model_object),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_dealloc = dealloc,
    .tp_methods = methods,
    .tp_getset = pmo_model_properties,
};
