// Threads of a GPU on a processor, for kernels that ptx_to_c.py translates.
// Each thread of a workgroup is a context of its own, which gives up the
// processor at barriers and where threads of a warp exchange numbers.
#ifndef GPU_THREADS_H
#define GPU_THREADS_H

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

enum { kMostThreads = 1024, kWarp = 32, kStackBytes = 128 << 10 };
enum { kMostCopies = 256, kSharedAlignment = 256 << 10 };

/// An asynchronous copy that is not done yet; the rest of `size` is zero.
struct Copy {
  char *to;
  const char *from;
  uint32_t size, read, group;
};

struct Launch {
  uint32_t grid[3], block[3];
  const uint64_t *parameters;
  uint64_t sharedBytes;
};

struct Thread {
  uint32_t tid[3], ctaid[3], ntid[3], nctaid[3];
  const uint64_t *parameters;
  char *shared;
  uint32_t number;
  int isDone, waits;
  ucontext_t context;
  char *stack;
  /// The copies that are not done, in order, and the groups so far.
  struct Copy copies[kMostCopies];
  uint32_t copyCount, groups;
  void (*code)(struct Thread *);
};

static struct Thread threads[kMostThreads];
static ucontext_t scheduler;
static uint64_t exchanged[kMostThreads][8];

static inline float as_f32(uint32_t bits) {
  float v;
  memcpy(&v, &bits, 4);
  return v;
}
static inline double as_f64(uint64_t bits) {
  double v;
  memcpy(&v, &bits, 8);
  return v;
}
static inline uint32_t to_f32(double value) {
  float v = (float)value;
  uint32_t b;
  memcpy(&b, &v, 4);
  return b;
}
static inline uint64_t to_f64(double value) {
  uint64_t b;
  memcpy(&b, &value, 8);
  return b;
}
static inline float from_bf16(uint16_t bits) {
  return as_f32((uint32_t)bits << 16);
}
static inline uint16_t to_bf16(float value) {
  uint32_t bits = to_f32(value);
  if (value != value)
    return 0x7fff;
  return (uint16_t)((bits + 0x7fff + ((bits >> 16) & 1)) >> 16);
}
static inline float from_f16(uint16_t bits) {
  _Float16 v;
  memcpy(&v, &bits, 2);
  return (float)v;
}
static inline uint16_t to_f16(double value) {
  _Float16 v = (_Float16)value;
  uint16_t b;
  memcpy(&b, &v, 2);
  return b;
}
static inline double float_max(double a, double b) {
  return a != a ? b : b != b ? a : a > b ? a : b;
}
static inline double float_min(double a, double b) {
  return a != a ? b : b != b ? a : a < b ? a : b;
}
static inline double float_max_nan(double a, double b) {
  return a != a ? a : b != b ? b : a > b ? a : b;
}
static inline double float_min_nan(double a, double b) {
  return a != a ? a : b != b ? b : a < b ? a : b;
}
static inline double saturate(double a) {
  return a != a ? 0 : a < 0 ? 0 : a > 1 ? 1 : a;
}
static inline uint64_t to_integer(double value, double low, double high,
                                  uint64_t most) {
  if (value != value)
    return 0;
  if (value <= low)
    return (uint64_t)(int64_t)low;
  if (value >= high)
    return most;
  return low < 0 ? (uint64_t)(int64_t)value : (uint64_t)value;
}
static inline uint32_t permute(uint32_t a, uint32_t b, uint32_t select) {
  uint64_t all = (uint64_t)b << 32 | a;
  uint32_t result = 0;
  for (int i = 0; i < 4; ++i) {
    uint32_t s = select >> (4 * i) & 15, byte = all >> (8 * (s & 7)) & 255;
    if (s & 8)
      byte = byte & 128 ? 255 : 0;
    result |= byte << (8 * i);
  }
  return result;
}
/// A GPU traps at an address that is not a multiple of the size.
static inline void check(const char *p, uint64_t size) {
  if ((uintptr_t)p % size != 0) {
    fprintf(stderr, "misaligned access of %d bytes at %p\n", (int)size,
            (void *)p);
    exit(1);
  }
}

static void give_up(struct Thread *T) { swapcontext(&T->context, &scheduler); }
static void barrier(struct Thread *T) {
  T->waits = 1;
  give_up(T);
}
/// Waits for the other threads of the warp.
static void meet(struct Thread *T) {
  T->waits = 2;
  give_up(T);
}

