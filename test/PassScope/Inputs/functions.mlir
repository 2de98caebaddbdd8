func.func @first(%a: i32) -> i32 {
  %0 = arith.addi %a, %a : i32
  %1 = arith.addi %a, %a : i32
  %2 = arith.muli %0, %1 : i32
  return %2 : i32
}
func.func @second(%a: i32) -> i32 {
  %0 = func.call @first(%a) : (i32) -> i32
  return %0 : i32
}
func.func @third() {
  return
}
