/* cortex-m.c - Start of a program on Arm's MPS2 boards, output by semihosting
 *
 * Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */

#include "board.h"

#include <stdint.h>

extern uint32_t board_stack_top[], board_bss_begin[], board_bss_end[];
extern uint32_t board_data_begin[], board_data_end[], board_data_load[];

enum { SEMIHOSTING_WRITEC = 3, SEMIHOSTING_EXIT_EXTENDED = 0x20 };

static void call_host(int operation, const void *argument) {
  register int r0 __asm__("r0") = operation;
  register const void *r1 __asm__("r1") = argument;
  __asm__ volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
}

void board_write(const char *text, size_t length) {
  for (size_t i = 0; i < length; ++i)
    call_host(SEMIHOSTING_WRITEC, text + i);
}

int board_protect(void *context, void *begin, size_t bytes, int permissions) {
  (void)context, (void)begin, (void)bytes, (void)permissions;
  return 0;
}

void board_exit(int status) {
  const uint32_t application_exit = 0x20026;
  uint32_t block[2] = {application_exit, (uint32_t)status};
  call_host(SEMIHOSTING_EXIT_EXTENDED, block);
  for (;;) {
  }
}

static void fail(void) {
  board_write("fault\n", 6);
  board_exit(99);
}

void board_start(void) {
  /* Access to the floating-point unit, which is off after a reset. */
  *(volatile uint32_t *)0xE000ED88 |= 0xFu << 20;
  __asm__ volatile("dsb\n\tisb");
  for (uint32_t *place = board_bss_begin; place < board_bss_end; ++place)
    *place = 0;
  for (uint32_t *place = board_data_begin, *from = board_data_load;
       place < board_data_end; ++place, ++from)
    *place = *from;
  board_exit(main());
}

__attribute__((section(".vectors"),
               used)) static const void *const vectors[16] = {
    board_stack_top,    (const void *)board_start, (const void *)fail,
    (const void *)fail, (const void *)fail,        (const void *)fail,
    (const void *)fail};