static uint32_t shuffle(struct Thread *T, uint32_t value, uint32_t b,
                        uint32_t c, int mode, int *ok) {
  exchanged[T->number][0] = value;
  meet(T);
  int lane = T->number % kWarp, first = T->number - lane;
  int mask = c >> 8 & 31, most = c & 31;
  int segment = lane & mask, last = segment | (most & ~mask);
  int from = mode == 0   ? lane - (int)b
             : mode == 1 ? lane + (int)b
             : mode == 2 ? lane ^ (int)b
                         : segment | ((int)b & ~mask);
  *ok = mode == 0 ? from >= last : from <= last;
  uint32_t result = (uint32_t)exchanged[first + (*ok ? from : lane)][0];
  meet(T);
  return result;
}

/// D = A * B + C of 16x8 elements; fragments are as PTX describes them.
static void product(struct Thread *T, const uint32_t *a, int as,
                    const uint32_t *b, int bs, const uint32_t *c, float *d,
                    int depth, int isBFloat) {
  uint64_t *own = exchanged[T->number];
  for (int i = 0; i < as; ++i)
    own[i] = a[i];
  for (int i = 0; i < bs; ++i)
    own[4 + i] = b[i];
  meet(T);
  int lane = T->number % kWarp, first = T->number - lane;
  for (int i = 0; i < 4; ++i) {
    int row = lane / 4 + (i >= 2 ? 8 : 0), column = lane % 4 * 2 + i % 2;
    double sum = as_f32(c[i]);
    for (int k = 0; k < depth; ++k) {
      int kl = k % 8 / 2, kh = k / 8;
      uint32_t x =
          (uint32_t)exchanged[first + row % 8 * 4 + kl][(row >= 8) + 2 * kh];
      uint32_t y = (uint32_t)exchanged[first + column * 4 + kl][4 + kh];
      uint16_t xh = (uint16_t)(x >> (k % 2 * 16)),
               yh = (uint16_t)(y >> (k % 2 * 16));
      sum += isBFloat ? (double)from_bf16(xh) * from_bf16(yh)
                      : (double)from_f16(xh) * from_f16(yh);
    }
    d[i] = (float)sum;
  }
  meet(T);
}

static void load_matrix(struct Thread *T, const char *address, int count,
                        int isTransposed, uint32_t *result) {
  check(address, 16);
  exchanged[T->number][0] = (uintptr_t)address;
  meet(T);
  int lane = T->number % kWarp, first = T->number - lane;
  for (int i = 0; i < count; ++i) {
    uint16_t half[2];
    for (int j = 0; j < 2; ++j) {
      int row = lane / 4, column = lane % 4 * 2 + j;
      int from = isTransposed ? column : row, at = isTransposed ? row : column;
      memcpy(&half[j], (char *)exchanged[first + 8 * i + from][0] + 2 * at, 2);
    }
    result[i] = half[0] | (uint32_t)half[1] << 16;
  }
  meet(T);
}

/// Copies happen as late as they may, so that a missing wait gives wrong
/// results.
static void copy_later(struct Thread *T, char *to, const char *from,
                       uint32_t size, uint32_t read) {
  check(to, size);
  if (read)
    check(from, size);
  if (T->copyCount == kMostCopies)
    abort();
  T->copies[T->copyCount++] = (struct Copy){to, from, size, read, T->groups};
}

static void end_group(struct Thread *T) { ++T->groups; }

/// Finishes all groups but the `pending` newest.
static void finish_copies(struct Thread *T, uint32_t pending) {
  uint32_t left = 0;
  for (uint32_t i = 0; i < T->copyCount; ++i) {
    struct Copy *copy = &T->copies[i];
    if (copy->group + pending >= T->groups) {
      T->copies[left++] = *copy;
      continue;
    }
    memset(copy->to, 0, copy->size);
    memcpy(copy->to, copy->from, copy->read);
  }
  T->copyCount = left;
}

/// The element of a matrix in shared memory that `descriptor` describes, with
/// rows of 128 or 64 bytes: PTX calls the dimension along a row the leading
/// one. `line` is a row or column of the product, `step` is along its depth.
static float get_described(struct Thread *T, uint64_t descriptor, int line,
                           int step, int isTransposed, int isBFloat) {
  uint64_t begin = (descriptor & 0x3fff) << 4,
           blocks = (descriptor >> 16 & 0x3fff) << 4,
           atoms = (descriptor >> 32 & 0x3fff) << 4;
  int form = descriptor >> 62, rowBytes = form == 1 ? 128 : 64;
  if ((form != 1 && form != 2) || (descriptor >> 49 & 7) != 0)
    abort();
  int along = isTransposed ? line : step, row = isTransposed ? step : line;
  uint64_t at = begin + along * 2 % rowBytes + along * 2 / rowBytes * blocks +
                row % 8 * rowBytes + row / 8 * atoms;
  // The number of each 128 bytes permutes the groups of 16 bytes of its rows.
  at ^= (at >> 7 & (form == 1 ? 7 : 3)) << 4;
  uint16_t half;
  memcpy(&half,
         (char *)((uintptr_t)T->shared & ~(kSharedAlignment - 1ull)) + at, 2);
  return isBFloat ? from_bf16(half) : from_f16(half);
}

