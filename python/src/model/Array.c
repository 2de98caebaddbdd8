/*===- Array.c - Results, as arrays ---------------------------------------===*
 *
 * Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*
 *
 * An Array owns memory of a model, which NumPy takes over by the buffer
 * protocol, and PyTorch and JAX by DLPack.
 *
 *===----------------------------------------------------------------------===*/

#include "Model.h"

typedef struct array_object {
  PyObject_VAR_HEAD pmo_dtype dtype;
  int32_t ndim;
  void *block;
  char *data;
  /* The shape in elements, then the strides in bytes, then in elements. */
  int64_t sizes[];
} array_object;

static array_object *get(PyObject *self) { return (array_object *)self; }

size_t pmo_count_bytes(pmo_dtype dtype, int32_t ndim, const int64_t *shape) {
  size_t bytes = dtype.bits / 8;
  for (int32_t index = 0; index < ndim; ++index)
    bytes *= (size_t)shape[index];
  return bytes;
}

PyObject *pmo_make_array(pmo_dtype dtype, int32_t ndim, const int64_t *shape,
                         void *block, char *data) {
  array_object *self =
      PyObject_NewVar(array_object, &pmo_array_type, 3 * (Py_ssize_t)ndim);
  if (!self) {
    prof_model_release(block);
    return NULL;
  }
  self->dtype = dtype;
  self->ndim = ndim;
  self->block = block;
  self->data = data;
  int64_t stride = 1;
  for (int32_t index = ndim; index-- > 0;) {
    self->sizes[index] = shape[index];
    self->sizes[ndim + index] = stride * (dtype.bits / 8);
    self->sizes[2 * ndim + index] = stride;
    stride *= shape[index];
  }
  return (PyObject *)self;
}

/* The bytes of an array of `dtype` and these sizes; -1 if they are not sizes.
 */
static int64_t read_shape(PyObject *sizes, pmo_dtype dtype, int64_t *shape) {
  int64_t bytes = dtype.bits / 8;
  for (Py_ssize_t index = 0; index < PyTuple_GET_SIZE(sizes); ++index) {
    shape[index] = PyLong_AsLongLong(PyTuple_GET_ITEM(sizes, index));
    if (PyErr_Occurred() || shape[index] < 0 ||
        __builtin_mul_overflow(bytes, shape[index], &bytes))
      return -1;
  }
  return bytes;
}

static PyObject *copy_rows(const Py_buffer *data, pmo_dtype dtype,
                           PyObject *sizes) {
  int64_t shape[PMO_MOST_RANK];
  Py_ssize_t rank = PyTuple_GET_SIZE(sizes);
  int64_t bytes = rank <= PMO_MOST_RANK ? read_shape(sizes, dtype, shape) : -1;
  if (bytes != data->len) {
    if (!PyErr_Occurred())
      PyErr_SetString(PyExc_ValueError,
                      "the data does not have the size of the shape");
    return NULL;
  }
  void *block = prof_model_allocate((size_t)bytes + 1);
  if (!block)
    return PyErr_NoMemory();
  memcpy(block, data->buf, (size_t)bytes);
  return pmo_make_array(dtype, (int32_t)rank, shape, block, block);
}

PyObject *pmo_copy(PyObject *module, PyObject *arguments) {
  (void)module;
  Py_buffer data;
  const char *name;
  PyObject *shape, *copied = NULL;
  pmo_dtype dtype;
  if (!PyArg_ParseTuple(arguments, "y*sO:copy", &data, &name, &shape))
    return NULL;
  PyObject *sizes = PySequence_Tuple(shape);
  if (sizes && pmo_parse_dtype(name, &dtype))
    copied = copy_rows(&data, dtype, sizes);
  else if (sizes)
    PyErr_Format(PyExc_TypeError, "'%s' is not an element type", name);
  Py_XDECREF(sizes);
  PyBuffer_Release(&data);
  return copied;
}

static void dealloc(PyObject *self) {
  prof_model_release(get(self)->block);
  PyObject_Free(self);
}

