/* main.c - Runs a deployed model on each of its inputs, and prints the results
 *
 * Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */

/* run-deployed.py defines the functions of this header for a model. */
#include "board.h"
#include "program.h"

#include <stdint.h>

static void print(const char *text) {
  size_t length = 0;
  while (text[length] != 0)
    ++length;
  board_write(text, length);
}

static void print_bytes(const unsigned char *bytes, size_t count) {
  static const char kDigits[] = "0123456789abcdef";
  char line[128];
  size_t used = 0;
  for (size_t i = 0; i < count; ++i) {
    line[used++] = kDigits[bytes[i] >> 4];
    line[used++] = kDigits[bytes[i] & 15];
    if (used == sizeof line) {
      board_write(line, used);
      used = 0;
    }
  }
  board_write(line, used);
  print("\n");
}

/* Marks for those who count instructions. */
__attribute__((noinline)) void mark_begin(void) { __asm__ volatile(""); }
__attribute__((noinline)) void mark_end(void) { __asm__ volatile(""); }

#ifdef PROGRAM_MEMORY
static int load(void) {
  int error = load_program();
  if (error)
    print("not loaded\n");
  print("memory ");
  for (size_t unit = 1000000000; unit > 0; unit /= 10)
    board_write(&"0123456789"[loaded_bytes / unit % 10], 1);
  print("\n");
  return error;
}
#else
static int load(void) { return 0; }
#endif

#if PROGRAM_DEVICES
static void print_number(unsigned number, const char *what) {
  char digits[12];
  size_t used = sizeof digits;
  do {
    digits[--used] = (char)('0' + number % 10);
    number /= 10;
  } while (number != 0);
  board_write(digits + used, sizeof digits - used);
  print(what);
}

/* The work of all calls. */
static void print_devices(void) {
  for (unsigned i = 0; i < PROGRAM_DEVICES; ++i) {
    print("device ");
    print(devices[i].plan->name);
    print(": ");
    print_number(devices[i].dispatches, " dispatches, ");
    print_number(devices[i].transfers_to_device, " transfers to it, ");
    print_number(devices[i].transfers_from_device, " from it, ");
    print_number(devices[i].waits, " waits\n");
  }
}
#else
static void print_devices(void) {}
#endif

int main(void) {
  if (load() != 0)
    return 1;
  program_reset();
  for (unsigned call = 0; call < PROGRAM_CALLS; ++call) {
    program_prepare(call);
    mark_begin();
    int status = program_run();
    mark_end();
    if (status != 0 || !program_is_whole() || program_has_violations()) {
      print(status != 0          ? "failed\n"
            : program_is_whole() ? "a device did other things\n"
                                 : "wrote behind the arena\n");
      return 1;
    }
    for (unsigned result = 0; result < PROGRAM_RESULTS; ++result) {
      print("result ");
      print_bytes(program_result(result), program_bytes(result));
    }
  }
  print_devices();
  print("done\n");
  return 0;
}
