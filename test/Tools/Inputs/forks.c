/*===- forks.c - Many runs of a program that is loaded once ---------------===*
 *
 * Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*
 *
 * With this library in $LD_PRELOAD, and two descriptors in $FORKS, a program
 * answers requests from the first one on the second one. Most of the time of a
 * short run of mlir-prof is that of the loader, for MLIR's library.
 *
 * A request is a number of bytes (32 bits), then that many: the files for
 * stdout and stderr, and the arguments, each with a null behind. The answer is
 * the id of the process, and when it has ended its status, as from waitpid.
 *
 *===----------------------------------------------------------------------===*/

#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

typedef int main_function(int, char **, char **);
typedef int start_function(main_function *, int, char **, void (*)(void),
                           void (*)(void), void (*)(void), void *);

extern char **environ;

static main_function *run_program;

enum { MOST_BYTES = 1 << 16, MOST_ARGUMENTS = 64 };

static int read_all(int from, void *data, size_t size) {
  size_t at = 0;
  for (ssize_t count = 1; at < size && count > 0; at += (size_t)count)
    if ((count = read(from, (char *)data + at, size - at)) < 0)
      return 0;
  return at == size;
}

static void redirect(int descriptor, const char *path) {
  int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
  if (file < 0 || dup2(file, descriptor) < 0)
    _exit(127);
  close(file);
}

/* Runs the program in a child with a request of `size` bytes. */
static void run_request(char *request, size_t size) {
  char *arguments[MOST_ARGUMENTS + 1], *files[2];
  int count = 0;
  for (char *at = request; at < request + size; at += strlen(at) + 1) {
    if (count < 2)
      files[count] = at;
    else if (count < MOST_ARGUMENTS + 2)
      arguments[count - 2] = at;
    ++count;
  }
  if (count < 3 || count > MOST_ARGUMENTS + 2)
    _exit(127);
  arguments[count - 2] = NULL;
  redirect(STDOUT_FILENO, files[0]);
  redirect(STDERR_FILENO, files[1]);
  exit(run_program(count - 2, arguments, environ));
}

static int serve(int count, char **arguments, char **environment) {
  int requests, answers;
  const char *descriptors = getenv("FORKS");
  if (!descriptors || sscanf(descriptors, "%d %d", &requests, &answers) != 2)
    return run_program(count, arguments, environment);
  /* Programs that this one starts are loaded as always. */
  unsetenv("LD_PRELOAD");
  unsetenv("FORKS");
  static char request[MOST_BYTES];
  uint32_t size;
  while (read_all(requests, &size, sizeof size) && size < sizeof request &&
         read_all(requests, request, size)) {
    request[size] = 0;
    int32_t child = fork(), status = 0;
    if (child == 0) {
      close(requests);
      close(answers);
      run_request(request, size);
    }
    if (child < 0 || write(answers, &child, sizeof child) < 0 ||
        waitpid(child, &status, 0) < 0 ||
        write(answers, &status, sizeof status) < 0)
      return 1;
  }
  return 0;
}

int __libc_start_main(main_function *program, int count, char **arguments,
                      void (*begin)(void), void (*end)(void),
                      void (*end_loader)(void), void *stack) {
  start_function *start =
      (start_function *)dlsym(RTLD_NEXT, "__libc_start_main");
  run_program = program;
  return start(serve, count, arguments, begin, end, end_loader, stack);
}
