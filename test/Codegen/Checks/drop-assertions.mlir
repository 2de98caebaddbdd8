// RUN: %mlir-prof-opt --cpu-drop-assertions %s | FileCheck %s

// CHECK-LABEL: func.func @main
// CHECK-NOT: cf.assert
// CHECK: return
func.func @main(%is: i1) {
  cf.assert %is, "index is out of range"
  scf.if %is {
    cf.assert %is, "division by zero"
  }
  return
}
