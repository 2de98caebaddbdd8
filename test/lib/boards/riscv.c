/* riscv.c - Start of a program on QEMU's board virt, without firmware
 *
 * Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */

#include "board.h"

#include <stdint.h>

extern uintptr_t board_bss_begin[], board_bss_end[];

void board_write(const char *text, size_t length) {
  volatile uint8_t *const serial_port = (volatile uint8_t *)0x10000000;
  for (size_t i = 0; i < length; ++i)
    *serial_port = (uint8_t)text[i];
}

int board_protect(void *context, void *begin, size_t bytes, int permissions) {
  (void)context, (void)begin, (void)bytes, (void)permissions;
  return 0;
}

void board_exit(int status) {
  volatile uint32_t *const power = (volatile uint32_t *)0x100000;
  *power = status == 0 ? 0x5555u : 0x3333u | (uint32_t)status << 16;
  for (;;) {
  }
}

__attribute__((aligned(4), interrupt)) void board_fail(void) {
  board_write("fault\n", 6);
  board_exit(99);
}

__attribute__((used)) void board_begin(void) {
  for (uintptr_t *place = board_bss_begin; place < board_bss_end; ++place)
    *place = 0;
  board_exit(main());
}

__attribute__((naked, used, section(".text.start"))) void board_start(void) {
  __asm__ volatile("la sp, board_stack_top\n\t"
                   "la t0, board_fail\n\t"
                   "csrw mtvec, t0\n\t"
                   /* The floating-point unit and vectors, where there are. */
                   "li t0, 0x6600\n\t"
                   "csrs mstatus, t0\n\t"
                   "j board_begin");
}
