#loc1 = loc("params['W1']")
#loc2 = loc("params['W2']")
#loc3 = loc("params['Wk']")
#loc4 = loc("params['Wo']")
#loc5 = loc("params['Wq']")
#loc6 = loc("params['Wv']")
#loc7 = loc("params['c1']")
#loc8 = loc("params['c2']")
#loc9 = loc("params['e1']")
#loc10 = loc("params['e2']")
#loc11 = loc("params['g1']")
#loc12 = loc("params['g2']")
#loc13 = loc("x")
#loc14 = loc("/data/workloads/models_jax.py":105:16 to :49)
#loc15 = loc("/data/workloads/gpu/record_jax.py":60:14 to :49)
#loc16 = loc("/data/workloads/gpu/record_jax.py":106:12 to :44)
#loc17 = loc("/data/workloads/gpu/record_jax.py":118:13 to :19)
#loc18 = loc("/data/workloads/models_jax.py":100:46 to :63)
#loc19 = loc("/data/workloads/models_jax.py":86:15 to :40)
#loc20 = loc("reduce_sum")
#loc21 = loc("/data/workloads/models_jax.py":95:16 to :49)
#loc22 = loc("/data/workloads/models_jax.py":87:21 to :29)
#loc23 = loc("/data/workloads/models_jax.py":87:20 to :35)
#loc24 = loc("/data/workloads/models_jax.py":87:19 to :60)
#loc25 = loc("/data/workloads/models_jax.py":88:42 to :57)
#loc26 = loc("/data/workloads/models_jax.py":88:28 to :58)
#loc27 = loc("/data/workloads/models_jax.py":88:15 to :58)
#loc28 = loc("/data/workloads/models_jax.py":88:16 to :24)
#loc29 = loc("/data/workloads/models_jax.py":88:15 to :66)
#loc30 = loc("/data/workloads/models_jax.py":88:15 to :75)
#loc31 = loc("/data/workloads/models_jax.py":96:22 to :38)
#loc32 = loc("/data/workloads/models_jax.py":91:15 to :53)
#loc33 = loc("/data/workloads/models_jax.py":96:16 to :39)
#loc34 = loc("/data/workloads/models_jax.py":91:15 to :75)
#loc35 = loc("/data/workloads/models_jax.py":97:22 to :38)
#loc36 = loc("/data/workloads/models_jax.py":97:16 to :39)
#loc37 = loc("/data/workloads/models_jax.py":98:22 to :38)
#loc38 = loc("/data/workloads/models_jax.py":98:16 to :39)
#loc39 = loc("/data/workloads/models_jax.py":99:16 to :51)
#loc40 = loc("/data/workloads/models_jax.py":99:16 to :67)
#loc41 = loc("reduce_max")
#loc42 = loc("/data/workloads/models_jax.py":100:16 to :67)
#loc43 = loc("/data/workloads/models_jax.py":101:16 to :39)
#loc44 = loc("/data/workloads/models_jax.py":101:16 to :69)
#loc45 = loc("/data/workloads/models_jax.py":102:20 to :36)
#loc46 = loc("/data/workloads/models_jax.py":102:16 to :36)
#loc47 = loc("/data/workloads/models_jax.py":104:16 to :64)
#loc48 = loc("/data/workloads/models_jax.py":104:16 to :79)
#loc49 = loc("/data/workloads/models_jax.py":106:23 to :39)
#loc50 = loc("/data/workloads/models_jax.py":106:19 to :39)
#loc51 = loc("/data/workloads/models_jax.py":106:19 to :54)
#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map2 = affine_map<(d0, d1, d2) -> ()>
#map3 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map4 = affine_map<(d0, d1, d2) -> (d2)>
#map5 = affine_map<(d0, d1, d2) -> (0, 0, d2)>
#map6 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>
#map7 = affine_map<(d0, d1, d2, d3) -> (d3, d2)>
#map8 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map9 = affine_map<(d0, d1, d2, d3) -> (d0, d2, d1, d3)>
#map10 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map11 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d4)>
#map12 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d3, d4)>
#map13 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>
#map14 = affine_map<(d0, d1, d2, d3) -> ()>
#map15 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map16 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d4, d3)>
#loc52 = loc("enc.<locals>.f"(#loc14))
#loc53 = loc("record"(#loc15))
#loc54 = loc("main"(#loc16))
#loc55 = loc("<module>"(#loc17))
#loc56 = loc("enc.<locals>.f"(#loc18))
#loc57 = loc("jit(f)/attn/jit(ln)/reduce_sum"(#loc19))
#loc58 = loc("reduce_sum:"(#loc20))
#loc59 = loc("jit(f)/attn/jit(ln)/broadcast_in_dim"(#loc19))
#loc60 = loc("jit(f)/attn/jit(ln)/div"(#loc19))
#loc61 = loc("enc.<locals>.f"(#loc21))
#loc62 = loc("jit(f)/attn/jit(ln)/sub"(#loc22))
#loc63 = loc("jit(f)/attn/jit(ln)/integer_pow"(#loc23))
#loc64 = loc("jit(f)/attn/jit(ln)/reduce_sum"(#loc24))
#loc65 = loc("jit(f)/attn/jit(ln)/broadcast_in_dim"(#loc24))
#loc66 = loc("jit(f)/attn/jit(ln)/div"(#loc24))
#loc67 = loc("jit(f)/attn/jit(ln)/add"(#loc25))
#loc68 = loc("jit(f)/attn/jit(ln)/rsqrt"(#loc26))
#loc69 = loc("jit(f)/attn/jit(ln)/mul"(#loc27))
#loc70 = loc("jit(f)/attn/jit(ln)/sub"(#loc28))
#loc71 = loc("jit(f)/attn/jit(ln)/broadcast_in_dim"(#loc29))
#loc72 = loc("jit(f)/attn/jit(ln)/mul"(#loc29))
#loc73 = loc("jit(f)/attn/jit(ln)/broadcast_in_dim"(#loc30))
#loc74 = loc("jit(f)/attn/jit(ln)/add"(#loc30))
#loc75 = loc("enc.<locals>.f"(#loc31))
#loc76 = loc("enc.<locals>.split"(#loc32))
#loc77 = loc("enc.<locals>.f"(#loc33))
#loc78 = loc("enc.<locals>.split"(#loc34))
#loc79 = loc("enc.<locals>.f"(#loc35))
#loc80 = loc("enc.<locals>.f"(#loc36))
#loc81 = loc("enc.<locals>.f"(#loc37))
#loc82 = loc("enc.<locals>.f"(#loc38))
#loc83 = loc("enc.<locals>.f"(#loc39))
#loc84 = loc("enc.<locals>.f"(#loc40))
#loc85 = loc("reduce_max:"(#loc41))
#loc86 = loc("enc.<locals>.f"(#loc42))
#loc87 = loc("enc.<locals>.f"(#loc43))
#loc88 = loc("enc.<locals>.f"(#loc44))
#loc89 = loc("enc.<locals>.f"(#loc45))
#loc90 = loc("enc.<locals>.f"(#loc46))
#loc91 = loc("jit(f)/mlp/jit(ln)/reduce_sum"(#loc19))
#loc92 = loc("jit(f)/mlp/jit(ln)/broadcast_in_dim"(#loc19))
#loc93 = loc("jit(f)/mlp/jit(ln)/div"(#loc19))
#loc94 = loc("jit(f)/mlp/jit(ln)/sub"(#loc22))
#loc95 = loc("jit(f)/mlp/jit(ln)/integer_pow"(#loc23))
#loc96 = loc("jit(f)/mlp/jit(ln)/reduce_sum"(#loc24))
#loc97 = loc("jit(f)/mlp/jit(ln)/broadcast_in_dim"(#loc24))
#loc98 = loc("jit(f)/mlp/jit(ln)/div"(#loc24))
#loc99 = loc("jit(f)/mlp/jit(ln)/add"(#loc25))
#loc100 = loc("jit(f)/mlp/jit(ln)/rsqrt"(#loc26))
#loc101 = loc("jit(f)/mlp/jit(ln)/mul"(#loc27))
#loc102 = loc("jit(f)/mlp/jit(ln)/sub"(#loc28))
#loc103 = loc("jit(f)/mlp/jit(ln)/broadcast_in_dim"(#loc29))
#loc104 = loc("jit(f)/mlp/jit(ln)/mul"(#loc29))
#loc105 = loc("jit(f)/mlp/jit(ln)/broadcast_in_dim"(#loc30))
#loc106 = loc("jit(f)/mlp/jit(ln)/add"(#loc30))
#loc107 = loc("enc.<locals>.f"(#loc47))
#loc108 = loc("enc.<locals>.f"(#loc48))
#loc109 = loc("enc.<locals>.f"(#loc49))
#loc110 = loc("enc.<locals>.f"(#loc50))
#loc111 = loc("enc.<locals>.f"(#loc51))
#loc112 = loc(callsite(#loc54 at #loc55))
#loc113 = loc(callsite(#loc53 at #loc112))
#loc114 = loc(callsite(#loc52 at #loc113))
#loc115 = loc("jit(f)"(#loc113))
#loc116 = loc(callsite(#loc56 at #loc113))
#loc117 = loc(callsite(#loc61 at #loc113))
#loc118 = loc(callsite(#loc75 at #loc113))
#loc119 = loc(callsite(#loc77 at #loc113))
#loc120 = loc(callsite(#loc79 at #loc113))
#loc121 = loc(callsite(#loc80 at #loc113))
#loc122 = loc(callsite(#loc81 at #loc113))
#loc123 = loc(callsite(#loc82 at #loc113))
#loc124 = loc(callsite(#loc83 at #loc113))
#loc125 = loc(callsite(#loc84 at #loc113))
#loc126 = loc(callsite(#loc86 at #loc113))
#loc127 = loc(callsite(#loc87 at #loc113))
#loc128 = loc(callsite(#loc88 at #loc113))
#loc129 = loc(callsite(#loc89 at #loc113))
#loc130 = loc(callsite(#loc90 at #loc113))
#loc131 = loc(callsite(#loc107 at #loc113))
#loc132 = loc(callsite(#loc108 at #loc113))
#loc133 = loc(callsite(#loc109 at #loc113))
#loc134 = loc(callsite(#loc110 at #loc113))
#loc135 = loc(callsite(#loc111 at #loc113))
#loc136 = loc("jit(f)/mlp/erfc"(#loc114))
#loc137 = loc("jit(f)/attn/reduce_max"(#loc116))
#loc138 = loc("jit(f)/attn/jit(ln)"(#loc117))
#loc139 = loc("jit(f)/attn/dot_general"(#loc118))
#loc140 = loc(callsite(#loc76 at #loc119))
#loc141 = loc(callsite(#loc78 at #loc119))
#loc142 = loc("jit(f)/attn/dot_general"(#loc120))
#loc143 = loc(callsite(#loc76 at #loc121))
#loc144 = loc(callsite(#loc78 at #loc121))
#loc145 = loc("jit(f)/attn/dot_general"(#loc122))
#loc146 = loc(callsite(#loc76 at #loc123))
#loc147 = loc(callsite(#loc78 at #loc123))
#loc148 = loc("jit(f)/attn/bhqd,bhkd->bhqk/dot_general"(#loc124))
#loc149 = loc("jit(f)/attn/mul"(#loc125))
#loc150 = loc("jit(f)/attn/max"(#loc116))
#loc151 = loc("jit(f)/attn/broadcast_in_dim"(#loc116))
#loc152 = loc("jit(f)/attn/sub"(#loc116))
#loc153 = loc("jit(f)/attn/exp"(#loc116))
#loc154 = loc("jit(f)/attn/reduce_sum"(#loc116))
#loc155 = loc("jit(f)/attn/div"(#loc116))
#loc156 = loc("jit(f)/attn/bhqk,bhkd->bhqd/dot_general"(#loc126))
#loc157 = loc("jit(f)/attn/transpose"(#loc127))
#loc158 = loc("jit(f)/attn/reshape"(#loc128))
#loc159 = loc("jit(f)/attn/dot_general"(#loc129))
#loc160 = loc("jit(f)/attn/add"(#loc130))
#loc161 = loc("jit(f)/mlp/dot_general"(#loc131))
#loc162 = loc("jit(f)/mlp/broadcast_in_dim"(#loc132))
#loc163 = loc("jit(f)/mlp/add"(#loc132))
#loc164 = loc("jit(f)/mlp/mul"(#loc114))
#loc165 = loc("jit(f)/mlp/neg"(#loc114))
#loc166 = loc("jit(f)/mlp/dot_general"(#loc133))
#loc167 = loc("jit(f)/mlp/add"(#loc134))
#loc168 = loc("jit(f)/mlp/broadcast_in_dim"(#loc135))
#loc169 = loc("jit(f)/mlp/add"(#loc135))
#loc170 = loc("jit(f)/attn/reshape"(#loc140))
#loc171 = loc("jit(f)/attn/transpose"(#loc141))
#loc172 = loc("jit(f)/attn/reshape"(#loc143))
#loc173 = loc("jit(f)/attn/transpose"(#loc144))
#loc174 = loc("jit(f)/attn/reshape"(#loc146))
#loc175 = loc("jit(f)/attn/transpose"(#loc147))
module @jit_f attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<256x1024xf32> loc("params['W1']"), %arg1: tensor<1024x256xf32> loc("params['W2']"), %arg2: tensor<256x256xf32> loc("params['Wk']"), %arg3: tensor<256x256xf32> loc("params['Wo']"), %arg4: tensor<256x256xf32> loc("params['Wq']"), %arg5: tensor<256x256xf32> loc("params['Wv']"), %arg6: tensor<1024xf32> loc("params['c1']"), %arg7: tensor<256xf32> loc("params['c2']"), %arg8: tensor<256xf32> loc("params['e1']"), %arg9: tensor<256xf32> loc("params['e2']"), %arg10: tensor<256xf32> loc("params['g1']"), %arg11: tensor<256xf32> loc("params['g2']"), %arg12: tensor<4x128x256xf32> loc("x")) -> (tensor<4x128x256xf32> {jax.result_info = "result"}) {
    %cst = arith.constant 1.12837911 : f32 loc(#loc136)
    %cst_0 = arith.constant -0.37612626 : f32 loc(#loc136)
    %cst_1 = arith.constant 0.112835854 : f32 loc(#loc136)
    %cst_2 = arith.constant -0.0268538129 : f32 loc(#loc136)
    %cst_3 = arith.constant 0.00518832775 : f32 loc(#loc136)
    %cst_4 = arith.constant -8.0101937E-4 : f32 loc(#loc136)
    %cst_5 = arith.constant 7.85386146E-5 : f32 loc(#loc136)
    %cst_6 = arith.constant -88.7228394 : f32 loc(#loc136)
    %cst_7 = arith.constant 0.564189494 : f32 loc(#loc136)
    %cst_8 = arith.constant -0.282076746 : f32 loc(#loc136)
    %cst_9 = arith.constant 0.42184633 : f32 loc(#loc136)
    %cst_10 = arith.constant -1.01526523 : f32 loc(#loc136)
    %cst_11 = arith.constant 2.92101908 : f32 loc(#loc136)
    %cst_12 = arith.constant -7.49551868 : f32 loc(#loc136)
    %cst_13 = arith.constant 1.297720e+01 : f32 loc(#loc136)
    %cst_14 = arith.constant -10.477664 : f32 loc(#loc136)
    %cst_15 = arith.constant 0.563825965 : f32 loc(#loc136)
    %cst_16 = arith.constant -0.274112701 : f32 loc(#loc136)
    %cst_17 = arith.constant 3.404880e-01 : f32 loc(#loc136)
    %cst_18 = arith.constant -0.494451523 : f32 loc(#loc136)
    %cst_19 = arith.constant 0.621000468 : f32 loc(#loc136)
    %cst_20 = arith.constant -0.582473278 : f32 loc(#loc136)
    %cst_21 = arith.constant 0.368742466 : f32 loc(#loc136)
    %cst_22 = arith.constant -0.138703942 : f32 loc(#loc136)
    %cst_23 = arith.constant 2.326820e-02 : f32 loc(#loc136)
    %cst_24 = arith.constant 2.000000e+00 : f32 loc(#loc)
    %cst_25 = arith.constant 1.000000e+00 : f32 loc(#loc)
    %cst_26 = arith.constant dense<0.707106769> : tensor<f32> loc(#loc115)
    %cst_27 = arith.constant dense<5.000000e-01> : tensor<f32> loc(#loc115)
    %cst_28 = arith.constant 0xFF800000 : f32 loc(#loc137)
    %cst_29 = arith.constant dense<0xFF800000> : tensor<f32> loc(#loc)
    %cst_30 = arith.constant dense<1.250000e-01> : tensor<f32> loc(#loc115)
    %cst_31 = arith.constant dense<9.99999974E-6> : tensor<f32> loc(#loc)
    %cst_32 = arith.constant dense<2.560000e+02> : tensor<f32> loc(#loc)
    %cst_33 = arith.constant 0.000000e+00 : f32 loc(#loc)
    %0 = tensor.empty() : tensor<4x128xf32> loc(#loc57)
    %1 = linalg.fill ins(%cst_33 : f32) outs(%0 : tensor<4x128xf32>) -> tensor<4x128xf32> loc(#loc57)
    %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg12 : tensor<4x128x256xf32>) outs(%1 : tensor<4x128xf32>) {
    ^bb0(%in: f32 loc("reduce_sum:"(#loc20)), %out: f32 loc("reduce_sum:"(#loc20))):
      %159 = arith.addf %out, %in : f32 loc(#loc57)
      linalg.yield %159 : f32 loc(#loc57)
    } -> tensor<4x128xf32> loc(#loc57)
    %3 = tensor.empty() : tensor<4x128x1xf32> loc(#loc59)
    %4 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%2 : tensor<4x128xf32>) outs(%3 : tensor<4x128x1xf32>) {
    ^bb0(%in: f32 loc("jit(f)/attn/jit(ln)/reduce_sum"(#loc19)), %out: f32 loc("jit(f)/attn/jit(ln)/broadcast_in_dim"(#loc19))):
      linalg.yield %in : f32 loc(#loc59)
    } -> tensor<4x128x1xf32> loc(#loc59)
    %5 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_32 : tensor<f32>) outs(%3 : tensor<4x128x1xf32>) {
    ^bb0(%in: f32 loc("jit(f)/attn/jit(ln)"(#loc117)), %out: f32 loc("jit(f)/attn/jit(ln)/div"(#loc19))):
      linalg.yield %in : f32 loc(#loc60)
    } -> tensor<4x128x1xf32> loc(#loc60)
    %6 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%4, %5 : tensor<4x128x1xf32>, tensor<4x128x1xf32>) outs(%3 : tensor<4x128x1xf32>) {
    ^bb0(%in: f32 loc("jit(f)/attn/jit(ln)/broadcast_in_dim"(#loc19)), %in_36: f32 loc("jit(f)/attn/jit(ln)/div"(#loc19)), %out: f32 loc("jit(f)/attn/jit(ln)/div"(#loc19))):
      %159 = arith.divf %in, %in_36 : f32 loc(#loc60)
      linalg.yield %159 : f32 loc(#loc60)
    } -> tensor<4x128x1xf32> loc(#loc60)
    %7 = tensor.empty() : tensor<4x128x256xf32> loc(#loc62)
    %8 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6 : tensor<4x128x1xf32>) outs(%7 : tensor<4x128x256xf32>) {
    ^bb0(%in: f32 loc("jit(f)/attn/jit(ln)/div"(#loc19)), %out: f32 loc("jit(f)/attn/jit(ln)/sub"(#loc22))):
      linalg.yield %in : f32 loc(#loc62)
    } -> tensor<4x128x256xf32> loc(#loc62)
    %9 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg12, %8 : tensor<4x128x256xf32>, tensor<4x128x256xf32>) outs(%7 : tensor<4x128x256xf32>) {
    ^bb0(%in: f32 loc("x"), %in_36: f32 loc("jit(f)/attn/jit(ln)/sub"(#loc22)), %out: f32 loc("jit(f)/attn/jit(ln)/sub"(#loc22))):
      %159 = arith.subf %in, %in_36 : f32 loc(#loc62)
      linalg.yield %159 : f32 loc(#loc62)
    } -> tensor<4x128x256xf32> loc(#loc62)
    %10 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%9, %9 : tensor<4x128x256xf32>, tensor<4x128x256xf32>) outs(%7 : tensor<4x128x256xf32>) {
    ^bb0(%in: f32 loc("jit(f)/attn/jit(ln)/sub"(#loc22)), %in_36: f32 loc("jit(f)/attn/jit(ln)/sub"(#loc22)), %out: f32 loc("jit(f)/attn/jit(ln)/integer_pow"(#loc23))):
      %159 = arith.mulf %in, %in_36 : f32 loc(#loc63)
      linalg.yield %159 : f32 loc(#loc63)
    } -> tensor<4x128x256xf32> loc(#loc63)
    %11 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%10 : tensor<4x128x256xf32>) outs(%1 : tensor<4x128xf32>) {
    ^bb0(%in: f32 loc("reduce_sum:"(#loc20)), %out: f32 loc("reduce_sum:"(#loc20))):
      %159 = arith.addf %out, %in : f32 loc(#loc64)
      linalg.yield %159 : f32 loc(#loc64)
    } -> tensor<4x128xf32> loc(#loc64)
    %12 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%11 : tensor<4x128xf32>) outs(%3 : tensor<4x128x1xf32>) {
    ^bb0(%in: f32 loc("jit(f)/attn/jit(ln)/reduce_sum"(#loc24)), %out: f32 loc("jit(f)/attn/jit(ln)/broadcast_in_dim"(#loc24))):
      linalg.yield %in : f32 loc(#loc65)
    } -> tensor<4x128x1xf32> loc(#loc65)
    %13 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%12, %5 : tensor<4x128x1xf32>, tensor<4x128x1xf32>) outs(%3 : tensor<4x128x1xf32>) {
    ^bb0(%in: f32 loc("jit(f)/attn/jit(ln)/broadcast_in_dim"(#loc24)), %in_36: f32 loc("jit(f)/attn/jit(ln)/div"(#loc24)), %out: f32 loc("jit(f)/attn/jit(ln)/div"(#loc24))):
      %159 = arith.divf %in, %in_36 : f32 loc(#loc66)
      linalg.yield %159 : f32 loc(#loc66)
    } -> tensor<4x128x1xf32> loc(#loc66)
    %14 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_31 : tensor<f32>) outs(%3 : tensor<4x128x1xf32>) {
    ^bb0(%in: f32 loc("jit(f)/attn/jit(ln)"(#loc117)), %out: f32 loc("jit(f)/attn/jit(ln)/add"(#loc25))):
      linalg.yield %in : f32 loc(#loc67)
    } -> tensor<4x128x1xf32> loc(#loc67)
    %15 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%13, %14 : tensor<4x128x1xf32>, tensor<4x128x1xf32>) outs(%3 : tensor<4x128x1xf32>) {
    ^bb0(%in: f32 loc("jit(f)/attn/jit(ln)/div"(#loc24)), %in_36: f32 loc("jit(f)/attn/jit(ln)/add"(#loc25)), %out: f32 loc("jit(f)/attn/jit(ln)/add"(#loc25))):
      %159 = arith.addf %in, %in_36 : f32 loc(#loc67)
      linalg.yield %159 : f32 loc(#loc67)
    } -> tensor<4x128x1xf32> loc(#loc67)
    %16 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%15 : tensor<4x128x1xf32>) outs(%3 : tensor<4x128x1xf32>) {
    ^bb0(%in: f32 loc("jit(f)/attn/jit(ln)/add"(#loc25)), %out: f32 loc("jit(f)/attn/jit(ln)/rsqrt"(#loc26))):
      %159 = math.rsqrt %in : f32 loc(#loc68)
      linalg.yield %159 : f32 loc(#loc68)
    } -> tensor<4x128x1xf32> loc(#loc68)
    %17 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%16 : tensor<4x128x1xf32>) outs(%7 : tensor<4x128x256xf32>) {
    ^bb0(%in: f32 loc("jit(f)/attn/jit(ln)/rsqrt"(#loc26)), %out: f32 loc("jit(f)/attn/jit(ln)/mul"(#loc27))):
      linalg.yield %in : f32 loc(#loc69)
    } -> tensor<4x128x256xf32> loc(#loc69)
    %18 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%9, %17 : tensor<4x128x256xf32>, tensor<4x128x256xf32>) outs(%7 : tensor<4x128x256xf32>) {
    ^bb0(%in: f32 loc("jit(f)/attn/jit(ln)/sub"(#loc28)), %in_36: f32 loc("jit(f)/attn/jit(ln)/mul"(#loc27)), %out: f32 loc("jit(f)/attn/jit(ln)/mul"(#loc27))):
      %159 = arith.mulf %in, %in_36 : f32 loc(#loc69)
      linalg.yield %159 : f32 loc(#loc69)
    } -> tensor<4x128x256xf32> loc(#loc69)
    %19 = tensor.empty() : tensor<1x1x256xf32> loc(#loc71)
    %20 = linalg.generic {indexing_maps = [#map4, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg10 : tensor<256xf32>) outs(%19 : tensor<1x1x256xf32>) {
    ^bb0(%in: f32 loc("params['g1']"), %out: f32 loc("jit(f)/attn/jit(ln)/broadcast_in_dim"(#loc29))):
      linalg.yield %in : f32 loc(#loc71)
    } -> tensor<1x1x256xf32> loc(#loc71)
    %21 = linalg.generic {indexing_maps = [#map5, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%20 : tensor<1x1x256xf32>) outs(%7 : tensor<4x128x256xf32>) {
    ^bb0(%in: f32 loc("jit(f)/attn/jit(ln)/broadcast_in_dim"(#loc29)), %out: f32 loc("jit(f)/attn/jit(ln)/mul"(#loc29))):
      linalg.yield %in : f32 loc(#loc72)
    } -> tensor<4x128x256xf32> loc(#loc72)
    %22 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%18, %21 : tensor<4x128x256xf32>, tensor<4x128x256xf32>) outs(%7 : tensor<4x128x256xf32>) {
    ^bb0(%in: f32 loc("jit(f)/attn/jit(ln)/mul"(#loc27)), %in_36: f32 loc("jit(f)/attn/jit(ln)/mul"(#loc29)), %out: f32 loc("jit(f)/attn/jit(ln)/mul"(#loc29))):
      %159 = arith.mulf %in, %in_36 : f32 loc(#loc72)
      linalg.yield %159 : f32 loc(#loc72)
    } -> tensor<4x128x256xf32> loc(#loc72)
    %23 = linalg.generic {indexing_maps = [#map4, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg8 : tensor<256xf32>) outs(%19 : tensor<1x1x256xf32>) {
    ^bb0(%in: f32 loc("params['e1']"), %out: f32 loc("jit(f)/attn/jit(ln)/broadcast_in_dim"(#loc30))):
      linalg.yield %in : f32 loc(#loc73)
    } -> tensor<1x1x256xf32> loc(#loc73)
    %24 = linalg.generic {indexing_maps = [#map5, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%23 : tensor<1x1x256xf32>) outs(%7 : tensor<4x128x256xf32>) {
    ^bb0(%in: f32 loc("jit(f)/attn/jit(ln)/broadcast_in_dim"(#loc30)), %out: f32 loc("jit(f)/attn/jit(ln)/add"(#loc30))):
      linalg.yield %in : f32 loc(#loc74)
    } -> tensor<4x128x256xf32> loc(#loc74)
    %25 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%22, %24 : tensor<4x128x256xf32>, tensor<4x128x256xf32>) outs(%7 : tensor<4x128x256xf32>) {
    ^bb0(%in: f32 loc("jit(f)/attn/jit(ln)/mul"(#loc29)), %in_36: f32 loc("jit(f)/attn/jit(ln)/add"(#loc30)), %out: f32 loc("jit(f)/attn/jit(ln)/add"(#loc30))):
      %159 = arith.addf %in, %in_36 : f32 loc(#loc74)
      linalg.yield %159 : f32 loc(#loc74)
    } -> tensor<4x128x256xf32> loc(#loc74)
    %26 = linalg.fill ins(%cst_33 : f32) outs(%7 : tensor<4x128x256xf32>) -> tensor<4x128x256xf32> loc(#loc139)
    %27 = linalg.generic {indexing_maps = [#map6, #map7, #map8], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%25, %arg4 : tensor<4x128x256xf32>, tensor<256x256xf32>) outs(%26 : tensor<4x128x256xf32>) {
    ^bb0(%in: f32 loc("jit(f)/attn/jit(ln)/add"(#loc30)), %in_36: f32 loc("params['Wq']"), %out: f32 loc("jit(f)/attn/dot_general"(#loc118))):
      %159 = arith.mulf %in, %in_36 : f32 loc(#loc74)
      %160 = arith.addf %out, %159 : f32 loc(#loc139)
      linalg.yield %160 : f32 loc(#loc)
    } -> tensor<4x128x256xf32> loc(#loc139)
    %expanded = tensor.expand_shape %27 [[0], [1], [2, 3]] output_shape [4, 128, 4, 64] : tensor<4x128x256xf32> into tensor<4x128x4x64xf32> loc(#loc170)
    %28 = tensor.empty() : tensor<4x4x128x64xf32> loc(#loc171)
    %29 = linalg.generic {indexing_maps = [#map9, #map10], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded : tensor<4x128x4x64xf32>) outs(%28 : tensor<4x4x128x64xf32>) {
    ^bb0(%in: f32 loc("jit(f)/attn/reshape"(#loc140)), %out: f32 loc("jit(f)/attn/transpose"(#loc141))):
      linalg.yield %in : f32 loc(#loc171)
    } -> tensor<4x4x128x64xf32> loc(#loc171)
    %30 = linalg.generic {indexing_maps = [#map6, #map7, #map8], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%25, %arg2 : tensor<4x128x256xf32>, tensor<256x256xf32>) outs(%26 : tensor<4x128x256xf32>) {
    ^bb0(%in: f32 loc("jit(f)/attn/jit(ln)/add"(#loc30)), %in_36: f32 loc("params['Wk']"), %out: f32 loc("jit(f)/attn/dot_general"(#loc120))):
      %159 = arith.mulf %in, %in_36 : f32 loc(#loc74)
      %160 = arith.addf %out, %159 : f32 loc(#loc142)
      linalg.yield %160 : f32 loc(#loc)
    } -> tensor<4x128x256xf32> loc(#loc142)
    %expanded_34 = tensor.expand_shape %30 [[0], [1], [2, 3]] output_shape [4, 128, 4, 64] : tensor<4x128x256xf32> into tensor<4x128x4x64xf32> loc(#loc172)
    %31 = linalg.generic {indexing_maps = [#map9, #map10], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_34 : tensor<4x128x4x64xf32>) outs(%28 : tensor<4x4x128x64xf32>) {
    ^bb0(%in: f32 loc("jit(f)/attn/reshape"(#loc143)), %out: f32 loc("jit(f)/attn/transpose"(#loc144))):
      linalg.yield %in : f32 loc(#loc173)
    } -> tensor<4x4x128x64xf32> loc(#loc173)
    %32 = linalg.generic {indexing_maps = [#map6, #map7, #map8], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%25, %arg5 : tensor<4x128x256xf32>, tensor<256x256xf32>) outs(%26 : tensor<4x128x256xf32>) {
    ^bb0(%in: f32 loc("jit(f)/attn/jit(ln)/add"(#loc30)), %in_36: f32 loc("params['Wv']"), %out: f32 loc("jit(f)/attn/dot_general"(#loc122))):
      %159 = arith.mulf %in, %in_36 : f32 loc(#loc74)
      %160 = arith.addf %out, %159 : f32 loc(#loc145)
      linalg.yield %160 : f32 loc(#loc)
    } -> tensor<4x128x256xf32> loc(#loc145)
    %expanded_35 = tensor.expand_shape %32 [[0], [1], [2, 3]] output_shape [4, 128, 4, 64] : tensor<4x128x256xf32> into tensor<4x128x4x64xf32> loc(#loc174)
    %33 = linalg.generic {indexing_maps = [#map9, #map10], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_35 : tensor<4x128x4x64xf32>) outs(%28 : tensor<4x4x128x64xf32>) {
    ^bb0(%in: f32 loc("jit(f)/attn/reshape"(#loc146)), %out: f32 loc("jit(f)/attn/transpose"(#loc147))):
      linalg.yield %in : f32 loc(#loc175)
    } -> tensor<4x4x128x64xf32> loc(#loc175)
    %34 = tensor.empty() : tensor<4x4x128x128xf32> loc(#loc148)
    %35 = linalg.fill ins(%cst_33 : f32) outs(%34 : tensor<4x4x128x128xf32>) -> tensor<4x4x128x128xf32> loc(#loc148)
    %36 = linalg.generic {indexing_maps = [#map11, #map12, #map13], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%29, %31 : tensor<4x4x128x64xf32>, tensor<4x4x128x64xf32>) outs(%35 : tensor<4x4x128x128xf32>) {
    ^bb0(%in: f32 loc("jit(f)/attn/transpose"(#loc141)), %in_36: f32 loc("jit(f)/attn/transpose"(#loc144)), %out: f32 loc("jit(f)/attn/bhqd,bhkd->bhqk/dot_general"(#loc124))):
      %159 = arith.mulf %in, %in_36 : f32 loc(#loc171)
      %160 = arith.addf %out, %159 : f32 loc(#loc148)
      linalg.yield %160 : f32 loc(#loc)
    } -> tensor<4x4x128x128xf32> loc(#loc148)
    %37 = linalg.generic {indexing_maps = [#map14, #map10], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_30 : tensor<f32>) outs(%34 : tensor<4x4x128x128xf32>) {
    ^bb0(%in: f32 loc("jit(f)"(#loc113)), %out: f32 loc("jit(f)/attn/mul"(#loc125))):
      linalg.yield %in : f32 loc(#loc149)
    } -> tensor<4x4x128x128xf32> loc(#loc149)
    %38 = linalg.generic {indexing_maps = [#map10, #map10, #map10], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%36, %37 : tensor<4x4x128x128xf32>, tensor<4x4x128x128xf32>) outs(%34 : tensor<4x4x128x128xf32>) {
    ^bb0(%in: f32 loc("jit(f)/attn/bhqd,bhkd->bhqk/dot_general"(#loc124)), %in_36: f32 loc("jit(f)/attn/mul"(#loc125)), %out: f32 loc("jit(f)/attn/mul"(#loc125))):
      %159 = arith.mulf %in, %in_36 : f32 loc(#loc149)
      linalg.yield %159 : f32 loc(#loc149)
    } -> tensor<4x4x128x128xf32> loc(#loc149)
    %39 = tensor.empty() : tensor<4x4x128xf32> loc(#loc137)
    %40 = linalg.fill ins(%cst_28 : f32) outs(%39 : tensor<4x4x128xf32>) -> tensor<4x4x128xf32> loc(#loc137)
    %41 = linalg.generic {indexing_maps = [#map10, #map8], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%38 : tensor<4x4x128x128xf32>) outs(%40 : tensor<4x4x128xf32>) {
    ^bb0(%in: f32 loc("reduce_max:"(#loc41)), %out: f32 loc("reduce_max:"(#loc41))):
      %159 = arith.maximumf %out, %in : f32 loc(#loc137)
      linalg.yield %159 : f32 loc(#loc137)
    } -> tensor<4x4x128xf32> loc(#loc137)
    %42 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_29 : tensor<f32>) outs(%39 : tensor<4x4x128xf32>) {
    ^bb0(%in: f32 loc("jit(f)"(#loc113)), %out: f32 loc("jit(f)/attn/max"(#loc116))):
      linalg.yield %in : f32 loc(#loc150)
    } -> tensor<4x4x128xf32> loc(#loc150)
    %43 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%42, %41 : tensor<4x4x128xf32>, tensor<4x4x128xf32>) outs(%39 : tensor<4x4x128xf32>) {
    ^bb0(%in: f32 loc("jit(f)/attn/max"(#loc116)), %in_36: f32 loc("jit(f)/attn/reduce_max"(#loc116)), %out: f32 loc("jit(f)/attn/max"(#loc116))):
      %159 = arith.maximumf %in, %in_36 : f32 loc(#loc150)
      linalg.yield %159 : f32 loc(#loc150)
    } -> tensor<4x4x128xf32> loc(#loc150)
    %44 = tensor.empty() : tensor<4x4x128x1xf32> loc(#loc151)
    %45 = linalg.generic {indexing_maps = [#map8, #map10], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%43 : tensor<4x4x128xf32>) outs(%44 : tensor<4x4x128x1xf32>) {
    ^bb0(%in: f32 loc("jit(f)/attn/max"(#loc116)), %out: f32 loc("jit(f)/attn/broadcast_in_dim"(#loc116))):
      linalg.yield %in : f32 loc(#loc151)
    } -> tensor<4x4x128x1xf32> loc(#loc151)
    %46 = linalg.generic {indexing_maps = [#map15, #map10], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%45 : tensor<4x4x128x1xf32>) outs(%34 : tensor<4x4x128x128xf32>) {
    ^bb0(%in: f32 loc("jit(f)/attn/broadcast_in_dim"(#loc116)), %out: f32 loc("jit(f)/attn/sub"(#loc116))):
      linalg.yield %in : f32 loc(#loc152)
    } -> tensor<4x4x128x128xf32> loc(#loc152)
    %47 = linalg.generic {indexing_maps = [#map10, #map10, #map10], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%38, %46 : tensor<4x4x128x128xf32>, tensor<4x4x128x128xf32>) outs(%34 : tensor<4x4x128x128xf32>) {
    ^bb0(%in: f32 loc("jit(f)/attn/mul"(#loc125)), %in_36: f32 loc("jit(f)/attn/sub"(#loc116)), %out: f32 loc("jit(f)/attn/sub"(#loc116))):
      %159 = arith.subf %in, %in_36 : f32 loc(#loc152)
      linalg.yield %159 : f32 loc(#loc152)
    } -> tensor<4x4x128x128xf32> loc(#loc152)
    %48 = linalg.generic {indexing_maps = [#map10, #map10], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%47 : tensor<4x4x128x128xf32>) outs(%34 : tensor<4x4x128x128xf32>) {
    ^bb0(%in: f32 loc("jit(f)/attn/sub"(#loc116)), %out: f32 loc("jit(f)/attn/exp"(#loc116))):
      %159 = math.exp %in : f32 loc(#loc153)
      linalg.yield %159 : f32 loc(#loc153)
    } -> tensor<4x4x128x128xf32> loc(#loc153)
    %49 = linalg.fill ins(%cst_33 : f32) outs(%39 : tensor<4x4x128xf32>) -> tensor<4x4x128xf32> loc(#loc154)
    %50 = linalg.generic {indexing_maps = [#map10, #map8], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%48 : tensor<4x4x128x128xf32>) outs(%49 : tensor<4x4x128xf32>) {
    ^bb0(%in: f32 loc("reduce_sum:"(#loc20)), %out: f32 loc("reduce_sum:"(#loc20))):
      %159 = arith.addf %out, %in : f32 loc(#loc154)
      linalg.yield %159 : f32 loc(#loc154)
    } -> tensor<4x4x128xf32> loc(#loc154)
    %51 = linalg.generic {indexing_maps = [#map8, #map10], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%50 : tensor<4x4x128xf32>) outs(%44 : tensor<4x4x128x1xf32>) {
    ^bb0(%in: f32 loc("jit(f)/attn/reduce_sum"(#loc116)), %out: f32 loc("jit(f)/attn/broadcast_in_dim"(#loc116))):
      linalg.yield %in : f32 loc(#loc151)
    } -> tensor<4x4x128x1xf32> loc(#loc151)
    %52 = linalg.generic {indexing_maps = [#map15, #map10], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%51 : tensor<4x4x128x1xf32>) outs(%34 : tensor<4x4x128x128xf32>) {
    ^bb0(%in: f32 loc("jit(f)/attn/broadcast_in_dim"(#loc116)), %out: f32 loc("jit(f)/attn/div"(#loc116))):
      linalg.yield %in : f32 loc(#loc155)
    } -> tensor<4x4x128x128xf32> loc(#loc155)
    %53 = linalg.generic {indexing_maps = [#map10, #map10, #map10], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%48, %52 : tensor<4x4x128x128xf32>, tensor<4x4x128x128xf32>) outs(%34 : tensor<4x4x128x128xf32>) {
    ^bb0(%in: f32 loc("jit(f)/attn/exp"(#loc116)), %in_36: f32 loc("jit(f)/attn/div"(#loc116)), %out: f32 loc("jit(f)/attn/div"(#loc116))):
      %159 = arith.divf %in, %in_36 : f32 loc(#loc155)
      linalg.yield %159 : f32 loc(#loc155)
    } -> tensor<4x4x128x128xf32> loc(#loc155)
    %54 = linalg.fill ins(%cst_33 : f32) outs(%28 : tensor<4x4x128x64xf32>) -> tensor<4x4x128x64xf32> loc(#loc156)
    %55 = linalg.generic {indexing_maps = [#map11, #map16, #map13], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%53, %33 : tensor<4x4x128x128xf32>, tensor<4x4x128x64xf32>) outs(%54 : tensor<4x4x128x64xf32>) {
    ^bb0(%in: f32 loc("jit(f)/attn/div"(#loc116)), %in_36: f32 loc("jit(f)/attn/transpose"(#loc147)), %out: f32 loc("jit(f)/attn/bhqk,bhkd->bhqd/dot_general"(#loc126))):
      %159 = arith.mulf %in, %in_36 : f32 loc(#loc155)
      %160 = arith.addf %out, %159 : f32 loc(#loc156)
      linalg.yield %160 : f32 loc(#loc)
    } -> tensor<4x4x128x64xf32> loc(#loc156)
    %56 = tensor.empty() : tensor<4x128x4x64xf32> loc(#loc157)
    %57 = linalg.generic {indexing_maps = [#map9, #map10], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%55 : tensor<4x4x128x64xf32>) outs(%56 : tensor<4x128x4x64xf32>) {
    ^bb0(%in: f32 loc("jit(f)/attn/bhqk,bhkd->bhqd/dot_general"(#loc126)), %out: f32 loc("jit(f)/attn/transpose"(#loc127))):
      linalg.yield %in : f32 loc(#loc157)
    } -> tensor<4x128x4x64xf32> loc(#loc157)
    %collapsed = tensor.collapse_shape %57 [[0], [1], [2, 3]] : tensor<4x128x4x64xf32> into tensor<4x128x256xf32> loc(#loc158)
    %58 = linalg.generic {indexing_maps = [#map6, #map7, #map8], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%collapsed, %arg3 : tensor<4x128x256xf32>, tensor<256x256xf32>) outs(%26 : tensor<4x128x256xf32>) {
    ^bb0(%in: f32 loc("jit(f)/attn/reshape"(#loc128)), %in_36: f32 loc("params['Wo']"), %out: f32 loc("jit(f)/attn/dot_general"(#loc129))):
      %159 = arith.mulf %in, %in_36 : f32 loc(#loc158)
      %160 = arith.addf %out, %159 : f32 loc(#loc159)
      linalg.yield %160 : f32 loc(#loc)
    } -> tensor<4x128x256xf32> loc(#loc159)
    %59 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg12, %58 : tensor<4x128x256xf32>, tensor<4x128x256xf32>) outs(%7 : tensor<4x128x256xf32>) {
    ^bb0(%in: f32 loc("x"), %in_36: f32 loc("jit(f)/attn/dot_general"(#loc129)), %out: f32 loc("jit(f)/attn/add"(#loc130))):
      %159 = arith.addf %in, %in_36 : f32 loc(#loc160)
      linalg.yield %159 : f32 loc(#loc160)
    } -> tensor<4x128x256xf32> loc(#loc160)
    %60 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%59 : tensor<4x128x256xf32>) outs(%1 : tensor<4x128xf32>) {
    ^bb0(%in: f32 loc("reduce_sum:"(#loc20)), %out: f32 loc("reduce_sum:"(#loc20))):
      %159 = arith.addf %out, %in : f32 loc(#loc91)
      linalg.yield %159 : f32 loc(#loc91)
    } -> tensor<4x128xf32> loc(#loc91)
    %61 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%60 : tensor<4x128xf32>) outs(%3 : tensor<4x128x1xf32>) {
    ^bb0(%in: f32 loc("jit(f)/mlp/jit(ln)/reduce_sum"(#loc19)), %out: f32 loc("jit(f)/mlp/jit(ln)/broadcast_in_dim"(#loc19))):
      linalg.yield %in : f32 loc(#loc92)
    } -> tensor<4x128x1xf32> loc(#loc92)
    %62 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%61, %5 : tensor<4x128x1xf32>, tensor<4x128x1xf32>) outs(%3 : tensor<4x128x1xf32>) {
    ^bb0(%in: f32 loc("jit(f)/mlp/jit(ln)/broadcast_in_dim"(#loc19)), %in_36: f32 loc("jit(f)/mlp/jit(ln)/div"(#loc19)), %out: f32 loc("jit(f)/mlp/jit(ln)/div"(#loc19))):
      %159 = arith.divf %in, %in_36 : f32 loc(#loc93)
      linalg.yield %159 : f32 loc(#loc93)
    } -> tensor<4x128x1xf32> loc(#loc93)
    %63 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%62 : tensor<4x128x1xf32>) outs(%7 : tensor<4x128x256xf32>) {
    ^bb0(%in: f32 loc("jit(f)/mlp/jit(ln)/div"(#loc19)), %out: f32 loc("jit(f)/mlp/jit(ln)/sub"(#loc22))):
      linalg.yield %in : f32 loc(#loc94)
    } -> tensor<4x128x256xf32> loc(#loc94)
    %64 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%59, %63 : tensor<4x128x256xf32>, tensor<4x128x256xf32>) outs(%7 : tensor<4x128x256xf32>) {
    ^bb0(%in: f32 loc("jit(f)/attn/add"(#loc130)), %in_36: f32 loc("jit(f)/mlp/jit(ln)/sub"(#loc22)), %out: f32 loc("jit(f)/mlp/jit(ln)/sub"(#loc22))):
      %159 = arith.subf %in, %in_36 : f32 loc(#loc94)
      linalg.yield %159 : f32 loc(#loc94)
    } -> tensor<4x128x256xf32> loc(#loc94)
    %65 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%64, %64 : tensor<4x128x256xf32>, tensor<4x128x256xf32>) outs(%7 : tensor<4x128x256xf32>) {
    ^bb0(%in: f32 loc("jit(f)/mlp/jit(ln)/sub"(#loc22)), %in_36: f32 loc("jit(f)/mlp/jit(ln)/sub"(#loc22)), %out: f32 loc("jit(f)/mlp/jit(ln)/integer_pow"(#loc23))):
      %159 = arith.mulf %in, %in_36 : f32 loc(#loc95)
      linalg.yield %159 : f32 loc(#loc95)
    } -> tensor<4x128x256xf32> loc(#loc95)
    %66 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%65 : tensor<4x128x256xf32>) outs(%1 : tensor<4x128xf32>) {
    ^bb0(%in: f32 loc("reduce_sum:"(#loc20)), %out: f32 loc("reduce_sum:"(#loc20))):
      %159 = arith.addf %out, %in : f32 loc(#loc96)
      linalg.yield %159 : f32 loc(#loc96)
    } -> tensor<4x128xf32> loc(#loc96)
    %67 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%66 : tensor<4x128xf32>) outs(%3 : tensor<4x128x1xf32>) {
    ^bb0(%in: f32 loc("jit(f)/mlp/jit(ln)/reduce_sum"(#loc24)), %out: f32 loc("jit(f)/mlp/jit(ln)/broadcast_in_dim"(#loc24))):
      linalg.yield %in : f32 loc(#loc97)
    } -> tensor<4x128x1xf32> loc(#loc97)
    %68 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%67, %5 : tensor<4x128x1xf32>, tensor<4x128x1xf32>) outs(%3 : tensor<4x128x1xf32>) {
    ^bb0(%in: f32 loc("jit(f)/mlp/jit(ln)/broadcast_in_dim"(#loc24)), %in_36: f32 loc("jit(f)/mlp/jit(ln)/div"(#loc24)), %out: f32 loc("jit(f)/mlp/jit(ln)/div"(#loc24))):
      %159 = arith.divf %in, %in_36 : f32 loc(#loc98)
      linalg.yield %159 : f32 loc(#loc98)
    } -> tensor<4x128x1xf32> loc(#loc98)
    %69 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%68, %14 : tensor<4x128x1xf32>, tensor<4x128x1xf32>) outs(%3 : tensor<4x128x1xf32>) {
    ^bb0(%in: f32 loc("jit(f)/mlp/jit(ln)/div"(#loc24)), %in_36: f32 loc("jit(f)/mlp/jit(ln)/add"(#loc25)), %out: f32 loc("jit(f)/mlp/jit(ln)/add"(#loc25))):
      %159 = arith.addf %in, %in_36 : f32 loc(#loc99)
      linalg.yield %159 : f32 loc(#loc99)
    } -> tensor<4x128x1xf32> loc(#loc99)
    %70 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%69 : tensor<4x128x1xf32>) outs(%3 : tensor<4x128x1xf32>) {
    ^bb0(%in: f32 loc("jit(f)/mlp/jit(ln)/add"(#loc25)), %out: f32 loc("jit(f)/mlp/jit(ln)/rsqrt"(#loc26))):
      %159 = math.rsqrt %in : f32 loc(#loc100)
      linalg.yield %159 : f32 loc(#loc100)
    } -> tensor<4x128x1xf32> loc(#loc100)
    %71 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%70 : tensor<4x128x1xf32>) outs(%7 : tensor<4x128x256xf32>) {
    ^bb0(%in: f32 loc("jit(f)/mlp/jit(ln)/rsqrt"(#loc26)), %out: f32 loc("jit(f)/mlp/jit(ln)/mul"(#loc27))):
      linalg.yield %in : f32 loc(#loc101)
    } -> tensor<4x128x256xf32> loc(#loc101)
    %72 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%64, %71 : tensor<4x128x256xf32>, tensor<4x128x256xf32>) outs(%7 : tensor<4x128x256xf32>) {
    ^bb0(%in: f32 loc("jit(f)/mlp/jit(ln)/sub"(#loc28)), %in_36: f32 loc("jit(f)/mlp/jit(ln)/mul"(#loc27)), %out: f32 loc("jit(f)/mlp/jit(ln)/mul"(#loc27))):
      %159 = arith.mulf %in, %in_36 : f32 loc(#loc101)
      linalg.yield %159 : f32 loc(#loc101)
    } -> tensor<4x128x256xf32> loc(#loc101)
    %73 = linalg.generic {indexing_maps = [#map4, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg11 : tensor<256xf32>) outs(%19 : tensor<1x1x256xf32>) {
    ^bb0(%in: f32 loc("params['g2']"), %out: f32 loc("jit(f)/mlp/jit(ln)/broadcast_in_dim"(#loc29))):
      linalg.yield %in : f32 loc(#loc103)
    } -> tensor<1x1x256xf32> loc(#loc103)
    %74 = linalg.generic {indexing_maps = [#map5, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%73 : tensor<1x1x256xf32>) outs(%7 : tensor<4x128x256xf32>) {
    ^bb0(%in: f32 loc("jit(f)/mlp/jit(ln)/broadcast_in_dim"(#loc29)), %out: f32 loc("jit(f)/mlp/jit(ln)/mul"(#loc29))):
      linalg.yield %in : f32 loc(#loc104)
    } -> tensor<4x128x256xf32> loc(#loc104)
    %75 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%72, %74 : tensor<4x128x256xf32>, tensor<4x128x256xf32>) outs(%7 : tensor<4x128x256xf32>) {
    ^bb0(%in: f32 loc("jit(f)/mlp/jit(ln)/mul"(#loc27)), %in_36: f32 loc("jit(f)/mlp/jit(ln)/mul"(#loc29)), %out: f32 loc("jit(f)/mlp/jit(ln)/mul"(#loc29))):
      %159 = arith.mulf %in, %in_36 : f32 loc(#loc104)
      linalg.yield %159 : f32 loc(#loc104)
    } -> tensor<4x128x256xf32> loc(#loc104)
    %76 = linalg.generic {indexing_maps = [#map4, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg9 : tensor<256xf32>) outs(%19 : tensor<1x1x256xf32>) {
    ^bb0(%in: f32 loc("params['e2']"), %out: f32 loc("jit(f)/mlp/jit(ln)/broadcast_in_dim"(#loc30))):
      linalg.yield %in : f32 loc(#loc105)
    } -> tensor<1x1x256xf32> loc(#loc105)
    %77 = linalg.generic {indexing_maps = [#map5, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%76 : tensor<1x1x256xf32>) outs(%7 : tensor<4x128x256xf32>) {
    ^bb0(%in: f32 loc("jit(f)/mlp/jit(ln)/broadcast_in_dim"(#loc30)), %out: f32 loc("jit(f)/mlp/jit(ln)/add"(#loc30))):
      linalg.yield %in : f32 loc(#loc106)
    } -> tensor<4x128x256xf32> loc(#loc106)
    %78 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%75, %77 : tensor<4x128x256xf32>, tensor<4x128x256xf32>) outs(%7 : tensor<4x128x256xf32>) {
    ^bb0(%in: f32 loc("jit(f)/mlp/jit(ln)/mul"(#loc29)), %in_36: f32 loc("jit(f)/mlp/jit(ln)/add"(#loc30)), %out: f32 loc("jit(f)/mlp/jit(ln)/add"(#loc30))):
      %159 = arith.addf %in, %in_36 : f32 loc(#loc106)
      linalg.yield %159 : f32 loc(#loc106)
    } -> tensor<4x128x256xf32> loc(#loc106)
    %79 = tensor.empty() : tensor<4x128x1024xf32> loc(#loc161)
    %80 = linalg.fill ins(%cst_33 : f32) outs(%79 : tensor<4x128x1024xf32>) -> tensor<4x128x1024xf32> loc(#loc161)
    %81 = linalg.generic {indexing_maps = [#map6, #map7, #map8], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%78, %arg0 : tensor<4x128x256xf32>, tensor<256x1024xf32>) outs(%80 : tensor<4x128x1024xf32>) {
    ^bb0(%in: f32 loc("jit(f)/mlp/jit(ln)/add"(#loc30)), %in_36: f32 loc("params['W1']"), %out: f32 loc("jit(f)/mlp/dot_general"(#loc131))):
      %159 = arith.mulf %in, %in_36 : f32 loc(#loc106)
      %160 = arith.addf %out, %159 : f32 loc(#loc161)
      linalg.yield %160 : f32 loc(#loc)
    } -> tensor<4x128x1024xf32> loc(#loc161)
    %82 = tensor.empty() : tensor<1x1x1024xf32> loc(#loc162)
    %83 = linalg.generic {indexing_maps = [#map4, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg6 : tensor<1024xf32>) outs(%82 : tensor<1x1x1024xf32>) {
    ^bb0(%in: f32 loc("params['c1']"), %out: f32 loc("jit(f)/mlp/broadcast_in_dim"(#loc132))):
      linalg.yield %in : f32 loc(#loc162)
    } -> tensor<1x1x1024xf32> loc(#loc162)
    %84 = linalg.generic {indexing_maps = [#map5, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%83 : tensor<1x1x1024xf32>) outs(%79 : tensor<4x128x1024xf32>) {
    ^bb0(%in: f32 loc("jit(f)/mlp/broadcast_in_dim"(#loc132)), %out: f32 loc("jit(f)/mlp/add"(#loc132))):
      linalg.yield %in : f32 loc(#loc163)
    } -> tensor<4x128x1024xf32> loc(#loc163)
    %85 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%81, %84 : tensor<4x128x1024xf32>, tensor<4x128x1024xf32>) outs(%79 : tensor<4x128x1024xf32>) {
    ^bb0(%in: f32 loc("jit(f)/mlp/dot_general"(#loc131)), %in_36: f32 loc("jit(f)/mlp/add"(#loc132)), %out: f32 loc("jit(f)/mlp/add"(#loc132))):
      %159 = arith.addf %in, %in_36 : f32 loc(#loc163)
      linalg.yield %159 : f32 loc(#loc163)
    } -> tensor<4x128x1024xf32> loc(#loc163)
    %86 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_27 : tensor<f32>) outs(%79 : tensor<4x128x1024xf32>) {
    ^bb0(%in: f32 loc("jit(f)"(#loc113)), %out: f32 loc("jit(f)/mlp/mul"(#loc114))):
      linalg.yield %in : f32 loc(#loc164)
    } -> tensor<4x128x1024xf32> loc(#loc164)
    %87 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%86, %85 : tensor<4x128x1024xf32>, tensor<4x128x1024xf32>) outs(%79 : tensor<4x128x1024xf32>) {
    ^bb0(%in: f32 loc("jit(f)/mlp/mul"(#loc114)), %in_36: f32 loc("jit(f)/mlp/add"(#loc132)), %out: f32 loc("jit(f)/mlp/mul"(#loc114))):
      %159 = arith.mulf %in, %in_36 : f32 loc(#loc164)
      linalg.yield %159 : f32 loc(#loc164)
    } -> tensor<4x128x1024xf32> loc(#loc164)
    %88 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%85 : tensor<4x128x1024xf32>) outs(%79 : tensor<4x128x1024xf32>) {
    ^bb0(%in: f32 loc("jit(f)/mlp/add"(#loc132)), %out: f32 loc("jit(f)/mlp/neg"(#loc114))):
      %159 = arith.negf %in : f32 loc(#loc165)
      linalg.yield %159 : f32 loc(#loc165)
    } -> tensor<4x128x1024xf32> loc(#loc165)
    %89 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_26 : tensor<f32>) outs(%79 : tensor<4x128x1024xf32>) {
    ^bb0(%in: f32 loc("jit(f)"(#loc113)), %out: f32 loc("jit(f)/mlp/mul"(#loc114))):
      linalg.yield %in : f32 loc(#loc164)
    } -> tensor<4x128x1024xf32> loc(#loc164)
    %90 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%88, %89 : tensor<4x128x1024xf32>, tensor<4x128x1024xf32>) outs(%79 : tensor<4x128x1024xf32>) {
    ^bb0(%in: f32 loc("jit(f)/mlp/neg"(#loc114)), %in_36: f32 loc("jit(f)/mlp/mul"(#loc114)), %out: f32 loc("jit(f)/mlp/mul"(#loc114))):
      %159 = arith.mulf %in, %in_36 : f32 loc(#loc164)
      linalg.yield %159 : f32 loc(#loc164)
    } -> tensor<4x128x1024xf32> loc(#loc164)
    %91 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%90, %90 : tensor<4x128x1024xf32>, tensor<4x128x1024xf32>) outs(%79 : tensor<4x128x1024xf32>) {
    ^bb0(%in: f32 loc("jit(f)/mlp/mul"(#loc114)), %in_36: f32 loc("jit(f)/mlp/mul"(#loc114)), %out: f32 loc("jit(f)/mlp/erfc"(#loc114))):
      %159 = arith.mulf %in, %in_36 : f32 loc(#loc136)
      linalg.yield %159 : f32 loc(#loc136)
    } -> tensor<4x128x1024xf32> loc(#loc136)
    %92 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%91 : tensor<4x128x1024xf32>) outs(%79 : tensor<4x128x1024xf32>) {
    ^bb0(%in: f32 loc("jit(f)/mlp/erfc"(#loc114)), %out: f32 loc("jit(f)/mlp/erfc"(#loc114))):
      %159 = arith.negf %in : f32 loc(#loc136)
      linalg.yield %159 : f32 loc(#loc136)
    } -> tensor<4x128x1024xf32> loc(#loc136)
    %93 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%90 : tensor<4x128x1024xf32>) outs(%79 : tensor<4x128x1024xf32>) {
    ^bb0(%in: f32 loc("jit(f)/mlp/mul"(#loc114)), %out: f32 loc("jit(f)/mlp/erfc"(#loc114))):
      %159 = math.absf %in : f32 loc(#loc136)
      linalg.yield %159 : f32 loc(#loc136)
    } -> tensor<4x128x1024xf32> loc(#loc136)
    %94 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%91 : tensor<4x128x1024xf32>) outs(%79 : tensor<4x128x1024xf32>) {
    ^bb0(%in: f32 loc("jit(f)/mlp/erfc"(#loc114)), %out: f32 loc("jit(f)/mlp/erfc"(#loc114))):
      %159 = arith.divf %cst_25, %in : f32 loc(#loc136)
      linalg.yield %159 : f32 loc(#loc136)
    } -> tensor<4x128x1024xf32> loc(#loc136)
    %95 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%92 : tensor<4x128x1024xf32>) outs(%79 : tensor<4x128x1024xf32>) {
    ^bb0(%in: f32 loc("jit(f)/mlp/erfc"(#loc114)), %out: f32 loc("jit(f)/mlp/erfc"(#loc114))):
      %159 = math.exp %in : f32 loc(#loc136)
      linalg.yield %159 : f32 loc(#loc136)
    } -> tensor<4x128x1024xf32> loc(#loc136)
    %96 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%93 : tensor<4x128x1024xf32>) outs(%79 : tensor<4x128x1024xf32>) {
    ^bb0(%in: f32 loc("jit(f)/mlp/erfc"(#loc114)), %out: f32 loc("jit(f)/mlp/erfc"(#loc114))):
      %159 = arith.divf %cst_25, %in : f32 loc(#loc136)
      linalg.yield %159 : f32 loc(#loc136)
    } -> tensor<4x128x1024xf32> loc(#loc136)
    %97 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%95, %96 : tensor<4x128x1024xf32>, tensor<4x128x1024xf32>) outs(%79 : tensor<4x128x1024xf32>) {
    ^bb0(%in: f32 loc("jit(f)/mlp/erfc"(#loc114)), %in_36: f32 loc("jit(f)/mlp/erfc"(#loc114)), %out: f32 loc("jit(f)/mlp/erfc"(#loc114))):
      %159 = arith.mulf %in, %in_36 : f32 loc(#loc136)
      linalg.yield %159 : f32 loc(#loc136)
    } -> tensor<4x128x1024xf32> loc(#loc136)
    %98 = tensor.empty() : tensor<4x128x1024xi1> loc(#loc136)
    %99 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%93 : tensor<4x128x1024xf32>) outs(%98 : tensor<4x128x1024xi1>) {
    ^bb0(%in: f32 loc("jit(f)/mlp/erfc"(#loc114)), %out: i1 loc("jit(f)/mlp/erfc"(#loc114))):
      %159 = arith.cmpf olt, %in, %cst_24 : f32 loc(#loc136)
      linalg.yield %159 : i1 loc(#loc136)
    } -> tensor<4x128x1024xi1> loc(#loc136)
    %100 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%94 : tensor<4x128x1024xf32>) outs(%79 : tensor<4x128x1024xf32>) {
    ^bb0(%in: f32 loc("jit(f)/mlp/erfc"(#loc114)), %out: f32 loc("jit(f)/mlp/erfc"(#loc114))):
      %159 = arith.mulf %in, %cst_23 : f32 loc(#loc136)
      linalg.yield %159 : f32 loc(#loc136)
    } -> tensor<4x128x1024xf32> loc(#loc136)
    %101 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%100 : tensor<4x128x1024xf32>) outs(%79 : tensor<4x128x1024xf32>) {
    ^bb0(%in: f32 loc("jit(f)/mlp/erfc"(#loc114)), %out: f32 loc("jit(f)/mlp/erfc"(#loc114))):
      %159 = arith.addf %in, %cst_22 : f32 loc(#loc136)
      linalg.yield %159 : f32 loc(#loc136)
    } -> tensor<4x128x1024xf32> loc(#loc136)
    %102 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%101, %94 : tensor<4x128x1024xf32>, tensor<4x128x1024xf32>) outs(%79 : tensor<4x128x1024xf32>) {
    ^bb0(%in: f32 loc("jit(f)/mlp/erfc"(#loc114)), %in_36: f32 loc("jit(f)/mlp/erfc"(#loc114)), %out: f32 loc("jit(f)/mlp/erfc"(#loc114))):
      %159 = arith.mulf %in, %in_36 : f32 loc(#loc136)
      linalg.yield %159 : f32 loc(#loc136)
    } -> tensor<4x128x1024xf32> loc(#loc136)
    %103 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%102 : tensor<4x128x1024xf32>) outs(%79 : tensor<4x128x1024xf32>) {
    ^bb0(%in: f32 loc("jit(f)/mlp/erfc"(#loc114)), %out: f32 loc("jit(f)/mlp/erfc"(#loc114))):
      %159 = arith.addf %in, %cst_21 : f32 loc(#loc136)
      linalg.yield %159 : f32 loc(#loc136)
    } -> tensor<4x128x1024xf32> loc(#loc136)
    %104 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%103, %94 : tensor<4x128x1024xf32>, tensor<4x128x1024xf32>) outs(%79 : tensor<4x128x1024xf32>) {
    ^bb0(%in: f32 loc("jit(f)/mlp/erfc"(#loc114)), %in_36: f32 loc("jit(f)/mlp/erfc"(#loc114)), %out: f32 loc("jit(f)/mlp/erfc"(#loc114))):
      %159 = arith.mulf %in, %in_36 : f32 loc(#loc136)
      linalg.yield %159 : f32 loc(#loc136)
    } -> tensor<4x128x1024xf32> loc(#loc136)
    %105 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%104 : tensor<4x128x1024xf32>) outs(%79 : tensor<4x128x1024xf32>) {
    ^bb0(%in: f32 loc("jit(f)/mlp/erfc"(#loc114)), %out: f32 loc("jit(f)/mlp/erfc"(#loc114))):
      %159 = arith.addf %in, %cst_20 : f32 loc(#loc136)
      linalg.yield %159 : f32 loc(#loc136)
    } -> tensor<4x128x1024xf32> loc(#loc136)
    %106 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%105, %94 : tensor<4x128x1024xf32>, tensor<4x128x1024xf32>) outs(%79 : tensor<4x128x1024xf32>) {
    ^bb0(%in: f32 loc("jit(f)/mlp/erfc"(#loc114)), %in_36: f32 loc("jit(f)/mlp/erfc"(#loc114)), %out: f32 loc("jit(f)/mlp/erfc"(#loc114))):
      %159 = arith.mulf %in, %in_36 : f32 loc(#loc136)
      linalg.yield %159 : f32 loc(#loc136)
    } -> tensor<4x128x1024xf32> loc(#loc136)
    %107 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%106 : tensor<4x128x1024xf32>) outs(%79 : tensor<4x128x1024xf32>) {
    ^bb0(%in: f32 loc("jit(f)/mlp/erfc"(#loc114)), %out: f32 loc("jit(f)/mlp/erfc"(#loc114))):
      %159 = arith.addf %in, %cst_19 : f32 loc(#loc136)
      linalg.yield %159 : f32 loc(#loc136)
    } -> tensor<4x128x1024xf32> loc(#loc136)
    %108 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%107, %94 : tensor<4x128x1024xf32>, tensor<4x128x1024xf32>) outs(%79 : tensor<4x128x1024xf32>) {
    ^bb0(%in: f32 loc("jit(f)/mlp/erfc"(#loc114)), %in_36: f32 loc("jit(f)/mlp/erfc"(#loc114)), %out: f32 loc("jit(f)/mlp/erfc"(#loc114))):
      %159 = arith.mulf %in, %in_36 : f32 loc(#loc136)
      linalg.yield %159 : f32 loc(#loc136)
    } -> tensor<4x128x1024xf32> loc(#loc136)
    %109 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%108 : tensor<4x128x1024xf32>) outs(%79 : tensor<4x128x1024xf32>) {
    ^bb0(%in: f32 loc("jit(f)/mlp/erfc"(#loc114)), %out: f32 loc("jit(f)/mlp/erfc"(#loc114))):
      %159 = arith.addf %in, %cst_18 : f32 loc(#loc136)
      linalg.yield %159 : f32 loc(#loc136)
    } -> tensor<4x128x1024xf32> loc(#loc136)
    %110 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%109, %94 : tensor<4x128x1024xf32>, tensor<4x128x1024xf32>) outs(%79 : tensor<4x128x1024xf32>) {
    ^bb0(%in: f32 loc("jit(f)/mlp/erfc"(#loc114)), %in_36: f32 loc("jit(f)/mlp/erfc"(#loc114)), %out: f32 loc("jit(f)/mlp/erfc"(#loc114))):
      %159 = arith.mulf %in, %in_36 : f32 loc(#loc136)
      linalg.yield %159 : f32 loc(#loc136)
    } -> tensor<4x128x1024xf32> loc(#loc136)
    %111 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%110 : tensor<4x128x1024xf32>) outs(%79 : tensor<4x128x1024xf32>) {
    ^bb0(%in: f32 loc("jit(f)/mlp/erfc"(#loc114)), %out: f32 loc("jit(f)/mlp/erfc"(#loc114))):
      %159 = arith.addf %in, %cst_17 : f32 loc(#loc136)
      linalg.yield %159 : f32 loc(#loc136)
    } -> tensor<4x128x1024xf32> loc(#loc136)
    %112 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%111, %94 : tensor<4x128x1024xf32>, tensor<4x128x1024xf32>) outs(%79 : tensor<4x128x1024xf32>) {
    ^bb0(%in: f32 loc("jit(f)/mlp/erfc"(#loc114)), %in_36: f32 loc("jit(f)/mlp/erfc"(#loc114)), %out: f32 loc("jit(f)/mlp/erfc"(#loc114))):
      %159 = arith.mulf %in, %in_36 : f32 loc(#loc136)
      linalg.yield %159 : f32 loc(#loc136)
    } -> tensor<4x128x1024xf32> loc(#loc136)
    %113 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%112 : tensor<4x128x1024xf32>) outs(%79 : tensor<4x128x1024xf32>) {
    ^bb0(%in: f32 loc("jit(f)/mlp/erfc"(#loc114)), %out: f32 loc("jit(f)/mlp/erfc"(#loc114))):
      %159 = arith.addf %in, %cst_16 : f32 loc(#loc136)
      linalg.yield %159 : f32 loc(#loc136)
    } -> tensor<4x128x1024xf32> loc(#loc136)
    %114 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%113, %94 : tensor<4x128x1024xf32>, tensor<4x128x1024xf32>) outs(%79 : tensor<4x128x1024xf32>) {
    ^bb0(%in: f32 loc("jit(f)/mlp/erfc"(#loc114)), %in_36: f32 loc("jit(f)/mlp/erfc"(#loc114)), %out: f32 loc("jit(f)/mlp/erfc"(#loc114))):
      %159 = arith.mulf %in, %in_36 : f32 loc(#loc136)
      linalg.yield %159 : f32 loc(#loc136)
    } -> tensor<4x128x1024xf32> loc(#loc136)
    %115 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%114 : tensor<4x128x1024xf32>) outs(%79 : tensor<4x128x1024xf32>) {
    ^bb0(%in: f32 loc("jit(f)/mlp/erfc"(#loc114)), %out: f32 loc("jit(f)/mlp/erfc"(#loc114))):
      %159 = arith.addf %in, %cst_15 : f32 loc(#loc136)
      linalg.yield %159 : f32 loc(#loc136)
    } -> tensor<4x128x1024xf32> loc(#loc136)
    %116 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%94 : tensor<4x128x1024xf32>) outs(%79 : tensor<4x128x1024xf32>) {
    ^bb0(%in: f32 loc("jit(f)/mlp/erfc"(#loc114)), %out: f32 loc("jit(f)/mlp/erfc"(#loc114))):
      %159 = arith.mulf %in, %cst_14 : f32 loc(#loc136)
      linalg.yield %159 : f32 loc(#loc136)
    } -> tensor<4x128x1024xf32> loc(#loc136)
    %117 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%116 : tensor<4x128x1024xf32>) outs(%79 : tensor<4x128x1024xf32>) {
    ^bb0(%in: f32 loc("jit(f)/mlp/erfc"(#loc114)), %out: f32 loc("jit(f)/mlp/erfc"(#loc114))):
      %159 = arith.addf %in, %cst_13 : f32 loc(#loc136)
      linalg.yield %159 : f32 loc(#loc136)
    } -> tensor<4x128x1024xf32> loc(#loc136)
    %118 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%117, %94 : tensor<4x128x1024xf32>, tensor<4x128x1024xf32>) outs(%79 : tensor<4x128x1024xf32>) {
    ^bb0(%in: f32 loc("jit(f)/mlp/erfc"(#loc114)), %in_36: f32 loc("jit(f)/mlp/erfc"(#loc114)), %out: f32 loc("jit(f)/mlp/erfc"(#loc114))):
      %159 = arith.mulf %in, %in_36 : f32 loc(#loc136)
      linalg.yield %159 : f32 loc(#loc136)
    } -> tensor<4x128x1024xf32> loc(#loc136)
    %119 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%118 : tensor<4x128x1024xf32>) outs(%79 : tensor<4x128x1024xf32>) {
    ^bb0(%in: f32 loc("jit(f)/mlp/erfc"(#loc114)), %out: f32 loc("jit(f)/mlp/erfc"(#loc114))):
      %159 = arith.addf %in, %cst_12 : f32 loc(#loc136)
      linalg.yield %159 : f32 loc(#loc136)
    } -> tensor<4x128x1024xf32> loc(#loc136)
    %120 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%119, %94 : tensor<4x128x1024xf32>, tensor<4x128x1024xf32>) outs(%79 : tensor<4x128x1024xf32>) {
    ^bb0(%in: f32 loc("jit(f)/mlp/erfc"(#loc114)), %in_36: f32 loc("jit(f)/mlp/erfc"(#loc114)), %out: f32 loc("jit(f)/mlp/erfc"(#loc114))):
      %159 = arith.mulf %in, %in_36 : f32 loc(#loc136)
      linalg.yield %159 : f32 loc(#loc136)
    } -> tensor<4x128x1024xf32> loc(#loc136)
    %121 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%120 : tensor<4x128x1024xf32>) outs(%79 : tensor<4x128x1024xf32>) {
    ^bb0(%in: f32 loc("jit(f)/mlp/erfc"(#loc114)), %out: f32 loc("jit(f)/mlp/erfc"(#loc114))):
      %159 = arith.addf %in, %cst_11 : f32 loc(#loc136)
      linalg.yield %159 : f32 loc(#loc136)
    } -> tensor<4x128x1024xf32> loc(#loc136)
    %122 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%121, %94 : tensor<4x128x1024xf32>, tensor<4x128x1024xf32>) outs(%79 : tensor<4x128x1024xf32>) {
    ^bb0(%in: f32 loc("jit(f)/mlp/erfc"(#loc114)), %in_36: f32 loc("jit(f)/mlp/erfc"(#loc114)), %out: f32 loc("jit(f)/mlp/erfc"(#loc114))):
      %159 = arith.mulf %in, %in_36 : f32 loc(#loc136)
      linalg.yield %159 : f32 loc(#loc136)
    } -> tensor<4x128x1024xf32> loc(#loc136)
    %123 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%122 : tensor<4x128x1024xf32>) outs(%79 : tensor<4x128x1024xf32>) {
    ^bb0(%in: f32 loc("jit(f)/mlp/erfc"(#loc114)), %out: f32 loc("jit(f)/mlp/erfc"(#loc114))):
      %159 = arith.addf %in, %cst_10 : f32 loc(#loc136)
      linalg.yield %159 : f32 loc(#loc136)
    } -> tensor<4x128x1024xf32> loc(#loc136)
    %124 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%123, %94 : tensor<4x128x1024xf32>, tensor<4x128x1024xf32>) outs(%79 : tensor<4x128x1024xf32>) {
    ^bb0(%in: f32 loc("jit(f)/mlp/erfc"(#loc114)), %in_36: f32 loc("jit(f)/mlp/erfc"(#loc114)), %out: f32 loc("jit(f)/mlp/erfc"(#loc114))):
      %159 = arith.mulf %in, %in_36 : f32 loc(#loc136)
      linalg.yield %159 : f32 loc(#loc136)
    } -> tensor<4x128x1024xf32> loc(#loc136)
    %125 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%124 : tensor<4x128x1024xf32>) outs(%79 : tensor<4x128x1024xf32>) {
    ^bb0(%in: f32 loc("jit(f)/mlp/erfc"(#loc114)), %out: f32 loc("jit(f)/mlp/erfc"(#loc114))):
      %159 = arith.addf %in, %cst_9 : f32 loc(#loc136)
      linalg.yield %159 : f32 loc(#loc136)
    } -> tensor<4x128x1024xf32> loc(#loc136)
    %126 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%125, %94 : tensor<4x128x1024xf32>, tensor<4x128x1024xf32>) outs(%79 : tensor<4x128x1024xf32>) {
    ^bb0(%in: f32 loc("jit(f)/mlp/erfc"(#loc114)), %in_36: f32 loc("jit(f)/mlp/erfc"(#loc114)), %out: f32 loc("jit(f)/mlp/erfc"(#loc114))):
      %159 = arith.mulf %in, %in_36 : f32 loc(#loc136)
      linalg.yield %159 : f32 loc(#loc136)
    } -> tensor<4x128x1024xf32> loc(#loc136)
    %127 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%126 : tensor<4x128x1024xf32>) outs(%79 : tensor<4x128x1024xf32>) {
    ^bb0(%in: f32 loc("jit(f)/mlp/erfc"(#loc114)), %out: f32 loc("jit(f)/mlp/erfc"(#loc114))):
      %159 = arith.addf %in, %cst_8 : f32 loc(#loc136)
      linalg.yield %159 : f32 loc(#loc136)
    } -> tensor<4x128x1024xf32> loc(#loc136)
    %128 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%127, %94 : tensor<4x128x1024xf32>, tensor<4x128x1024xf32>) outs(%79 : tensor<4x128x1024xf32>) {
    ^bb0(%in: f32 loc("jit(f)/mlp/erfc"(#loc114)), %in_36: f32 loc("jit(f)/mlp/erfc"(#loc114)), %out: f32 loc("jit(f)/mlp/erfc"(#loc114))):
      %159 = arith.mulf %in, %in_36 : f32 loc(#loc136)
      linalg.yield %159 : f32 loc(#loc136)
    } -> tensor<4x128x1024xf32> loc(#loc136)
    %129 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%128 : tensor<4x128x1024xf32>) outs(%79 : tensor<4x128x1024xf32>) {
    ^bb0(%in: f32 loc("jit(f)/mlp/erfc"(#loc114)), %out: f32 loc("jit(f)/mlp/erfc"(#loc114))):
      %159 = arith.addf %in, %cst_7 : f32 loc(#loc136)
      linalg.yield %159 : f32 loc(#loc136)
    } -> tensor<4x128x1024xf32> loc(#loc136)
    %130 = linalg.generic {indexing_maps = [#map, #map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%99, %115, %129 : tensor<4x128x1024xi1>, tensor<4x128x1024xf32>, tensor<4x128x1024xf32>) outs(%79 : tensor<4x128x1024xf32>) {
    ^bb0(%in: i1 loc("jit(f)/mlp/erfc"(#loc114)), %in_36: f32 loc("jit(f)/mlp/erfc"(#loc114)), %in_37: f32 loc("jit(f)/mlp/erfc"(#loc114)), %out: f32 loc("jit(f)/mlp/erfc"(#loc114))):
      %159 = arith.select %in, %in_36, %in_37 : f32 loc(#loc136)
      linalg.yield %159 : f32 loc(#loc136)
    } -> tensor<4x128x1024xf32> loc(#loc136)
    %131 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%97, %130 : tensor<4x128x1024xf32>, tensor<4x128x1024xf32>) outs(%79 : tensor<4x128x1024xf32>) {
    ^bb0(%in: f32 loc("jit(f)/mlp/erfc"(#loc114)), %in_36: f32 loc("jit(f)/mlp/erfc"(#loc114)), %out: f32 loc("jit(f)/mlp/erfc"(#loc114))):
      %159 = arith.mulf %in, %in_36 : f32 loc(#loc136)
      linalg.yield %159 : f32 loc(#loc136)
    } -> tensor<4x128x1024xf32> loc(#loc136)
    %132 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%92 : tensor<4x128x1024xf32>) outs(%98 : tensor<4x128x1024xi1>) {
    ^bb0(%in: f32 loc("jit(f)/mlp/erfc"(#loc114)), %out: i1 loc("jit(f)/mlp/erfc"(#loc114))):
      %159 = arith.cmpf olt, %in, %cst_6 : f32 loc(#loc136)
      linalg.yield %159 : i1 loc(#loc136)
    } -> tensor<4x128x1024xi1> loc(#loc136)
    %133 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%132, %131 : tensor<4x128x1024xi1>, tensor<4x128x1024xf32>) outs(%79 : tensor<4x128x1024xf32>) {
    ^bb0(%in: i1 loc("jit(f)/mlp/erfc"(#loc114)), %in_36: f32 loc("jit(f)/mlp/erfc"(#loc114)), %out: f32 loc("jit(f)/mlp/erfc"(#loc114))):
      %159 = arith.select %in, %cst_33, %in_36 : f32 loc(#loc136)
      linalg.yield %159 : f32 loc(#loc136)
    } -> tensor<4x128x1024xf32> loc(#loc136)
    %134 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%90 : tensor<4x128x1024xf32>) outs(%98 : tensor<4x128x1024xi1>) {
    ^bb0(%in: f32 loc("jit(f)/mlp/mul"(#loc114)), %out: i1 loc("jit(f)/mlp/erfc"(#loc114))):
      %159 = arith.cmpf olt, %in, %cst_33 : f32 loc(#loc136)
      linalg.yield %159 : i1 loc(#loc136)
    } -> tensor<4x128x1024xi1> loc(#loc136)
    %135 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%133 : tensor<4x128x1024xf32>) outs(%79 : tensor<4x128x1024xf32>) {
    ^bb0(%in: f32 loc("jit(f)/mlp/erfc"(#loc114)), %out: f32 loc("jit(f)/mlp/erfc"(#loc114))):
      %159 = arith.subf %cst_24, %in : f32 loc(#loc136)
      linalg.yield %159 : f32 loc(#loc136)
    } -> tensor<4x128x1024xf32> loc(#loc136)
    %136 = linalg.generic {indexing_maps = [#map, #map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%134, %135, %133 : tensor<4x128x1024xi1>, tensor<4x128x1024xf32>, tensor<4x128x1024xf32>) outs(%79 : tensor<4x128x1024xf32>) {
    ^bb0(%in: i1 loc("jit(f)/mlp/erfc"(#loc114)), %in_36: f32 loc("jit(f)/mlp/erfc"(#loc114)), %in_37: f32 loc("jit(f)/mlp/erfc"(#loc114)), %out: f32 loc("jit(f)/mlp/erfc"(#loc114))):
      %159 = arith.select %in, %in_36, %in_37 : f32 loc(#loc136)
      linalg.yield %159 : f32 loc(#loc136)
    } -> tensor<4x128x1024xf32> loc(#loc136)
    %137 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%91 : tensor<4x128x1024xf32>) outs(%79 : tensor<4x128x1024xf32>) {
    ^bb0(%in: f32 loc("jit(f)/mlp/erfc"(#loc114)), %out: f32 loc("jit(f)/mlp/erfc"(#loc114))):
      %159 = arith.mulf %in, %cst_5 : f32 loc(#loc136)
      linalg.yield %159 : f32 loc(#loc136)
    } -> tensor<4x128x1024xf32> loc(#loc136)
    %138 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%137 : tensor<4x128x1024xf32>) outs(%79 : tensor<4x128x1024xf32>) {
    ^bb0(%in: f32 loc("jit(f)/mlp/erfc"(#loc114)), %out: f32 loc("jit(f)/mlp/erfc"(#loc114))):
      %159 = arith.addf %in, %cst_4 : f32 loc(#loc136)
      linalg.yield %159 : f32 loc(#loc136)
    } -> tensor<4x128x1024xf32> loc(#loc136)
    %139 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%138, %91 : tensor<4x128x1024xf32>, tensor<4x128x1024xf32>) outs(%79 : tensor<4x128x1024xf32>) {
    ^bb0(%in: f32 loc("jit(f)/mlp/erfc"(#loc114)), %in_36: f32 loc("jit(f)/mlp/erfc"(#loc114)), %out: f32 loc("jit(f)/mlp/erfc"(#loc114))):
      %159 = arith.mulf %in, %in_36 : f32 loc(#loc136)
      linalg.yield %159 : f32 loc(#loc136)
    } -> tensor<4x128x1024xf32> loc(#loc136)
    %140 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%139 : tensor<4x128x1024xf32>) outs(%79 : tensor<4x128x1024xf32>) {
    ^bb0(%in: f32 loc("jit(f)/mlp/erfc"(#loc114)), %out: f32 loc("jit(f)/mlp/erfc"(#loc114))):
      %159 = arith.addf %in, %cst_3 : f32 loc(#loc136)
      linalg.yield %159 : f32 loc(#loc136)
    } -> tensor<4x128x1024xf32> loc(#loc136)
    %141 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%140, %91 : tensor<4x128x1024xf32>, tensor<4x128x1024xf32>) outs(%79 : tensor<4x128x1024xf32>) {
    ^bb0(%in: f32 loc("jit(f)/mlp/erfc"(#loc114)), %in_36: f32 loc("jit(f)/mlp/erfc"(#loc114)), %out: f32 loc("jit(f)/mlp/erfc"(#loc114))):
      %159 = arith.mulf %in, %in_36 : f32 loc(#loc136)
      linalg.yield %159 : f32 loc(#loc136)
    } -> tensor<4x128x1024xf32> loc(#loc136)
    %142 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%141 : tensor<4x128x1024xf32>) outs(%79 : tensor<4x128x1024xf32>) {
    ^bb0(%in: f32 loc("jit(f)/mlp/erfc"(#loc114)), %out: f32 loc("jit(f)/mlp/erfc"(#loc114))):
      %159 = arith.addf %in, %cst_2 : f32 loc(#loc136)
      linalg.yield %159 : f32 loc(#loc136)
    } -> tensor<4x128x1024xf32> loc(#loc136)
    %143 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%142, %91 : tensor<4x128x1024xf32>, tensor<4x128x1024xf32>) outs(%79 : tensor<4x128x1024xf32>) {
    ^bb0(%in: f32 loc("jit(f)/mlp/erfc"(#loc114)), %in_36: f32 loc("jit(f)/mlp/erfc"(#loc114)), %out: f32 loc("jit(f)/mlp/erfc"(#loc114))):
      %159 = arith.mulf %in, %in_36 : f32 loc(#loc136)
      linalg.yield %159 : f32 loc(#loc136)
    } -> tensor<4x128x1024xf32> loc(#loc136)
    %144 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%143 : tensor<4x128x1024xf32>) outs(%79 : tensor<4x128x1024xf32>) {
    ^bb0(%in: f32 loc("jit(f)/mlp/erfc"(#loc114)), %out: f32 loc("jit(f)/mlp/erfc"(#loc114))):
      %159 = arith.addf %in, %cst_1 : f32 loc(#loc136)
      linalg.yield %159 : f32 loc(#loc136)
    } -> tensor<4x128x1024xf32> loc(#loc136)
    %145 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%144, %91 : tensor<4x128x1024xf32>, tensor<4x128x1024xf32>) outs(%79 : tensor<4x128x1024xf32>) {
    ^bb0(%in: f32 loc("jit(f)/mlp/erfc"(#loc114)), %in_36: f32 loc("jit(f)/mlp/erfc"(#loc114)), %out: f32 loc("jit(f)/mlp/erfc"(#loc114))):
      %159 = arith.mulf %in, %in_36 : f32 loc(#loc136)
      linalg.yield %159 : f32 loc(#loc136)
    } -> tensor<4x128x1024xf32> loc(#loc136)
    %146 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%145 : tensor<4x128x1024xf32>) outs(%79 : tensor<4x128x1024xf32>) {
    ^bb0(%in: f32 loc("jit(f)/mlp/erfc"(#loc114)), %out: f32 loc("jit(f)/mlp/erfc"(#loc114))):
      %159 = arith.addf %in, %cst_0 : f32 loc(#loc136)
      linalg.yield %159 : f32 loc(#loc136)
    } -> tensor<4x128x1024xf32> loc(#loc136)
    %147 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%146, %91 : tensor<4x128x1024xf32>, tensor<4x128x1024xf32>) outs(%79 : tensor<4x128x1024xf32>) {
    ^bb0(%in: f32 loc("jit(f)/mlp/erfc"(#loc114)), %in_36: f32 loc("jit(f)/mlp/erfc"(#loc114)), %out: f32 loc("jit(f)/mlp/erfc"(#loc114))):
      %159 = arith.mulf %in, %in_36 : f32 loc(#loc136)
      linalg.yield %159 : f32 loc(#loc136)
    } -> tensor<4x128x1024xf32> loc(#loc136)
    %148 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%147 : tensor<4x128x1024xf32>) outs(%79 : tensor<4x128x1024xf32>) {
    ^bb0(%in: f32 loc("jit(f)/mlp/erfc"(#loc114)), %out: f32 loc("jit(f)/mlp/erfc"(#loc114))):
      %159 = arith.addf %in, %cst : f32 loc(#loc136)
      linalg.yield %159 : f32 loc(#loc136)
    } -> tensor<4x128x1024xf32> loc(#loc136)
    %149 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%90, %148 : tensor<4x128x1024xf32>, tensor<4x128x1024xf32>) outs(%79 : tensor<4x128x1024xf32>) {
    ^bb0(%in: f32 loc("jit(f)/mlp/mul"(#loc114)), %in_36: f32 loc("jit(f)/mlp/erfc"(#loc114)), %out: f32 loc("jit(f)/mlp/erfc"(#loc114))):
      %159 = arith.mulf %in, %in_36 : f32 loc(#loc136)
      linalg.yield %159 : f32 loc(#loc136)
    } -> tensor<4x128x1024xf32> loc(#loc136)
    %150 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%149 : tensor<4x128x1024xf32>) outs(%79 : tensor<4x128x1024xf32>) {
    ^bb0(%in: f32 loc("jit(f)/mlp/erfc"(#loc114)), %out: f32 loc("jit(f)/mlp/erfc"(#loc114))):
      %159 = arith.subf %cst_25, %in : f32 loc(#loc136)
      linalg.yield %159 : f32 loc(#loc136)
    } -> tensor<4x128x1024xf32> loc(#loc136)
    %151 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%93 : tensor<4x128x1024xf32>) outs(%98 : tensor<4x128x1024xi1>) {
    ^bb0(%in: f32 loc("jit(f)/mlp/erfc"(#loc114)), %out: i1 loc("jit(f)/mlp/erfc"(#loc114))):
      %159 = arith.cmpf olt, %in, %cst_25 : f32 loc(#loc136)
      linalg.yield %159 : i1 loc(#loc136)
    } -> tensor<4x128x1024xi1> loc(#loc136)
    %152 = linalg.generic {indexing_maps = [#map, #map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%151, %150, %136 : tensor<4x128x1024xi1>, tensor<4x128x1024xf32>, tensor<4x128x1024xf32>) outs(%79 : tensor<4x128x1024xf32>) {
    ^bb0(%in: i1 loc("jit(f)/mlp/erfc"(#loc114)), %in_36: f32 loc("jit(f)/mlp/erfc"(#loc114)), %in_37: f32 loc("jit(f)/mlp/erfc"(#loc114)), %out: f32 loc("jit(f)/mlp/erfc"(#loc114))):
      %159 = arith.select %in, %in_36, %in_37 : f32 loc(#loc136)
      linalg.yield %159 : f32 loc(#loc136)
    } -> tensor<4x128x1024xf32> loc(#loc136)
    %153 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%87, %152 : tensor<4x128x1024xf32>, tensor<4x128x1024xf32>) outs(%79 : tensor<4x128x1024xf32>) {
    ^bb0(%in: f32 loc("jit(f)/mlp/mul"(#loc114)), %in_36: f32 loc("jit(f)/mlp/erfc"(#loc114)), %out: f32 loc("jit(f)/mlp/mul"(#loc114))):
      %159 = arith.mulf %in, %in_36 : f32 loc(#loc164)
      linalg.yield %159 : f32 loc(#loc164)
    } -> tensor<4x128x1024xf32> loc(#loc164)
    %154 = linalg.generic {indexing_maps = [#map6, #map7, #map8], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%153, %arg1 : tensor<4x128x1024xf32>, tensor<1024x256xf32>) outs(%26 : tensor<4x128x256xf32>) {
    ^bb0(%in: f32 loc("jit(f)/mlp/mul"(#loc114)), %in_36: f32 loc("params['W2']"), %out: f32 loc("jit(f)/mlp/dot_general"(#loc133))):
      %159 = arith.mulf %in, %in_36 : f32 loc(#loc164)
      %160 = arith.addf %out, %159 : f32 loc(#loc166)
      linalg.yield %160 : f32 loc(#loc)
    } -> tensor<4x128x256xf32> loc(#loc166)
    %155 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%59, %154 : tensor<4x128x256xf32>, tensor<4x128x256xf32>) outs(%7 : tensor<4x128x256xf32>) {
    ^bb0(%in: f32 loc("jit(f)/attn/add"(#loc130)), %in_36: f32 loc("jit(f)/mlp/dot_general"(#loc133)), %out: f32 loc("jit(f)/mlp/add"(#loc134))):
      %159 = arith.addf %in, %in_36 : f32 loc(#loc167)
      linalg.yield %159 : f32 loc(#loc167)
    } -> tensor<4x128x256xf32> loc(#loc167)
    %156 = linalg.generic {indexing_maps = [#map4, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg7 : tensor<256xf32>) outs(%19 : tensor<1x1x256xf32>) {
    ^bb0(%in: f32 loc("params['c2']"), %out: f32 loc("jit(f)/mlp/broadcast_in_dim"(#loc135))):
      linalg.yield %in : f32 loc(#loc168)
    } -> tensor<1x1x256xf32> loc(#loc168)
    %157 = linalg.generic {indexing_maps = [#map5, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%156 : tensor<1x1x256xf32>) outs(%7 : tensor<4x128x256xf32>) {
    ^bb0(%in: f32 loc("jit(f)/mlp/broadcast_in_dim"(#loc135)), %out: f32 loc("jit(f)/mlp/add"(#loc135))):
      linalg.yield %in : f32 loc(#loc169)
    } -> tensor<4x128x256xf32> loc(#loc169)
    %158 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%155, %157 : tensor<4x128x256xf32>, tensor<4x128x256xf32>) outs(%7 : tensor<4x128x256xf32>) {
    ^bb0(%in: f32 loc("jit(f)/mlp/add"(#loc134)), %in_36: f32 loc("jit(f)/mlp/add"(#loc135)), %out: f32 loc("jit(f)/mlp/add"(#loc135))):
      %159 = arith.addf %in, %in_36 : f32 loc(#loc169)
      linalg.yield %159 : f32 loc(#loc169)
    } -> tensor<4x128x256xf32> loc(#loc169)
    return %158 : tensor<4x128x256xf32> loc(#loc115)
  } loc(#loc)
} loc(#loc)
#loc = loc(unknown)
