//===- RecordingObject.cpp - What was recorded, as Python objects
//---------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Recordings.h"
#include "mlir-prof/Runtime/prof_scope_file.h"
#include "mlir-prof/Scope/Table.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <stdexcept>

using namespace mlirprof;
using namespace mlirprof::scope;

namespace {
struct RecordingObject {
  PyObject_HEAD Recordings recordings;
};
} // namespace

static const Recordings &get(PyObject *self) {
  return reinterpret_cast<RecordingObject *>(self)->recordings;
}

PyObject *makeRecording(Recordings recordings) {
  PyObject *self = psc_recording_type.tp_alloc(&psc_recording_type, 0);
  if (self)
    new (&reinterpret_cast<RecordingObject *>(self)->recordings)
        Recordings(std::move(recordings));
  return self;
}

static void freeRecording(PyObject *self) {
  reinterpret_cast<RecordingObject *>(self)->recordings.~Recordings();
  Py_TYPE(self)->tp_free(self);
}

static PyObject *raise(const Problem &problem) {
  return PyErr_Format(PyExc_ValueError, "the recording of scopes %s; hint: %s",
                      problem.what.c_str(), problem.hint.c_str());
}

/// The result of `make`, which may run out of memory.
template <typename Function>
static PyObject *guard(Function make) {
  try {
    return make();
  } catch (const std::bad_alloc &) {
    return PyErr_NoMemory();
  } catch (const std::length_error &) {
    return PyErr_NoMemory();
  }
}

PyObject *readRecording(std::string_view bytes, const Window &window) {
  return guard([&]() -> PyObject * {
    auto recording = std::make_shared<Recording>();
    std::optional<Problem> problem;
    PyThreadState *state = PyEval_SaveThread();
    try {
      problem = scope::readRecording(bytes, *recording, window);
    } catch (...) {
      PyEval_RestoreThread(state);
      throw;
    }
    PyEval_RestoreThread(state);
    return problem ? raise(*problem) : makeRecording({std::move(recording)});
  });
}

static PyObject *fromBytes(PyObject *, PyObject *bytes) {
  Py_buffer view;
  if (PyObject_GetBuffer(bytes, &view, PyBUF_SIMPLE))
    return nullptr;
  PyObject *made =
      readRecording({static_cast<char *>(view.buf), size_t(view.len)}, {});
  PyBuffer_Release(&view);
  return made;
}

/// The recordings of several objects.
static PyObject *join(PyObject *, PyObject *list) {
  PyObject *fast = PySequence_Fast(list, "a list of recordings is expected");
  if (!fast)
    return nullptr;
  PyObject *made = guard([&]() -> PyObject * {
    Recordings all;
    for (Py_ssize_t index = 0; index < PySequence_Fast_GET_SIZE(fast);
         ++index) {
      PyObject *item = PySequence_Fast_GET_ITEM(fast, index);
      if (Py_TYPE(item) != &psc_recording_type) {
        PyErr_SetString(PyExc_TypeError, "a list of recordings is expected");
        return nullptr;
      }
      all.insert(all.end(), get(item).begin(), get(item).end());
    }
    return makeRecording(std::move(all));
  });
  Py_DECREF(fast);
  return made;
}

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

/// A copy without the events for which `isLeftOut`; their children hang below
/// what was around them, to which their self time goes.
template <typename Function>
static std::shared_ptr<const Recording> leaveOut(const Recording &recording,
                                                 Function isLeftOut) {
  auto out = std::make_shared<Recording>(recording);
  std::vector<ScopeEvent> &events = out->events;
  std::vector<bool> isGone(events.size());
  for (size_t index = 0; index != events.size(); ++index)
    isGone[index] = isLeftOut(events[index]);
  // Where events are, and what those that are gone hang below. A chain of
  // parents ends, since each began before its child.
  std::vector<uint32_t> moved(events.size(), kNoScope);
  std::vector<ScopeEvent> kept;
  auto findKept = [&](ScopeEvent &event) {
    while (event.parent != kNoScope && isGone[event.parent]) {
      event.isLinked |= events[event.parent].isLinked;
      event.parent = events[event.parent].parent;
    }
  };
  for (size_t index = 0; index != events.size(); ++index) {
    ScopeEvent event = events[index];
    bool isInside = !event.isLinked && !event.isOutside;
    findKept(event);
    if (!isGone[index]) {
      moved[index] = uint32_t(kept.size());
      kept.push_back(event);
    } else if (event.parent != kNoScope && isInside && !event.isLinked) {
      events[event.parent].selfPs += event.selfPs;
      events[event.parent].selfCostPs += event.selfCostPs;
    }
  }
  for (size_t index = 0; index != events.size(); ++index)
    if (moved[index] != kNoScope) {
      ScopeEvent &event = kept[moved[index]];
      event.selfPs = events[index].selfPs;
      event.selfCostPs = events[index].selfCostPs;
      event.first = isGone[event.first] ? moved[index] : moved[event.first];
      if (event.parent == kNoScope)
        event.isLinked = false;
      else
        event.parent = moved[event.parent];
    }
  events = std::move(kept);
  return out;
}

