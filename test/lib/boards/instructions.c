/* instructions.c - A plugin of QEMU that counts the instructions of calls
 *
 * Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Arguments: begin=ADDRESS,end=ADDRESS, hexadecimal, of two functions of the
 * program that run before and after each call. Prints the instructions between:
 *
 *   call 1: 12345 instructions
 *
 * Distributions do not have a package with qemu-plugin.h: what is used of it is
 * declared here, of version 1 of the interface.
 */

#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Interface of QEMU. */

#define EXPORT __attribute__((visibility("default")))

typedef uint64_t qemu_plugin_id_t;
struct qemu_plugin_tb;
struct qemu_plugin_insn;
typedef void (*translate_callback)(qemu_plugin_id_t, struct qemu_plugin_tb *);
typedef void (*execute_callback)(unsigned vcpu, void *data);
enum { NO_REGISTERS = 0, INLINE_ADD_U64 = 0 };

void qemu_plugin_register_vcpu_tb_trans_cb(qemu_plugin_id_t,
                                           translate_callback);
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *,
                                                 size_t);
uint64_t qemu_plugin_insn_vaddr(const struct qemu_plugin_insn *);
void qemu_plugin_register_vcpu_insn_exec_cb(struct qemu_plugin_insn *,
                                            execute_callback, int flags,
                                            void *data);
void qemu_plugin_register_vcpu_insn_exec_inline(struct qemu_plugin_insn *,
                                                int operation, void *number,
                                                uint64_t amount);

EXPORT int qemu_plugin_version = 1;

/* The counter. */

static uint64_t begin_address, end_address;
/* All instructions so far, and how many there were when the call began. */
static uint64_t executed, before;
static unsigned calls;

static void on_begin(unsigned vcpu, void *data) {
  (void)vcpu, (void)data;
  before = executed;
}

static void on_end(unsigned vcpu, void *data) {
  (void)vcpu, (void)data;
  fprintf(stderr, "call %u: %" PRIu64 " instructions\n", ++calls,
          executed - before);
}

static void on_translate(qemu_plugin_id_t id, struct qemu_plugin_tb *block) {
  (void)id;
  for (size_t i = 0; i < qemu_plugin_tb_n_insns(block); ++i) {
    struct qemu_plugin_insn *instruction = qemu_plugin_tb_get_insn(block, i);
    uint64_t address = qemu_plugin_insn_vaddr(instruction);
    qemu_plugin_register_vcpu_insn_exec_inline(instruction, INLINE_ADD_U64,
                                               &executed, 1);
    if (address == begin_address)
      qemu_plugin_register_vcpu_insn_exec_cb(instruction, on_begin,
                                             NO_REGISTERS, NULL);
    if (address == end_address)
      qemu_plugin_register_vcpu_insn_exec_cb(instruction, on_end, NO_REGISTERS,
                                             NULL);
  }
}

/* Reads NAME=ADDRESS. Bit 0 of the address of a Thumb function is a mode. */
static bool read_address(const char *text, const char *name,
                         uint64_t *address) {
  size_t length = strlen(name);
  if (strncmp(text, name, length) != 0 || text[length] != '=')
    return false;
  *address = strtoull(text + length + 1, NULL, 16) & ~UINT64_C(1);
  return true;
}

EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const void *info, int count,
                               char **arguments) {
  (void)info;
  for (int i = 0; i < count; ++i)
    if (!read_address(arguments[i], "begin", &begin_address) &&
        !read_address(arguments[i], "end", &end_address))
      return -1;
  qemu_plugin_register_vcpu_tb_trans_cb(id, on_translate);
  return begin_address != 0 && end_address != 0 ? 0 : -1;
}
