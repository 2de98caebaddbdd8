// An op that no repair helps is lost once: no later pass is blamed for it.

// RUN: %mlirprof_test_opt --pass-pipeline='builtin.module(prof-identify,prof-track{pipeline="test-drop-locations{op=func.func},test-drop-locations{op=func.return},test-drop-locations{op=arith.mulf}"})' %s -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=remark:

// CHECK: remark: prof-track: test-drop-locations on builtin.module lost 2 of 4 identities: 2 func.return; 1 were repaired
// CHECK: remark: prof-track: test-drop-locations on builtin.module lost 1 of 4 identities: 1 arith.mulf; 1 were repaired

func.func @empty() {
  return
}
func.func @other(%x: f32) -> f32 {
  %0 = arith.mulf %x, %x : f32
  %1 = arith.addf %0, %x : f32
  return %1 : f32
}
