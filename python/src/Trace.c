/*===- Trace.c - Each call of a Python function is a scope -----------------===*
 *
 * Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*
 *
 * _tracing.py asks the interpreter to call these functions: sys.monitoring
 * where there is one, else the hook of profilers. The GIL guards the table.
 *
 *===----------------------------------------------------------------------===*/

#include "Scopes.h"

#include <frameobject.h>

/* PythonOp. */
#define PSC_PYTHON_TYPE 13
#define PSC_CODES 4096

typedef struct psc_code {
  struct psc_code *next;
  PyObject *code;
  /* It belongs to the package itself, which is left out. */
  int is_own;
  psc_site site;
} psc_code;

static psc_code *codes[PSC_CODES];
/* Other threads notice an end at their next call. */
static int is_tracing;
/* Functions of files that begin with it are left out: the package itself. */
static PyObject *left_out;

static psc_code **find_place(PyObject *code) {
  uint64_t hash = (uint64_t)(uintptr_t)code >> 4;
  psc_code **place =
      &codes[hash * UINT64_C(0x9e3779b97f4a7c15) >> 52 & (PSC_CODES - 1)];
  while (*place && (*place)->code != code)
    place = &(*place)->next;
  return place;
}

static PyObject *get_code_name(PyCodeObject *code) {
#if PY_VERSION_HEX >= 0x030B0000
  return code->co_qualname;
#else
  return code->co_name;
#endif
}

static psc_code *add_code(psc_code **place, PyObject *object) {
  PyCodeObject *code = (PyCodeObject *)object;
  psc_code *added = PyMem_Calloc(1, sizeof *added);
  if (!added)
    return NULL;
  Py_INCREF(object);
  added->code = object;
  added->site.name = get_code_name(code);
  added->site.site.type = PSC_PYTHON_TYPE;
  added->site.site.level = PROF_SCOPE_LEVEL_DEFAULT;
  added->is_own = left_out && PyUnicode_Tailmatch(code->co_filename, left_out,
                                                  0, PY_SSIZE_T_MAX, -1) == 1;
  return *place = added;
}

static void begin_call(PyObject *code) {
  psc_code **place = find_place(code);
  psc_code *found = *place ? *place : add_code(place, code);
  if (!found || (!found->is_own && !psc_push(PSC_CALL, &found->site)))
    PyErr_Clear();
}

/* Calls that began before tracing end without a begin. */
static void end_call(PyObject *code) {
  psc_stack *stack = psc_current;
  psc_code *found = *find_place(code);
  if (stack && stack->depth && found && !found->is_own)
    psc_pop_if_open(PSC_CALL);
}

static int hook(PyObject *self, PyFrameObject *frame, int event,
                PyObject *argument) {
  if (!is_tracing) {
    PyEval_SetProfile(NULL, NULL);
    return 0;
  }
  if (event != PyTrace_CALL && event != PyTrace_RETURN)
    return 0;
  PyObject *code = (PyObject *)PyFrame_GetCode(frame);
  if (event == PyTrace_CALL)
    begin_call(code);
  else
    end_call(code);
  Py_DECREF(code);
  return 0;
}

static PyObject *trace_thread(PyObject *module, PyObject *unused) {
  PyEval_SetProfile(hook, NULL);
  Py_RETURN_NONE;
}

static PyObject *untrace_thread(PyObject *module, PyObject *unused) {
  PyEval_SetProfile(NULL, NULL);
  Py_RETURN_NONE;
}

static PyObject *on_begin(PyObject *module, PyObject *const *arguments,
                          Py_ssize_t count) {
  if (count && PyCode_Check(arguments[0]))
    begin_call(arguments[0]);
  Py_RETURN_NONE;
}

static PyObject *on_end(PyObject *module, PyObject *const *arguments,
                        Py_ssize_t count) {
  if (count && PyCode_Check(arguments[0]))
    end_call(arguments[0]);
  Py_RETURN_NONE;
}

/* Begins, without functions of a folder. */
static PyObject *leave_out(PyObject *module, PyObject *folder) {
  if (!PyUnicode_Check(folder)) {
    PyErr_SetString(PyExc_TypeError, "the folder is a str");
    return NULL;
  }
  Py_INCREF(folder);
  Py_XDECREF(left_out);
  left_out = folder;
  is_tracing = 1;
  Py_RETURN_NONE;
}

/* Ends what is open of calls, and forgets the functions. */
static PyObject *finish(PyObject *module, PyObject *unused) {
  is_tracing = 0;
  psc_end_all(PSC_CALL);
  for (unsigned index = 0; index < PSC_CODES; ++index)
    while (codes[index]) {
      psc_code *gone = codes[index];
      codes[index] = gone->next;
      Py_DECREF(gone->code);
      PyMem_Free(gone);
    }
  Py_RETURN_NONE;
}

#define PSC_FAST(function) ((PyCFunction)(void (*)(void))(function))

PyMethodDef psc_trace_functions[] = {
    {"trace_thread", trace_thread, METH_VARARGS, NULL},
    {"untrace_thread", untrace_thread, METH_NOARGS, NULL},
    {"trace_begin", PSC_FAST(on_begin), METH_FASTCALL, NULL},
    {"trace_end", PSC_FAST(on_end), METH_FASTCALL, NULL},
    {"trace_leave_out", leave_out, METH_O, NULL},
    {"trace_finish", finish, METH_NOARGS, NULL},
    {NULL}};
