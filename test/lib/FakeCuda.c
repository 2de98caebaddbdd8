/*===- FakeCuda.c - A driver without a device ---------------------*- C -*-===*\
|*
|* Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
|* See LICENSE for license information.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
\*===----------------------------------------------------------------------===*/
/*
 * Has the functions of libcuda.so.1 that mlir-prof calls. Memory is that of the
 * host, and kernels do not do anything. Time is computed: a kernel takes
 * 2000 ns and 3 ns for each of its workgroups, a copy 1 ns for each 8 bytes,
 * and an event 500 ns, which it records at its end. The environment changes
 * what happens:
 *
 *   FAKE_CUDA_LOG=FILE     appends the name of each call to FILE
 *   FAKE_CUDA_FAIL=CALL[#N]:CODE  the N-th call (default 1) of CALL returns
 * CODE and, if CODE is 700 or more, all later calls too FAKE_CUDA_CAPABILITY=NN
 * compute capability (default 90)
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef void *Handle;
typedef uint64_t Address;

enum {
  SUCCESS = 0,
  INVALID_VALUE = 1,
  OUT_OF_MEMORY = 2,
  INVALID_PTX = 218,
  NOT_FOUND = 500
};

/* Bytes of the device. */
static const size_t MEMORY = (size_t)1 << 34;

/* What a captured stream would have done. */
enum Kind { LAUNCH, COPY, EVENT };
struct Command {
  enum Kind kind;
  int64_t ns;
  int64_t *event;
};
struct Graph {
  struct Command commands[4096];
  size_t count;
};

static int64_t now;
static struct Graph *captured;
static int stickyCode;

/* Whether this call fails, and logs it. */
static int enter(const char *call) {
  const char *log = getenv("FAKE_CUDA_LOG");
  if (log) {
    FILE *file = fopen(log, "a");
    if (file) {
      fprintf(file, "%s\n", call);
      fclose(file);
    }
  }
  if (stickyCode)
    return stickyCode;
  const char *fail = getenv("FAKE_CUDA_FAIL");
  size_t length = strlen(call);
  if (!fail || strncmp(fail, call, length) != 0)
    return SUCCESS;
  static int calls;
  int number = 1, code = 0;
  if (sscanf(fail + length, "#%d:%d", &number, &code) != 2 &&
      sscanf(fail + length, ":%d", &code) != 1)
    return SUCCESS;
  if (++calls != number)
    return SUCCESS;
  if (code >= 700)
    stickyCode = code;
  return code;
}

#define ENTER()                                                                \
  do {                                                                         \
    int code = enter(__func__);                                                \
    if (code)                                                                  \
      return code;                                                             \
  } while (0)

/* Runs a command, or adds it to the graph. */
static int run(struct Command command) {
  if (captured) {
    if (captured->count == 4096)
      return INVALID_VALUE;
    captured->commands[captured->count++] = command;
    return SUCCESS;
  }
  now += command.ns;
  if (command.event)
    *command.event = now;
  return SUCCESS;
}

int cuInit(unsigned flags) {
  (void)flags;
  ENTER();
  return SUCCESS;
}

int cuGetErrorName(int code, const char **name) {
  static char text[32];
  snprintf(text, sizeof text, "CUDA_ERROR_%d", code);
  *name = text;
  return SUCCESS;
}

int cuDriverGetVersion(int *version) {
  ENTER();
  *version = 13000;
  return SUCCESS;
}

int cuDeviceGetCount(int *count) {
  ENTER();
  *count = 1;
  return SUCCESS;
}

int cuDeviceGet(int *device, int number) {
  ENTER();
  *device = number;
  return SUCCESS;
}

int cuDeviceGetName(char *name, int bytes, int device) {
  (void)device;
  ENTER();
  snprintf(name, (size_t)bytes, "Fake GPU");
  return SUCCESS;
}

int cuDeviceGetAttribute(int *value, int attribute, int device) {
  (void)device;
  ENTER();
  const char *text = getenv("FAKE_CUDA_CAPABILITY");
  int capability = text ? atoi(text) : 90;
  *value = attribute == 75   ? capability / 10
           : attribute == 76 ? capability % 10
           : attribute == 16 ? 4
                             : 232448;
  return SUCCESS;
}

int cuDeviceTotalMem_v2(size_t *bytes, int device) {
  (void)device;
  ENTER();
  *bytes = MEMORY;
  return SUCCESS;
}

int cuDevicePrimaryCtxRetain(Handle *context, int device) {
  (void)device;
  ENTER();
  *context = &now;
  return SUCCESS;
}

int cuDevicePrimaryCtxRelease_v2(int device) {
  (void)device;
  ENTER();
  return SUCCESS;
}

int cuCtxSetCurrent(Handle context) {
  (void)context;
  ENTER();
  return SUCCESS;
}

/* A module is a copy of its text. */
int cuModuleLoadDataEx(Handle *module, const void *image, unsigned count,
                       int *options, void **values) {
  ENTER();
  if (!strstr(image, ".version")) {
    for (unsigned i = 0; i != count; ++i)
      if (options[i] == 5)
        strcpy(values[i], "ptxas fatal: Missing .version directive\n");
    return INVALID_PTX;
  }
  *module = strdup(image);
  return SUCCESS;
}

/* A linker is a copy of its text, which is also the code. */
int cuLinkCreate_v2(unsigned count, int *options, void **values,
                    Handle *linker) {
  (void)count, (void)options, (void)values;
  ENTER();
  *linker = calloc(1, sizeof(char *));
  return SUCCESS;
}

int cuLinkAddData_v2(Handle linker, int kind, void *data, size_t bytes,
                     const char *name, unsigned count, int *options,
                     void **values) {
  (void)kind, (void)bytes, (void)name, (void)count, (void)options, (void)values;
  ENTER();
  if (!strstr(data, ".version"))
    return INVALID_PTX;
  *(char **)linker = strdup(data);
  return SUCCESS;
}

