/*===- ScopeObject.c - The type mlir_prof.scope
 * ----------------------------------===*
 *
 * Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*/

#include "Scopes.h"

#include <stddef.h>
#include <structmember.h>

/* Unused objects that are kept. */
#define PSC_SPARE 64

typedef struct psc_scope {
  PyObject_HEAD vectorcallfunc call;
  uint64_t serial;
  psc_site site;
} psc_scope;

/*===----------------------------------------------------------------------===*
 * Arguments
 *===----------------------------------------------------------------------===*/

static const char *const argument_names[] = {"name", "type", "level", "role"};
enum { PSC_NAME, PSC_TYPE, PSC_LEVEL, PSC_ROLE, PSC_ARGUMENTS };

static int read_number(PyObject *value, int argument, long least, long most,
                       long *result) {
  if (!value)
    return 1;
  *result = PyLong_AsLong(value);
  if (*result == -1 && PyErr_Occurred())
    return 0;
  if (*result >= least && *result <= most)
    return 1;
  PyErr_Format(PyExc_ValueError, "the %s of a scope is from %ld to %ld, not %R",
               argument_names[argument], least, most, value);
  return 0;
}

/* The place of the value of a keyword. */
static int find_argument(PyObject *keyword) {
  for (int index = 0; index < PSC_ARGUMENTS; ++index)
    if (!PyUnicode_CompareWithASCIIString(keyword, argument_names[index]))
      return index;
  PyErr_Format(PyExc_TypeError, "a scope does not have an argument %R",
               keyword);
  return -1;
}

static int read_name(psc_site *site, PyObject *name) {
  if (!name || !PyUnicode_Check(name)) {
    PyErr_Format(PyExc_TypeError, "the name of a scope is a str, not %s",
                 name ? Py_TYPE(name)->tp_name : "missing");
    return 0;
  }
  site->name = name;
  return 1;
}

int psc_read_site(psc_site *site, PyObject *const *arguments, Py_ssize_t count,
                  PyObject *names) {
  PyObject *values[PSC_ARGUMENTS] = {0};
  if (count > PSC_ARGUMENTS) {
    PyErr_Format(PyExc_TypeError, "a scope has at most %d arguments, not %zd",
                 PSC_ARGUMENTS, count);
    return 0;
  }
  for (Py_ssize_t index = 0; index < count; ++index)
    values[index] = arguments[index];
  for (Py_ssize_t index = 0; names && index < PyTuple_GET_SIZE(names);
       ++index) {
    int to = find_argument(PyTuple_GET_ITEM(names, index));
    if (to < 0)
      return 0;
    if (values[to]) {
      PyErr_Format(PyExc_TypeError, "a scope has two arguments %s",
                   argument_names[to]);
      return 0;
    }
    values[to] = arguments[count + index];
  }
  long type = PSC_DEFAULT_TYPE, level = PROF_SCOPE_LEVEL_DEFAULT, role = 0;
  if (!read_name(site, values[PSC_NAME]) ||
      !read_number(values[PSC_TYPE], PSC_TYPE, 0, 63, &type) ||
      !read_number(values[PSC_LEVEL], PSC_LEVEL, 1, 255, &level) ||
      !read_number(values[PSC_ROLE], PSC_ROLE, 0, 255, &role))
    return 0;
  memset(&site->site, 0, sizeof site->site);
  site->site.type = (uint16_t)type;
  site->site.level = (uint8_t)level;
  site->site.role = (uint8_t)role;
  return 1;
}

/*===----------------------------------------------------------------------===*
 * Objects
 *===----------------------------------------------------------------------===*/

#ifndef Py_GIL_DISABLED
static psc_scope *spare[PSC_SPARE];
static unsigned spares;
#endif

static psc_scope *allocate(PyTypeObject *type) {
#ifndef Py_GIL_DISABLED
  if (type == &psc_scope_type && spares)
    return (psc_scope *)PyObject_Init((PyObject *)spare[--spares], type);
#endif
  return (psc_scope *)type->tp_alloc(type, 0);
}

static PyObject *call_scope(PyObject *self, PyObject *const *arguments,
                            size_t flags, PyObject *names);

static PyObject *make_scope(PyTypeObject *type, const psc_site *site) {
  /* Only the text of a subclass of str is kept: it cannot change. */
  PyObject *name = PyUnicode_FromObject(site->name);
  psc_scope *scope = name ? allocate(type) : NULL;
  if (!scope) {
    Py_XDECREF(name);
    return NULL;
  }
  scope->call = call_scope;
  scope->serial = psc_make_serial();
  scope->site = *site;
  scope->site.name = name;
  return (PyObject *)scope;
}

