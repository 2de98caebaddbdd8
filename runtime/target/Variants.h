/*===- Variants.h - Code for several processors ----------------------------===*
 *
 * Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*/

#ifndef MLIR_PROF_RUNTIME_TARGET_VARIANTS_H
#define MLIR_PROF_RUNTIME_TARGET_VARIANTS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Words whose bits say what a processor has and what its system keeps for a
   thread: registers of the instruction cpuid by leaf, or of a table that Linux
   gives each process. */
enum {
  PROF_X86_1_ECX,
  PROF_X86_1_EDX,
  PROF_X86_7_EBX,
  PROF_X86_7_ECX,
  PROF_X86_7_EDX,
  PROF_X86_7_1_EAX,
  PROF_X86_7_1_EDX,
  PROF_X86_EXTENDED_ECX,
  /* The registers that the system keeps (xgetbv). */
  PROF_X86_STATE,
  PROF_AARCH64_HWCAP = 0,
  PROF_AARCH64_HWCAP_HIGH,
  PROF_AARCH64_HWCAP2,
  PROF_AARCH64_HWCAP2_HIGH,
  PROF_PROCESSOR_WORDS = 9
};

/* The code for programs if no variant is for their processor, which the
   package's header calls NAME_WRONG_PROCESSOR. */
enum { PROF_VARIANT_WRONG_PROCESSOR = 9 };

/* Code of a model for some processors. */
typedef struct prof_variant_row {
  const char *name;
  void (*run)(void *const *bindings, const int64_t *parameters, uint32_t x,
              uint32_t y, uint32_t z);
  /* Bits that a processor has if it can run the code. */
  uint32_t needs[PROF_PROCESSOR_WORDS];
} prof_variant_row;

#ifdef __cplusplus
}
#endif

#endif