int cuLinkComplete(Handle linker, void **code, size_t *bytes) {
  ENTER();
  *code = *(char **)linker;
  *bytes = strlen(*code) + 1;
  return SUCCESS;
}

int cuLinkDestroy(Handle linker) {
  ENTER();
  free(*(char **)linker);
  free(linker);
  return SUCCESS;
}

int cuModuleUnload(Handle module) {
  ENTER();
  free(module);
  return SUCCESS;
}

int cuModuleGetFunction(Handle *function, Handle module, const char *name) {
  ENTER();
  char entry[512];
  snprintf(entry, sizeof entry, ".entry %s", name);
  *function = strstr(module, entry);
  return *function ? SUCCESS : NOT_FOUND;
}

int cuFuncGetAttribute(int *value, int attribute, Handle function) {
  (void)function;
  ENTER();
  *value = attribute == 0 ? 1024 : attribute == 4 ? 32 : 0;
  return SUCCESS;
}

int cuFuncSetAttribute(Handle function, int attribute, int value) {
  (void)function, (void)attribute, (void)value;
  ENTER();
  return SUCCESS;
}

int cuMemAlloc_v2(Address *address, size_t bytes) {
  ENTER();
  if (bytes > MEMORY)
    return OUT_OF_MEMORY;
  *address = (Address)(uintptr_t)calloc(1, bytes);
  return SUCCESS;
}

int cuMemFree_v2(Address address) {
  ENTER();
  free((void *)(uintptr_t)address);
  return SUCCESS;
}

int cuStreamCreate(Handle *stream, unsigned flags) {
  (void)flags;
  ENTER();
  *stream = &now;
  return SUCCESS;
}

int cuStreamDestroy_v2(Handle stream) {
  (void)stream;
  ENTER();
  return SUCCESS;
}

int cuStreamSynchronize(Handle stream) {
  (void)stream;
  ENTER();
  return SUCCESS;
}

/* Large copies are of nothing: they measure the rate of the device. */
static int copy(void *to, const void *from, size_t bytes) {
  if (bytes < (size_t)100 << 20)
    memcpy(to, from, bytes);
  struct Command command = {COPY, (int64_t)(bytes / 8), NULL};
  return run(command);
}

int cuMemcpyHtoDAsync_v2(Address to, const void *from, size_t bytes,
                         Handle stream) {
  (void)stream;
  ENTER();
  return copy((void *)(uintptr_t)to, from, bytes);
}

int cuMemcpyDtoHAsync_v2(void *to, Address from, size_t bytes, Handle stream) {
  (void)stream;
  ENTER();
  return copy(to, (void *)(uintptr_t)from, bytes);
}

int cuMemcpyDtoDAsync_v2(Address to, Address from, size_t bytes,
                         Handle stream) {
  (void)stream;
  ENTER();
  return copy((void *)(uintptr_t)to, (void *)(uintptr_t)from, bytes);
}

int cuMemsetD8Async(Address to, unsigned char value, size_t bytes,
                    Handle stream) {
  (void)stream;
  ENTER();
  memset((void *)(uintptr_t)to, value, bytes);
  return SUCCESS;
}

int cuLaunchKernel(Handle function, unsigned gridX, unsigned gridY,
                   unsigned gridZ, unsigned blockX, unsigned blockY,
                   unsigned blockZ, unsigned sharedBytes, Handle stream,
                   void **arguments, void **extra) {
  (void)function, (void)blockX, (void)blockY, (void)blockZ, (void)sharedBytes;
  (void)stream, (void)arguments, (void)extra;
  ENTER();
  struct Command command = {LAUNCH, 2000 + 3 * (int64_t)gridX * gridY * gridZ,
                            NULL};
  return run(command);
}

int cuEventCreate(Handle *event, unsigned flags) {
  (void)flags;
  ENTER();
  *event = calloc(1, sizeof(int64_t));
  return SUCCESS;
}

int cuEventDestroy_v2(Handle event) {
  ENTER();
  free(event);
  return SUCCESS;
}

int cuEventRecordWithFlags(Handle event, Handle stream, unsigned flags) {
  (void)stream, (void)flags;
  ENTER();
  struct Command command = {EVENT, 500, event};
  return run(command);
}

int cuEventElapsedTime(float *milliseconds, Handle begin, Handle end) {
  ENTER();
  *milliseconds = (float)((double)(*(int64_t *)end - *(int64_t *)begin) / 1e6);
  return SUCCESS;
}

int cuStreamBeginCapture_v2(Handle stream, int mode) {
  (void)stream, (void)mode;
  ENTER();
  captured = calloc(1, sizeof *captured);
  return SUCCESS;
}

int cuStreamEndCapture(Handle stream, Handle *graph) {
  (void)stream;
  ENTER();
  *graph = captured;
  captured = NULL;
  return SUCCESS;
}

int cuGraphInstantiateWithFlags(Handle *executable, Handle graph,
                                unsigned long long flags) {
  (void)flags;
  ENTER();
  *executable = malloc(sizeof(struct Graph));
  memcpy(*executable, graph, sizeof(struct Graph));
  return SUCCESS;
}

int cuGraphLaunch(Handle executable, Handle stream) {
  (void)stream;
  ENTER();
  struct Graph *graph = executable;
  for (size_t i = 0; i != graph->count; ++i)
    run(graph->commands[i]);
  return SUCCESS;
}

int cuGraphDestroy(Handle graph) {
  ENTER();
  free(graph);
  return SUCCESS;
}

int cuGraphExecDestroy(Handle executable) {
  ENTER();
  free(executable);
  return SUCCESS;
}