static PyObject *withoutRoles(PyObject *self, PyObject *list) {
  uint64_t roles = 0;
  PyObject *fast = PySequence_Fast(list, "a list of roles is expected");
  if (!fast)
    return nullptr;
  for (Py_ssize_t index = 0; index < PySequence_Fast_GET_SIZE(fast); ++index) {
    long role = PyLong_AsLong(PySequence_Fast_GET_ITEM(fast, index));
    if (role >= 0 && role < 64)
      roles |= uint64_t(1) << role;
  }
  Py_DECREF(fast);
  if (PyErr_Occurred())
    return nullptr;
  return guard([&]() -> PyObject * {
    Recordings all;
    for (const auto &recording : get(self))
      all.push_back(leaveOut(*recording, [&](const ScopeEvent &event) {
        return roles >> (recording->sites[event.site].role & 63) & 1;
      }));
    return makeRecording(std::move(all));
  });
}

//===----------------------------------------------------------------------===//
// Lists
//===----------------------------------------------------------------------===//

/// Appends and gives up `item`; false with an exception.
static bool append(PyObject *list, PyObject *item) {
  bool failed = !item || PyList_Append(list, item);
  Py_XDECREF(item);
  return !failed;
}

static PyObject *makeName(const std::string &name) {
  return psc_make_name(name.data(), name.size());
}

/// The index in a list, or None.
static PyObject *makeIndex(uint32_t index, uint64_t offset) {
  if (index == kNoScope)
    Py_RETURN_NONE;
  return PyLong_FromUnsignedLongLong(index + offset);
}

static PyObject *makeEvent(const Recording &recording, const ScopeEvent &event,
                           uint64_t threads, uint64_t events) {
  const Site &site = recording.sites[event.site];
  return Py_BuildValue(
      "(NHBBNIKNNLLLLBiiii)", makeName(site.name), (unsigned short)site.type,
      (unsigned char)site.level, (unsigned char)site.role, makeName(site.file),
      (unsigned)site.line, (unsigned long long)(event.thread + threads),
      makeIndex(event.parent, events), makeIndex(event.first, events),
      (long long)event.beginPs, (long long)event.endPs, (long long)event.selfPs,
      (long long)recording.clock.anchorNs, (unsigned char)event.end,
      int(event.isLinked), int(event.isOverlapping), int(event.isOutside),
      int(event.isSelfBound));
}

static PyObject *listEvents(PyObject *self, PyObject *) {
  PyObject *list = PyList_New(0);
  uint64_t threads = 0, events = 0;
  for (const auto &recording : get(self)) {
    for (const ScopeEvent &event : recording->events)
      if (!list ||
          !append(list, makeEvent(*recording, event, threads, events))) {
        Py_XDECREF(list);
        return nullptr;
      }
    threads += recording->threads.size();
    events += recording->events.size();
  }
  return list;
}

static PyObject *listThreads(PyObject *self, PyObject *) {
  PyObject *list = PyList_New(0);
  for (const auto &recording : get(self))
    for (const Thread &thread : recording->threads)
      if (!list ||
          !append(list,
                  Py_BuildValue(
                      "(KKINi)", (unsigned long long)recording->process,
                      (unsigned long long)thread.id, (unsigned)thread.number,
                      makeName(thread.name), int(thread.hasEnded)))) {
        Py_XDECREF(list);
        return nullptr;
      }
  return list;
}

