/*===- ModelObject.c - Compiled models, as Python objects -----------------===*
 *
 * Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*/

#include "Model.h"

typedef struct model_object {
  PyObject_HEAD prof_model *model;
  const prof_model_info *info;
  pmo_value *arguments, *results;
  /* Words of the descriptors of a call. */
  size_t words;
  /* Arguments that were not contiguous, and so were copied. */
  uint64_t copies;
  /* Results that the code stored in outputs. */
  uint64_t placed;
  /* Null without any, and whether they are constants of the model's own again.
   */
  pmo_weights *weights;
  int has_own_weights;
} model_object;

PyObject *pmo_model_error;

static model_object *get(PyObject *self) { return (model_object *)self; }

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
 * Checking
 *===----------------------------------------------------------------------===*/

/* "float32[2, ?]". */
static void describe(pmo_dtype dtype, const int64_t *shape, uint32_t rank,
                     char *text, size_t room) {
  pmo_write_dtype(dtype, text, room);
  size_t at = strlen(text);
  for (uint32_t index = 0; index < rank && at + 32 < room; ++index) {
    const char *before = index ? ", " : "[";
    if (shape[index] == PROF_MODEL_ANY_SIZE)
      at += (size_t)snprintf(text + at, room - at, "%s?", before);
    else
      at += (size_t)snprintf(text + at, room - at, "%s%lld", before,
                             (long long)shape[index]);
  }
  if (at + 4 < room)
    snprintf(text + at, room - at, rank ? "]" : "[]");
}

static int fits_dtype(const pmo_value *value, pmo_dtype dtype) {
  if (dtype.bits != value->dtype.bits || dtype.lanes != 1)
    return 0;
  if (dtype.code == value->dtype.code)
    return 1;
  return value->is_signless && value->dtype.code == PMO_INT &&
         dtype.code == PMO_UINT;
}

static int fits_shape(const pmo_array *array, const int64_t *shape,
                      uint32_t rank) {
  if ((uint32_t)array->ndim != rank)
    return 0;
  for (uint32_t index = 0; index < rank; ++index)
    if (shape[index] != array->shape[index] &&
        shape[index] != PROF_MODEL_ANY_SIZE)
      return 0;
  return 1;
}

/* Whether an array can be passed as `value`, whose sizes in this call are
 * `shape`. 0 with an exception. */
static int check(const pmo_value *value, const int64_t *shape, const char *kind,
                 const pmo_array *array) {
  uint32_t rank = value->of->rank;
  if (fits_dtype(value, array->dtype) && fits_shape(array, shape, rank))
    return 1;
  char expected[512], found[512];
  describe(value->dtype, shape, rank, expected, sizeof expected);
  describe(array->dtype, array->shape, (uint32_t)array->ndim, found,
           sizeof found);
  PyErr_Format(
      fits_dtype(value, array->dtype) ? PyExc_ValueError : PyExc_TypeError,
      "%s '%s' is %s; expected %s", kind, value->of->name, found, expected);
  return 0;
}

/*===----------------------------------------------------------------------===*
 * Numbers
 *===----------------------------------------------------------------------===*/

/* A number of Python's as argument; 0 with an exception. */
static int read_number(PyObject *object, const pmo_value *value, void *to) {
  if (value->dtype.code == PMO_FLOAT && value->dtype.bits >= 32) {
    double number = PyFloat_AsDouble(object);
    if (number == -1 && PyErr_Occurred())
      return 0;
    if (value->dtype.bits == 64)
      *(double *)to = number;
    else
      *(float *)to = (float)number;
    return 1;
  }
  if (value->dtype.code == PMO_BOOL) {
    int number = PyObject_IsTrue(object);
    *(char *)to = number == 1;
    return number >= 0;
  }
  if (value->dtype.code != PMO_INT && value->dtype.code != PMO_UINT) {
    PyErr_Format(PyExc_TypeError,
                 "argument '%s' is a number of Python; expected an array "
                 "without dimensions of %s",
                 value->of->name, value->of->type);
    return 0;
  }
  int is_beyond = 0;
  long long number = PyLong_AsLongLongAndOverflow(object, &is_beyond);
  if (number == -1 && PyErr_Occurred())
    return 0;
  int bits = value->dtype.bits;
  long long most = bits < 64 ? (1LL << bits) - 1 : LLONG_MAX;
  long long least = bits < 64 ? -(1LL << (bits - 1)) : LLONG_MIN;
  if (value->dtype.code == PMO_UINT)
    least = 0;
  else if (!value->is_signless && bits < 64)
    most >>= 1;
  if (is_beyond || number < least || number > most) {
    PyErr_Format(PyExc_OverflowError, "argument '%s' does not fit %s",
                 value->of->name, value->of->type);
    return 0;
  }
  memcpy(to, &number, (size_t)bits / 8);
  return 1;
}

