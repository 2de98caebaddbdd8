/*===- prof_mpu.h - Memory protection on Cortex-M -------------------------===*
 *
 * Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*
 *
 * The header of a model that `mlir-prof deploy` has packaged for a Cortex-M
 * states regions for the unit for memory protection (NAME_CODE_REGION_BYTES and
 * others). This sets them up, by runtime/target/Mpu.c, C99 without a C library.
 * The registers are those of PMSAv7 and PMSAv8 in Arm's architecture reference
 * manuals.
 *
 *===----------------------------------------------------------------------===*/

#ifndef MLIR_PROF_RUNTIME_PROF_MPU_H
#define MLIR_PROF_RUNTIME_PROF_MPU_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { PROF_MPU_READ = 1, PROF_MPU_WRITE = 2, PROF_MPU_EXECUTE = 4 };

/* Memory, and the accesses to it that do not fault. */
typedef struct prof_mpu_region {
  const void *begin;
  uint32_t bytes;
  /* PROF_MPU_READ and others. */
  uint32_t permissions;
} prof_mpu_region;

/* Errors. */
enum {
  PROF_MPU_GOOD,
  /* The processor does not have the unit. */
  PROF_MPU_MISSING,
  /* It does not have so many regions. */
  PROF_MPU_TOO_MANY,
  /* The begin or the size is not one that a region can have. */
  PROF_MPU_MISALIGNED,
  /* A region cannot be read, or both written and executed. */
  PROF_MPU_BAD_PERMISSIONS
};

/* Sets up `count` regions, with the unit's numbers from `first` on, and turns
   the unit on; memory outside of regions keeps its permissions for privileged
   code. Returns one of the errors; nothing has changed then. With PMSAv8,
   regions do not overlap, and the attribute 7 is for normal memory. */
int prof_mpu_protect(const prof_mpu_region *regions, uint32_t count,
                     uint32_t first);

#ifdef __cplusplus
}
#endif

#endif /* MLIR_PROF_RUNTIME_PROF_MPU_H */
