/*===- Counters.c - What machines count ------------------------------------===*
 *
 * Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*/

#include "mlir-prof/Runtime/prof_rt.h"
#include "mlir-prof/Runtime/prof_target.h"

static const prof_counter *used;

int prof_counter_use(const prof_counter *counter) {
  if (!counter->start())
    return 0;
  used = counter;
  return 1;
}

__attribute__((weak)) int64_t prof_rt_ticks(void) {
  return used ? used->read() : 0;
}

__attribute__((weak)) uint64_t prof_rt_ticks_per_second(void) {
  return used && used->per_second ? used->per_second() : 0;
}

__attribute__((weak)) const char *prof_rt_counter(void) {
  return used ? used->name : NULL;
}

#if !defined(__thumb__)
static int start_running(void) { return 1; }
#endif

#if defined(__thumb__)

/*===----------------------------------------------------------------------===*
 * Cortex-M: registers as in Arm's architecture reference manuals
 *===----------------------------------------------------------------------===*/

#define REGISTER(address) (*(volatile uint32_t *)(uintptr_t)(address))
/* DEMCR, whose bit 24 turns the debug unit on. */
#define DEMCR REGISTER(0xE000EDFC)
/* Bit 0 of DWT_CTRL turns the counter on. */
#define DWT_CTRL REGISTER(0xE0001000)
#define DWT_CYCCNT REGISTER(0xE0001004)

static int start_dwt(void) {
  DEMCR |= UINT32_C(1) << 24;
  DWT_CYCCNT = 0;
  DWT_CTRL |= 1;
  uint32_t before = DWT_CYCCNT;
  for (unsigned step = 0; step < 64; ++step)
    __asm__ volatile("nop");
  return DWT_CYCCNT != before;
}

static int64_t read_dwt(void) {
  static uint32_t last;
  static uint64_t high;
  uint32_t now = DWT_CYCCNT;
  if (now < last)
    high += UINT64_C(1) << 32;
  last = now;
  return (int64_t)(high | now);
}

const prof_counter prof_counter_dwt = {"dwt cycles", start_dwt, read_dwt, NULL};

/* Counts down from SYST_RVR, 24 bits. */
#define SYST_CSR REGISTER(0xE000E010)
#define SYST_RVR REGISTER(0xE000E014)
#define SYST_CVR REGISTER(0xE000E018)
/* Bit 26 of ICSR: the exception is pending. */
#define ICSR REGISTER(0xE000ED04)
enum { SYST_LAST = 0xFFFFFF };

static volatile uint32_t systick_wraps;

void prof_counter_systick_wrap(void) { ++systick_wraps; }

static int start_systick(void) {
  SYST_RVR = SYST_LAST;
  SYST_CVR = 0;
  /* On, with the exception, by the clock of the processor. */
  SYST_CSR = 7;
  return 1;
}

static int64_t read_systick(void) {
  for (;;) {
    uint32_t wraps = systick_wraps;
    uint32_t left = SYST_CVR;
    uint32_t is_pending = ICSR >> 26 & 1;
    if (wraps == systick_wraps && !is_pending)
      return (int64_t)((uint64_t)wraps * (SYST_LAST + 1u) + (SYST_LAST - left));
  }
}

const prof_counter prof_counter_systick = {"systick cycles", start_systick,
                                           read_systick, NULL};

#elif defined(__riscv)

/*===----------------------------------------------------------------------===*
 * RISC-V
 *===----------------------------------------------------------------------===*/

/* A counter has two halves where registers have 32 bits. */
#if __riscv_xlen == 32
#define COUNTER(name, unit)                                                    \
  static int64_t read_##name(void) {                                           \
    uint32_t low, high, again;                                                 \
    do                                                                         \
      __asm__ volatile("csrr %0, " #name "h\n\tcsrr %1, " #name                \
                       "\n\tcsrr %2, " #name "h"                               \
                       : "=r"(high), "=r"(low), "=r"(again));                  \
    while (high != again);                                                     \
    return (int64_t)((uint64_t)high << 32 | low);                              \
  }                                                                            \
  const prof_counter prof_counter_##name = {#name " " unit, start_running,     \
                                            read_##name, NULL}
#else
#define COUNTER(name, unit)                                                    \
  static int64_t read_##name(void) {                                           \
    int64_t value;                                                             \
    __asm__ volatile("csrr %0, " #name : "=r"(value));                         \
    return value;                                                              \
  }                                                                            \
  const prof_counter prof_counter_##name = {#name " " unit, start_running,     \
                                            read_##name, NULL}
#endif

COUNTER(mcycle, "cycles");
COUNTER(minstret, "instructions");
COUNTER(cycle, "cycles");
COUNTER(instret, "instructions");

#elif defined(__aarch64__)

/*===----------------------------------------------------------------------===*
 * AArch64
 *===----------------------------------------------------------------------===*/

static int64_t read_cntvct(void) {
  int64_t ticks;
  __asm__ volatile("isb\n\tmrs %0, cntvct_el0" : "=r"(ticks) : : "memory");
  return ticks;
}

static uint64_t get_cntvct_rate(void) {
  uint64_t rate;
  __asm__("mrs %0, cntfrq_el0" : "=r"(rate));
  return rate;
}

const prof_counter prof_counter_cntvct = {"cntvct ticks", start_running,
                                          read_cntvct, get_cntvct_rate};

#elif defined(__x86_64__)

/*===----------------------------------------------------------------------===*
 * x86-64
 *===----------------------------------------------------------------------===*/

static int64_t read_tsc(void) { return (int64_t)__builtin_ia32_rdtsc(); }

const prof_counter prof_counter_tsc = {"tsc ticks", start_running, read_tsc,
                                       NULL};

#endif
