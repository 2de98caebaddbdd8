// Calls the model compiled from model.mlir N times.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

// A tensor of rank 2, as MLIR passes it to C.
typedef struct {
  float *allocated; // to be freed
  float *aligned;   // the first element, before `offset`
  int64_t offset;
  int64_t sizes[2];
  int64_t strides[2];
} Tensor2;

// `llvm.emit_c_interface` makes this symbol. Results come first.
void _mlir_ciface_model(Tensor2 *result, Tensor2 *x, Tensor2 *w);

static Tensor2 makeTensor(int64_t rows, int64_t columns) {
  float *data = malloc((size_t)(rows * columns) * sizeof *data);
  if (!data)
    abort();
  for (int64_t i = 0; i < rows * columns; ++i)
    data[i] = (float)(i % 7) * 0.01f;
  return (Tensor2){data, data, 0, {rows, columns}, {columns, 1}};
}

int main(int argc, char **argv) {
  int runs = argc > 1 ? atoi(argv[1]) : 100;
  Tensor2 x = makeTensor(128, 256), w = makeTensor(256, 192);
  float last = 0;
  for (int i = 0; i < runs; ++i) {
    Tensor2 result;
    _mlir_ciface_model(&result, &x, &w);
    last = result.aligned[result.offset];
    // The model allocated it, with malloc(); its caller frees it.
    free(result.allocated);
  }
  printf("%f\n", last);
  free(x.allocated);
  free(w.allocated);
  return 0;
}
