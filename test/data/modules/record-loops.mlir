// One call of @main enters the loop of @triangle 4 * 6 times and its inner loop
// 4 * (0 + 1 + .. + 5) times; the branch is taken for the 2 largest of 6.
func.func private @triangle(%x: memref<8xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %i step %c1 {
      %v = memref.load %x[%j] : memref<8xf32>
      %w = arith.addf %v, %v : f32
      memref.store %w, %x[%j] : memref<8xf32>
    }
    %large = arith.cmpi sge, %i, %c4 : index
    scf.if %large {
      %v = memref.load %x[%i] : memref<8xf32>
      memref.store %v, %x[%c0] : memref<8xf32>
    }
  }
  return
}

func.func @main(%x: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c6 = arith.constant 6 : index
  scf.for %k = %c0 to %c4 step %c1 {
    func.call @triangle(%x, %c6) : (memref<8xf32>, index) -> ()
  }
  return
}