/// Adds the elements that the thread has of a product of 64 x `columns` x 16
/// elements, or replaces `d` by them.
static void warpgroup_product(struct Thread *T, uint64_t a, uint64_t b,
                              int columns, int isAdded, int isATransposed,
                              int isBTransposed, int isBFloat, float *d) {
  int lane = T->number % kWarp, warp = T->number / kWarp % 4;
  for (int i = 0; i < columns / 2; ++i) {
    int row = 16 * warp + lane / 4 + i / 2 % 2 * 8;
    int column = i / 4 * 8 + lane % 4 * 2 + i % 2;
    double sum = isAdded ? d[i] : 0;
    for (int k = 0; k < 16; ++k)
      sum += (double)get_described(T, a, row, k, isATransposed, isBFloat) *
             get_described(T, b, column, k, isBTransposed, isBFloat);
    d[i] = (float)sum;
  }
}

static void start(uint32_t number) {
  struct Thread *T = &threads[number];
  T->code(T);
  T->isDone = 1;
  for (;;)
    give_up(T);
}

/// Runs each thread until all that are not done wait at the same barrier.
static void runBlock(uint32_t count) {
  for (int left = (int)count; left;) {
    for (uint32_t warp = 0; warp < count; warp += kWarp) {
      uint32_t end = warp + kWarp < count ? warp + kWarp : count;
      for (int waits = 2; waits == 2;) {
        waits = 0;
        for (uint32_t i = warp; i < end; ++i) {
          if (threads[i].isDone || threads[i].waits == 1)
            continue;
          threads[i].waits = 0;
          swapcontext(&scheduler, &threads[i].context);
          left -= threads[i].isDone;
          if (!threads[i].isDone && threads[i].waits == 2)
            waits = 2;
        }
      }
    }
    for (uint32_t i = 0; i < count; ++i)
      threads[i].waits = 0;
  }
}

static void run(struct Launch *launch, void (*code)(struct Thread *),
                uint64_t sharedBytes) {
  const uint32_t *block = launch->block, *grid = launch->grid;
  uint32_t count = block[0] * block[1] * block[2];
  char *shared = aligned_alloc(kSharedAlignment, kSharedAlignment);
  if (sharedBytes + launch->sharedBytes > kSharedAlignment)
    abort();
  for (uint32_t number = 0; number < grid[0] * grid[1] * grid[2]; ++number) {
    for (uint32_t i = 0; i < count; ++i) {
      struct Thread *T = &threads[i];
      T->number = i;
      T->tid[0] = i % block[0], T->tid[1] = i / block[0] % block[1],
      T->tid[2] = i / block[0] / block[1];
      T->ctaid[0] = number % grid[0], T->ctaid[1] = number / grid[0] % grid[1],
      T->ctaid[2] = number / grid[0] / grid[1];
      memcpy(T->ntid, block, sizeof T->ntid);
      memcpy(T->nctaid, grid, sizeof T->nctaid);
      T->parameters = launch->parameters;
      T->shared = shared;
      T->isDone = T->waits = 0;
      T->copyCount = T->groups = 0;
      T->code = code;
      if (!T->stack)
        T->stack = malloc(kStackBytes);
      getcontext(&T->context);
      T->context.uc_stack.ss_sp = T->stack;
      T->context.uc_stack.ss_size = kStackBytes;
      T->context.uc_link = NULL;
      makecontext(&T->context, (void (*)(void))start, 1, i);
    }
    runBlock(count);
  }
  free(shared);
}

/// The same for threads that do not wait for each other.
static void run_alone(struct Launch *launch, void (*code)(struct Thread *),
                      uint64_t sharedBytes) {
  struct Thread *T = &threads[0];
  memcpy(T->ntid, launch->block, sizeof T->ntid);
  memcpy(T->nctaid, launch->grid, sizeof T->nctaid);
  T->parameters = launch->parameters;
  T->shared = malloc(sharedBytes + launch->sharedBytes + 1);
  uint32_t *b = T->ctaid, *t = T->tid;
  for (b[2] = 0; b[2] < launch->grid[2]; ++b[2])
    for (b[1] = 0; b[1] < launch->grid[1]; ++b[1])
      for (b[0] = 0; b[0] < launch->grid[0]; ++b[0])
        for (t[2] = 0; t[2] < launch->block[2]; ++t[2])
          for (t[1] = 0; t[1] < launch->block[1]; ++t[1])
            for (t[0] = 0; t[0] < launch->block[0]; ++t[0])
              code(T);
  free(T->shared);
}

#endif
