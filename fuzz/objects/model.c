/* The object that samples of the target perf-script lie in. It is compiled as
   if it came from model.mlir. */

static double square(double x) { return x * x; }

double first(double x) { return square(x) + square(x + 1); }

double second(double x, int count) {
  for (int i = 0; i < count; ++i)
    x += square(x) / first(x);
  return x;
}
