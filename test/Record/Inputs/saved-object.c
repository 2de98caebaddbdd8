// Calls a saved object: y = x * w + b for a row of 64 numbers, w a matrix.
#include <stdint.h>
#include <stdio.h>

extern void mlirprof_entry(void **arguments);

typedef struct {
  float *allocated, *aligned;
  int64_t offset, sizes[2], strides[2];
} Matrix;

int main(void) {
  float x[64];
  for (int i = 0; i < 64; ++i)
    x[i] = (float)(i % 5 - 2);
  Matrix in = {x, x, 0, {1, 64}, {64, 1}}, out = {0};
  void *arguments[] = {&in, &out};
  mlirprof_entry(arguments);
  for (int i = 0; i < 64; ++i)
    printf("%g\n", (double)out.aligned[out.offset + i]);
  return 0;
}
