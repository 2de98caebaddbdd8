//===- RecordingObject.cpp - Recordings as Python objects -----------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Recordings.h"
#include "mlir-prof/Runtime/prof_scope_file.h"
#include "mlir-prof/Scope/LeaveOut.h"
#include "mlir-prof/Scope/Styles.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <stdexcept>

using namespace mlirprof;
using namespace mlirprof::scope;

namespace {
struct RecordingObject {
  PyObject_HEAD SharedRecordings recordings;
};
} // namespace

static const SharedRecordings &get(PyObject *self) {
  return reinterpret_cast<RecordingObject *>(self)->recordings;
}

PyObject *makeRecording(SharedRecordings recordings) {
  PyObject *self = psc_recording_type.tp_alloc(&psc_recording_type, 0);
  if (self)
    new (&reinterpret_cast<RecordingObject *>(self)->recordings)
        SharedRecordings(std::move(recordings));
  return self;
}

static void freeRecording(PyObject *self) {
  reinterpret_cast<RecordingObject *>(self)->recordings.~SharedRecordings();
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
    SharedRecordings all;
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

namespace {
/// A part of a thread.
struct Part {
  uint64_t thread;
  int64_t fromPs;
  int64_t toPs;
};
} // namespace

/// Tuples of the thread's number in the system, and the ticks between which it
/// began.
static bool readParts(PyObject *list, const Clock &clock,
                      std::vector<Part> &parts) {
  for (Py_ssize_t index = 0; index < PyList_GET_SIZE(list); ++index) {
    unsigned long long thread, from, to;
    if (!PyArg_ParseTuple(PyList_GET_ITEM(list, index), "KKK", &thread, &from,
                          &to))
      return false;
    parts.push_back({thread, clock.toPs(from), clock.toPs(to)});
  }
  return true;
}

static PyObject *withoutParts(PyObject *self, PyObject *list) {
  if (!PyList_Check(list)) {
    PyErr_SetString(PyExc_TypeError, "a list of parts is expected");
    return nullptr;
  }
  return guard([&]() -> PyObject * {
    SharedRecordings all;
    for (const auto &recording : get(self)) {
      std::vector<Part> parts;
      if (!readParts(list, recording->clock, parts))
        return nullptr;
      std::vector<bool> isGone;
      for (const ScopeEvent &event : recording->events) {
        uint64_t thread = recording->threads[event.thread].id;
        isGone.push_back(
            std::any_of(parts.begin(), parts.end(), [&](const Part &part) {
              return part.thread == thread && event.beginPs >= part.fromPs &&
                     event.beginPs < part.toPs;
            }));
      }
      all.push_back(
          std::make_shared<const Recording>(leaveOut(*recording, isGone)));
    }
    return makeRecording(std::move(all));
  });
}

static PyObject *withoutRoles(PyObject *self, PyObject *bits) {
  unsigned long long roles = PyLong_AsUnsignedLongLong(bits);
  if (PyErr_Occurred())
    return nullptr;
  return guard([&]() -> PyObject * {
    SharedRecordings all;
    for (const auto &recording : get(self))
      all.push_back(
          std::make_shared<const Recording>(leaveOutRoles(*recording, roles)));
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

/// The losses, and what the options of the recording left out.
static LossList findLosses(const Recording &recording) {
  LossList losses = recording.losses;
  for (const Thread &thread : recording.threads)
    if (thread.overwritten)
      losses.add("record that a ring has overwritten", thread.overwritten);
  if (recording.sampleEvery > 1)
    losses.add("one event of so many scopes", recording.sampleEvery);
  return losses;
}

static PyObject *listLosses(PyObject *self, PyObject *) {
  PyObject *list = PyList_New(0);
  for (const auto &recording : get(self))
    for (const Loss &loss : findLosses(*recording))
      if (!list ||
          !append(list, Py_BuildValue("(NK)", makeName(loss.name),
                                      (unsigned long long)loss.count))) {
        Py_XDECREF(list);
        return nullptr;
      }
  return list;
}

/// The amounts in the order of Count; None where unknown.
static PyObject *makeCounts(const TableRow &row) {
  PyObject *counts = PyTuple_New(Py_ssize_t(kCounts));
  for (size_t kind = 0; counts && kind != kCounts; ++kind) {
    PyObject *amount = Py_None;
    if (row.has(Count(kind)))
      amount = PyLong_FromUnsignedLongLong(row.counts[kind]);
    else
      Py_INCREF(amount);
    if (!amount)
      Py_CLEAR(counts);
    else
      PyTuple_SET_ITEM(counts, Py_ssize_t(kind), amount);
  }
  return counts;
}

/// `firstThreads` are the places of the recordings in the list of threads.
static PyObject *makeRow(const TableRow &row,
                         const std::vector<uint64_t> &firstThreads) {
  uint64_t firstThread =
      row.recording < firstThreads.size() ? firstThreads[row.recording] : 0;
  return Py_BuildValue(
      "(NHBBNNIKLLLLLLLLLLLKLKLKLiiN)", makeName(row.name),
      (unsigned short)row.type, (unsigned char)row.level,
      (unsigned char)row.role, makeIndex(row.thread, firstThread),
      makeIndex(row.parent, 0), (unsigned)row.depth,
      (unsigned long long)row.calls, (long long)row.totalPs,
      (long long)row.selfPs, (long long)row.rawTotalPs,
      (long long)row.rawSelfPs, (long long)row.minPs, (long long)row.maxPs,
      (long long)row.p50Ps, (long long)row.p90Ps, (long long)row.p99Ps,
      (long long)row.p999Ps, (long long)row.firstEndPs,
      (unsigned long long)row.open, (long long)row.openPs,
      (unsigned long long)row.recursive, (long long)row.recursivePs,
      (unsigned long long)row.linked, (long long)row.linkedPs,
      int(row.isSelfBound), int(row.isGroup), makeCounts(row));
}

static Recordings getPointers(PyObject *self) {
  Recordings pointers;
  for (const auto &recording : get(self))
    pointers.push_back(recording.get());
  return pointers;
}

static std::vector<uint64_t> getFirstThreads(PyObject *self) {
  std::vector<uint64_t> firstThreads;
  uint64_t threads = 0;
  for (const auto &recording : get(self)) {
    firstThreads.push_back(threads);
    threads += recording->threads.size();
  }
  return firstThreads;
}

static PyObject *listRows(PyObject *self, PyObject *arguments,
                          PyObject *named) {
  static const char *names[] = {"by_path", "merges_threads", "separator",
                                nullptr};
  int byPath = 0, mergesThreads = 1;
  const char *separator = "";
  if (!PyArg_ParseTupleAndKeywords(arguments, named, "|pps:rows",
                                   const_cast<char **>(names), &byPath,
                                   &mergesThreads, &separator))
    return nullptr;
  return guard([&]() -> PyObject * {
    TableOptions options;
    options.key = byPath ? RowKey::Path : RowKey::Name;
    options.mergesThreads = mergesThreads;
    options.separator = separator;
    std::vector<uint64_t> firstThreads = getFirstThreads(self);
    PyObject *list = PyList_New(0);
    for (const TableRow &row : makeBestTable(getPointers(self), options))
      if (!list || !append(list, makeRow(row, firstThreads))) {
        Py_XDECREF(list);
        return nullptr;
      }
    return list;
  });
}

//===----------------------------------------------------------------------===//
// Tables as text
//===----------------------------------------------------------------------===//

static bool readViews(PyObject *list, std::vector<std::string> &views) {
  PyObject *fast = PySequence_Fast(list, "a list of views is expected");
  bool isRead = fast;
  for (Py_ssize_t index = 0; isRead && index < PySequence_Fast_GET_SIZE(fast);
       ++index) {
    const char *view = PyUnicode_AsUTF8(PySequence_Fast_GET_ITEM(fast, index));
    isRead = view;
    if (view)
      views.push_back(view);
  }
  Py_XDECREF(fast);
  return isRead;
}

static bool readRatio(PyObject *value, std::optional<double> &ratio) {
  if (value != Py_None)
    ratio = PyFloat_AsDouble(value);
  return !PyErr_Occurred();
}

static bool readStyleOptions(PyObject *arguments, PyObject *named,
                             const char *&style, StyleOptions &options) {
  static const char *names[] = {"style",
                                "sort",
                                "unit",
                                "views",
                                "separates_threads",
                                "op_detail",
                                "place",
                                "separator",
                                "total_ps",
                                "process_utilization",
                                "system_utilization",
                                nullptr};
  const char *sort = "", *unit = "", *place = "CPU", *separator = "";
  PyObject *views = Py_None, *apart = Py_None, *total = Py_None;
  PyObject *process = Py_None, *system = Py_None;
  int opDetail = 1;
  if (!PyArg_ParseTupleAndKeywords(arguments, named, "s|ssOOpssOOO:table",
                                   const_cast<char **>(names), &style, &sort,
                                   &unit, &views, &apart, &opDetail, &place,
                                   &separator, &total, &process, &system))
    return false;
  options.sort = sort;
  options.unit = unit;
  options.hasOpDetail = opDetail;
  options.state = place;
  options.separator = separator;
  if (apart != Py_None)
    options.separatesThreads = PyObject_IsTrue(apart) == 1;
  if (total != Py_None)
    options.totalPs = PyLong_AsLongLong(total);
  return (views == Py_None || readViews(views, options.views)) &&
         readRatio(process, options.processUtilization) &&
         readRatio(system, options.systemUtilization);
}

/// The text and its notes.
static PyObject *makeText(const StyledText &styled) {
  PyObject *notes = PyList_New(0);
  for (const std::string &note : styled.notes)
    if (!notes || !append(notes, makeName(note))) {
      Py_XDECREF(notes);
      return nullptr;
    }
  return Py_BuildValue("(NN)", makeName(styled.text), notes);
}

static PyObject *writeTable(PyObject *self, PyObject *arguments,
                            PyObject *named) {
  const char *style;
  return guard([&]() -> PyObject * {
    StyleOptions options;
    if (!readStyleOptions(arguments, named, style, options))
      return nullptr;
    StyledText styled;
    std::optional<Problem> problem =
        writeStyled(style, getPointers(self), options, styled);
    if (problem)
      return PyErr_Format(PyExc_ValueError, "the table %s; hint: %s",
                          problem->what.c_str(), problem->hint.c_str());
    return makeText(styled);
  });
}

/// The choices of each style.
static PyObject *listStyles(PyObject *, PyObject *) {
  auto makeList = [](const std::vector<const char *> &texts) {
    PyObject *list = PyList_New(0);
    for (const char *text : texts)
      if (!list || !append(list, PyUnicode_FromString(text)))
        break;
    return list;
  };
  PyObject *list = PyList_New(0);
  for (const Style &style : getStyles())
    if (!list || !append(list, Py_BuildValue(
                                   "(ssNNN)", style.name, style.description,
                                   makeList(style.sorts), makeList(style.units),
                                   makeList(style.views)))) {
      Py_XDECREF(list);
      return nullptr;
    }
  return list;
}

static PyObject *getCost(PyObject *self, void *) {
  const SharedRecordings &all = get(self);
  return PyLong_FromLongLong(all.empty() ? 0 : all.front()->costPairPs);
}

static PyMethodDef recordingMethods[] = {
    {"from_bytes", fromBytes, METH_O | METH_STATIC,
     "from_bytes(bytes)\n--\n\nReads a stream file."},
    {"join", join, METH_O | METH_STATIC,
     "join(recordings)\n--\n\nSeveral recordings in one."},
    {"table",
     reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(writeTable)),
     METH_VARARGS | METH_KEYWORDS, "A text in a style, and notes about it."},
    {"styles", listStyles, METH_NOARGS | METH_STATIC,
     "Tuples of name, description, sorts, units and views."},
    {"without_roles", withoutRoles, METH_O,
     "without_roles(bits)\n--\n\nA copy without scopes of some roles."},
    {"without_parts", withoutParts, METH_O,
     "without_parts(parts)\n--\n\nA copy without the scopes that began in "
     "parts\nof threads: tuples of the system's thread number and two ticks."},
    {"events", listEvents, METH_NOARGS, "Tuples; see mlir_prof.Event."},
    {"threads", listThreads, METH_NOARGS, "Tuples; see mlir_prof.Thread."},
    {"losses", listLosses, METH_NOARGS, "Tuples of name and count."},
    {"rows",
     reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(listRows)),
     METH_VARARGS | METH_KEYWORDS, "Tuples; see mlir_prof.Row."},
    {}};

static PyObject *isEmpty(PyObject *self, void *) {
  const SharedRecordings &all = get(self);
  return PyBool_FromLong(
      std::all_of(all.begin(), all.end(), [](const auto &recording) {
        return recording->events.empty() && recording->statistics.empty() &&
               recording->losses.empty();
      }));
}

static PyGetSetDef recordingProperties[] = {
    {"cost_ps", getCost, nullptr, "The cost of a scope.", nullptr},
    {"is_empty", isEmpty, nullptr, "Whether nothing was recorded or lost.",
     nullptr},
    {}};

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
