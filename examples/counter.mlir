ml_program.global private mutable @count(0 : i64) : i64

func.func @main() -> i64 {
  %one = arith.constant 1 : i64
  %count = ml_program.global_load @count : i64
  %next = arith.addi %count, %one : i64
  ml_program.global_store @count = %next : i64
  return %next : i64
}
