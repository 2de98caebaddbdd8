/* board.h - What a test program needs of a machine
 *
 * Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */

#ifndef MLIR_PROF_TEST_BOARD_H
#define MLIR_PROF_TEST_BOARD_H

#include <stddef.h>

int main(void);

/* Writes bytes to whoever started the program. */
void board_write(const char *text, size_t length);

/* Gives memory the PROF_LOADER_* permissions, where the machine has them. */
int board_protect(void *context, void *begin, size_t bytes, int permissions);

/* Ends the program; 0 is success. */
void board_exit(int status) __attribute__((noreturn));

#endif
