/*===- Counts.c - QEMU's plugin that counts instructions by address --------===*
 *
 * Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*
 *
 * Argument: counts=PATH. At the end of the program that file has a line for
 * each address at which instructions began to execute, and then one that says
 * so:
 *
 *   1a4 17
 *   end
 *
 * The address is hexadecimal, the number of executions decimal. Distributions
 * do not have a package with qemu-plugin.h: what is used of it is declared
 * here, of version 1 of the interface.
 *
 *===----------------------------------------------------------------------===*/

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Interface of QEMU. */

#define EXPORT __attribute__((visibility("default")))

typedef uint64_t qemu_plugin_id_t;
struct qemu_plugin_tb;
struct qemu_plugin_insn;
typedef void (*translate_callback)(qemu_plugin_id_t, struct qemu_plugin_tb *);
typedef void (*end_callback)(qemu_plugin_id_t, void *data);
enum { INLINE_ADD_U64 = 0 };

void qemu_plugin_register_vcpu_tb_trans_cb(qemu_plugin_id_t,
                                           translate_callback);
void qemu_plugin_register_atexit_cb(qemu_plugin_id_t, end_callback, void *data);
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *,
                                                 size_t);
uint64_t qemu_plugin_insn_vaddr(const struct qemu_plugin_insn *);
void qemu_plugin_register_vcpu_insn_exec_inline(struct qemu_plugin_insn *,
                                                int operation, void *number,
                                                uint64_t amount);

EXPORT int qemu_plugin_version = 1;

/* Counters, by address. They stay where they are, as translated code has their
 * addresses. */

enum { BUCKETS = 1 << 16 };

typedef struct counter {
  struct counter *next;
  uint64_t address;
  uint64_t executed;
} counter;

static counter *buckets[BUCKETS];
static char *path;
static int has_failed;

static counter *get_counter(uint64_t address) {
  counter **bucket = &buckets[(address >> 1) % BUCKETS];
  for (counter *known = *bucket; known; known = known->next)
    if (known->address == address)
      return known;
  counter *made = calloc(1, sizeof *made);
  if (!made)
    return NULL;
  made->address = address;
  made->next = *bucket;
  return *bucket = made;
}

/* QEMU translates on one thread at a time. Code that it translates again counts
 * where it did before. */
static void on_translate(qemu_plugin_id_t id, struct qemu_plugin_tb *block) {
  (void)id;
  for (size_t i = 0; i < qemu_plugin_tb_n_insns(block); ++i) {
    struct qemu_plugin_insn *instruction = qemu_plugin_tb_get_insn(block, i);
    counter *own = get_counter(qemu_plugin_insn_vaddr(instruction));
    if (own)
      qemu_plugin_register_vcpu_insn_exec_inline(instruction, INLINE_ADD_U64,
                                                 &own->executed, 1);
    else
      has_failed = 1;
  }
}

/* Without its last line the file does not count. */
static void on_end(qemu_plugin_id_t id, void *data) {
  (void)id, (void)data;
  FILE *file = fopen(path, "w");
  if (!file)
    return;
  for (size_t i = 0; i < BUCKETS; ++i)
    for (const counter *known = buckets[i]; known; known = known->next)
      if (known->executed)
        fprintf(file, "%" PRIx64 " %" PRIu64 "\n", known->address,
                known->executed);
  if (!has_failed)
    fputs("end\n", file);
  fclose(file);
}

EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const void *info, int count,
                               char **arguments) {
  static const char name[] = "counts=";
  (void)info;
  if (count != 1 || strncmp(arguments[0], name, sizeof name - 1) != 0)
    return -1;
  path = strdup(arguments[0] + sizeof name - 1);
  if (!path)
    return -1;
  qemu_plugin_register_vcpu_tb_trans_cb(id, on_translate);
  qemu_plugin_register_atexit_cb(id, on_end, NULL);
  return 0;
}
