func.func @names(%a: memref<2xf32> {mlirprof.name = "../escape"},
                 %b: memref<2xf32> {mlirprof.name = ".hidden"},
                 %c: memref<2xf32> {mlirprof.name = "a/b"},
                 %d: memref<2xf32> {mlirprof.name = "a b"},
                 %e: memref<2xf32> {mlirprof.name = "result"}) {
  return
}

func.func @large() -> tensor<2xi64> {
  %0 = arith.constant dense<[1152921504606846976, 1]> : tensor<2xi64>
  return %0 : tensor<2xi64>
}

func.func @larger() -> tensor<2xi64> {
  %0 = arith.constant dense<[1152921504606846977, 1]> : tensor<2xi64>
  return %0 : tensor<2xi64>
}

func.func @infinite() -> tensor<2xf32> {
  %0 = arith.constant dense<[0x7F800000, 1.0]> : tensor<2xf32>
  return %0 : tensor<2xf32>
}

func.func @finite() -> tensor<2xf32> {
  %0 = arith.constant dense<[5.0, 1.0]> : tensor<2xf32>
  return %0 : tensor<2xf32>
}
