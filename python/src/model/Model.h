/*===- Model.h - Parts of the extension mlir_prof._model -----------*- C -*-===*
 *
 * Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*
 *
 * A call takes arrays of any library where they are, runs without the
 * interpreter's lock, and returns arrays that any library takes over.
 *
 *===----------------------------------------------------------------------===*/

#ifndef MLIR_PROF_PYTHON_MODEL_MODEL_H
#define MLIR_PROF_PYTHON_MODEL_MODEL_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "dlpack.h"
#include "mlir-prof/Runtime/prof_model.h"

/* The most dimensions of an array. */
#define PMO_MOST_RANK 64

/* An argument or a result, and its type in DLPack's terms. */
typedef struct pmo_value {
  const prof_model_value *of;
  pmo_dtype dtype;
  /* Whether its integers are without a sign of their own: both kinds fit. */
  int is_signless;
} pmo_value;

/* Reads an element type; 0 for those that DLPack does not have. */
int pmo_parse_type(const char *type, pmo_value *value);
/* "float32". */
void pmo_write_dtype(pmo_dtype dtype, char *text, size_t room);
/* The type of "bfloat16", "float8_e5m2" and "complex32"; 0 for other names. */
int pmo_parse_dtype(const char *name, pmo_dtype *dtype);
/* For the buffer protocol; null for types that it does not have. */
const char *pmo_get_format(pmo_dtype dtype);
/* The type of a format; 0 if it does not describe one number. */
int pmo_parse_format(const char *format, Py_ssize_t size, pmo_dtype *dtype);

/* The memory of an array of another library, until pmo_release. */
typedef struct pmo_array {
  char *data;
  pmo_dtype dtype;
  int32_t ndim;
  int is_read_only;
  int64_t shape[PMO_MOST_RANK];
  /* In bytes. */
  int64_t strides[PMO_MOST_RANK];
  /* One of these keeps it. */
  Py_buffer buffer;
  PyObject *owner;
} pmo_array;

/* Finds the memory of `object`. 0 with an exception that names `what`. */
int pmo_acquire(PyObject *object, const char *what, int is_written,
                pmo_array *array);
void pmo_release(pmo_array *array);
int pmo_is_contiguous(const pmo_array *array);
/* Between an array and `rows`, which is contiguous. */
void pmo_gather(const pmo_array *array, char *rows);
void pmo_scatter(const pmo_array *array, const char *rows);

/* Overlaps.c: from the first byte of an array until behind its last one. */
void pmo_find_bounds(const pmo_array *array, const char **begin,
                     const char **end);
/* Whether two arrays have a byte in common. */
int pmo_share_memory(const pmo_array *array, const pmo_array *other);
/* share_memory(first, second): the same for objects. */
PyObject *pmo_find_sharing(PyObject *module, PyObject *arguments);

/* Exchange.c: DLPack's functions of a type, null without any; no exception. */
const pmo_exchange *pmo_find_exchange(PyTypeObject *type);
/* Fills `tensor` with what `owner` keeps, a new reference: `object`, or one
 * that has its numbers in memory. 0 without an exception if only __dlpack__ may
 * do, -1 with one that names `what`. */
int pmo_view(PyObject *object, const char *what, int is_written,
             pmo_tensor *tensor, PyObject **owner);
/* As pmo_make_array, but makes an array of the library. */
PyObject *pmo_adopt(const pmo_exchange *exchange, pmo_dtype dtype, int32_t ndim,
                    const int64_t *shape, void *block, char *data);

/* Array.c: results. */
extern PyTypeObject pmo_array_type;
/* The bytes of all elements, without those between them. */
size_t pmo_count_bytes(pmo_dtype dtype, int32_t ndim, const int64_t *shape);
/* Takes over `block`, the memory at `data` in it; strides are those of rows. */
PyObject *pmo_make_array(pmo_dtype dtype, int32_t ndim, const int64_t *shape,
                         void *block, char *data);

/* Weights.c: arrays that a model reads in place of its constants. */
typedef struct pmo_weights pmo_weights;
/* Lets the model read `object` in place of a constant; 0 if it has other bytes,
 * or could change without a trace, -1 with an exception. Makes `*weights`. */
int pmo_share(pmo_weights **weights, prof_model *model, uint32_t constant,
              PyObject *object);
/* Whether one of them has changed since then. */
int pmo_has_changed(const pmo_weights *weights);
/* Whether an array is in the memory from `begin` to `end`. */
int pmo_overlaps_weights(const pmo_weights *weights, const char *begin,
                         const char *end);
/* Lets the model read its own constants again. */
void pmo_unshare(pmo_weights *weights, prof_model *model);
size_t pmo_count_shared(const pmo_weights *weights);
void pmo_free_weights(pmo_weights *weights);

/* copy(data, dtype, shape): an array of numbers that NumPy does not have. */
PyObject *pmo_copy(PyObject *module, PyObject *arguments);

/* ModelObject.c */
extern PyTypeObject pmo_model_type;
/* Caller.c */
extern PyTypeObject pmo_caller_type;
extern PyObject *pmo_model_error;
PyObject *pmo_open(PyObject *module, PyObject *arguments, PyObject *named);

#endif /* MLIR_PROF_PYTHON_MODEL_MODEL_H */
