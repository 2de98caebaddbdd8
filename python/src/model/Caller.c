/*===- Caller.c - Calls of kinds that were seen before --------------------===*
 *
 * Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*
 *
 * The types of its arrays decide how a call passes these. Code of Python finds
 * that out once, and a Caller repeats it: Python's steps would take longer than
 * a small model.
 *
 *===----------------------------------------------------------------------===*/

#include "ModelObject.h"

/* Calls with arrays of certain types. */
typedef struct kind {
  /* A tuple, with one for each argument. */
  PyObject *types;
  /* Makes of a list of the arguments what the model reads; null without. */
  PyObject *take;
  /* Makes an array of the framework of each result; null without. */
  PyObject *give;
  /* The type that makes the results, or null. */
  PyObject *like;
  const pmo_exchange *exchange;
} kind;

/* A program rarely has more; the oldest kind makes room. */
enum { MOST_KINDS = 4 };

typedef struct caller_object {
  PyObject_HEAD vectorcallfunc call;
  PyObject *model;
  /* Makes of a list of the results that of the call; null if that is the first
   * one. */
  PyObject *unflatten;
  size_t count;
  kind kinds[MOST_KINDS];
} caller_object;

static caller_object *get_caller(PyObject *self) {
  return (caller_object *)self;
}

static void clear_kind(kind *of) {
  Py_CLEAR(of->types);
  Py_CLEAR(of->take);
  Py_CLEAR(of->give);
  Py_CLEAR(of->like);
}

/*===----------------------------------------------------------------------===*
 * Calls
 *===----------------------------------------------------------------------===*/

static const kind *find_kind(const caller_object *self, PyObject *arguments) {
  Py_ssize_t count = PyTuple_GET_SIZE(arguments);
  for (const kind *of = self->kinds; of < self->kinds + self->count; ++of) {
    Py_ssize_t index = 0;
    if (PyTuple_GET_SIZE(of->types) != count)
      continue;
    while (index < count &&
           (PyObject *)Py_TYPE(PyTuple_GET_ITEM(arguments, index)) ==
               PyTuple_GET_ITEM(of->types, index))
      ++index;
    if (index == count)
      return of;
  }
  return NULL;
}

/* The arrays that the model reads, as a tuple. */
static PyObject *take_arguments(PyObject *take, PyObject *arguments) {
  if (!take) {
    Py_INCREF(arguments);
    return arguments;
  }
  PyObject *list = PySequence_List(arguments);
  PyObject *taken = list ? PyObject_CallOneArg(take, list) : NULL;
  PyObject *tuple = taken ? PySequence_Tuple(taken) : NULL;
  Py_XDECREF(list);
  Py_XDECREF(taken);
  return tuple;
}

static PyObject *give_array(PyObject *give, PyObject *array) {
  if (give)
    return PyObject_CallOneArg(give, array);
  Py_INCREF(array);
  return array;
}

static PyObject *give_results(PyObject *give, PyObject *unflatten,
                              PyObject *results) {
  if (!unflatten)
    return give_array(give, PyTuple_GET_ITEM(results, 0));
  Py_ssize_t count = PyTuple_GET_SIZE(results);
  PyObject *list = PyList_New(count);
  for (Py_ssize_t index = 0; list && index < count; ++index) {
    PyObject *given = give_array(give, PyTuple_GET_ITEM(results, index));
    if (given)
      PyList_SET_ITEM(list, index, given);
    else
      Py_CLEAR(list);
  }
  PyObject *result = list ? PyObject_CallOneArg(unflatten, list) : NULL;
  Py_XDECREF(list);
  return result;
}

/* A call of a kind; other threads may replace it in the meantime. */
static PyObject *call_kind(const caller_object *self, const kind *of,
                           PyObject *arguments, PyObject *outputs) {
  PyObject *take = of->take, *give = of->give, *like = of->like;
  const pmo_exchange *exchange = of->exchange;
  Py_XINCREF(take);
  Py_XINCREF(give);
  Py_XINCREF(like);
  PyObject *inputs = take_arguments(take, arguments);
  PyObject *results =
      inputs ? pmo_call(get(self->model), inputs, outputs, exchange) : NULL;
  PyObject *result = results;
  if (results && !outputs) {
    result = give_results(give, self->unflatten, results);
    Py_DECREF(results);
  }
  Py_XDECREF(inputs);
  Py_XDECREF(like);
  Py_XDECREF(give);
  Py_XDECREF(take);
  return result;
}

