/*===- Consoles.c - Where machines print -----------------------------------===*
 *
 * Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*/

#include "mlir-prof/Runtime/prof_target.h"

#if defined(__thumb__) || defined(__riscv)
volatile uint8_t *prof_console_port;
#endif

#if defined(__thumb__)

/* Semihosting's SYS_WRITEC: the address of a byte. */
void prof_console_semihosting(char byte) {
  register int operation __asm__("r0") = 3;
  register const char *argument __asm__("r1") = &byte;
  __asm__ volatile("bkpt 0xab" : "+r"(operation) : "r"(argument) : "memory");
}

/* Arm's CMSDK UART: data, state (bit 0: full), control (bit 0: transmit), and
 * the divisor of the clock, which is at least 16. */
void prof_console_uart(char byte) {
  volatile uint32_t *port = (volatile uint32_t *)prof_console_port;
  enum { DATA, STATE, CONTROL, UNUSED, DIVISOR };
  if (!(port[CONTROL] & 1)) {
    port[DIVISOR] = 16;
    port[CONTROL] |= 1;
  }
  while (port[STATE] & 1)
    continue;
  port[DATA] = (unsigned char)byte;
}

#elif defined(__riscv)

void prof_console_semihosting(char byte) {
  register long operation __asm__("a0") = 3;
  register const char *argument __asm__("a1") = &byte;
  /* The three instructions mark the call, and lie in one page. */
  __asm__ volatile(".option push\n\t.option norvc\n\t.balign 16\n\t"
                   "slli zero, zero, 0x1f\n\tebreak\n\tsrai zero, zero, 7\n\t"
                   ".option pop"
                   : "+r"(operation)
                   : "r"(argument)
                   : "memory");
}

/* The 16550's data, and bit 5 of its line status: the transmitter is empty. */
void prof_console_uart(char byte) {
  enum { DATA = 0, LINE_STATUS = 5 };
  while (!(prof_console_port[LINE_STATUS] >> 5 & 1))
    continue;
  prof_console_port[DATA] = (uint8_t)byte;
}

#endif

#if !defined(__thumb__) && !(defined(__riscv) && __riscv_xlen == 32)

/* Linux's call `write`, whose number is that of the architecture. */
static void write_out(const char *bytes, long size) {
#if defined(__x86_64__)
  long result;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"(1L), "D"(1L), "S"(bytes), "d"(size)
                   : "rcx", "r11", "memory");
#elif defined(__aarch64__)
  register long x0 __asm__("x0") = 1;
  register const char *x1 __asm__("x1") = bytes;
  register long x2 __asm__("x2") = size;
  register long x8 __asm__("x8") = 64;
  __asm__ volatile("svc 0" : "+r"(x0) : "r"(x1), "r"(x2), "r"(x8) : "memory");
#else
  register long a0 __asm__("a0") = 1;
  register const char *a1 __asm__("a1") = bytes;
  register long a2 __asm__("a2") = size;
  register long a7 __asm__("a7") = 64;
  __asm__ volatile("ecall" : "+r"(a0) : "r"(a1), "r"(a2), "r"(a7) : "memory");
#endif
}

/* A line at a time: a call for each byte would take long. */
void prof_console_stdout(char byte) {
  static char line[128];
  static unsigned used;
  line[used++] = byte;
  if (byte != '\n' && used != sizeof line)
    return;
  write_out(line, used);
  used = 0;
}

#endif
