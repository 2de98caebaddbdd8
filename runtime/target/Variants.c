/*===- Variants.c - Choosing code for a processor --------------------------===*
 *
 * Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*/

/* mlir-prof deploy --variants compiles this file into a package, with the
   package's name in place of prof_variant (lib/Deploy/Variants.cpp). It needs
   no other file. */

#include "Variants.h"

#define HIDDEN __attribute__((visibility("hidden")))

/* The package defines them; the best variant is the last. */
extern HIDDEN const prof_variant_row prof_variant_table[];
extern HIDDEN const uint32_t prof_variant_count;

void prof_variant(void *const *bindings, const int64_t *parameters, uint32_t x,
                  uint32_t y, uint32_t z);
const char *prof_variant_name(void);
int32_t prof_variant_use(const char *name);

#if defined(__x86_64__)

#include <cpuid.h>

static void read_processor(uint32_t words[PROF_PROCESSOR_WORDS]) {
  const uint32_t keeps_states = UINT32_C(1) << 27;
  uint32_t a, b, c, d, most;
  __cpuid(0, most, b, c, d);
  __cpuid(1, a, b, words[PROF_X86_1_ECX], words[PROF_X86_1_EDX]);
  if (most >= 7) {
    __cpuid_count(7, 0, a, words[PROF_X86_7_EBX], words[PROF_X86_7_ECX],
                  words[PROF_X86_7_EDX]);
    if (a >= 1)
      __cpuid_count(7, 1, words[PROF_X86_7_1_EAX], b, c,
                    words[PROF_X86_7_1_EDX]);
  }
  __cpuid(0x80000000, most, b, c, d);
  if (most >= 0x80000001)
    __cpuid(0x80000001, a, b, words[PROF_X86_EXTENDED_ECX], d);
  if (words[PROF_X86_1_ECX] & keeps_states)
    __asm__ volatile("xgetbv" : "=a"(words[PROF_X86_STATE]), "=d"(d) : "c"(0));
}

#elif defined(__aarch64__)

/* The C library has it. */
unsigned long getauxval(unsigned long type);

static void read_processor(uint32_t words[PROF_PROCESSOR_WORDS]) {
  const unsigned long first = 16, second = 26;
  uint64_t bits = getauxval(first);
  words[PROF_AARCH64_HWCAP] = (uint32_t)bits;
  words[PROF_AARCH64_HWCAP_HIGH] = (uint32_t)(bits >> 32);
  bits = getauxval(second);
  words[PROF_AARCH64_HWCAP2] = (uint32_t)bits;
  words[PROF_AARCH64_HWCAP2_HIGH] = (uint32_t)(bits >> 32);
}

#endif

static int has(const uint32_t *words, const uint32_t *needs) {
  int i;
  for (i = 0; i < PROF_PROCESSOR_WORDS; ++i)
    if ((words[i] & needs[i]) != needs[i])
      return 0;
  return 1;
}

static int is_equal(const char *a, const char *b) {
  while (*a != 0 && *a == *b) {
    ++a;
    ++b;
  }
  return *a == *b;
}

/* 1 + the number of the last variant that the processor can run, of those that
   are called `name` if that isn't null; 0 if there is none. */
static uint32_t find(const char *name) {
  uint32_t words[PROF_PROCESSOR_WORDS] = {0};
  uint32_t number;
  read_processor(words);
  for (number = prof_variant_count; number != 0; --number) {
    const prof_variant_row *variant = &prof_variant_table[number - 1];
    if ((!name || is_equal(variant->name, name)) && has(words, variant->needs))
      break;
  }
  return number;
}

/* The last result of find; threads that choose at the same time choose the
 * same. */
static uint32_t chosen;

static uint32_t get_number(void) {
  uint32_t number = __atomic_load_n(&chosen, __ATOMIC_RELAXED);
  if (number == 0) {
    number = find(0);
    __atomic_store_n(&chosen, number, __ATOMIC_RELAXED);
  }
  return number;
}

const char *prof_variant_name(void) {
  uint32_t number = get_number();
  return number == 0 ? 0 : prof_variant_table[number - 1].name;
}

int32_t prof_variant_use(const char *name) {
  uint32_t number = find(name);
  if (number == 0)
    return PROF_VARIANT_WRONG_PROCESSOR;
  __atomic_store_n(&chosen, number, __ATOMIC_RELAXED);
  return 0;
}

void prof_variant(void *const *bindings, const int64_t *parameters, uint32_t x,
                  uint32_t y, uint32_t z) {
  uint32_t number = get_number();
  /* Better than an instruction that the processor does not have. */
  if (number == 0)
    __builtin_trap();
  prof_variant_table[number - 1].run(bindings, parameters, x, y, z);
}