static PyObject *call(PyObject *object, PyObject *const *values, size_t flags,
                      PyObject *names) {
  Py_ssize_t count = PyVectorcall_NARGS(flags);
  int is_good = !names && (count == 1 || count == 2);
  for (Py_ssize_t index = 0; is_good && index < count; ++index)
    is_good = PyTuple_CheckExact(values[index]);
  if (!is_good) {
    PyErr_SetString(PyExc_TypeError,
                    "a Caller takes a tuple of arguments and one of outputs");
    return NULL;
  }
  const kind *of = find_kind(get_caller(object), values[0]);
  if (of)
    return call_kind(get_caller(object), of, values[0],
                     count == 2 ? values[1] : NULL);
  Py_RETURN_NOTIMPLEMENTED;
}

/*===----------------------------------------------------------------------===*
 * Kinds
 *===----------------------------------------------------------------------===*/

/* A reference to `object`, or null for None. */
static PyObject *keep(PyObject *object) {
  if (object == Py_None)
    return NULL;
  Py_INCREF(object);
  return object;
}

static PyObject *add(PyObject *object, PyObject *arguments) {
  caller_object *self = get_caller(object);
  kind made = {NULL};
  if (!PyArg_ParseTuple(arguments, "O!OOO:add", &PyTuple_Type, &made.types,
                        &made.take, &made.give, &made.like) ||
      !pmo_read_like(made.like, &made.exchange))
    return NULL;
  Py_INCREF(made.types);
  made.take = keep(made.take);
  made.give = keep(made.give);
  made.like = keep(made.like);
  kind oldest = {NULL};
  if (self->count == MOST_KINDS) {
    oldest = self->kinds[0];
    memmove(self->kinds, self->kinds + 1, --self->count * sizeof *self->kinds);
  }
  self->kinds[self->count++] = made;
  /* Last, since it can run code. */
  clear_kind(&oldest);
  Py_RETURN_NONE;
}

/*===----------------------------------------------------------------------===*
 * The type
 *===----------------------------------------------------------------------===*/

PyObject *pmo_make_caller(PyObject *model, PyObject *unflatten) {
  caller_object *self = PyObject_GC_New(caller_object, &pmo_caller_type);
  if (!self)
    return NULL;
  Py_INCREF(model);
  self->call = call;
  self->model = model;
  self->unflatten = keep(unflatten);
  self->count = 0;
  PyObject_GC_Track(self);
  return (PyObject *)self;
}

static int traverse(PyObject *object, visitproc visit, void *arg) {
  caller_object *self = get_caller(object);
  Py_VISIT(self->model);
  Py_VISIT(self->unflatten);
  for (kind *of = self->kinds; of < self->kinds + self->count; ++of) {
    Py_VISIT(of->types);
    Py_VISIT(of->take);
    Py_VISIT(of->give);
    Py_VISIT(of->like);
  }
  return 0;
}

/* The model stays, which cannot be in a cycle: calls need it. */
static int clear(PyObject *object) {
  caller_object *self = get_caller(object);
  while (self->count)
    clear_kind(&self->kinds[--self->count]);
  Py_CLEAR(self->unflatten);
  return 0;
}

static void dealloc(PyObject *object) {
  PyObject_GC_UnTrack(object);
  clear(object);
  Py_DECREF(get_caller(object)->model);
  PyObject_GC_Del(object);
}

static PyMethodDef methods[] = {
    {"add", add, METH_VARARGS,
     "add(types, take, give, like)\n--\n\nCalls with arrays of these types are "
     "made without Python: `take` makes of a list of them what the model "
     "reads, `give` of each result what the call returns; None for what is "
     "that already. `like` is the type of results, as in run()."},
    {NULL, NULL, 0, NULL}};

PyTypeObject pmo_caller_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "mlir_prof._model.Caller",
    .tp_doc =
        "Calls a model with a tuple of arguments, and, if the results go "
        "into arrays of the caller's, a tuple of these, which it returns. "
        "Returns NotImplemented if no arguments of this kind were added.",
    .tp_basicsize = sizeof(caller_object),
    .tp_vectorcall_offset = offsetof(caller_object, call),
    .tp_call = PyVectorcall_Call,
    .tp_flags =
        Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_HAVE_VECTORCALL,
    .tp_dealloc = dealloc,
    .tp_traverse = traverse,
    .tp_clear = clear,
    .tp_methods = methods,
};
