/*===- Functions.c - Functions of scopes -----------------------------------===*
 *
 * Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*/

#include "Scopes.h"

#include "ScopeInternal.h"

#include <errno.h>
#include <time.h>

/*===----------------------------------------------------------------------===*
 * Scopes without an object
 *===----------------------------------------------------------------------===*/

static PyObject *begin(PyObject *module, PyObject *const *arguments,
                       Py_ssize_t count, PyObject *names) {
  psc_site site = {
      NULL, {.type = PSC_DEFAULT_TYPE, .level = PROF_SCOPE_LEVEL_DEFAULT}};
  if (PSC_LIKELY(count == 1 && !names && PyUnicode_CheckExact(arguments[0])))
    site.name = arguments[0];
  else if (!psc_read_site(&site, arguments, count, names))
    return NULL;
  if (!psc_push(PSC_FREE, &site))
    return NULL;
  Py_RETURN_NONE;
}

static PyObject *end(PyObject *module, PyObject *unused) {
  psc_pop(PSC_FREE);
  Py_RETURN_NONE;
}

static PyObject *interval(PyObject *module, PyObject *const *arguments,
                          Py_ssize_t count, PyObject *names) {
  if (count < 3) {
    PyErr_SetString(
        PyExc_TypeError,
        "interval(name, begin_ns, end_ns, type=14, level=1, role=0)");
    return NULL;
  }
  PyObject *values[8] = {arguments[0]};
  Py_ssize_t named = names ? PyTuple_GET_SIZE(names) : 0;
  long long begin_ns = PyLong_AsLongLong(arguments[1]);
  if (begin_ns == -1 && PyErr_Occurred())
    return NULL;
  long long end_ns = PyLong_AsLongLong(arguments[2]);
  if (end_ns == -1 && PyErr_Occurred())
    return NULL;
  if (end_ns < begin_ns) {
    PyErr_Format(PyExc_ValueError,
                 "a scope ends at %lld, before its begin %lld", end_ns,
                 begin_ns);
    return NULL;
  }
  for (Py_ssize_t index = 3; index < count + named && index < 10; ++index)
    values[index - 2] = arguments[index];
  psc_site site;
  if (!psc_read_site(&site, values, count - 2, names))
    return NULL;
  Py_ssize_t size;
  PyObject *owner;
  const char *name = psc_read_name(site.name, &size, &owner);
  if (!name)
    return NULL;
  prof_scope_record_name(name, (size_t)size, site.site.type, site.site.level,
                         site.site.role, begin_ns, end_ns);
  Py_XDECREF(owner);
  Py_RETURN_NONE;
}

static PyObject *is_on(PyObject *module, PyObject *const *arguments,
                       Py_ssize_t count) {
  long level = count ? PyLong_AsLong(arguments[0]) : PROF_SCOPE_LEVEL_DEFAULT;
  if (level == -1 && PyErr_Occurred())
    return NULL;
  prof_scope_sessions(); /* Attaches. */
  return PyBool_FromLong(prof_scope_is_on((int)level));
}

static PyObject *has_devices(PyObject *module, PyObject *unused) {
  /* Without the lock, whose holder may wait for the GIL. */
  int found = 0;
  for (unsigned index = 0; prs_attach() && index < PRS_DEVICES; ++index)
    found |= RT_LOAD(&prs->devices[index].copy) != NULL;
  return PyBool_FromLong(found);
}

static PyObject *count_open(PyObject *module, PyObject *unused) {
  psc_stack *stack = psc_current;
  uint64_t count = 0;
  for (uint32_t index = 0; stack && index < stack->depth; ++index)
    count += 1 + (stack->entries[index].token.thread
                      ? 0
                      : stack->entries[index].token.slot);
  return PyLong_FromUnsignedLongLong(count);
}

/*===----------------------------------------------------------------------===*
 * Contexts
 *===----------------------------------------------------------------------===*/

typedef struct psc_context {
  PyObject_HEAD uint64_t serial;
  prof_scope_context context;
} psc_context;

prof_scope_context psc_read_context(PyObject *context) {
  prof_scope_context none = {0};
  return Py_TYPE(context) == &psc_context_type
             ? ((psc_context *)context)->context
             : none;
}

static PyObject *here(PyObject *module, PyObject *unused) {
  psc_context *context = PyObject_New(psc_context, &psc_context_type);
  if (!context)
    return NULL;
  context->serial = psc_make_serial();
  context->context = prof_scope_here();
  return (PyObject *)context;
}

static PyObject *enter_context(PyObject *self, PyObject *unused) {
  psc_context *context = (psc_context *)self;
  psc_stack *stack = psc_reserve();
  if (!stack)
    return NULL;
  psc_entry *entry = &stack->entries[stack->depth++];
  entry->owner = context->serial;
  entry->token = prof_scope_enter(context->context);
  if (!entry->token.thread)
    entry->token.slot = 0;
  Py_INCREF(self);
  return self;
}