/*===----------------------------------------------------------------------===*
 * DLPack
 *===----------------------------------------------------------------------===*/

static void fill_tensor(array_object *self, pmo_tensor *tensor) {
  *tensor = (pmo_tensor){.data = self->data,
                         .device_type = PMO_CPU,
                         .ndim = self->ndim,
                         .dtype = self->dtype,
                         .shape = self->sizes,
                         .strides = self->sizes + 2 * self->ndim};
}

/* Consumers may call it on any thread, and after the interpreter has ended,
 * when nothing can be freed. */
static void drop(PyObject *self) {
  if (!Py_IsInitialized())
    return;
  PyGILState_STATE state = PyGILState_Ensure();
  Py_DECREF(self);
  PyGILState_Release(state);
}

static void delete_plain(pmo_managed *managed) {
  drop(managed->context);
  free(managed);
}

static void delete_versioned(pmo_versioned *managed) {
  drop(managed->context);
  free(managed);
}

/* A consumer that took the tensor over has renamed the capsule. */
static void end_plain(PyObject *capsule) {
  if (PyCapsule_IsValid(capsule, "dltensor"))
    delete_plain(PyCapsule_GetPointer(capsule, "dltensor"));
}

static void end_versioned(PyObject *capsule) {
  if (PyCapsule_IsValid(capsule, "dltensor_versioned"))
    delete_versioned(PyCapsule_GetPointer(capsule, "dltensor_versioned"));
}

static PyObject *make_plain(array_object *self) {
  pmo_managed *managed = calloc(1, sizeof *managed);
  if (!managed)
    return PyErr_NoMemory();
  fill_tensor(self, &managed->tensor);
  managed->context = self;
  managed->deleter = delete_plain;
  PyObject *capsule = PyCapsule_New(managed, "dltensor", end_plain);
  if (capsule)
    Py_INCREF(self);
  else
    free(managed);
  return capsule;
}

static PyObject *make_versioned(array_object *self) {
  pmo_versioned *managed = calloc(1, sizeof *managed);
  if (!managed)
    return PyErr_NoMemory();
  fill_tensor(self, &managed->tensor);
  managed->major = 1;
  managed->context = self;
  managed->deleter = delete_versioned;
  PyObject *capsule =
      PyCapsule_New(managed, "dltensor_versioned", end_versioned);
  if (capsule)
    Py_INCREF(self);
  else
    free(managed);
  return capsule;
}

static PyObject *dlpack(PyObject *self, PyObject *arguments, PyObject *named) {
  static const char *names[] = {"stream", "max_version", "dl_device", "copy",
                                NULL};
  PyObject *stream = Py_None, *version = Py_None, *device = Py_None,
           *copy = Py_None;
  if (!PyArg_ParseTupleAndKeywords(arguments, named, "|$OOOO:__dlpack__",
                                   (char **)names, &stream, &version, &device,
                                   &copy))
    return NULL;
  if (copy == Py_True) {
    PyErr_SetString(PyExc_BufferError, "a result of a model is not copied");
    return NULL;
  }
  int major = 0, minor = 0;
  if (version != Py_None && !PyTuple_Check(version)) {
    PyErr_Format(PyExc_TypeError, "max_version is a %s; expected a tuple",
                 Py_TYPE(version)->tp_name);
    return NULL;
  }
  if (version != Py_None && !PyArg_ParseTuple(version, "ii", &major, &minor))
    return NULL;
  return major >= 1 ? make_versioned(get(self)) : make_plain(get(self));
}

static PyObject *dlpack_device(PyObject *self, PyObject *none) {
  (void)self;
  (void)none;
  return Py_BuildValue("(ii)", PMO_CPU, 0);
}

/*===----------------------------------------------------------------------===*
 * The buffer protocol
 *===----------------------------------------------------------------------===*/