/* scope(...) */
static PyObject *call_type(PyObject *type, PyObject *const *arguments,
                           size_t flags, PyObject *names) {
  psc_site site;
  if (!psc_read_site(&site, arguments, PyVectorcall_NARGS(flags), names))
    return NULL;
  return make_scope((PyTypeObject *)type, &site);
}

/* The same for types that are derived of it. */
static PyObject *new_scope(PyTypeObject *type, PyObject *arguments,
                           PyObject *named) {
  psc_site site;
  PyObject *const *values = PySequence_Fast_ITEMS(arguments);
  Py_ssize_t count = PyTuple_GET_SIZE(arguments);
  if (!named || !PyDict_Size(named)) {
    if (!psc_read_site(&site, values, count, NULL))
      return NULL;
    return make_scope(type, &site);
  }
  PyObject *keys = PySequence_Tuple(named);
  Py_ssize_t more = keys ? PyTuple_GET_SIZE(keys) : 0;
  PyObject **all = PyMem_Calloc((size_t)(count + more), sizeof *all);
  PyObject *made = NULL;
  if (keys && all) {
    for (Py_ssize_t index = 0; index < count; ++index)
      all[index] = values[index];
    for (Py_ssize_t index = 0; index < more; ++index)
      all[count + index] = PyDict_GetItem(named, PyTuple_GET_ITEM(keys, index));
    if (psc_read_site(&site, all, count, keys))
      made = make_scope(type, &site);
  }
  PyMem_Free(all);
  Py_XDECREF(keys);
  return made;
}

static void free_scope(PyObject *self) {
  psc_scope *scope = (psc_scope *)self;
  Py_CLEAR(scope->site.name);
#ifndef Py_GIL_DISABLED
  if (Py_TYPE(self) == &psc_scope_type && spares < PSC_SPARE) {
    spare[spares++] = scope;
    return;
  }
#endif
  Py_TYPE(self)->tp_free(self);
}

static inline PyObject *enter(psc_scope *scope) {
  if (!psc_push(scope->serial, &scope->site))
    return NULL;
  Py_INCREF(scope);
  return (PyObject *)scope;
}

static PyObject *decorate(PyObject *self, PyObject *function);

/* Without arguments it is its own __enter__, with three its own __exit__: so a
 * `with` statement does not have to make bound methods. */
static PyObject *call_scope(PyObject *self, PyObject *const *arguments,
                            size_t flags, PyObject *names) {
  psc_scope *scope = (psc_scope *)self;
  Py_ssize_t count = PyVectorcall_NARGS(flags);
  if (PSC_UNLIKELY(names && PyTuple_GET_SIZE(names)))
    count = -1;
  switch (count) {
  case 0:
    return enter(scope);
  case 3:
    psc_pop(scope->serial);
    Py_RETURN_NONE;
  case 1:
    return decorate(self, arguments[0]);
  }
  PyErr_SetString(PyExc_TypeError, "a scope decorates one function");
  return NULL;
}

/*===----------------------------------------------------------------------===*
 * __enter__ and __exit__
 *===----------------------------------------------------------------------===*/

typedef struct psc_hook {
  PyObject_HEAD vectorcallfunc call;
} psc_hook;

static PyObject *get_hook(PyObject *self, PyObject *object, PyObject *type) {
  if (!object) {
    Py_INCREF(self);
    return self;
  }
  if (Py_TYPE(object) == &psc_scope_type) {
    Py_INCREF(object);
    return object;
  }
  return PyMethod_New(self, object);
}

static psc_scope *check_scope(PyObject *const *arguments, Py_ssize_t count,
                              Py_ssize_t least) {
  if (count >= least && PyObject_TypeCheck(arguments[0], &psc_scope_type))
    return (psc_scope *)arguments[0];
  PyErr_SetString(PyExc_TypeError, "a scope is expected");
  return NULL;
}

static PyObject *call_enter(PyObject *self, PyObject *const *arguments,
                            size_t flags, PyObject *names) {
  psc_scope *scope = check_scope(arguments, PyVectorcall_NARGS(flags), 1);
  return scope ? enter(scope) : NULL;
}

static PyObject *call_exit(PyObject *self, PyObject *const *arguments,
                           size_t flags, PyObject *names) {
  psc_scope *scope = check_scope(arguments, PyVectorcall_NARGS(flags), 1);
  if (!scope)
    return NULL;
  psc_pop(scope->serial);
  Py_RETURN_NONE;
}

static PyTypeObject hook_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "mlir_prof._scopes._hook",
    .tp_basicsize = sizeof(psc_hook),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_VECTORCALL,
    .tp_vectorcall_offset = offsetof(psc_hook, call),
    .tp_call = PyVectorcall_Call,
    .tp_descr_get = get_hook,
};

