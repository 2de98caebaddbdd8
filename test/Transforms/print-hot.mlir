// RUN: %mlir-prof-opt --prof-print-hot -o /dev/null %s 2>&1 | FileCheck %s --strict-whitespace --match-full-lines
// RUN: %mlirprof_opt --pass-pipeline='builtin.module(prof-print-hot)' -o /dev/null %s 2>&1 | FileCheck %s --strict-whitespace --match-full-lines
// RUN: %mlir-prof-opt --pass-pipeline='builtin.module(prof-print-hot{top=1})' -o /dev/null %s 2>&1 | FileCheck %s --check-prefix=TOP
// RUN: %mlir-prof-opt --pass-pipeline='builtin.module(prof-print-hot{top=0})' -o /dev/null %s 2>&1 | FileCheck %s --strict-whitespace --match-full-lines
// RUN: %mlir-prof-opt --prof-print-hot -o /dev/null %data/modules/carried.mlir 2>&1 | FileCheck %s --check-prefix=CARRIED

//      CHECK:hottest ops: 4 of 4 with a profile
// CHECK-NEXT:            total_ps  share              sole_ps         estimated_ps            shared_ps      count  op
// CHECK-NEXT:                  70  70.0%                   40                   30                   90          2  arith.mulf @ net/mul
// CHECK-NEXT:                  20  20.0%                   20                    0                    0          1  arith.addf @ -
// CHECK-NEXT:                  10  10.0%                   10                    0                    0          1  arith.addf @ net.py:7:3
// CHECK-NEXT:                   0   0.0%                    0                    0                   90          5  arith.subf @ net/sub

// TOP: hottest ops: 1 of 4 with a profile
// TOP: arith.mulf @ net/mul
// TOP-NOT: arith

// CARRIED: hottest ops: 2 of 2
// CARRIED: 6 {{.*}} math.tanh @ b
// CARRIED: 5 {{.*}} math.tanh @ a
func.func @f(%x: f32) {
  %0 = arith.addf %x, %x {prof.data = #prof.data<count = 1, sole_ps = 10>} : f32 loc(fused<"m">["net.py":7:3, "b"])
  %1 = arith.addf %x, %x {prof.data = #prof.data<count = 1, sole_ps = 20>} : f32 loc(unknown)
  %2 = arith.mulf %x, %x {prof.data = #prof.data<count = 2, sole_ps = 40, shared_ps = 90, estimated_ps = 30>} : f32 loc("net/mul"("net.py":3:4))
  %3 = arith.subf %x, %x {prof.data = #prof.data<count = 5, shared_ps = 90>} : f32 loc("net/sub")
  return
}
