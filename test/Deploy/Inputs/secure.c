/* secure.c - The secure half of a program: a model that others may only call
 *
 * Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * For Arm's board MPS2 AN505. Addresses with bit 28 are secure, others are
 * not; the controllers of its memories say which blocks have which of the two.
 */

#include "board.h"
#include "model.h"

#include <arm_cmse.h>

typedef void __attribute__((cmse_nonsecure_call)) nonsecure_function(void);

static _Alignas(MODEL_ARENA_ALIGNMENT) unsigned char arena[MODEL_ARENA_BYTES];

static volatile uint32_t *reg(uintptr_t address) {
  return (volatile uint32_t *)address;
}

/* What the other half calls. Its memory must be its own. */
__attribute__((cmse_nonsecure_entry)) int32_t secure_run(const float *x,
                                                         const float *w,
                                                         float *results) {
  if (!cmse_check_address_range((void *)(uintptr_t)x, MODEL_ARGUMENT0_BYTES,
                                CMSE_NONSECURE | CMSE_MPU_READ) ||
      !cmse_check_address_range((void *)(uintptr_t)w, MODEL_ARGUMENT1_BYTES,
                                CMSE_NONSECURE | CMSE_MPU_READ) ||
      !cmse_check_address_range(results,
                                MODEL_RESULT0_BYTES + MODEL_RESULT1_BYTES,
                                CMSE_NONSECURE | CMSE_MPU_READWRITE))
    return -1;
  return model_run(x, w, results, results + MODEL_RESULT0_BYTES / 4, arena,
                   sizeof arena);
}

/* Gives blocks of a memory from `begin` on, in bytes, to the other half. */
static void give(uintptr_t controller, uint32_t begin) {
  uint32_t block = 32u << (*reg(controller + 0x14) & 15);
  uint32_t last = *reg(controller + 0x10);
  for (uint32_t word = begin / block / 32; word <= last; ++word) {
    *reg(controller + 0x18) = word;
    *reg(controller + 0x1C) = UINT32_MAX;
  }
}

enum { NONSECURE_CODE = 0x200000 };

int main(void) {
  /* The upper half of the first memory, and all of the second one. */
  give(0x58007000, NONSECURE_CODE);
  give(0x58008000, 0);
  /* Entries may be in secure code; all else is as the addresses say. */
  *reg(0x50080014) = 1;
  *reg(0xE000EDD0) = 2;
  /* The unit for floats. */
  *reg(0xE000ED8C) |= 3u << 10;
  __asm__ volatile("dsb\n\tisb");
  *reg(0xE002ED08) = NONSECURE_CODE;
  __asm__ volatile("msr msp_ns, %0" : : "r"(*reg(NONSECURE_CODE)));
  ((nonsecure_function *)(*reg(NONSECURE_CODE + 4) & ~UINT32_C(1)))();
  return 1;
}