static int add_hook(const char *name, vectorcallfunc call) {
  psc_hook *hook = PyObject_New(psc_hook, &hook_type);
  if (!hook)
    return 0;
  hook->call = call;
  int failed =
      PyDict_SetItemString(psc_scope_type.tp_dict, name, (PyObject *)hook);
  Py_DECREF(hook);
  return !failed;
}

/*===----------------------------------------------------------------------===*
 * Other methods
 *===----------------------------------------------------------------------===*/

static PyObject *begin_scope(PyObject *self, PyObject *unused) {
  psc_scope *scope = (psc_scope *)self;
  if (!psc_push(scope->serial, &scope->site))
    return NULL;
  Py_RETURN_NONE;
}

static PyObject *end_scope(PyObject *self, PyObject *unused) {
  psc_pop(((psc_scope *)self)->serial);
  Py_RETURN_NONE;
}

/* The last scope of the object on the thread that `owner` stands for, or
 * null. */
static psc_entry *find_entry(uint64_t owner) {
  psc_stack *stack = psc_current;
  for (uint32_t index = stack ? stack->depth : 0; index; --index)
    if (stack->entries[index - 1].owner == owner)
      return &stack->entries[index - 1];
  return NULL;
}

static PyObject *suspend_scope(PyObject *self, PyObject *unused) {
  psc_entry *entry = find_entry(((psc_scope *)self)->serial);
  if (entry && entry->token.thread) {
    prof_scope_suspend(&entry->token);
    entry->owner |= PSC_WAITS;
  }
  Py_RETURN_NONE;
}

static PyObject *resume_scope(PyObject *self, PyObject *unused) {
  psc_entry *entry = find_entry(((psc_scope *)self)->serial | PSC_WAITS);
  if (entry) {
    prof_scope_resume(&entry->token);
    entry->owner &= ~PSC_WAITS;
  }
  Py_RETURN_NONE;
}

static PyObject *describe_scope(PyObject *self) {
  psc_scope *scope = (psc_scope *)self;
  return PyUnicode_FromFormat("scope(%R, type=%u, level=%u, role=%u)",
                              scope->site.name, scope->site.site.type,
                              scope->site.site.level, scope->site.site.role);
}

static PyMethodDef scope_methods[] = {
    {"begin", begin_scope, METH_NOARGS, "Begins it on the calling thread."},
    {"end", end_scope, METH_NOARGS,
     "Ends the last one that the thread began; without one, one of another\n"
     "thread; else it is counted as a loss."},
    {"suspend", suspend_scope, METH_NOARGS,
     "Interrupts it: the time until resume() does not belong to it."},
    {"resume", resume_scope, METH_NOARGS, "Goes on after suspend()."},
    {NULL}};

static PyMemberDef scope_members[] = {
    {"name", T_OBJECT, offsetof(psc_scope, site.name), READONLY, NULL},
    {"type", T_USHORT, offsetof(psc_scope, site.site.type), READONLY, NULL},
    {"level", T_UBYTE, offsetof(psc_scope, site.site.level), READONLY, NULL},
    {"role", T_UBYTE, offsetof(psc_scope, site.site.role), READONLY, NULL},
    {NULL}};

PyTypeObject psc_scope_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "mlir_prof._scopes.scope",
    .tp_doc = "scope(name, type=14, level=1, role=0)\n--\n\n"
              "An interval with a name: a context manager and a decorator.\n\n"
              "An object can be used any number of times, by any thread, also\n"
              "inside itself.",
    .tp_basicsize = sizeof(psc_scope),
    .tp_flags =
        Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_VECTORCALL,
    .tp_vectorcall_offset = offsetof(psc_scope, call),
    .tp_call = PyVectorcall_Call,
    .tp_vectorcall = call_type,
    .tp_new = new_scope,
    .tp_dealloc = free_scope,
    .tp_repr = describe_scope,
    .tp_methods = scope_methods,
    .tp_members = scope_members,
};

/*===----------------------------------------------------------------------===*
 * Decorated functions
 *===----------------------------------------------------------------------===*/

typedef struct psc_timed {
  PyObject_HEAD vectorcallfunc call;
  psc_scope *scope;
  PyObject *function;
  PyObject *attributes;
  PyObject *weak;
} psc_timed;

static PyObject *call_timed(PyObject *self, PyObject *const *arguments,
                            size_t flags, PyObject *names) {
  psc_timed *timed = (psc_timed *)self;
  psc_scope *scope = timed->scope;
  if (!psc_push(scope->serial, &scope->site))
    return NULL;
  PyObject *result =
      PyObject_Vectorcall(timed->function, arguments, flags, names);
  psc_pop(scope->serial);
  return result;
}