static int is_number(PyObject *object) {
  return PyFloat_Check(object) || PyLong_Check(object);
}

/*===----------------------------------------------------------------------===*
 * Calls
 *===----------------------------------------------------------------------===*/

/* Rows that an argument was copied to; null without a copy. If the model writes
 * it, `array` is where they go after the call. */
typedef struct copied {
  void *rows;
  const pmo_array *array;
} copied;

/* A call, in memory of one block. */
typedef struct frame {
  model_object *self;
  /* Tuples; the outputs are null if they are to be new. */
  PyObject *inputs, *outputs;
  /* Makes the results, if they are not to be Arrays. */
  const pmo_exchange *exchange;
  /* Those of the arguments, then those of the outputs. */
  pmo_array *arrays;
  size_t acquired;
  /* Those of the arguments. */
  copied *copies;
  void **addresses;
  int64_t *words;
  /* The memory in which the code may store results; only with outputs. */
  prof_model_output *places;
} frame;

static int64_t *get_words(frame *call, const pmo_value *value, int64_t **next) {
  (void)call;
  int64_t *words = *next;
  *next += value->of->is_scalar ? 2 : 3 + 2 * (size_t)value->of->rank;
  return words;
}

static void fill_descriptor(const pmo_array *array, void *data,
                            int64_t *words) {
  words[0] = words[1] = (int64_t)(uintptr_t)data;
  words[2] = 0;
  int64_t stride = 1;
  for (int32_t index = array->ndim; index-- > 0;) {
    words[3 + index] = array->shape[index];
    words[3 + array->ndim + index] = stride;
    stride *= array->shape[index];
  }
}

static size_t count_bytes(const pmo_array *array) {
  size_t bytes = array->dtype.bits / 8;
  for (int32_t index = 0; index < array->ndim; ++index)
    bytes *= (size_t)array->shape[index];
  return bytes;
}

/* Whether the code can read the array where it is. */
static int is_in_place(const pmo_array *array) {
  size_t bytes = array->dtype.bits / 8;
  size_t alignment = array->dtype.code == PMO_COMPLEX ? bytes / 2 : bytes;
  return (uintptr_t)array->data % alignment == 0 && pmo_is_contiguous(array);
}

static int pass_array(frame *call, size_t index, const pmo_array *array,
                      int64_t *words) {
  void *data = array->data;
  if (!is_in_place(array)) {
    data = prof_model_allocate(count_bytes(array) + 1);
    if (!data) {
      PyErr_NoMemory();
      return 0;
    }
    int is_written = call->self->arguments[index].of->is_written != 0;
    call->copies[index] = (copied){data, is_written ? array : NULL};
    pmo_gather(array, data);
    ++call->self->copies;
  }
  fill_descriptor(array, data, words);
  return 1;
}

static int pass_argument(frame *call, size_t index, int64_t *words) {
  const pmo_value *value = &call->self->arguments[index];
  PyObject *object = PyTuple_GET_ITEM(call->inputs, (Py_ssize_t)index);
  call->addresses[index] = words;
  pmo_array *array = &call->arrays[call->acquired];
  if (value->of->is_scalar && is_number(object))
    return read_number(object, value, words);
  char what[256];
  /* Written only where something fails. */
  what[0] = 0;
  int is_written = value->of->is_written != 0;
  if (is_written || !PyObject_CheckBuffer(object))
    snprintf(what, sizeof what, "argument '%s'%s", value->of->name,
             is_written ? ", which the model writes," : "");
  if (!pmo_acquire(object, what[0] ? what : "an argument", is_written, array))
    return 0;
  ++call->acquired;
  if (!check(value, value->of->dims, "argument", array))
    return 0;
  if (!value->of->is_scalar)
    return pass_array(call, index, array, words);
  memcpy(words, array->data, array->dtype.bits / 8);
  return 1;
}

