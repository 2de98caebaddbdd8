/*===- prof_target.h - Counters and consoles of machines -----------*- C -*-===*
 *
 * Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*
 *
 * The programs of `mlir-prof record --target` read and print with these, and
 * others may, too. A counter or console exists on the machines that it is
 * about only.
 *
 *===----------------------------------------------------------------------===*/

#ifndef MLIR_PROF_RUNTIME_PROF_TARGET_H
#define MLIR_PROF_RUNTIME_PROF_TARGET_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct prof_counter {
  /* The result of prof_rt_counter. */
  const char *name;
  /* Whether the machine has it; starts it if so. */
  int (*start)(void);
  int64_t (*read)(void);
  /* Ticks per second of a clock, or null. */
  uint64_t (*per_second)(void);
} prof_counter;

/* Starts `counter`, which from then on is what prof_rt_ticks reads; that is 0
 * before. If the machine does not have it, the result is 0. A program that
 * defines prof_rt_ticks and prof_rt_counter itself does not need it. */
int prof_counter_use(const prof_counter *counter);

/* Cortex-M: cycles of the processor, by the cycle counter of its debug unit,
 * which some processors and emulators do not have. Read it at least once in
 * 2^32 cycles. */
extern const prof_counter prof_counter_dwt;
/* The same by the system timer. Interrupts must be on, and exception 15 of the
 * vector table must be prof_counter_systick_wrap. */
extern const prof_counter prof_counter_systick;
void prof_counter_systick_wrap(void);

/* RISC-V without an operating system: cycles and instructions. */
extern const prof_counter prof_counter_mcycle;
extern const prof_counter prof_counter_minstret;
/* RISC-V with one that lets programs read these. */
extern const prof_counter prof_counter_cycle;
extern const prof_counter prof_counter_instret;

/* AArch64: a clock. */
extern const prof_counter prof_counter_cntvct;

/* x86-64: a clock whose rate programs do not know. */
extern const prof_counter prof_counter_tsc;

/* For prof_rt_print: the debugger, or the emulator, to which a program is
 * attached. */
void prof_console_semihosting(char byte);
/* The serial port at prof_console_port: Arm's CMSDK UART on Cortex-M, a UART
 * like the 16550 elsewhere. Both wait until the port takes a byte. */
extern volatile uint8_t *prof_console_port;
void prof_console_uart(char byte);
/* Linux: standard output. */
void prof_console_stdout(char byte);

#ifdef __cplusplus
}
#endif

#endif /* MLIR_PROF_RUNTIME_PROF_TARGET_H */
