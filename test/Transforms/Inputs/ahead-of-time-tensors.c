/* Calls a product of tensors three times and checks its numbers. With
   OWN_HANDLER it counts the calls of probes itself, and no runtime is linked.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROWS = 16, INNER = 32, COLUMNS = 8 };

typedef struct {
  float *allocated, *aligned;
  int64_t offset, sizes[2], strides[2];
} matrix;

void _mlir_ciface_dense(matrix *result, matrix *a, matrix *b);

#ifdef OWN_HANDLER
static int calls[16];
static const void *places[16][4];

static int count_place(unsigned id, const void *address) {
  int count = 0;
  while (count < 4 && places[id][count] && places[id][count] != address)
    ++count;
  if (count < 4)
    places[id][count] = address;
  return count;
}

/* As light-weight profiling has it: the id of a loop, and where the code goes
   on. The first argument is the module. */
void prof_rt_handler(void *module, uint32_t id, const void *address) {
  (void)module;
  if (id >= 16)
    abort();
  ++calls[id];
  count_place(id, address);
}
#endif

static matrix make_matrix(float *data, int64_t rows, int64_t columns) {
  matrix m = {data, data, 0, {rows, columns}, {columns, 1}};
  return m;
}

int main(void) {
  static float a[ROWS * INNER], b[INNER * COLUMNS];
  for (int i = 0; i < ROWS * INNER; ++i)
    a[i] = (float)(i % 7 - 3);
  for (int i = 0; i < INNER * COLUMNS; ++i)
    b[i] = (float)(i % 5 - 2);
  matrix left = make_matrix(a, ROWS, INNER),
         right = make_matrix(b, INNER, COLUMNS);
  int wrong = 0;
  for (int call = 0; call < 3; ++call) {
    matrix result;
    _mlir_ciface_dense(&result, &left, &right);
    for (int row = 0; row < ROWS; ++row)
      for (int column = 0; column < COLUMNS; ++column) {
        float sum = 0;
        for (int k = 0; k < INNER; ++k)
          sum += a[row * INNER + k] * b[k * COLUMNS + column];
        wrong += result.aligned[row * COLUMNS + column] != sum;
      }
    free(result.allocated);
  }
  printf("%d wrong\n", wrong);
#ifdef OWN_HANDLER
  for (unsigned id = 0; id < 16 && calls[id]; ++id) {
    int count = 0;
    while (count < 4 && places[id][count])
      ++count;
    printf("probe %u: %d calls from %d places\n", id, calls[id], count);
  }
#endif
  return wrong != 0;
}