static int get_buffer(PyObject *object, Py_buffer *view, int flags) {
  array_object *self = get(object);
  const char *format = pmo_get_format(self->dtype);
  if (!format) {
    PyErr_SetString(PyExc_BufferError,
                    "the buffer protocol does not have this element type; take "
                    "the array by __dlpack__");
    return -1;
  }
  view->buf = self->data;
  view->obj = object;
  view->len = (Py_ssize_t)pmo_count_bytes(self->dtype, self->ndim, self->sizes);
  view->itemsize = self->dtype.bits / 8;
  view->readonly = 0;
  view->ndim = self->ndim;
  view->format = flags & PyBUF_FORMAT ? (char *)format : NULL;
  view->shape = flags & PyBUF_ND ? (Py_ssize_t *)self->sizes : NULL;
  view->strides = (flags & PyBUF_STRIDES) == PyBUF_STRIDES
                      ? (Py_ssize_t *)self->sizes + self->ndim
                      : NULL;
  view->suboffsets = NULL;
  view->internal = NULL;
  Py_INCREF(object);
  return 0;
}

static PyBufferProcs buffers = {.bf_getbuffer = get_buffer};

/*===----------------------------------------------------------------------===*
 * Properties
 *===----------------------------------------------------------------------===*/

static PyObject *get_shape(PyObject *object, void *none) {
  (void)none;
  array_object *self = get(object);
  PyObject *shape = PyTuple_New(self->ndim);
  for (int32_t index = 0; shape && index < self->ndim; ++index) {
    PyObject *size = PyLong_FromLongLong(self->sizes[index]);
    if (!size)
      Py_CLEAR(shape);
    else
      PyTuple_SET_ITEM(shape, index, size);
  }
  return shape;
}

static PyObject *get_dtype(PyObject *self, void *none) {
  (void)none;
  char text[64];
  pmo_write_dtype(get(self)->dtype, text, sizeof text);
  return PyUnicode_FromString(text);
}

static PyObject *get_nbytes(PyObject *object, void *none) {
  (void)none;
  array_object *self = get(object);
  return PyLong_FromSize_t(
      pmo_count_bytes(self->dtype, self->ndim, self->sizes));
}

/* Numbers that NumPy does not have are bytes to it. */
static PyObject *get_interface(PyObject *object, void *none) {
  (void)none;
  array_object *self = get(object);
  static const char kinds[] = "iufVVcb";
  char kind = pmo_get_format(self->dtype) ? kinds[self->dtype.code] : 'V';
  char type[16];
  snprintf(type, sizeof type, "%c%c%d", self->dtype.bits == 8 ? '|' : '<', kind,
           self->dtype.bits / 8);
  PyObject *shape = get_shape(object, NULL);
  if (!shape)
    return NULL;
  return Py_BuildValue("{s:i,s:N,s:s,s:(NO)}", "version", 3, "shape", shape,
                       "typestr", type, "data", PyLong_FromVoidPtr(self->data),
                       Py_False);
}

static PyMethodDef methods[] = {
    {"__dlpack__", (PyCFunction)(void (*)(void))dlpack,
     METH_VARARGS | METH_KEYWORDS,
     "__dlpack__(*, stream=None, max_version=None, dl_device=None, "
     "copy=None)\n--\n\nA capsule of DLPack."},
    {"__dlpack_device__", dlpack_device, METH_NOARGS, "The CPU."},
    {NULL, NULL, 0, NULL}};

static PyGetSetDef properties[] = {
    {"shape", get_shape, NULL, "Sizes of the dimensions.", NULL},
    {"dtype", get_dtype, NULL, "The element type: \"float32\".", NULL},
    {"nbytes", get_nbytes, NULL, "Bytes of all elements.", NULL},
    {"__array_interface__", get_interface, NULL, "For NumPy.", NULL},
    {NULL, NULL, NULL, NULL, NULL}};

PyTypeObject pmo_array_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "mlir_prof._model.Array",
    .tp_doc = "A result of a model: np.asarray, torch.from_dlpack and "
              "jax.dlpack.from_dlpack take it over without a copy.",
    .tp_basicsize = sizeof(array_object),
    .tp_itemsize = sizeof(int64_t),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_dealloc = dealloc,
    .tp_methods = methods,
    .tp_getset = properties,
    .tp_as_buffer = &buffers,
};
