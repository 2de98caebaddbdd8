/*===- Output.h - Files ----------------------------------------------------===*
 *
 * Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*/

#ifndef MLIR_PROF_RUNTIME_OUTPUT_H
#define MLIR_PROF_RUNTIME_OUTPUT_H

#include <stddef.h>
#include <stdint.h>

/* Writes a file, completely or not at all; returns 0 or an errno. */
int prt_write_file(const char *path, const char *bytes, uint64_t size);
/* Replaces "%p" by the process id; the path of a forked child gets it at the
 * end if it is not there. Returns 0 or ENAMETOOLONG. */
int prt_expand_path(const char *pattern, char *path, size_t size, int is_child);
/* Writes the file that MLIR_PROF_FILE names, if it is set. */
void prt_output_at_exit(void);
/* Marks this process as a child of one that measures. */
void prt_output_forked(void);

#endif /* MLIR_PROF_RUNTIME_OUTPUT_H */