static PyObject *listLosses(PyObject *self, PyObject *) {
  PyObject *list = PyList_New(0);
  for (const auto &recording : get(self))
    for (const Loss &loss : recording->losses)
      if (!list ||
          !append(list, Py_BuildValue("(NK)", makeName(loss.name),
                                      (unsigned long long)loss.count))) {
        Py_XDECREF(list);
        return nullptr;
      }
  return list;
}

static PyObject *makeRow(const TableRow &row, uint64_t offset) {
  return Py_BuildValue(
      "(NHNNKLLLLLLLLLLLKLi)", makeName(row.name), (unsigned short)row.type,
      makeIndex(row.thread, 0), makeIndex(row.parent, offset),
      (unsigned long long)row.calls, (long long)row.totalPs,
      (long long)row.selfPs, (long long)row.rawTotalPs,
      (long long)row.rawSelfPs, (long long)row.minPs, (long long)row.maxPs,
      (long long)row.p50Ps, (long long)row.p90Ps, (long long)row.p99Ps,
      (long long)row.p999Ps, (long long)row.firstEndPs,
      (unsigned long long)row.open, (long long)row.openPs,
      int(row.isSelfBound));
}

/// The rows of each process, after each other.
static PyObject *listRows(PyObject *self, PyObject *arguments,
                          PyObject *named) {
  static const char *names[] = {"by_path", "merges_threads", nullptr};
  int byPath = 0, mergesThreads = 1;
  if (!PyArg_ParseTupleAndKeywords(arguments, named, "|pp:rows",
                                   const_cast<char **>(names), &byPath,
                                   &mergesThreads))
    return nullptr;
  return guard([&]() -> PyObject * {
    TableOptions options;
    options.key = byPath ? RowKey::Path : RowKey::Name;
    options.mergesThreads = mergesThreads;
    PyObject *list = PyList_New(0);
    for (const auto &recording : get(self)) {
      bool isStatistics = recording->hasStatistics && !recording->hasEvents;
      uint64_t offset = list ? uint64_t(PyList_GET_SIZE(list)) : 0;
      for (const TableRow &row : isStatistics
                                     ? makeStatisticsTable(*recording, options)
                                     : makeTable(*recording, options))
        if (!list || !append(list, makeRow(row, offset))) {
          Py_XDECREF(list);
          return nullptr;
        }
    }
    return list;
  });
}

static PyObject *getCost(PyObject *self, void *) {
  const Recordings &all = get(self);
  return PyLong_FromLongLong(all.empty() ? 0 : all.front()->costPairPs);
}

static PyMethodDef recordingMethods[] = {
    {"from_bytes", fromBytes, METH_O | METH_STATIC,
     "from_bytes(bytes)\n--\n\nReads a stream file."},
    {"join", join, METH_O | METH_STATIC,
     "join(recordings)\n--\n\nSeveral recordings in one."},
    {"without_roles", withoutRoles, METH_O,
     "without_roles(roles)\n--\n\nA copy without scopes of some roles."},
    {"events", listEvents, METH_NOARGS, "Tuples; see mlir_prof.Event."},
    {"threads", listThreads, METH_NOARGS, "Tuples; see mlir_prof.Thread."},
    {"losses", listLosses, METH_NOARGS, "Tuples of name and count."},
    {"rows",
     reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(listRows)),
     METH_VARARGS | METH_KEYWORDS, "Tuples; see mlir_prof.Row."},
    {}};

static PyGetSetDef recordingProperties[] = {
    {"cost_ps", getCost, nullptr, "The cost of a scope.", nullptr}, {}};

static PyTypeObject makeType() {
  PyTypeObject type = {PyVarObject_HEAD_INIT(nullptr, 0)};
  type.tp_name = "mlir_prof._scopes.Recording";
  type.tp_doc = "The scopes of one process or several.";
  type.tp_basicsize = sizeof(RecordingObject);
  type.tp_flags = Py_TPFLAGS_DEFAULT;
  type.tp_dealloc = freeRecording;
  type.tp_methods = recordingMethods;
  type.tp_getset = recordingProperties;
  return type;
}

PyTypeObject psc_recording_type = makeType();

void writeWindow(char *bytes, size_t size, const Window &window) {
  prof_scope_part part = {window.fromTicks, window.toTicks,
                          window.fromGeneration, window.toGeneration};
  if (size >= PROF_SCOPE_PAGE)
    std::memcpy(bytes + PROF_SCOPE_PART, &part, sizeof part);
}
