/*===- Mpu.c - Memory protection on Cortex-M ------------------------------===*
 *
 * Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*/

#include "mlir-prof/Runtime/prof_mpu.h"

/* Registers of the unit: type, control, number, base, and attributes. */
typedef struct mpu {
  uint32_t type, control, number, base, attributes;
} mpu;

/* The values of the last two for a region. */
typedef struct encoding {
  uint32_t base, attributes;
} encoding;

static volatile mpu *get_mpu(void) {
  return (volatile mpu *)(uintptr_t)0xE000ED90;
}

enum { CONTROL_ENABLE = 1, CONTROL_PRIVILEGED_DEFAULT = 4 };

static int can_write(const prof_mpu_region *region) {
  return (region->permissions & PROF_MPU_WRITE) != 0;
}

static int can_execute(const prof_mpu_region *region) {
  return (region->permissions & PROF_MPU_EXECUTE) != 0;
}

#if __ARM_ARCH >= 8

enum {
  UNIT = 32,
  BASE_NEVER_EXECUTE = 1,
  BASE_READ_WRITE = 1 << 1,
  BASE_READ_ONLY = 3 << 1,
  LIMIT_ENABLE = 1,
  LIMIT_ATTRIBUTE = 7 << 1
};

static int encode(const prof_mpu_region *region, encoding *code) {
  uint32_t begin = (uint32_t)(uintptr_t)region->begin;
  if (begin % UNIT != 0 || region->bytes % UNIT != 0 || region->bytes == 0 ||
      begin + (region->bytes - 1) < begin)
    return PROF_MPU_MISALIGNED;
  code->base = begin |
               (can_write(region) ? (uint32_t)BASE_READ_WRITE
                                  : (uint32_t)BASE_READ_ONLY) |
               (can_execute(region) ? 0u : (uint32_t)BASE_NEVER_EXECUTE);
  code->attributes =
      (begin + region->bytes - UNIT) | LIMIT_ATTRIBUTE | LIMIT_ENABLE;
  return PROF_MPU_GOOD;
}

/* Attribute 7: normal memory, whose caches write through. */
static void set_attributes(void) {
  volatile uint32_t *const high = (volatile uint32_t *)(uintptr_t)0xE000EDC4;
  *high = (*high & 0x00FFFFFFu) | 0xAA000000u;
}

#else

enum { LEAST_BYTES = 256, PARTS = 8, NORMAL_MEMORY = 1 << 17, ENABLE = 1 };

/* A region has a power of two as its size, is aligned to it, and has eight
   parts of which the last ones may be off. */
static int encode(const prof_mpu_region *region, encoding *code) {
  uint32_t begin = (uint32_t)(uintptr_t)region->begin;
  uint32_t size = LEAST_BYTES, log = 8, used;
  while (size < region->bytes && log < 31) {
    size *= 2;
    ++log;
  }
  if (region->bytes == 0 || region->bytes > size || begin % size != 0 ||
      region->bytes % (size / PARTS) != 0)
    return PROF_MPU_MISALIGNED;
  used = region->bytes / (size / PARTS);
  code->base = begin;
  code->attributes = (can_execute(region) ? 0u : UINT32_C(1) << 28) |
                     (can_write(region) ? UINT32_C(3) : UINT32_C(6)) << 24 |
                     NORMAL_MEMORY | ((0xFFu << used) & 0xFFu) << 8 |
                     (log - 1) << 1 | ENABLE;
  return PROF_MPU_GOOD;
}

static void set_attributes(void) {}

#endif

static int check(const prof_mpu_region *region) {
  encoding code;
  int can_both = can_write(region) && can_execute(region);
  return !(region->permissions & PROF_MPU_READ) || can_both
             ? PROF_MPU_BAD_PERMISSIONS
             : encode(region, &code);
}

int prof_mpu_protect(const prof_mpu_region *regions, uint32_t count,
                     uint32_t first) {
  volatile mpu *const unit = get_mpu();
  uint32_t available = unit->type >> 8 & 0xFFu, i;
  if (available == 0)
    return PROF_MPU_MISSING;
  if (first > available || count > available - first)
    return PROF_MPU_TOO_MANY;
  for (i = 0; i != count; ++i) {
    int error = check(&regions[i]);
    if (error != PROF_MPU_GOOD)
      return error;
  }
  /* Regions may be changed while the unit is off. */
  __asm__ volatile("dmb" ::: "memory");
  unit->control = 0;
  set_attributes();
  for (i = 0; i != count; ++i) {
    encoding code;
    encode(&regions[i], &code);
    unit->number = first + i;
    unit->base = code.base;
    unit->attributes = code.attributes;
  }
  unit->control = CONTROL_ENABLE | CONTROL_PRIVILEGED_DEFAULT;
  __asm__ volatile("dsb\n\tisb" ::: "memory");
  return PROF_MPU_GOOD;
}