static int pass_arguments(frame *call, int64_t **words) {
  const prof_model_info *info = call->self->info;
  Py_ssize_t count = PyTuple_GET_SIZE(call->inputs);
  if (count != (Py_ssize_t)info->argument_count) {
    PyErr_Format(PyExc_TypeError, "the model takes %u arguments, not %zd",
                 info->argument_count, count);
    return 0;
  }
  for (size_t index = 0; index < info->argument_count; ++index)
    if (!pass_argument(call, index,
                       get_words(call, &call->self->arguments[index], words)))
      return 0;
  return 1;
}

static int acquire_outputs(frame *call) {
  const prof_model_info *info = call->self->info;
  if (!call->outputs)
    return 1;
  Py_ssize_t count = PyTuple_GET_SIZE(call->outputs);
  if (count != (Py_ssize_t)info->result_count) {
    PyErr_Format(PyExc_TypeError, "the model has %u results, not %zd",
                 info->result_count, count);
    return 0;
  }
  for (size_t index = 0; index < info->result_count; ++index) {
    const pmo_value *value = &call->self->results[index];
    char what[256];
    snprintf(what, sizeof what, "output '%s'", value->of->name);
    pmo_array *array = &call->arrays[call->acquired];
    if (!pmo_acquire(PyTuple_GET_ITEM(call->outputs, (Py_ssize_t)index), what,
                     1, array))
      return 0;
    ++call->acquired;
    if (!check(value, value->of->dims, "output", array))
      return 0;
  }
  return 1;
}

static int overlaps(const pmo_array *array, const pmo_array *other) {
  return array->data < other->data + count_bytes(other) &&
         other->data < array->data + count_bytes(array);
}

/* Whether the model writes a copy of an argument, which goes back to where it
 * came from after the code has stored its results. */
static int writes_copies(const frame *call) {
  for (size_t index = 0; index < call->self->info->argument_count; ++index)
    if (call->copies[index].array)
      return 1;
  return 0;
}

/* Whether the code can store a result in output `place` of the acquired arrays.
 * Arguments that are not contiguous were copied, so they cannot overlap. */
static int is_free(const frame *call, size_t place) {
  enum { LINE = 64 };
  const pmo_array *output = &call->arrays[place];
  if ((uintptr_t)output->data % LINE != 0 || !pmo_is_contiguous(output))
    return 0;
  for (size_t index = 0; index < call->acquired; ++index)
    if (index != place && pmo_is_contiguous(&call->arrays[index]) &&
        overlaps(output, &call->arrays[index]))
      return 0;
  return 1;
}

/* Lets the model read its own constants if an output is in a shared array,
 * which then changes without a trace. */
static void protect_weights(const frame *call) {
  model_object *self = call->self;
  size_t first = call->acquired - self->info->result_count;
  for (size_t at = first; !self->has_own_weights && at < call->acquired; ++at) {
    const pmo_array *array = &call->arrays[at];
    const char *begin = array->data, *end = begin + array->dtype.bits / 8;
    for (int32_t index = 0; index < array->ndim; ++index) {
      int64_t reach = (array->shape[index] - 1) * array->strides[index];
      *(reach < 0 ? &begin : &end) += reach;
    }
    if (pmo_overlaps_weights(self->weights, begin, end)) {
      pmo_unshare(self->weights, self->model);
      self->has_own_weights = 1;
    }
  }
}

static void find_places(frame *call) {
  const prof_model_info *info = call->self->info;
  size_t first = call->acquired - info->result_count;
  int has_copies = writes_copies(call);
  for (size_t index = 0; index < info->result_count; ++index) {
    call->places[index] = (prof_model_output){NULL, 0};
    if (!has_copies && !info->results[index].is_scalar &&
        is_free(call, first + index))
      call->places[index] =
          (prof_model_output){call->arrays[first + index].data,
                              count_bytes(&call->arrays[first + index])};
  }
}

/* Whether a result is in the place of one. */
static int is_placed(const frame *call, const int64_t *words) {
  for (size_t index = 0;
       call->outputs && index < call->self->info->result_count; ++index)
    if (call->places[index].data &&
        call->places[index].data == (void *)(uintptr_t)words[0])
      return 1;
  return 0;
}