static PyObject *import_and_call(const char *module, const char *name,
                                 PyObject *first, PyObject *second) {
  PyObject *imported = PyImport_ImportModule(module);
  PyObject *result =
      imported ? PyObject_CallMethod(imported, name, "OO", first, second)
               : NULL;
  Py_XDECREF(imported);
  return result;
}

/* Whether the body of the function does not run when it is called. */
static int is_interruptible(PyObject *function) {
  PyObject *code = PyObject_GetAttrString(function, "__code__");
  int flags = 0;
  if (code && PyCode_Check(code))
    flags = ((PyCodeObject *)code)->co_flags;
  Py_XDECREF(code);
  PyErr_Clear();
  return flags & (CO_GENERATOR | CO_COROUTINE | CO_ITERABLE_COROUTINE |
                  CO_ASYNC_GENERATOR);
}

static PyObject *decorate(PyObject *self, PyObject *function) {
  if (!PyCallable_Check(function) || PyType_Check(function)) {
    PyErr_Format(PyExc_TypeError, "a scope decorates a function, not %R",
                 function);
    return NULL;
  }
  if (is_interruptible(function))
    return import_and_call("mlir_prof._tasks", "decorate", self, function);
  psc_timed *timed = PyObject_GC_New(psc_timed, &psc_timed_type);
  if (!timed)
    return NULL;
  timed->call = call_timed;
  Py_INCREF(self);
  timed->scope = (psc_scope *)self;
  Py_INCREF(function);
  timed->function = function;
  timed->attributes = timed->weak = NULL;
  PyObject_GC_Track(timed);
  PyObject *updated = import_and_call("functools", "update_wrapper",
                                      (PyObject *)timed, function);
  Py_DECREF(timed);
  return updated;
}

static int visit_timed(PyObject *self, visitproc visit, void *arg) {
  psc_timed *timed = (psc_timed *)self;
  Py_VISIT(timed->scope);
  Py_VISIT(timed->function);
  Py_VISIT(timed->attributes);
  return 0;
}

static int clear_timed(PyObject *self) {
  psc_timed *timed = (psc_timed *)self;
  Py_CLEAR(timed->attributes);
  return 0;
}

static void free_timed(PyObject *self) {
  psc_timed *timed = (psc_timed *)self;
  PyObject_GC_UnTrack(self);
  if (timed->weak)
    PyObject_ClearWeakRefs(self);
  clear_timed(self);
  Py_CLEAR(timed->function);
  Py_CLEAR(timed->scope);
  PyObject_GC_Del(self);
}

static PyObject *bind_timed(PyObject *self, PyObject *object, PyObject *type) {
  if (object)
    return PyMethod_New(self, object);
  Py_INCREF(self);
  return self;
}

/* Pickled by name, as functions are. */
static PyObject *reduce_timed(PyObject *self, PyObject *unused) {
  return PyObject_GetAttrString(self, "__qualname__");
}

static PyObject *describe_timed(PyObject *self) {
  psc_timed *timed = (psc_timed *)self;
  return PyUnicode_FromFormat("<%R in %R>", timed->function, timed->scope);
}

static PyMethodDef timed_methods[] = {
    {"__reduce__", reduce_timed, METH_NOARGS, NULL}, {NULL}};

static PyGetSetDef timed_properties[] = {
    {"__dict__", PyObject_GenericGetDict, PyObject_GenericSetDict, NULL, NULL},
    {NULL}};

PyTypeObject psc_timed_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "mlir_prof._scopes.timed",
    .tp_doc = "A function whose calls are scopes.",
    .tp_basicsize = sizeof(psc_timed),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC |
                Py_TPFLAGS_HAVE_VECTORCALL | Py_TPFLAGS_METHOD_DESCRIPTOR,
    .tp_vectorcall_offset = offsetof(psc_timed, call),
    .tp_dictoffset = offsetof(psc_timed, attributes),
    .tp_weaklistoffset = offsetof(psc_timed, weak),
    .tp_call = PyVectorcall_Call,
    .tp_dealloc = free_timed,
    .tp_traverse = visit_timed,
    .tp_clear = clear_timed,
    .tp_descr_get = bind_timed,
    .tp_repr = describe_timed,
    .tp_methods = timed_methods,
    .tp_getset = timed_properties,
};

int psc_prepare_scopes(void) {
  if (PyType_Ready(&hook_type) || PyType_Ready(&psc_scope_type) ||
      PyType_Ready(&psc_timed_type) || !add_hook("__enter__", call_enter) ||
      !add_hook("__exit__", call_exit))
    return 0;
  PyType_Modified(&psc_scope_type);
  return 1;
}
