"builtin.module"() ({
  "stream.executable"() <{sym_name = "e0", sym_visibility = "private"}> ({
    "builtin.module"() ({
      "func.func"() <{function_type = (f32) -> (), sym_name = "f0"}> ({
      ^bb0(%arg0: f32 loc("x")):
        %0 = "iree_encoding.set_encoding"(%arg0) : (f32) -> f32 loc("m.mlir":3:4)
        "func.return"() : () -> () loc(unknown)
      }) : () -> () loc("m.mlir":3:4)
    }) : () -> () loc(unknown)
  }) : () -> () loc(unknown)
  "stream.cmd.execute"(%a) <{s = array<i32: 1>}> ({
  ^bb0(%b: !r loc("y")):
    "stream.cmd.dispatch"(%b) <{entry_points = [@e0::@f0], operandSegmentSizes = array<i32: 0>}> : (!r) -> () loc("m.mlir":3:4 to :9)
    "stream.yield"() : () -> () loc(unknown)
  }) : (!r) -> !t loc(unknown)
}) : () -> () loc(unknown)