static PyObject *exit_context(PyObject *self, PyObject *unused) {
  psc_pop(((psc_context *)self)->serial);
  Py_RETURN_NONE;
}

static int is_context(PyObject *self) {
  return ((psc_context *)self)->context.id != 0;
}

static void free_context(PyObject *self) { PyObject_Free(self); }

static PyMethodDef context_methods[] = {
    {"__enter__", enter_context, METH_NOARGS, NULL},
    {"__exit__", exit_context, METH_VARARGS, NULL},
    {NULL}};

static PyNumberMethods context_number = {.nb_bool = is_context};

PyTypeObject psc_context_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "mlir_prof._scopes.Context",
    .tp_doc = "A scope that is open somewhere; false if there is none.\n\n"
              "Scopes of a thread in `with context:` hang below it.",
    .tp_basicsize = sizeof(psc_context),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_dealloc = free_context,
    .tp_as_number = &context_number,
    .tp_methods = context_methods,
};

/*===----------------------------------------------------------------------===*
 * Recordings of the process
 *===----------------------------------------------------------------------===*/

static PyObject *reset(PyObject *module, PyObject *unused) {
  prof_scope_reset();
  Py_RETURN_NONE;
}

static PyObject *count_sessions(PyObject *module, PyObject *unused) {
  return PyLong_FromUnsignedLong(prof_scope_sessions());
}

static PyObject *write_recording(PyObject *module, PyObject *path) {
  PyObject *bytes;
  if (!PyUnicode_FSConverter(path, &bytes))
    return NULL;
  int error;
  Py_BEGIN_ALLOW_THREADS error = prof_scope_write(PyBytes_AS_STRING(bytes));
  Py_END_ALLOW_THREADS Py_DECREF(bytes);
  if (!error)
    Py_RETURN_NONE;
  errno = error;
  return PyErr_SetFromErrnoWithFilenameObject(PyExc_OSError, path);
}

static int64_t simulated_ns;
static int is_simulated;

static int64_t read_simulated(void) {
  return __atomic_load_n(&simulated_ns, __ATOMIC_RELAXED);
}

int64_t psc_read_clock(void) {
  struct timespec now;
  if (is_simulated)
    return read_simulated();
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static PyObject *simulate_clock(PyObject *module, PyObject *ns) {
  int was_simulated = is_simulated;
  is_simulated = ns != Py_None;
  if (is_simulated) {
    long long value = PyLong_AsLongLong(ns);
    if (value == -1 && PyErr_Occurred())
      return NULL;
    __atomic_store_n(&simulated_ns, value, __ATOMIC_RELAXED);
  }
  if (is_simulated != was_simulated)
    prof_scope_use_clock(is_simulated ? read_simulated : NULL);
  Py_RETURN_NONE;
}

#define PSC_FAST(function) ((PyCFunction)(void (*)(void))(function))

PyMethodDef psc_functions[] = {
    {"begin", PSC_FAST(begin), METH_FASTCALL | METH_KEYWORDS,
     "begin(name, type=14, level=1, role=0)\n--\n\n"
     "Begins a scope of the calling thread; end() ends it."},
    {"end", end, METH_NOARGS,
     "Ends the last scope that the calling thread began with begin()."},
    {"interval", PSC_FAST(interval), METH_FASTCALL | METH_KEYWORDS,
     "interval(name, begin_ns, end_ns, type=14, level=1, role=0)\n--\n\n"
     "Records an interval that was measured elsewhere, in nanoseconds of\n"
     "time.monotonic_ns(). It stands on a track of its own."},
    {"is_on", PSC_FAST(is_on), METH_FASTCALL,
     "is_on(level=1)\n--\n\nWhether scopes of a level are recorded."},
    {"has_devices", has_devices, METH_NOARGS,
     "Whether a library has added a source of scopes of a device."},
    {"here", here, METH_NOARGS,
     "The innermost open scope of the calling thread, as a context below\n"
     "which scopes of other threads can hang."},
    {"count_open", count_open, METH_NOARGS,
     "Number of scopes that the calling thread began here and has not ended."},
    {"reset", reset, METH_NOARGS,
     "Discards all that was recorded in the process. Open scopes remain."},
    {"count_sessions", count_sessions, METH_NOARGS,
     "Number of running recordings in the process."},
    {"write", write_recording, METH_O,
     "write(path)\n--\n\nWrites the process's recording to a stream file."},
    {"simulate_clock", simulate_clock, METH_O,
     "simulate_clock(ns)\n--\n\nFor tests: what the clock says from now on;\n"
     "None restores it. The first call and None are for when nothing is\n"
     "recorded."},
    {NULL}};
