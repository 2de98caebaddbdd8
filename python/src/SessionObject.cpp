//===- SessionObject.cpp - Sessions, as Python objects --------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Recordings.h"

using namespace mlirprof::scope;

//===----------------------------------------------------------------------===//
// Sessions
//===----------------------------------------------------------------------===//

namespace {

struct Session {
  PyObject_HEAD prof_scope_moment from;
  prof_scope_moment to;
  /// The same moments, for the total.
  int64_t beginNs;
  int64_t endNs;
  bool isRunning;
  int error;
  /// The recording until it stopped, from prof_scope_copy().
  char *bytes;
  size_t size;
};

/// A copy of what was recorded, and the part of it that is the session's.
struct Copy {
  explicit Copy(const Session &session) {
    prof_scope_moment end = session.to;
    if (session.isRunning) {
      prof_scope_mark(&end);
      own = bytes = prof_scope_copy(&session.from, &size);
    } else {
      bytes = session.bytes;
      size = session.size;
    }
    window = {session.from.ticks, end.ticks, session.from.generation,
              end.generation};
  }
  Copy(const Copy &) = delete;
  Copy &operator=(const Copy &) = delete;
  ~Copy() { prof_scope_free(own, size); }

  char *bytes = nullptr;
  size_t size = 0;
  Window window;

private:
  char *own = nullptr;
};

} // namespace

static Session *get(PyObject *self) {
  return reinterpret_cast<Session *>(self);
}

static PyObject *newSession(PyTypeObject *type, PyObject *arguments,
                            PyObject *named) {
  static const char *names[] = {"modes",        "level",        "types",
                                "ring_records", "sample_every", "path",
                                "counting",     "devices",      nullptr};
  prof_scope_options options = PROF_SCOPE_OPTIONS;
  unsigned long long types = 0, ring = 0;
  PyObject *path = nullptr;
  if (!PyArg_ParseTupleAndKeywords(
          arguments, named, "|IIKKIOII:Session", const_cast<char **>(names),
          &options.modes, &options.level, &types, &ring, &options.sample_every,
          &path, &options.counting, &options.devices))
    return nullptr;
  options.types = types;
  options.ring_records = ring;
  PyObject *encoded = nullptr;
  if (path && path != Py_None && !PyUnicode_FSConverter(path, &encoded))
    return nullptr;
  options.path = encoded ? PyBytes_AS_STRING(encoded) : nullptr;
  PyObject *self = type->tp_alloc(type, 0);
  if (self) {
    get(self)->error = prof_scope_start(&options, &get(self)->from);
    get(self)->beginNs = psc_read_clock();
    get(self)->isRunning = true;
  }
  Py_XDECREF(encoded);
  return self;
}

static void stop(Session &session) {
  session.isRunning = false;
  // Not the innermost session, which may be another one.
  session.bytes = prof_scope_take(&session.from, &session.to, &session.size);
  session.endNs = psc_read_clock();
}

static PyObject *stopSession(PyObject *self, PyObject *) {
  if (get(self)->isRunning)
    stop(*get(self));
  Py_RETURN_NONE;
}

static void freeSession(PyObject *self) {
  if (get(self)->isRunning)
    stop(*get(self));
  prof_scope_free(get(self)->bytes, get(self)->size);
  Py_TYPE(self)->tp_free(self);
}

/// Forgets what is recorded. Scopes that are open are kept whole where no other
/// session needs what was before.
static PyObject *resetSession(PyObject *self, PyObject *) {
  Session &session = *get(self);
  if (!session.isRunning) {
    prof_scope_free(session.bytes, session.size);
    session.bytes = nullptr;
    session.size = 0;
    session.from = session.to;
    session.beginNs = session.endNs;
    Py_RETURN_NONE;
  }
  session.beginNs = psc_read_clock();
  // It remains the session that it is.
  uint32_t number = session.from.session;
  prof_scope_mark(&session.from);
  session.from.session = number;
  if (prof_scope_sessions() == 1) {
    prof_scope_reset();
    session.from.ticks = 0;
  }
  Py_RETURN_NONE;
}

static PyObject *readSession(PyObject *self, PyObject *) {
  Copy copy(*get(self));
  if (!copy.bytes) {
    if (!get(self)->isRunning && !get(self)->size)
      return makeRecording({});
    return PyErr_NoMemory();
  }
  return readRecording(std::string_view(copy.bytes, copy.size), copy.window);
}

/// The stream file, for programs that read it.
static PyObject *copySession(PyObject *self, PyObject *) {
  Copy copy(*get(self));
  if (!copy.bytes)
    return PyErr_NoMemory();
  PyObject *bytes =
      PyBytes_FromStringAndSize(copy.bytes, Py_ssize_t(copy.size));
  if (bytes)
    writeWindow(PyBytes_AS_STRING(bytes), copy.size, copy.window);
  return bytes;
}

