/* peak.c - Runs a command, and prints its peak of resident memory in kilobytes
 *
 * Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * usage: peak COMMAND [ARGUMENT...]
 *
 * The system counts the memory of whoever starts a process to that of the
 * process: so this program is small.
 */

#define _GNU_SOURCE
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int count, char **arguments) {
  struct rusage usage;
  int status;
  if (count < 2)
    return 2;
  pid_t child = fork();
  if (child == 0) {
    dup2(STDERR_FILENO, STDOUT_FILENO);
    execv(arguments[1], arguments + 1);
    _exit(127);
  }
  if (child < 0 || wait4(child, &status, 0, &usage) < 0)
    return 1;
  printf("%ld\n", usage.ru_maxrss);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