/* Raises what ended a call. */
static void raise_failure(const prof_model_failure *failure) {
  if (failure->reason == PROF_MODEL_INTERRUPTED) {
    if (!PyErr_CheckSignals())
      PyErr_SetNone(PyExc_KeyboardInterrupt);
  } else if (failure->reason == PROF_MODEL_MEMORY) {
    PyErr_SetString(PyExc_MemoryError, failure->text);
  } else {
    PyErr_SetString(pmo_model_error, failure->text);
  }
}

/* Whether the model reads its own constants; it does so from now on if an array
 * in their place has changed. */
static int check_weights(model_object *self) {
  if (!self->has_own_weights && pmo_has_changed(self->weights)) {
    pmo_unshare(self->weights, self->model);
    self->has_own_weights = 1;
  }
  return self->has_own_weights;
}

static void release_results(const frame *call) {
  const prof_model_info *info = call->self->info;
  for (size_t index = 0; index < info->result_count; ++index)
    if (!info->results[index].is_scalar) {
      int64_t *words = call->addresses[info->argument_count + index];
      if (!is_placed(call, words))
        prof_model_release((void *)(uintptr_t)words[0]);
    }
}

static int run_model(frame *call) {
  model_object *self = call->self;
  prof_model_failure failure;
  int has_failed, had_own_weights = check_weights(self);
  Py_BEGIN_ALLOW_THREADS has_failed =
      prof_model_call_into(self->model, call->addresses,
                           call->outputs ? call->places : NULL, &failure);
  Py_END_ALLOW_THREADS if (!had_own_weights && check_weights(self)) {
    /* The call may have read old weights and new ones. */
    if (!has_failed)
      release_results(call);
    return run_model(call);
  }
  if (has_failed)
    raise_failure(&failure);
  return !has_failed;
}

/* The result of a call as an array, which takes over its memory. */
static PyObject *take_result(const frame *call, const pmo_value *value,
                             int64_t *words) {
  void *block = (void *)(uintptr_t)words[0];
  char *data = (char *)(uintptr_t)words[1];
  if (value->of->is_scalar) {
    block = data = prof_model_allocate(sizeof(int64_t) * 2);
    if (!block)
      return PyErr_NoMemory();
    memcpy(data, words, value->dtype.bits / 8);
  } else {
    data += words[2] * (value->dtype.bits / 8);
  }
  int32_t rank = value->of->is_scalar ? 0 : (int32_t)value->of->rank;
  return call->exchange
             ? pmo_adopt(call->exchange, value->dtype, rank, words + 3, block,
                         data)
             : pmo_make_array(value->dtype, rank, words + 3, block, data);
}

/* Copies a result to where the caller wants it. 0 with an exception. */
static int store_result(const frame *call, const pmo_value *value,
                        int64_t *words, const pmo_array *array) {
  if (value->of->is_scalar) {
    pmo_scatter(array, (const char *)words);
    return 1;
  }
  int is_good = check(value, words + 3, "output", array);
  const char *data =
      (const char *)(uintptr_t)words[1] + words[2] * (value->dtype.bits / 8);
  if (is_good && data != array->data) {
    if (pmo_is_contiguous(array))
      memcpy(array->data, data, count_bytes(array));
    else
      pmo_scatter(array, data);
  }
  if (is_placed(call, words))
    ++call->self->placed;
  else
    prof_model_release((void *)(uintptr_t)words[0]);
  return is_good;
}

/* Moves results out of the places of others. 0 with an exception. */
static int free_places(const frame *call) {
  const prof_model_info *info = call->self->info;
  for (size_t index = 0; call->outputs && index < info->result_count; ++index) {
    int64_t *words = call->addresses[info->argument_count + index];
    if (info->results[index].is_scalar || !is_placed(call, words) ||
        call->places[index].data == (void *)(uintptr_t)words[0])
      continue;
    size_t bytes = info->results[index].bytes_per_element;
    const char *data = (const char *)(uintptr_t)words[1] + words[2] * bytes;
    for (uint32_t dimension = 0; dimension < info->results[index].rank;
         ++dimension)
      bytes *= (size_t)words[3 + dimension];
    void *moved = prof_model_allocate(bytes + 1);
    if (!moved) {
      PyErr_NoMemory();
      return 0;
    }
    memcpy(moved, data, bytes);
    words[0] = words[1] = (int64_t)(uintptr_t)moved;
    words[2] = 0;
  }
  return 1;
}