static PyObject *getRunning(PyObject *self, void *) {
  return PyBool_FromLong(get(self)->isRunning);
}

static PyObject *getError(PyObject *self, void *) {
  return PyLong_FromLong(get(self)->error);
}

/// Picoseconds from the start, or the reset, until now or the stop.
static PyObject *getElapsed(PyObject *self, void *) {
  const Session &session = *get(self);
  int64_t end = session.isRunning ? psc_read_clock() : session.endNs;
  return PyLong_FromLongLong((end - session.beginNs) * 1000);
}

static PyObject *getWindow(PyObject *self, void *) {
  return Py_BuildValue("(KK)", (unsigned long long)get(self)->from.ticks,
                       (unsigned long long)get(self)->to.ticks);
}

static PyMethodDef sessionMethods[] = {
    {"stop", stopSession, METH_NOARGS, "Further calls do nothing."},
    {"reset", resetSession, METH_NOARGS, "Forgets what is recorded."},
    {"read", readSession, METH_NOARGS, "A Recording of the scopes so far."},
    {"copy", copySession, METH_NOARGS, "The same as a stream file."},
    {}};

static PyGetSetDef sessionProperties[] = {
    {"elapsed_ps", getElapsed, nullptr, "The time that was recorded.", nullptr},
    {"window", getWindow, nullptr, "The ticks of the start and the stop.",
     nullptr},
    {"is_running", getRunning, nullptr, nullptr, nullptr},
    {"error", getError, nullptr, "The errno of the file, or 0.", nullptr},
    {}};

//===----------------------------------------------------------------------===//
// The switch of the process
//===----------------------------------------------------------------------===//

/// The moment of a reset while other sessions ran.
static prof_scope_moment resetMoment;
static int64_t switchedOnNs;

static PyObject *switchOn(PyObject *, PyObject *arguments) {
  unsigned state, detail;
  if (!PyArg_ParseTuple(arguments, "II:switch_on", &state, &detail))
    return nullptr;
  prof_scope_set_detail(detail);
  resetMoment = {};
  switchedOnNs = psc_read_clock();
  return PyLong_FromLong(prof_scope_enable(state, nullptr, nullptr));
}

static PyObject *switchOff(PyObject *, PyObject *) {
  if (!prof_scope_is_enabled())
    Py_RETURN_NONE;
  PyObject *self = psc_session_type.tp_alloc(&psc_session_type, 0);
  if (!self)
    return nullptr;
  Session &session = *get(self);
  session.beginNs = switchedOnNs;
  session.endNs = psc_read_clock();
  session.bytes = prof_scope_disable(&session.from, &session.to, &session.size);
  if (resetMoment.generation)
    session.from = resetMoment;
  resetMoment = {};
  return self;
}

static PyObject *switchReset(PyObject *, PyObject *) {
  if (!prof_scope_is_enabled())
    Py_RETURN_NONE;
  switchedOnNs = psc_read_clock();
  if (prof_scope_sessions() == 1)
    prof_scope_reset();
  prof_scope_mark(&resetMoment);
  if (prof_scope_sessions() == 1)
    resetMoment.ticks = 0;
  Py_RETURN_NONE;
}

static PyObject *switchState(PyObject *, PyObject *) {
  return Py_BuildValue("(II)", prof_scope_get_state(), prof_scope_get_detail());
}

PyMethodDef psc_switch_functions[] = {
    {"switch_on", switchOn, METH_VARARGS,
     "switch_on(state, detail)\n--\n\nReturns an errno, or 0."},
    {"switch_off", switchOff, METH_NOARGS, "A Session, or None if it was off."},
    {"switch_reset", switchReset, METH_NOARGS, nullptr},
    {"switch_state", switchState, METH_NOARGS, "The state and the detail."},
    {}};

static PyTypeObject makeSessionType() {
  PyTypeObject type = {PyVarObject_HEAD_INIT(nullptr, 0)};
  type.tp_name = "mlir_prof._scopes.Session";
  type.tp_doc = "Session(modes=1, level=1, types=0, ring_records=0, "
                "sample_every=0, path=None)\n--\n\n"
                "Records the scopes of all threads until stop().";
  type.tp_basicsize = sizeof(Session);
  type.tp_flags = Py_TPFLAGS_DEFAULT;
  type.tp_new = newSession;
  type.tp_dealloc = freeSession;
  type.tp_methods = sessionMethods;
  type.tp_getset = sessionProperties;
  return type;
}

PyTypeObject psc_session_type = makeSessionType();
