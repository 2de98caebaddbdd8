/*===- dlpack.h - Arrays between libraries -------------------------*- C -*-===*
 *
 * Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*
 *
 * The structures of DLPack 1, as https://dmlc.github.io/dlpack describes them.
 *
 *===----------------------------------------------------------------------===*/

#ifndef MLIR_PROF_PYTHON_MODEL_DLPACK_H
#define MLIR_PROF_PYTHON_MODEL_DLPACK_H

#include <Python.h>

#include <stdint.h>

enum { PMO_CPU = 1 };

enum pmo_code {
  PMO_INT = 0,
  PMO_UINT = 1,
  PMO_FLOAT = 2,
  PMO_BFLOAT = 4,
  PMO_COMPLEX = 5,
  PMO_BOOL = 6,
  PMO_FLOAT8_E3M4 = 7,
  PMO_FLOAT8_E4M3 = 8,
  PMO_FLOAT8_E4M3B11FNUZ = 9,
  PMO_FLOAT8_E4M3FN = 10,
  PMO_FLOAT8_E4M3FNUZ = 11,
  PMO_FLOAT8_E5M2 = 12,
  PMO_FLOAT8_E5M2FNUZ = 13,
  PMO_FLOAT8_E8M0FNU = 14,
};

typedef struct pmo_dtype {
  uint8_t code, bits;
  uint16_t lanes;
} pmo_dtype;

typedef struct pmo_tensor {
  void *data;
  int32_t device_type, device_id;
  int32_t ndim;
  pmo_dtype dtype;
  /* In elements; null strides are those of rows. */
  int64_t *shape, *strides;
  uint64_t byte_offset;
} pmo_tensor;

/* In capsules named "dltensor". */
typedef struct pmo_managed {
  pmo_tensor tensor;
  void *context;
  void (*deleter)(struct pmo_managed *self);
} pmo_managed;

#define PMO_READ_ONLY UINT64_C(1)

/* In capsules named "dltensor_versioned". */
typedef struct pmo_versioned {
  uint32_t major, minor;
  void *context;
  void (*deleter)(struct pmo_versioned *self);
  uint64_t flags;
  pmo_tensor tensor;
} pmo_versioned;

/* A library's functions, without Python's calls; they need the interpreter's
 * lock, and set an exception where they return another number than 0. In
 * capsules named "dlpack_exchange_api", which are attributes of types of
 * arrays. */
typedef struct pmo_exchange {
  uint32_t major, minor;
  /* For consumers of an older major version. */
  struct pmo_exchange *previous;
  void *allocate, *lend;
  /* Makes an array; takes `managed` over, also where it fails. */
  int (*adopt)(pmo_versioned *managed, PyObject **array);
  /* Null in libraries without it. The array keeps what is in `tensor`. */
  int (*view)(PyObject *array, pmo_tensor *tensor);
  void *get_stream;
} pmo_exchange;

#endif /* MLIR_PROF_PYTHON_MODEL_DLPACK_H */