/* The results as a tuple: new arrays, or the given ones. */
static PyObject *finish(frame *call) {
  const prof_model_info *info = call->self->info;
  PyObject *tuple = PyTuple_New(info->result_count);
  const pmo_array *given =
      call->arrays + call->acquired - (call->outputs ? info->result_count : 0);
  int is_good = tuple != NULL;
  for (size_t index = 0; index < info->result_count; ++index) {
    const pmo_value *value = &call->self->results[index];
    int64_t *words = call->addresses[info->argument_count + index];
    PyObject *result = NULL;
    if (!call->outputs) {
      /* Memory is taken over also after an error. */
      result = take_result(call, value, words);
    } else if (store_result(call, value, words, &given[index])) {
      result = PyTuple_GET_ITEM(call->outputs, (Py_ssize_t)index);
      Py_INCREF(result);
    }
    is_good &= result != NULL;
    if (tuple && result)
      PyTuple_SET_ITEM(tuple, (Py_ssize_t)index, result);
    else
      Py_XDECREF(result);
  }
  if (!is_good)
    Py_CLEAR(tuple);
  return tuple;
}

/* Takes what the model wrote to copies of arguments to the arrays. */
static void store_arguments(const frame *call) {
  for (size_t index = 0; index < call->self->info->argument_count; ++index)
    if (call->copies[index].array)
      pmo_scatter(call->copies[index].array, call->copies[index].rows);
}

static void release(frame *call) {
  for (size_t index = 0; index < call->acquired; ++index)
    pmo_release(&call->arrays[index]);
  for (size_t index = 0; index < call->self->info->argument_count; ++index)
    prof_model_release(call->copies[index].rows);
}

static PyObject *call_model(frame *call) {
  const prof_model_info *info = call->self->info;
  int64_t *words = call->words;
  PyObject *results = NULL;
  if (pass_arguments(call, &words) && acquire_outputs(call)) {
    for (size_t index = 0; index < info->result_count; ++index)
      call->addresses[info->argument_count + index] =
          get_words(call, &call->self->results[index], &words);
    if (call->outputs) {
      protect_weights(call);
      find_places(call);
    }
    if (run_model(call)) {
      store_arguments(call);
      if (free_places(call))
        results = finish(call);
      else
        release_results(call);
    }
  }
  release(call);
  return results;
}

static PyObject *run_in_frame(model_object *self, PyObject *inputs,
                              PyObject *outputs, const pmo_exchange *exchange) {
  const prof_model_info *info = self->info;
  size_t values = info->argument_count + info->result_count;
  size_t bytes = values * (sizeof(pmo_array) + sizeof(void *)) +
                 info->argument_count * sizeof(copied) +
                 self->words * sizeof(int64_t) +
                 info->result_count * sizeof(prof_model_output);
  enum { ON_STACK = 16 << 10 };
  char stack[ON_STACK] __attribute__((aligned(16)));
  char *memory = bytes <= ON_STACK ? stack : PyMem_Malloc(bytes);
  if (!memory)
    return PyErr_NoMemory();
  frame call = {
      .self = self, .inputs = inputs, .outputs = outputs, .exchange = exchange};
  call.arrays = (pmo_array *)memory;
  call.copies = (copied *)(call.arrays + values);
  call.addresses = (void **)(call.copies + info->argument_count);
  call.words = (int64_t *)(call.addresses + values);
  call.places = (prof_model_output *)(call.words + self->words);
  memset(call.copies, 0, info->argument_count * sizeof *call.copies);
  PyObject *results = call_model(&call);
  if (memory != stack)
    PyMem_Free(memory);
  return results;
}

/* The parameters of run(). */
enum { INPUTS, OUTPUTS, LIKE, PARAMETERS };

