/* Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Makes a processor with AVX-512 one with AVX2 for the libraries of a program,
 * which ask for its features by the instruction cpuid:
 *
 *   cc -shared -fPIC -O1 avx2.c -o libavx2.so && LD_PRELOAD=./libavx2.so
 * PROGRAM
 *
 * Linux lets cpuid fault if the processor can, and this handler answers in its
 * place. LD_PRELOAD loads it before the libraries that ask. */

#define _GNU_SOURCE
#include <asm/prctl.h>
#include <cpuid.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

static long allow(int allowed) {
  return syscall(SYS_arch_prctl, ARCH_SET_CPUID, allowed);
}

/* The bits of AVX-512, AMX and AVX-VNNI, as Intel's manual numbers them. */
static void hide(unsigned leaf, unsigned part, unsigned *values) {
  if (leaf != 7)
    return;
  if (part == 0) {
    values[1] &= ~(1u << 16 | 1u << 17 | 1u << 21 | 1u << 26 | 1u << 27 |
                   1u << 28 | 1u << 30 | 1u << 31);
    values[2] &= ~(1u << 1 | 1u << 6 | 1u << 11 | 1u << 12 | 1u << 14);
    values[3] &= ~(1u << 2 | 1u << 3 | 1u << 8 | 1u << 22 | 1u << 23 |
                   1u << 24 | 1u << 25);
  } else if (part == 1) {
    values[0] &= ~(1u << 4 | 1u << 5 | 1u << 21 | 1u << 23);
    values[3] &= ~(1u << 4 | 1u << 5 | 1u << 8 | 1u << 10 | 1u << 19);
  }
}

static void answer(int number, siginfo_t *info, void *context) {
  greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
  const unsigned char *at = (const unsigned char *)registers[REG_RIP];
  (void)info;
  if (at[0] != 0x0f || at[1] != 0xa2) {
    signal(number, SIG_DFL);
    return;
  }
  unsigned leaf = (unsigned)registers[REG_RAX];
  unsigned part = (unsigned)registers[REG_RCX];
  unsigned values[4];
  allow(1);
  __cpuid_count(leaf, part, values[0], values[1], values[2], values[3]);
  allow(0);
  hide(leaf, part, values);
  registers[REG_RAX] = values[0];
  registers[REG_RBX] = values[1];
  registers[REG_RCX] = values[2];
  registers[REG_RDX] = values[3];
  registers[REG_RIP] += 2;
}

__attribute__((constructor)) static void start(void) {
  struct sigaction action = {0};
  action.sa_sigaction = answer;
  action.sa_flags = SA_SIGINFO | SA_NODEFER;
  sigaction(SIGSEGV, &action, NULL);
  if (allow(0) == 0)
    return;
  fputs("avx2.c: cpuid cannot be made to fault on this machine\n", stderr);
  exit(1);
}
