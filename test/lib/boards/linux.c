/* linux.c - Start of a program on Linux, without a C library
 *
 * Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */

#include "board.h"

#if defined(__x86_64__)
enum { SYSTEM_WRITE = 1, SYSTEM_PROTECT = 10, SYSTEM_EXIT = 60 };

static long call_system(long number, long a, long b, long c) {
  long result;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"(number), "D"(a), "S"(b), "d"(c)
                   : "rcx", "r11", "memory");
  return result;
}

__asm__(
    ".globl board_start\nboard_start:\n\tandq $-16, %rsp\n\tcall board_begin");
#elif defined(__aarch64__)
enum { SYSTEM_WRITE = 64, SYSTEM_EXIT = 93, SYSTEM_PROTECT = 226 };

static long call_system(long number, long a, long b, long c) {
  register long x8 __asm__("x8") = number;
  register long x0 __asm__("x0") = a;
  register long x1 __asm__("x1") = b;
  register long x2 __asm__("x2") = c;
  __asm__ volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2) : "memory");
  return x0;
}

__asm__(".globl board_start\nboard_start:\n\tbl board_begin");
#elif defined(__riscv)
enum { SYSTEM_WRITE = 64, SYSTEM_EXIT = 93, SYSTEM_PROTECT = 226 };

static long call_system(long number, long a, long b, long c) {
  register long a7 __asm__("a7") = number;
  register long a0 __asm__("a0") = a;
  register long a1 __asm__("a1") = b;
  register long a2 __asm__("a2") = c;
  __asm__ volatile("ecall" : "+r"(a0) : "r"(a7), "r"(a1), "r"(a2) : "memory");
  return a0;
}

__asm__(".globl board_start\nboard_start:\n\tcall board_begin");
#endif

void board_write(const char *text, size_t length) {
  while (length > 0) {
    long written = call_system(SYSTEM_WRITE, 1, (long)text, (long)length);
    if (written <= 0)
      board_exit(98);
    text += written;
    length -= (size_t)written;
  }
}

/* Permissions have the values of Linux. */
int board_protect(void *context, void *begin, size_t bytes, int permissions) {
  (void)context;
  return (int)call_system(SYSTEM_PROTECT, (long)begin, (long)bytes,
                          permissions);
}

void board_exit(int status) {
  for (;;)
    call_system(SYSTEM_EXIT, status, 0, 0);
}

__attribute__((used)) void board_begin(void) { board_exit(main()); }