/* Finds each parameter, by position or by name; 0 with an exception. */
static int read_parameters(PyObject *const *arguments, Py_ssize_t count,
                           PyObject *names, PyObject **values) {
  static const char *const known[PARAMETERS] = {"inputs", "outputs", "like"};
  Py_ssize_t named = names ? PyTuple_GET_SIZE(names) : 0;
  for (Py_ssize_t index = 0; index < count && count <= PARAMETERS; ++index)
    values[index] = arguments[index];
  for (Py_ssize_t index = 0; index < named; ++index)
    for (size_t parameter = 0; parameter < PARAMETERS; ++parameter)
      if (!values[parameter] &&
          !PyUnicode_CompareWithASCIIString(PyTuple_GET_ITEM(names, index),
                                            known[parameter])) {
        values[parameter] = arguments[count + index];
        break;
      }
  Py_ssize_t found = 0;
  for (size_t parameter = 0; parameter < PARAMETERS; ++parameter)
    found += values[parameter] != NULL;
  if (values[INPUTS] && found == count + named)
    return 1;
  PyErr_SetString(PyExc_TypeError,
                  "run() takes (inputs, outputs=None, like=None)");
  return 0;
}

static int read_like(PyObject *like, const pmo_exchange **exchange) {
  *exchange = NULL;
  if (!like || like == Py_None)
    return 1;
  if (PyType_Check(like))
    *exchange = pmo_find_exchange((PyTypeObject *)like);
  if (!*exchange)
    PyErr_SetString(PyExc_TypeError,
                    "like is not a type with __dlpack_c_exchange_api__");
  return *exchange != NULL;
}

/* The elements of `object`, which other threads cannot change: they run while
 * the model does. */
static PyObject *get_tuple(PyObject *object, const char *problem) {
  PyObject *sequence = PySequence_Fast(object, problem);
  if (!sequence)
    return NULL;
  PyObject *tuple = PySequence_Tuple(sequence);
  Py_DECREF(sequence);
  return tuple;
}

static PyObject *run(PyObject *self, PyObject *const *arguments,
                     Py_ssize_t count, PyObject *names) {
  PyObject *values[PARAMETERS] = {NULL};
  const pmo_exchange *exchange;
  if (!read_parameters(arguments, count, names, values) ||
      !read_like(values[LIKE], &exchange))
    return NULL;
  PyObject *inputs =
      get_tuple(values[INPUTS], "inputs is not a sequence of arrays");
  if (!inputs)
    return NULL;
  PyObject *outputs = NULL;
  if (values[OUTPUTS] && values[OUTPUTS] != Py_None &&
      !(outputs = get_tuple(values[OUTPUTS],
                            "outputs is not a sequence of arrays"))) {
    Py_DECREF(inputs);
    return NULL;
  }
  PyObject *results = run_in_frame(get(self), inputs, outputs, exchange);
  Py_DECREF(inputs);
  Py_XDECREF(outputs);
  return results;
}

static PyObject *reset(PyObject *self, PyObject *none) {
  (void)none;
  prof_model_failure failure;
  int has_failed;
  Py_BEGIN_ALLOW_THREADS has_failed =
      prof_model_reset(get(self)->model, &failure);
  Py_END_ALLOW_THREADS if (has_failed) {
    raise_failure(&failure);
    return NULL;
  }
  Py_RETURN_NONE;
}

/*===----------------------------------------------------------------------===*
 * Properties
 *===----------------------------------------------------------------------===*/

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

static PyObject *get_placed(PyObject *self, void *none) {
  (void)none;
  return PyLong_FromUnsignedLongLong(get(self)->placed);
}

static PyObject *get_fingerprint(PyObject *self, void *none) {
  (void)none;
  const char *name = get(self)->info->fingerprint;
  return PyUnicode_DecodeUTF8(name, (Py_ssize_t)strlen(name), "replace");
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

static PyMethodDef methods[] = {
    {"run", (PyCFunction)(void (*)(void))run, METH_FASTCALL | METH_KEYWORDS,
     "run(inputs, outputs=None, like=None)\n--\n\nCalls the model. Returns a "
     "tuple of `outputs`, into which the results are written, or of new "
     "arrays: "
     "of the library of the type `like`, which has __dlpack_c_exchange_api__, "
     "else of type Array."},
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

static PyGetSetDef properties[] = {
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

PyTypeObject pmo_model_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "mlir_prof._model.Model",
    .tp_doc = "A compiled model; open() makes one.",
    .tp_basicsize = sizeof(model_object),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_dealloc = dealloc,
    .tp_methods = methods,
    .tp_getset = properties,
};
