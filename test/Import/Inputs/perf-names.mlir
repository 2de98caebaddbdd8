func.func @_ZN2ns5scaleINS_3BoxINS1_IdEEEEEEvPT_(%x: f64) -> f64 {
  %0 = arith.mulf %x, %x : f64
  %1 = arith.addf %0, %x : f64
  return %1 : f64
}
func.func @_ZN2ns5scaleIiEEvPT_(%x: f64) -> f64 {
  %0 = arith.divf %x, %x : f64
  %1 = arith.subf %0, %x : f64
  return %1 : f64
}
func.func @_Z3addf(%x: f64) -> f64 {
  %0 = arith.addf %x, %x : f64
  %1 = arith.mulf %0, %x : f64
  return %1 : f64
}
func.func @_Z3addd(%x: f64) -> f64 {
  %0 = arith.addf %x, %x : f64
  %1 = arith.divf %0, %x : f64
  return %1 : f64
}
