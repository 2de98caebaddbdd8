/* input.S - The spectrum of a sound, as NumPy wrote it
 *
 * Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */

  .section .rodata.keyword_input, "a"
  .globl keyword_input
keyword_input:
  /* Behind NumPy's header of 128 bytes. */
  .incbin "keyword-input.npy", 128
