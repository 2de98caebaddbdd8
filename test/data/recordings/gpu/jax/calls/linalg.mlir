#loc1 = loc("table")
#loc2 = loc("weight")
#loc3 = loc("tokens")
#loc4 = loc("/data/workloads/models_jax.py":187:19 to :31)
#loc5 = loc("/data/workloads/gpu/record_jax.py":60:14 to :49)
#loc6 = loc("/data/workloads/gpu/record_jax.py":106:12 to :44)
#loc7 = loc("/data/workloads/gpu/record_jax.py":118:13 to :19)
#loc8 = loc("/data/workloads/models_jax.py":172:16 to :47)
#loc9 = loc("reduce_and")
#loc10 = loc("/data/workloads/models_jax.py":184:22 to :64)
#loc14 = loc("/data/workloads/models_jax.py":164:29 to :34)
#loc15 = loc("/data/workloads/models_jax.py":164:28 to :58)
#loc16 = loc("reduce_sum")
#loc17 = loc("/data/workloads/models_jax.py":164:28 to :65)
#loc18 = loc("/data/workloads/models_jax.py":168:29 to :36)
#loc19 = loc("/data/workloads/models_jax.py":164:19 to :66)
#loc20 = loc("/data/workloads/models_jax.py":164:15 to :66)
#loc21 = loc("/data/workloads/models_jax.py":168:29 to :45)
#loc22 = loc("/data/workloads/models_jax.py":168:20 to :46)
#loc24 = loc("/data/workloads/models_jax.py":181:45 to :50)
#loc25 = loc("/data/workloads/models_jax.py":181:37 to :51)
#loc27 = loc("reduce_max")
#loc28 = loc("/data/workloads/models_jax.py":186:48 to :55)
#loc29 = loc("/data/workloads/models_jax.py":186:31 to :55)
#loc30 = loc("/data/workloads/models_jax.py":186:16 to :56)
#loc31 = loc("reduce")
#loc32 = loc("/data/workloads/models_jax.py":188:42 to :57)
#loc33 = loc("/data/workloads/models_jax.py":188:19 to :62)
#loc34 = loc("/data/workloads/models_jax.py":188:64 to :75)
#map = affine_map<(d0, d1) -> ()>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map4 = affine_map<(d0, d1, d2) -> ()>
#map5 = affine_map<(d0, d1, d2) -> (d2)>
#map6 = affine_map<(d0, d1, d2) -> (0, 0, d2)>
#map7 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map8 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>
#map9 = affine_map<(d0, d1, d2, d3) -> (d3, d2)>
#map10 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map11 = affine_map<(d0, d1) -> (d1, d0)>
#map12 = affine_map<(d0, d1, d2, d3) -> ()>
#map13 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map14 = affine_map<(d0, d1, d2, d3) -> (d3)>
#map15 = affine_map<(d0, d1, d2, d3) -> (0, 0, d2, d3)>
#loc35 = loc("jit(f)/pick/reduce"(#loc4))
#loc36 = loc("record"(#loc5))
#loc37 = loc("main"(#loc6))
#loc38 = loc("<module>"(#loc7))
#loc39 = loc("calls.<locals>.f"(#loc8))
#loc40 = loc("reduce_and:"(#loc9))
#loc41 = loc("calls.<locals>.f"(#loc10))
#loc45 = loc("jit(f)/settle/while/body/jit(mix)/jit(norm)/mul"(#loc14))
#loc46 = loc("jit(f)/settle/while/body/jit(mix)/jit(norm)/reduce_sum"(#loc15))
#loc47 = loc("reduce_sum:"(#loc16))
#loc48 = loc("jit(f)/settle/while/body/jit(mix)/jit(norm)/broadcast_in_dim"(#loc15))
#loc49 = loc("jit(f)/settle/while/body/jit(mix)/jit(norm)/add"(#loc17))
#loc50 = loc("jit(f)/settle/while/body/jit(mix)/jit(norm)"(#loc18))
#loc51 = loc("jit(f)/settle/while/body/jit(mix)/jit(norm)/sqrt"(#loc19))
#loc52 = loc("jit(f)/settle/while/body/jit(mix)/jit(norm)/div"(#loc20))
#loc53 = loc("jit(f)/settle/while/body/jit(mix)/dot_general"(#loc21))
#loc54 = loc("jit(f)/settle/while/body/jit(mix)/tanh"(#loc22))
#loc56 = loc("calls.<locals>.f.<locals>.body"(#loc24))
#loc57 = loc("calls.<locals>.f.<locals>.body"(#loc25))
#loc59 = loc("reduce_max:"(#loc27))
#loc60 = loc("jit(f)/pick/jit(mix)/jit(norm)/mul"(#loc14))
#loc61 = loc("jit(f)/pick/jit(mix)/jit(norm)/reduce_sum"(#loc15))
#loc62 = loc("jit(f)/pick/jit(mix)/jit(norm)/broadcast_in_dim"(#loc15))
#loc63 = loc("jit(f)/pick/jit(mix)/jit(norm)/add"(#loc17))
#loc64 = loc("jit(f)/pick/jit(mix)/jit(norm)"(#loc18))
#loc65 = loc("jit(f)/pick/jit(mix)/jit(norm)/sqrt"(#loc19))
#loc66 = loc("jit(f)/pick/jit(mix)/jit(norm)/div"(#loc20))
#loc67 = loc("jit(f)/pick/jit(mix)/dot_general"(#loc21))
#loc68 = loc("jit(f)/pick/jit(mix)/tanh"(#loc22))
#loc69 = loc("calls.<locals>.f"(#loc28))
#loc70 = loc("calls.<locals>.f"(#loc29))
#loc71 = loc("calls.<locals>.f"(#loc30))
#loc72 = loc("jit(f)/pick/iota"(#loc4))
#loc73 = loc("reduce:"(#loc31))
#loc75 = loc("calls.<locals>.f"(#loc32))
#loc76 = loc("calls.<locals>.f"(#loc33))
#loc77 = loc("calls.<locals>.f"(#loc34))
#loc78 = loc(callsite(#loc37 at #loc38))
#loc80 = loc(callsite(#loc36 at #loc78))
#loc88 = loc("jit(f)"(#loc80))
#loc89 = loc(callsite(#loc39 at #loc80))
#loc90 = loc(callsite(#loc41 at #loc80))
#loc91 = loc(callsite(#loc69 at #loc80))
#loc92 = loc(callsite(#loc70 at #loc80))
#loc93 = loc(callsite(#loc71 at #loc80))
#loc94 = loc(callsite(#loc75 at #loc80))
#loc95 = loc(callsite(#loc76 at #loc80))
#loc96 = loc(callsite(#loc77 at #loc80))
#loc97 = loc("jit(f)/embed/jit(_take)/lt"(#loc89))
#loc98 = loc("jit(f)/embed/jit(_take)"(#loc89))
#loc99 = loc("jit(f)/embed/jit(_take)/add"(#loc89))
#loc100 = loc("jit(f)/embed/jit(_take)/jit(_where)/select_n"(#loc89))
#loc101 = loc("jit(f)/embed/jit(_take)/broadcast_in_dim"(#loc89))
#loc102 = loc("jit(f)/embed/jit(_take)/ge"(#loc89))
#loc103 = loc("jit(f)/embed/jit(_take)/gather"(#loc89))
#loc104 = loc("jit(f)/embed/jit(_take)/le"(#loc89))
#loc105 = loc("jit(f)/embed/jit(_take)/and"(#loc89))
#loc106 = loc("jit(f)/embed/jit(_take)/reduce_and"(#loc89))
#loc107 = loc("jit(f)/embed/jit(_take)/select_n"(#loc89))
#loc108 = loc("jit(f)/settle/while"(#loc90))
#loc113 = loc(callsite(#loc56 at #loc90))
#loc114 = loc(callsite(#loc57 at #loc90))
#loc116 = loc("jit(f)/pick/transpose"(#loc91))
#loc117 = loc("jit(f)/pick/dot_general"(#loc92))
#loc118 = loc("jit(f)/pick/reduce_max"(#loc93))
#loc119 = loc("jit(f)/pick/max"(#loc93))
#loc120 = loc("jit(f)/pick/broadcast_in_dim"(#loc93))
#loc121 = loc("jit(f)/pick/sub"(#loc93))
#loc122 = loc("jit(f)/pick/exp"(#loc93))
#loc123 = loc("jit(f)/pick/reduce_sum"(#loc93))
#loc124 = loc("jit(f)/pick/div"(#loc93))
#loc125 = loc("jit(f)/pick/broadcast_in_dim"(#loc94))
#loc126 = loc("jit(f)/pick/jit(take_along_axis)/lt"(#loc95))
#loc127 = loc("jit(f)/pick/jit(take_along_axis)/add"(#loc95))
#loc128 = loc("jit(f)/pick/jit(take_along_axis)"(#loc95))
#loc129 = loc("jit(f)/pick/jit(take_along_axis)/select_n"(#loc95))
#loc130 = loc("jit(f)/pick/jit(take_along_axis)/reshape"(#loc95))
#loc131 = loc("jit(f)/pick/jit(take_along_axis)/ge"(#loc95))
#loc132 = loc("jit(f)/pick/jit(take_along_axis)/gather"(#loc95))
#loc133 = loc("jit(f)/pick/jit(take_along_axis)/broadcast_in_dim"(#loc95))
#loc134 = loc("jit(f)/pick/jit(take_along_axis)/le"(#loc95))
#loc135 = loc("jit(f)/pick/jit(take_along_axis)/and"(#loc95))
#loc136 = loc("jit(f)/pick/jit(take_along_axis)/reduce_and"(#loc95))
#loc137 = loc("jit(f)/pick/lt"(#loc96))
#loc138 = loc("jit(f)/pick/add"(#loc96))
#loc139 = loc("jit(f)/pick/select_n"(#loc96))
#loc140 = loc("jit(f)/pick/broadcast_in_dim"(#loc96))
#loc141 = loc("jit(f)/pick/gather"(#loc96))
#loc146 = loc("jit(f)/settle/while/body/sub"(#loc113))
#loc147 = loc("jit(f)/settle/while/body/abs"(#loc114))
module @jit_f attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<512x128xf32> loc("table"), %arg1: tensor<128x128xf32> loc("weight"), %arg2: tensor<16x32xi32> loc("tokens")) -> (tensor<16x32x1xf32> {jax.result_info = "result[0]"}, tensor<16x32x128xf32> {jax.result_info = "result[1]"}) {
    %c0_i32 = arith.constant 0 : i32 loc(#loc35)
    %cst = arith.constant 0xFF800000 : f32 loc(#loc)
    %cst_0 = arith.constant dense<0xFF800000> : tensor<f32> loc(#loc)
    %c1_i32 = arith.constant 1 : i32 loc(#loc)
    %cst_1 = arith.constant dense<9.99999997E-7> : tensor<f32> loc(#loc)
    %cst_2 = arith.constant 0.000000e+00 : f32 loc(#loc)
    %cst_3 = arith.constant 9.99999971E-10 : f32 loc(#loc)
    %c5_i32 = arith.constant 5 : i32 loc(#loc)
    %cst_4 = arith.constant dense<1.000000e+00> : tensor<f32> loc(#loc88)
    %cst_5 = arith.constant dense<0x7FC00000> : tensor<f32> loc(#loc)
    %c511 = arith.constant 511 : index loc(#loc)
    %c0 = arith.constant 0 : index loc(#loc)
    %true = arith.constant true loc(#loc)
    %cst_6 = arith.constant dense<511> : tensor<1xi32> loc(#loc)
    %cst_7 = arith.constant dense<512> : tensor<i32> loc(#loc)
    %cst_8 = arith.constant dense<0> : tensor<i32> loc(#loc)
    %0 = tensor.empty() : tensor<16x32xi32> loc(#loc97)
    %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%cst_8 : tensor<i32>) outs(%0 : tensor<16x32xi32>) {
    ^bb0(%in: i32 loc("jit(f)/embed/jit(_take)"(#loc89)), %out: i32 loc("jit(f)/embed/jit(_take)/lt"(#loc89))):
      linalg.yield %in : i32 loc(#loc97)
    } -> tensor<16x32xi32> loc(#loc97)
    %2 = tensor.empty() : tensor<16x32xi1> loc(#loc97)
    %3 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg2, %1 : tensor<16x32xi32>, tensor<16x32xi32>) outs(%2 : tensor<16x32xi1>) {
    ^bb0(%in: i32 loc("tokens"), %in_9: i32 loc("jit(f)/embed/jit(_take)/lt"(#loc89)), %out: i1 loc("jit(f)/embed/jit(_take)/lt"(#loc89))):
      %92 = arith.cmpi slt, %in, %in_9 : i32 loc(#loc97)
      linalg.yield %92 : i1 loc(#loc97)
    } -> tensor<16x32xi1> loc(#loc97)
    %4 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%cst_7 : tensor<i32>) outs(%0 : tensor<16x32xi32>) {
    ^bb0(%in: i32 loc("jit(f)/embed/jit(_take)"(#loc89)), %out: i32 loc("jit(f)/embed/jit(_take)/add"(#loc89))):
      linalg.yield %in : i32 loc(#loc99)
    } -> tensor<16x32xi32> loc(#loc99)
    %5 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg2, %4 : tensor<16x32xi32>, tensor<16x32xi32>) outs(%0 : tensor<16x32xi32>) {
    ^bb0(%in: i32 loc("tokens"), %in_9: i32 loc("jit(f)/embed/jit(_take)/add"(#loc89)), %out: i32 loc("jit(f)/embed/jit(_take)/add"(#loc89))):
      %92 = arith.addi %in, %in_9 : i32 loc(#loc99)
      linalg.yield %92 : i32 loc(#loc99)
    } -> tensor<16x32xi32> loc(#loc99)
    %6 = linalg.generic {indexing_maps = [#map1, #map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%3, %5, %arg2 : tensor<16x32xi1>, tensor<16x32xi32>, tensor<16x32xi32>) outs(%0 : tensor<16x32xi32>) {
    ^bb0(%in: i1 loc("jit(f)/embed/jit(_take)/lt"(#loc89)), %in_9: i32 loc("jit(f)/embed/jit(_take)/add"(#loc89)), %in_10: i32 loc("tokens"), %out: i32 loc("jit(f)/embed/jit(_take)/jit(_where)/select_n"(#loc89))):
      %92 = arith.select %in, %in_9, %in_10 : i32 loc(#loc100)
      linalg.yield %92 : i32 loc(#loc100)
    } -> tensor<16x32xi32> loc(#loc100)
    %7 = tensor.empty() : tensor<16x32x1xi32> loc(#loc101)
    %8 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6 : tensor<16x32xi32>) outs(%7 : tensor<16x32x1xi32>) {
    ^bb0(%in: i32 loc("jit(f)/embed/jit(_take)/jit(_where)/select_n"(#loc89)), %out: i32 loc("jit(f)/embed/jit(_take)/broadcast_in_dim"(#loc89))):
      linalg.yield %in : i32 loc(#loc101)
    } -> tensor<16x32x1xi32> loc(#loc101)
    %9 = linalg.generic {indexing_maps = [#map4, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_8 : tensor<i32>) outs(%7 : tensor<16x32x1xi32>) {
    ^bb0(%in: i32 loc("jit(f)/embed/jit(_take)/gather"(#loc89)), %out: i32 loc("jit(f)/embed/jit(_take)/ge"(#loc89))):
      linalg.yield %in : i32 loc(#loc102)
    } -> tensor<16x32x1xi32> loc(#loc102)
    %10 = tensor.empty() : tensor<16x32x1xi1> loc(#loc102)
    %11 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%8, %9 : tensor<16x32x1xi32>, tensor<16x32x1xi32>) outs(%10 : tensor<16x32x1xi1>) {
    ^bb0(%in: i32 loc("jit(f)/embed/jit(_take)/broadcast_in_dim"(#loc89)), %in_9: i32 loc("jit(f)/embed/jit(_take)/ge"(#loc89)), %out: i1 loc("jit(f)/embed/jit(_take)/ge"(#loc89))):
      %92 = arith.cmpi sge, %in, %in_9 : i32 loc(#loc102)
      linalg.yield %92 : i1 loc(#loc102)
    } -> tensor<16x32x1xi1> loc(#loc102)
    %12 = tensor.empty() : tensor<1x1x1xi32> loc(#loc101)
    %13 = linalg.generic {indexing_maps = [#map5, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_6 : tensor<1xi32>) outs(%12 : tensor<1x1x1xi32>) {
    ^bb0(%in: i32 loc("jit(f)/embed/jit(_take)/gather"(#loc89)), %out: i32 loc("jit(f)/embed/jit(_take)/broadcast_in_dim"(#loc89))):
      linalg.yield %in : i32 loc(#loc101)
    } -> tensor<1x1x1xi32> loc(#loc101)
    %14 = linalg.generic {indexing_maps = [#map6, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%13 : tensor<1x1x1xi32>) outs(%7 : tensor<16x32x1xi32>) {
    ^bb0(%in: i32 loc("jit(f)/embed/jit(_take)/broadcast_in_dim"(#loc89)), %out: i32 loc("jit(f)/embed/jit(_take)/le"(#loc89))):
      linalg.yield %in : i32 loc(#loc104)
    } -> tensor<16x32x1xi32> loc(#loc104)
    %15 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%8, %14 : tensor<16x32x1xi32>, tensor<16x32x1xi32>) outs(%10 : tensor<16x32x1xi1>) {
    ^bb0(%in: i32 loc("jit(f)/embed/jit(_take)/broadcast_in_dim"(#loc89)), %in_9: i32 loc("jit(f)/embed/jit(_take)/le"(#loc89)), %out: i1 loc("jit(f)/embed/jit(_take)/le"(#loc89))):
      %92 = arith.cmpi sle, %in, %in_9 : i32 loc(#loc104)
      linalg.yield %92 : i1 loc(#loc104)
    } -> tensor<16x32x1xi1> loc(#loc104)
    %16 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%11, %15 : tensor<16x32x1xi1>, tensor<16x32x1xi1>) outs(%10 : tensor<16x32x1xi1>) {
    ^bb0(%in: i1 loc("jit(f)/embed/jit(_take)/ge"(#loc89)), %in_9: i1 loc("jit(f)/embed/jit(_take)/le"(#loc89)), %out: i1 loc("jit(f)/embed/jit(_take)/and"(#loc89))):
      %92 = arith.andi %in, %in_9 : i1 loc(#loc105)
      linalg.yield %92 : i1 loc(#loc105)
    } -> tensor<16x32x1xi1> loc(#loc105)
    %17 = linalg.fill ins(%true : i1) outs(%2 : tensor<16x32xi1>) -> tensor<16x32xi1> loc(#loc106)
    %18 = linalg.generic {indexing_maps = [#map3, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%16 : tensor<16x32x1xi1>) outs(%17 : tensor<16x32xi1>) {
    ^bb0(%in: i1 loc("reduce_and:"(#loc9)), %out: i1 loc("reduce_and:"(#loc9))):
      %92 = arith.andi %out, %in : i1 loc(#loc106)
      linalg.yield %92 : i1 loc(#loc106)
    } -> tensor<16x32xi1> loc(#loc106)
    %19 = tensor.empty() : tensor<16x32x128xf32> loc(#loc103)
    %20 = linalg.generic {indexing_maps = [#map3], iterator_types = ["parallel", "parallel", "parallel"]} outs(%19 : tensor<16x32x128xf32>) {
    ^bb0(%out: f32 loc("jit(f)/embed/jit(_take)/gather"(#loc89))):
      %92 = linalg.index 0 : index loc(#loc103)
      %93 = linalg.index 1 : index loc(#loc103)
      %94 = linalg.index 2 : index loc(#loc103)
      %extracted = tensor.extract %8[%92, %93, %c0] : tensor<16x32x1xi32> loc(#loc103)
      %95 = arith.index_cast %extracted : i32 to index loc(#loc103)
      %96 = arith.maxsi %95, %c0 : index loc(#loc103)
      %97 = arith.minsi %96, %c511 : index loc(#loc103)
      %extracted_9 = tensor.extract %arg0[%97, %94] : tensor<512x128xf32> loc(#loc103)
      linalg.yield %extracted_9 : f32 loc(#loc103)
    } -> tensor<16x32x128xf32> loc(#loc103)
    %21 = tensor.empty() : tensor<16x32x128xi1> loc(#loc101)
    %22 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%18 : tensor<16x32xi1>) outs(%21 : tensor<16x32x128xi1>) {
    ^bb0(%in: i1 loc("jit(f)/embed/jit(_take)/reduce_and"(#loc89)), %out: i1 loc("jit(f)/embed/jit(_take)/broadcast_in_dim"(#loc89))):
      linalg.yield %in : i1 loc(#loc101)
    } -> tensor<16x32x128xi1> loc(#loc101)
    %23 = linalg.generic {indexing_maps = [#map4, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_5 : tensor<f32>) outs(%19 : tensor<16x32x128xf32>) {
    ^bb0(%in: f32 loc("jit(f)/embed/jit(_take)/gather"(#loc89)), %out: f32 loc("jit(f)/embed/jit(_take)/broadcast_in_dim"(#loc89))):
      linalg.yield %in : f32 loc(#loc101)
    } -> tensor<16x32x128xf32> loc(#loc101)
    %24 = linalg.generic {indexing_maps = [#map3, #map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%22, %20, %23 : tensor<16x32x128xi1>, tensor<16x32x128xf32>, tensor<16x32x128xf32>) outs(%19 : tensor<16x32x128xf32>) {
    ^bb0(%in: i1 loc("jit(f)/embed/jit(_take)/broadcast_in_dim"(#loc89)), %in_9: f32 loc("jit(f)/embed/jit(_take)/gather"(#loc89)), %in_10: f32 loc("jit(f)/embed/jit(_take)/broadcast_in_dim"(#loc89)), %out: f32 loc("jit(f)/embed/jit(_take)/select_n"(#loc89))):
      %92 = arith.select %in, %in_9, %in_10 : f32 loc(#loc107)
      linalg.yield %92 : f32 loc(#loc107)
    } -> tensor<16x32x128xf32> loc(#loc107)
    %25:2 = scf.while (%arg3 = %cst_8, %arg4 = %24, %arg5 = %cst_4) : (tensor<i32>, tensor<16x32x128xf32>, tensor<f32>) -> (tensor<i32>, tensor<16x32x128xf32>) {
      %extracted = tensor.extract %arg3[] : tensor<i32> loc(#loc142)
      %92 = arith.cmpi slt, %extracted, %c5_i32 : i32 loc(#loc142)
      %extracted_9 = tensor.extract %arg5[] : tensor<f32> loc(#loc143)
      %93 = arith.cmpf ogt, %extracted_9, %cst_3 : f32 loc(#loc143)
      %94 = arith.andi %92, %93 : i1 loc(#loc144)
      scf.condition(%94) %arg3, %arg4 : tensor<i32>, tensor<16x32x128xf32> loc(#loc108)
    } do {
    ^bb0(%arg3: tensor<i32> loc("jit(f)/settle/while"(#loc90)), %arg4: tensor<16x32x128xf32> loc("jit(f)/settle/while"(#loc90))):
      %92 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg4, %arg4 : tensor<16x32x128xf32>, tensor<16x32x128xf32>) outs(%19 : tensor<16x32x128xf32>) {
      ^bb0(%in: f32 loc("jit(f)/settle/while"(#loc90)), %in_9: f32 loc("jit(f)/settle/while"(#loc90)), %out: f32 loc("jit(f)/settle/while/body/jit(mix)/jit(norm)/mul"(#loc14))):
        %119 = arith.mulf %in, %in_9 : f32 loc(#loc45)
        linalg.yield %119 : f32 loc(#loc45)
      } -> tensor<16x32x128xf32> loc(#loc45)
      %93 = tensor.empty() : tensor<16x32xf32> loc(#loc46)
      %94 = linalg.fill ins(%cst_2 : f32) outs(%93 : tensor<16x32xf32>) -> tensor<16x32xf32> loc(#loc46)
      %95 = linalg.generic {indexing_maps = [#map3, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%92 : tensor<16x32x128xf32>) outs(%94 : tensor<16x32xf32>) {
      ^bb0(%in: f32 loc("reduce_sum:"(#loc16)), %out: f32 loc("reduce_sum:"(#loc16))):
        %119 = arith.addf %out, %in : f32 loc(#loc46)
        linalg.yield %119 : f32 loc(#loc46)
      } -> tensor<16x32xf32> loc(#loc46)
      %96 = tensor.empty() : tensor<16x32x1xf32> loc(#loc48)
      %97 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%95 : tensor<16x32xf32>) outs(%96 : tensor<16x32x1xf32>) {
      ^bb0(%in: f32 loc("jit(f)/settle/while/body/jit(mix)/jit(norm)/reduce_sum"(#loc15)), %out: f32 loc("jit(f)/settle/while/body/jit(mix)/jit(norm)/broadcast_in_dim"(#loc15))):
        linalg.yield %in : f32 loc(#loc48)
      } -> tensor<16x32x1xf32> loc(#loc48)
      %98 = linalg.generic {indexing_maps = [#map4, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_1 : tensor<f32>) outs(%96 : tensor<16x32x1xf32>) {
      ^bb0(%in: f32 loc("jit(f)/settle/while/body/jit(mix)/jit(norm)"(#loc18)), %out: f32 loc("jit(f)/settle/while/body/jit(mix)/jit(norm)/add"(#loc17))):
        linalg.yield %in : f32 loc(#loc49)
      } -> tensor<16x32x1xf32> loc(#loc49)
      %99 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%97, %98 : tensor<16x32x1xf32>, tensor<16x32x1xf32>) outs(%96 : tensor<16x32x1xf32>) {
      ^bb0(%in: f32 loc("jit(f)/settle/while/body/jit(mix)/jit(norm)/broadcast_in_dim"(#loc15)), %in_9: f32 loc("jit(f)/settle/while/body/jit(mix)/jit(norm)/add"(#loc17)), %out: f32 loc("jit(f)/settle/while/body/jit(mix)/jit(norm)/add"(#loc17))):
        %119 = arith.addf %in, %in_9 : f32 loc(#loc49)
        linalg.yield %119 : f32 loc(#loc49)
      } -> tensor<16x32x1xf32> loc(#loc49)
      %100 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%99 : tensor<16x32x1xf32>) outs(%96 : tensor<16x32x1xf32>) {
      ^bb0(%in: f32 loc("jit(f)/settle/while/body/jit(mix)/jit(norm)/add"(#loc17)), %out: f32 loc("jit(f)/settle/while/body/jit(mix)/jit(norm)/sqrt"(#loc19))):
        %119 = math.sqrt %in : f32 loc(#loc51)
        linalg.yield %119 : f32 loc(#loc51)
      } -> tensor<16x32x1xf32> loc(#loc51)
      %101 = linalg.generic {indexing_maps = [#map7, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%100 : tensor<16x32x1xf32>) outs(%19 : tensor<16x32x128xf32>) {
      ^bb0(%in: f32 loc("jit(f)/settle/while/body/jit(mix)/jit(norm)/sqrt"(#loc19)), %out: f32 loc("jit(f)/settle/while/body/jit(mix)/jit(norm)/div"(#loc20))):
        linalg.yield %in : f32 loc(#loc52)
      } -> tensor<16x32x128xf32> loc(#loc52)
      %102 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg4, %101 : tensor<16x32x128xf32>, tensor<16x32x128xf32>) outs(%19 : tensor<16x32x128xf32>) {
      ^bb0(%in: f32 loc("jit(f)/settle/while"(#loc90)), %in_9: f32 loc("jit(f)/settle/while/body/jit(mix)/jit(norm)/div"(#loc20)), %out: f32 loc("jit(f)/settle/while/body/jit(mix)/jit(norm)/div"(#loc20))):
        %119 = arith.divf %in, %in_9 : f32 loc(#loc52)
        linalg.yield %119 : f32 loc(#loc52)
      } -> tensor<16x32x128xf32> loc(#loc52)
      %103 = linalg.fill ins(%cst_2 : f32) outs(%19 : tensor<16x32x128xf32>) -> tensor<16x32x128xf32> loc(#loc53)
      %104 = linalg.generic {indexing_maps = [#map8, #map9, #map10], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%102, %arg1 : tensor<16x32x128xf32>, tensor<128x128xf32>) outs(%103 : tensor<16x32x128xf32>) {
      ^bb0(%in: f32 loc("jit(f)/settle/while/body/jit(mix)/jit(norm)/div"(#loc20)), %in_9: f32 loc("weight"), %out: f32 loc("jit(f)/settle/while/body/jit(mix)/dot_general"(#loc21))):
        %119 = arith.mulf %in, %in_9 : f32 loc(#loc52)
        %120 = arith.addf %out, %119 : f32 loc(#loc53)
        linalg.yield %120 : f32 loc(#loc)
      } -> tensor<16x32x128xf32> loc(#loc53)
      %105 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%104 : tensor<16x32x128xf32>) outs(%19 : tensor<16x32x128xf32>) {
      ^bb0(%in: f32 loc("jit(f)/settle/while/body/jit(mix)/dot_general"(#loc21)), %out: f32 loc("jit(f)/settle/while/body/jit(mix)/tanh"(#loc22))):
        %119 = math.tanh %in : f32 loc(#loc54)
        linalg.yield %119 : f32 loc(#loc54)
      } -> tensor<16x32x128xf32> loc(#loc54)
      %106 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%105, %105 : tensor<16x32x128xf32>, tensor<16x32x128xf32>) outs(%19 : tensor<16x32x128xf32>) {
      ^bb0(%in: f32 loc("jit(f)/settle/while/body/jit(mix)/tanh"(#loc22)), %in_9: f32 loc("jit(f)/settle/while/body/jit(mix)/tanh"(#loc22)), %out: f32 loc("jit(f)/settle/while/body/jit(mix)/jit(norm)/mul"(#loc14))):
        %119 = arith.mulf %in, %in_9 : f32 loc(#loc45)
        linalg.yield %119 : f32 loc(#loc45)
      } -> tensor<16x32x128xf32> loc(#loc45)
      %107 = linalg.generic {indexing_maps = [#map3, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%106 : tensor<16x32x128xf32>) outs(%94 : tensor<16x32xf32>) {
      ^bb0(%in: f32 loc("reduce_sum:"(#loc16)), %out: f32 loc("reduce_sum:"(#loc16))):
        %119 = arith.addf %out, %in : f32 loc(#loc46)
        linalg.yield %119 : f32 loc(#loc46)
      } -> tensor<16x32xf32> loc(#loc46)
      %108 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%107 : tensor<16x32xf32>) outs(%96 : tensor<16x32x1xf32>) {
      ^bb0(%in: f32 loc("jit(f)/settle/while/body/jit(mix)/jit(norm)/reduce_sum"(#loc15)), %out: f32 loc("jit(f)/settle/while/body/jit(mix)/jit(norm)/broadcast_in_dim"(#loc15))):
        linalg.yield %in : f32 loc(#loc48)
      } -> tensor<16x32x1xf32> loc(#loc48)
      %109 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%108, %98 : tensor<16x32x1xf32>, tensor<16x32x1xf32>) outs(%96 : tensor<16x32x1xf32>) {
      ^bb0(%in: f32 loc("jit(f)/settle/while/body/jit(mix)/jit(norm)/broadcast_in_dim"(#loc15)), %in_9: f32 loc("jit(f)/settle/while/body/jit(mix)/jit(norm)/add"(#loc17)), %out: f32 loc("jit(f)/settle/while/body/jit(mix)/jit(norm)/add"(#loc17))):
        %119 = arith.addf %in, %in_9 : f32 loc(#loc49)
        linalg.yield %119 : f32 loc(#loc49)
      } -> tensor<16x32x1xf32> loc(#loc49)
      %110 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%109 : tensor<16x32x1xf32>) outs(%96 : tensor<16x32x1xf32>) {
      ^bb0(%in: f32 loc("jit(f)/settle/while/body/jit(mix)/jit(norm)/add"(#loc17)), %out: f32 loc("jit(f)/settle/while/body/jit(mix)/jit(norm)/sqrt"(#loc19))):
        %119 = math.sqrt %in : f32 loc(#loc51)
        linalg.yield %119 : f32 loc(#loc51)
      } -> tensor<16x32x1xf32> loc(#loc51)
      %111 = linalg.generic {indexing_maps = [#map7, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%110 : tensor<16x32x1xf32>) outs(%19 : tensor<16x32x128xf32>) {
      ^bb0(%in: f32 loc("jit(f)/settle/while/body/jit(mix)/jit(norm)/sqrt"(#loc19)), %out: f32 loc("jit(f)/settle/while/body/jit(mix)/jit(norm)/div"(#loc20))):
        linalg.yield %in : f32 loc(#loc52)
      } -> tensor<16x32x128xf32> loc(#loc52)
      %112 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%105, %111 : tensor<16x32x128xf32>, tensor<16x32x128xf32>) outs(%19 : tensor<16x32x128xf32>) {
      ^bb0(%in: f32 loc("jit(f)/settle/while/body/jit(mix)/tanh"(#loc22)), %in_9: f32 loc("jit(f)/settle/while/body/jit(mix)/jit(norm)/div"(#loc20)), %out: f32 loc("jit(f)/settle/while/body/jit(mix)/jit(norm)/div"(#loc20))):
        %119 = arith.divf %in, %in_9 : f32 loc(#loc52)
        linalg.yield %119 : f32 loc(#loc52)
      } -> tensor<16x32x128xf32> loc(#loc52)
      %extracted = tensor.extract %arg3[] : tensor<i32> loc(#loc145)
      %113 = arith.addi %extracted, %c1_i32 : i32 loc(#loc145)
      %from_elements = tensor.from_elements %113 : tensor<i32> loc(#loc145)
      %114 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%112, %arg4 : tensor<16x32x128xf32>, tensor<16x32x128xf32>) outs(%19 : tensor<16x32x128xf32>) {
      ^bb0(%in: f32 loc("jit(f)/settle/while/body/jit(mix)/jit(norm)/div"(#loc20)), %in_9: f32 loc("jit(f)/settle/while"(#loc90)), %out: f32 loc("jit(f)/settle/while/body/sub"(#loc113))):
        %119 = arith.subf %in, %in_9 : f32 loc(#loc146)
        linalg.yield %119 : f32 loc(#loc146)
      } -> tensor<16x32x128xf32> loc(#loc146)
      %115 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%114 : tensor<16x32x128xf32>) outs(%19 : tensor<16x32x128xf32>) {
      ^bb0(%in: f32 loc("jit(f)/settle/while/body/sub"(#loc113)), %out: f32 loc("jit(f)/settle/while/body/abs"(#loc114))):
        %119 = math.absf %in : f32 loc(#loc147)
        linalg.yield %119 : f32 loc(#loc147)
      } -> tensor<16x32x128xf32> loc(#loc147)
      %116 = tensor.empty() : tensor<f32> loc(#loc148)
      %117 = linalg.fill ins(%cst : f32) outs(%116 : tensor<f32>) -> tensor<f32> loc(#loc148)
      %118 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["reduction", "reduction", "reduction"]} ins(%115 : tensor<16x32x128xf32>) outs(%117 : tensor<f32>) {
      ^bb0(%in: f32 loc("reduce_max:"(#loc27)), %out: f32 loc("reduce_max:"(#loc27))):
        %119 = arith.maximumf %out, %in : f32 loc(#loc148)
        linalg.yield %119 : f32 loc(#loc148)
      } -> tensor<f32> loc(#loc148)
      scf.yield %from_elements, %112, %118 : tensor<i32>, tensor<16x32x128xf32>, tensor<f32> loc(#loc108)
    } loc(#loc108)
    %26 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%25#1, %25#1 : tensor<16x32x128xf32>, tensor<16x32x128xf32>) outs(%19 : tensor<16x32x128xf32>) {
    ^bb0(%in: f32 loc("jit(f)/settle/while"(#loc90)), %in_9: f32 loc("jit(f)/settle/while"(#loc90)), %out: f32 loc("jit(f)/pick/jit(mix)/jit(norm)/mul"(#loc14))):
      %92 = arith.mulf %in, %in_9 : f32 loc(#loc60)
      linalg.yield %92 : f32 loc(#loc60)
    } -> tensor<16x32x128xf32> loc(#loc60)
    %27 = tensor.empty() : tensor<16x32xf32> loc(#loc61)
    %28 = linalg.fill ins(%cst_2 : f32) outs(%27 : tensor<16x32xf32>) -> tensor<16x32xf32> loc(#loc61)
    %29 = linalg.generic {indexing_maps = [#map3, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%26 : tensor<16x32x128xf32>) outs(%28 : tensor<16x32xf32>) {
    ^bb0(%in: f32 loc("reduce_sum:"(#loc16)), %out: f32 loc("reduce_sum:"(#loc16))):
      %92 = arith.addf %out, %in : f32 loc(#loc61)
      linalg.yield %92 : f32 loc(#loc61)
    } -> tensor<16x32xf32> loc(#loc61)
    %30 = tensor.empty() : tensor<16x32x1xf32> loc(#loc62)
    %31 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%29 : tensor<16x32xf32>) outs(%30 : tensor<16x32x1xf32>) {
    ^bb0(%in: f32 loc("jit(f)/pick/jit(mix)/jit(norm)/reduce_sum"(#loc15)), %out: f32 loc("jit(f)/pick/jit(mix)/jit(norm)/broadcast_in_dim"(#loc15))):
      linalg.yield %in : f32 loc(#loc62)
    } -> tensor<16x32x1xf32> loc(#loc62)
    %32 = linalg.generic {indexing_maps = [#map4, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_1 : tensor<f32>) outs(%30 : tensor<16x32x1xf32>) {
    ^bb0(%in: f32 loc("jit(f)/pick/jit(mix)/jit(norm)"(#loc18)), %out: f32 loc("jit(f)/pick/jit(mix)/jit(norm)/add"(#loc17))):
      linalg.yield %in : f32 loc(#loc63)
    } -> tensor<16x32x1xf32> loc(#loc63)
    %33 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%31, %32 : tensor<16x32x1xf32>, tensor<16x32x1xf32>) outs(%30 : tensor<16x32x1xf32>) {
    ^bb0(%in: f32 loc("jit(f)/pick/jit(mix)/jit(norm)/broadcast_in_dim"(#loc15)), %in_9: f32 loc("jit(f)/pick/jit(mix)/jit(norm)/add"(#loc17)), %out: f32 loc("jit(f)/pick/jit(mix)/jit(norm)/add"(#loc17))):
      %92 = arith.addf %in, %in_9 : f32 loc(#loc63)
      linalg.yield %92 : f32 loc(#loc63)
    } -> tensor<16x32x1xf32> loc(#loc63)
    %34 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%33 : tensor<16x32x1xf32>) outs(%30 : tensor<16x32x1xf32>) {
    ^bb0(%in: f32 loc("jit(f)/pick/jit(mix)/jit(norm)/add"(#loc17)), %out: f32 loc("jit(f)/pick/jit(mix)/jit(norm)/sqrt"(#loc19))):
      %92 = math.sqrt %in : f32 loc(#loc65)
      linalg.yield %92 : f32 loc(#loc65)
    } -> tensor<16x32x1xf32> loc(#loc65)
    %35 = linalg.generic {indexing_maps = [#map7, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%34 : tensor<16x32x1xf32>) outs(%19 : tensor<16x32x128xf32>) {
    ^bb0(%in: f32 loc("jit(f)/pick/jit(mix)/jit(norm)/sqrt"(#loc19)), %out: f32 loc("jit(f)/pick/jit(mix)/jit(norm)/div"(#loc20))):
      linalg.yield %in : f32 loc(#loc66)
    } -> tensor<16x32x128xf32> loc(#loc66)
    %36 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%25#1, %35 : tensor<16x32x128xf32>, tensor<16x32x128xf32>) outs(%19 : tensor<16x32x128xf32>) {
    ^bb0(%in: f32 loc("jit(f)/settle/while"(#loc90)), %in_9: f32 loc("jit(f)/pick/jit(mix)/jit(norm)/div"(#loc20)), %out: f32 loc("jit(f)/pick/jit(mix)/jit(norm)/div"(#loc20))):
      %92 = arith.divf %in, %in_9 : f32 loc(#loc66)
      linalg.yield %92 : f32 loc(#loc66)
    } -> tensor<16x32x128xf32> loc(#loc66)
    %37 = linalg.fill ins(%cst_2 : f32) outs(%19 : tensor<16x32x128xf32>) -> tensor<16x32x128xf32> loc(#loc67)
    %38 = linalg.generic {indexing_maps = [#map8, #map9, #map10], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%36, %arg1 : tensor<16x32x128xf32>, tensor<128x128xf32>) outs(%37 : tensor<16x32x128xf32>) {
    ^bb0(%in: f32 loc("jit(f)/pick/jit(mix)/jit(norm)/div"(#loc20)), %in_9: f32 loc("weight"), %out: f32 loc("jit(f)/pick/jit(mix)/dot_general"(#loc21))):
      %92 = arith.mulf %in, %in_9 : f32 loc(#loc66)
      %93 = arith.addf %out, %92 : f32 loc(#loc67)
      linalg.yield %93 : f32 loc(#loc)
    } -> tensor<16x32x128xf32> loc(#loc67)
    %39 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%38 : tensor<16x32x128xf32>) outs(%19 : tensor<16x32x128xf32>) {
    ^bb0(%in: f32 loc("jit(f)/pick/jit(mix)/dot_general"(#loc21)), %out: f32 loc("jit(f)/pick/jit(mix)/tanh"(#loc22))):
      %92 = math.tanh %in : f32 loc(#loc68)
      linalg.yield %92 : f32 loc(#loc68)
    } -> tensor<16x32x128xf32> loc(#loc68)
    %40 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%39, %39 : tensor<16x32x128xf32>, tensor<16x32x128xf32>) outs(%19 : tensor<16x32x128xf32>) {
    ^bb0(%in: f32 loc("jit(f)/pick/jit(mix)/tanh"(#loc22)), %in_9: f32 loc("jit(f)/pick/jit(mix)/tanh"(#loc22)), %out: f32 loc("jit(f)/pick/jit(mix)/jit(norm)/mul"(#loc14))):
      %92 = arith.mulf %in, %in_9 : f32 loc(#loc60)
      linalg.yield %92 : f32 loc(#loc60)
    } -> tensor<16x32x128xf32> loc(#loc60)
    %41 = linalg.generic {indexing_maps = [#map3, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%40 : tensor<16x32x128xf32>) outs(%28 : tensor<16x32xf32>) {
    ^bb0(%in: f32 loc("reduce_sum:"(#loc16)), %out: f32 loc("reduce_sum:"(#loc16))):
      %92 = arith.addf %out, %in : f32 loc(#loc61)
      linalg.yield %92 : f32 loc(#loc61)
    } -> tensor<16x32xf32> loc(#loc61)
    %42 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%41 : tensor<16x32xf32>) outs(%30 : tensor<16x32x1xf32>) {
    ^bb0(%in: f32 loc("jit(f)/pick/jit(mix)/jit(norm)/reduce_sum"(#loc15)), %out: f32 loc("jit(f)/pick/jit(mix)/jit(norm)/broadcast_in_dim"(#loc15))):
      linalg.yield %in : f32 loc(#loc62)
    } -> tensor<16x32x1xf32> loc(#loc62)
    %43 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%42, %32 : tensor<16x32x1xf32>, tensor<16x32x1xf32>) outs(%30 : tensor<16x32x1xf32>) {
    ^bb0(%in: f32 loc("jit(f)/pick/jit(mix)/jit(norm)/broadcast_in_dim"(#loc15)), %in_9: f32 loc("jit(f)/pick/jit(mix)/jit(norm)/add"(#loc17)), %out: f32 loc("jit(f)/pick/jit(mix)/jit(norm)/add"(#loc17))):
      %92 = arith.addf %in, %in_9 : f32 loc(#loc63)
      linalg.yield %92 : f32 loc(#loc63)
    } -> tensor<16x32x1xf32> loc(#loc63)
    %44 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%43 : tensor<16x32x1xf32>) outs(%30 : tensor<16x32x1xf32>) {
    ^bb0(%in: f32 loc("jit(f)/pick/jit(mix)/jit(norm)/add"(#loc17)), %out: f32 loc("jit(f)/pick/jit(mix)/jit(norm)/sqrt"(#loc19))):
      %92 = math.sqrt %in : f32 loc(#loc65)
      linalg.yield %92 : f32 loc(#loc65)
    } -> tensor<16x32x1xf32> loc(#loc65)
    %45 = linalg.generic {indexing_maps = [#map7, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%44 : tensor<16x32x1xf32>) outs(%19 : tensor<16x32x128xf32>) {
    ^bb0(%in: f32 loc("jit(f)/pick/jit(mix)/jit(norm)/sqrt"(#loc19)), %out: f32 loc("jit(f)/pick/jit(mix)/jit(norm)/div"(#loc20))):
      linalg.yield %in : f32 loc(#loc66)
    } -> tensor<16x32x128xf32> loc(#loc66)
    %46 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%39, %45 : tensor<16x32x128xf32>, tensor<16x32x128xf32>) outs(%19 : tensor<16x32x128xf32>) {
    ^bb0(%in: f32 loc("jit(f)/pick/jit(mix)/tanh"(#loc22)), %in_9: f32 loc("jit(f)/pick/jit(mix)/jit(norm)/div"(#loc20)), %out: f32 loc("jit(f)/pick/jit(mix)/jit(norm)/div"(#loc20))):
      %92 = arith.divf %in, %in_9 : f32 loc(#loc66)
      linalg.yield %92 : f32 loc(#loc66)
    } -> tensor<16x32x128xf32> loc(#loc66)
    %47 = tensor.empty() : tensor<128x512xf32> loc(#loc116)
    %48 = linalg.generic {indexing_maps = [#map11, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<512x128xf32>) outs(%47 : tensor<128x512xf32>) {
    ^bb0(%in: f32 loc("table"), %out: f32 loc("jit(f)/pick/transpose"(#loc91))):
      linalg.yield %in : f32 loc(#loc116)
    } -> tensor<128x512xf32> loc(#loc116)
    %49 = tensor.empty() : tensor<16x32x512xf32> loc(#loc117)
    %50 = linalg.fill ins(%cst_2 : f32) outs(%49 : tensor<16x32x512xf32>) -> tensor<16x32x512xf32> loc(#loc117)
    %51 = linalg.generic {indexing_maps = [#map8, #map9, #map10], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%46, %48 : tensor<16x32x128xf32>, tensor<128x512xf32>) outs(%50 : tensor<16x32x512xf32>) {
    ^bb0(%in: f32 loc("jit(f)/pick/jit(mix)/jit(norm)/div"(#loc20)), %in_9: f32 loc("jit(f)/pick/transpose"(#loc91)), %out: f32 loc("jit(f)/pick/dot_general"(#loc92))):
      %92 = arith.mulf %in, %in_9 : f32 loc(#loc66)
      %93 = arith.addf %out, %92 : f32 loc(#loc117)
      linalg.yield %93 : f32 loc(#loc)
    } -> tensor<16x32x512xf32> loc(#loc117)
    %52 = linalg.fill ins(%cst : f32) outs(%27 : tensor<16x32xf32>) -> tensor<16x32xf32> loc(#loc118)
    %53 = linalg.generic {indexing_maps = [#map3, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%51 : tensor<16x32x512xf32>) outs(%52 : tensor<16x32xf32>) {
    ^bb0(%in: f32 loc("reduce_max:"(#loc27)), %out: f32 loc("reduce_max:"(#loc27))):
      %92 = arith.maximumf %out, %in : f32 loc(#loc118)
      linalg.yield %92 : f32 loc(#loc118)
    } -> tensor<16x32xf32> loc(#loc118)
    %54 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%cst_0 : tensor<f32>) outs(%27 : tensor<16x32xf32>) {
    ^bb0(%in: f32 loc("jit(f)"(#loc80)), %out: f32 loc("jit(f)/pick/max"(#loc93))):
      linalg.yield %in : f32 loc(#loc119)
    } -> tensor<16x32xf32> loc(#loc119)
    %55 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%54, %53 : tensor<16x32xf32>, tensor<16x32xf32>) outs(%27 : tensor<16x32xf32>) {
    ^bb0(%in: f32 loc("jit(f)/pick/max"(#loc93)), %in_9: f32 loc("jit(f)/pick/reduce_max"(#loc93)), %out: f32 loc("jit(f)/pick/max"(#loc93))):
      %92 = arith.maximumf %in, %in_9 : f32 loc(#loc119)
      linalg.yield %92 : f32 loc(#loc119)
    } -> tensor<16x32xf32> loc(#loc119)
    %56 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%55 : tensor<16x32xf32>) outs(%30 : tensor<16x32x1xf32>) {
    ^bb0(%in: f32 loc("jit(f)/pick/max"(#loc93)), %out: f32 loc("jit(f)/pick/broadcast_in_dim"(#loc93))):
      linalg.yield %in : f32 loc(#loc120)
    } -> tensor<16x32x1xf32> loc(#loc120)
    %57 = linalg.generic {indexing_maps = [#map7, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%56 : tensor<16x32x1xf32>) outs(%49 : tensor<16x32x512xf32>) {
    ^bb0(%in: f32 loc("jit(f)/pick/broadcast_in_dim"(#loc93)), %out: f32 loc("jit(f)/pick/sub"(#loc93))):
      linalg.yield %in : f32 loc(#loc121)
    } -> tensor<16x32x512xf32> loc(#loc121)
    %58 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%51, %57 : tensor<16x32x512xf32>, tensor<16x32x512xf32>) outs(%49 : tensor<16x32x512xf32>) {
    ^bb0(%in: f32 loc("jit(f)/pick/dot_general"(#loc92)), %in_9: f32 loc("jit(f)/pick/sub"(#loc93)), %out: f32 loc("jit(f)/pick/sub"(#loc93))):
      %92 = arith.subf %in, %in_9 : f32 loc(#loc121)
      linalg.yield %92 : f32 loc(#loc121)
    } -> tensor<16x32x512xf32> loc(#loc121)
    %59 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%58 : tensor<16x32x512xf32>) outs(%49 : tensor<16x32x512xf32>) {
    ^bb0(%in: f32 loc("jit(f)/pick/sub"(#loc93)), %out: f32 loc("jit(f)/pick/exp"(#loc93))):
      %92 = math.exp %in : f32 loc(#loc122)
      linalg.yield %92 : f32 loc(#loc122)
    } -> tensor<16x32x512xf32> loc(#loc122)
    %60 = linalg.generic {indexing_maps = [#map3, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%59 : tensor<16x32x512xf32>) outs(%28 : tensor<16x32xf32>) {
    ^bb0(%in: f32 loc("reduce_sum:"(#loc16)), %out: f32 loc("reduce_sum:"(#loc16))):
      %92 = arith.addf %out, %in : f32 loc(#loc123)
      linalg.yield %92 : f32 loc(#loc123)
    } -> tensor<16x32xf32> loc(#loc123)
    %61 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%60 : tensor<16x32xf32>) outs(%30 : tensor<16x32x1xf32>) {
    ^bb0(%in: f32 loc("jit(f)/pick/reduce_sum"(#loc93)), %out: f32 loc("jit(f)/pick/broadcast_in_dim"(#loc93))):
      linalg.yield %in : f32 loc(#loc120)
    } -> tensor<16x32x1xf32> loc(#loc120)
    %62 = linalg.generic {indexing_maps = [#map7, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%61 : tensor<16x32x1xf32>) outs(%49 : tensor<16x32x512xf32>) {
    ^bb0(%in: f32 loc("jit(f)/pick/broadcast_in_dim"(#loc93)), %out: f32 loc("jit(f)/pick/div"(#loc93))):
      linalg.yield %in : f32 loc(#loc124)
    } -> tensor<16x32x512xf32> loc(#loc124)
    %63 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%59, %62 : tensor<16x32x512xf32>, tensor<16x32x512xf32>) outs(%49 : tensor<16x32x512xf32>) {
    ^bb0(%in: f32 loc("jit(f)/pick/exp"(#loc93)), %in_9: f32 loc("jit(f)/pick/div"(#loc93)), %out: f32 loc("jit(f)/pick/div"(#loc93))):
      %92 = arith.divf %in, %in_9 : f32 loc(#loc124)
      linalg.yield %92 : f32 loc(#loc124)
    } -> tensor<16x32x512xf32> loc(#loc124)
    %64 = tensor.empty() : tensor<16x32x512xi32> loc(#loc72)
    %65 = linalg.generic {indexing_maps = [#map3], iterator_types = ["parallel", "parallel", "parallel"]} outs(%64 : tensor<16x32x512xi32>) {
    ^bb0(%out: i32 loc("jit(f)/pick/iota"(#loc4))):
      %92 = linalg.index 2 : index loc(#loc72)
      %93 = arith.index_cast %92 : index to i32 loc(#loc72)
      linalg.yield %93 : i32 loc(#loc72)
    } -> tensor<16x32x512xi32> loc(#loc72)
    %66 = linalg.fill ins(%c0_i32 : i32) outs(%0 : tensor<16x32xi32>) -> tensor<16x32xi32> loc(#loc35)
    %67:2 = linalg.generic {indexing_maps = [#map3, #map3, #map2, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%63, %65 : tensor<16x32x512xf32>, tensor<16x32x512xi32>) outs(%52, %66 : tensor<16x32xf32>, tensor<16x32xi32>) {
    ^bb0(%in: f32 loc("reduce:"(#loc31)), %in_9: i32 loc("reduce:"(#loc31)), %out: f32 loc("reduce:"(#loc31)), %out_10: i32 loc("reduce:"(#loc31))):
      %92 = arith.cmpf ogt, %out, %in : f32 loc(#loc81)
      %93 = arith.cmpf une, %out, %out : f32 loc(#loc82)
      %94 = arith.ori %92, %93 : i1 loc(#loc83)
      %95 = arith.cmpf oeq, %out, %in : f32 loc(#loc84)
      %96 = arith.cmpi slt, %out_10, %in_9 : i32 loc(#loc85)
      %97 = arith.andi %95, %96 : i1 loc(#loc86)
      %98 = arith.ori %94, %97 : i1 loc(#loc83)
      %99 = arith.select %94, %out, %in : f32 loc(#loc87)
      %100 = arith.select %98, %out_10, %in_9 : i32 loc(#loc87)
      linalg.yield %99, %100 : f32, i32 loc(#loc35)
    } -> (tensor<16x32xf32>, tensor<16x32xi32>) loc(#loc35)
    %68 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%67#1 : tensor<16x32xi32>) outs(%7 : tensor<16x32x1xi32>) {
    ^bb0(%in: i32 loc("jit(f)/pick/reduce"(#loc4)), %out: i32 loc("jit(f)/pick/broadcast_in_dim"(#loc94))):
      linalg.yield %in : i32 loc(#loc125)
    } -> tensor<16x32x1xi32> loc(#loc125)
    %69 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%68, %9 : tensor<16x32x1xi32>, tensor<16x32x1xi32>) outs(%10 : tensor<16x32x1xi1>) {
    ^bb0(%in: i32 loc("jit(f)/pick/broadcast_in_dim"(#loc94)), %in_9: i32 loc("jit(f)/pick/jit(take_along_axis)/lt"(#loc95)), %out: i1 loc("jit(f)/pick/jit(take_along_axis)/lt"(#loc95))):
      %92 = arith.cmpi slt, %in, %in_9 : i32 loc(#loc126)
      linalg.yield %92 : i1 loc(#loc126)
    } -> tensor<16x32x1xi1> loc(#loc126)
    %70 = linalg.generic {indexing_maps = [#map4, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_7 : tensor<i32>) outs(%7 : tensor<16x32x1xi32>) {
    ^bb0(%in: i32 loc("jit(f)/pick/jit(take_along_axis)"(#loc95)), %out: i32 loc("jit(f)/pick/jit(take_along_axis)/add"(#loc95))):
      linalg.yield %in : i32 loc(#loc127)
    } -> tensor<16x32x1xi32> loc(#loc127)
    %71 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%68, %70 : tensor<16x32x1xi32>, tensor<16x32x1xi32>) outs(%7 : tensor<16x32x1xi32>) {
    ^bb0(%in: i32 loc("jit(f)/pick/broadcast_in_dim"(#loc94)), %in_9: i32 loc("jit(f)/pick/jit(take_along_axis)/add"(#loc95)), %out: i32 loc("jit(f)/pick/jit(take_along_axis)/add"(#loc95))):
      %92 = arith.addi %in, %in_9 : i32 loc(#loc127)
      linalg.yield %92 : i32 loc(#loc127)
    } -> tensor<16x32x1xi32> loc(#loc127)
    %72 = linalg.generic {indexing_maps = [#map3, #map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%69, %71, %68 : tensor<16x32x1xi1>, tensor<16x32x1xi32>, tensor<16x32x1xi32>) outs(%7 : tensor<16x32x1xi32>) {
    ^bb0(%in: i1 loc("jit(f)/pick/jit(take_along_axis)/lt"(#loc95)), %in_9: i32 loc("jit(f)/pick/jit(take_along_axis)/add"(#loc95)), %in_10: i32 loc("jit(f)/pick/broadcast_in_dim"(#loc94)), %out: i32 loc("jit(f)/pick/jit(take_along_axis)/select_n"(#loc95))):
      %92 = arith.select %in, %in_9, %in_10 : i32 loc(#loc129)
      linalg.yield %92 : i32 loc(#loc129)
    } -> tensor<16x32x1xi32> loc(#loc129)
    %expanded = tensor.expand_shape %72 [[0], [1], [2, 3]] output_shape [16, 32, 1, 1] : tensor<16x32x1xi32> into tensor<16x32x1x1xi32> loc(#loc130)
    %73 = tensor.empty() : tensor<16x32x1x1xi32> loc(#loc131)
    %74 = linalg.generic {indexing_maps = [#map12, #map13], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_8 : tensor<i32>) outs(%73 : tensor<16x32x1x1xi32>) {
    ^bb0(%in: i32 loc("jit(f)/pick/jit(take_along_axis)/gather"(#loc95)), %out: i32 loc("jit(f)/pick/jit(take_along_axis)/ge"(#loc95))):
      linalg.yield %in : i32 loc(#loc131)
    } -> tensor<16x32x1x1xi32> loc(#loc131)
    %75 = tensor.empty() : tensor<16x32x1x1xi1> loc(#loc131)
    %76 = linalg.generic {indexing_maps = [#map13, #map13, #map13], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded, %74 : tensor<16x32x1x1xi32>, tensor<16x32x1x1xi32>) outs(%75 : tensor<16x32x1x1xi1>) {
    ^bb0(%in: i32 loc("jit(f)/pick/jit(take_along_axis)/reshape"(#loc95)), %in_9: i32 loc("jit(f)/pick/jit(take_along_axis)/ge"(#loc95)), %out: i1 loc("jit(f)/pick/jit(take_along_axis)/ge"(#loc95))):
      %92 = arith.cmpi sge, %in, %in_9 : i32 loc(#loc131)
      linalg.yield %92 : i1 loc(#loc131)
    } -> tensor<16x32x1x1xi1> loc(#loc131)
    %77 = tensor.empty() : tensor<1x1x1x1xi32> loc(#loc133)
    %78 = linalg.generic {indexing_maps = [#map14, #map13], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_6 : tensor<1xi32>) outs(%77 : tensor<1x1x1x1xi32>) {
    ^bb0(%in: i32 loc("jit(f)/pick/jit(take_along_axis)/gather"(#loc95)), %out: i32 loc("jit(f)/pick/jit(take_along_axis)/broadcast_in_dim"(#loc95))):
      linalg.yield %in : i32 loc(#loc133)
    } -> tensor<1x1x1x1xi32> loc(#loc133)
    %79 = linalg.generic {indexing_maps = [#map15, #map13], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%78 : tensor<1x1x1x1xi32>) outs(%73 : tensor<16x32x1x1xi32>) {
    ^bb0(%in: i32 loc("jit(f)/pick/jit(take_along_axis)/broadcast_in_dim"(#loc95)), %out: i32 loc("jit(f)/pick/jit(take_along_axis)/le"(#loc95))):
      linalg.yield %in : i32 loc(#loc134)
    } -> tensor<16x32x1x1xi32> loc(#loc134)
    %80 = linalg.generic {indexing_maps = [#map13, #map13, #map13], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded, %79 : tensor<16x32x1x1xi32>, tensor<16x32x1x1xi32>) outs(%75 : tensor<16x32x1x1xi1>) {
    ^bb0(%in: i32 loc("jit(f)/pick/jit(take_along_axis)/reshape"(#loc95)), %in_9: i32 loc("jit(f)/pick/jit(take_along_axis)/le"(#loc95)), %out: i1 loc("jit(f)/pick/jit(take_along_axis)/le"(#loc95))):
      %92 = arith.cmpi sle, %in, %in_9 : i32 loc(#loc134)
      linalg.yield %92 : i1 loc(#loc134)
    } -> tensor<16x32x1x1xi1> loc(#loc134)
    %81 = linalg.generic {indexing_maps = [#map13, #map13, #map13], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%76, %80 : tensor<16x32x1x1xi1>, tensor<16x32x1x1xi1>) outs(%75 : tensor<16x32x1x1xi1>) {
    ^bb0(%in: i1 loc("jit(f)/pick/jit(take_along_axis)/ge"(#loc95)), %in_9: i1 loc("jit(f)/pick/jit(take_along_axis)/le"(#loc95)), %out: i1 loc("jit(f)/pick/jit(take_along_axis)/and"(#loc95))):
      %92 = arith.andi %in, %in_9 : i1 loc(#loc135)
      linalg.yield %92 : i1 loc(#loc135)
    } -> tensor<16x32x1x1xi1> loc(#loc135)
    %82 = linalg.fill ins(%true : i1) outs(%10 : tensor<16x32x1xi1>) -> tensor<16x32x1xi1> loc(#loc136)
    %83 = linalg.generic {indexing_maps = [#map13, #map10], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%81 : tensor<16x32x1x1xi1>) outs(%82 : tensor<16x32x1xi1>) {
    ^bb0(%in: i1 loc("reduce_and:"(#loc9)), %out: i1 loc("reduce_and:"(#loc9))):
      %92 = arith.andi %out, %in : i1 loc(#loc136)
      linalg.yield %92 : i1 loc(#loc136)
    } -> tensor<16x32x1xi1> loc(#loc136)
    %84 = linalg.generic {indexing_maps = [#map3], iterator_types = ["parallel", "parallel", "parallel"]} outs(%30 : tensor<16x32x1xf32>) {
    ^bb0(%out: f32 loc("jit(f)/pick/jit(take_along_axis)/gather"(#loc95))):
      %92 = linalg.index 0 : index loc(#loc132)
      %93 = linalg.index 1 : index loc(#loc132)
      %extracted = tensor.extract %expanded[%92, %93, %c0, %c0] : tensor<16x32x1x1xi32> loc(#loc132)
      %94 = arith.index_cast %extracted : i32 to index loc(#loc132)
      %95 = arith.maxsi %94, %c0 : index loc(#loc132)
      %96 = arith.minsi %95, %c511 : index loc(#loc132)
      %extracted_9 = tensor.extract %63[%92, %93, %96] : tensor<16x32x512xf32> loc(#loc132)
      linalg.yield %extracted_9 : f32 loc(#loc132)
    } -> tensor<16x32x1xf32> loc(#loc132)
    %85 = linalg.generic {indexing_maps = [#map4, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_5 : tensor<f32>) outs(%30 : tensor<16x32x1xf32>) {
    ^bb0(%in: f32 loc("jit(f)/pick/jit(take_along_axis)/gather"(#loc95)), %out: f32 loc("jit(f)/pick/jit(take_along_axis)/broadcast_in_dim"(#loc95))):
      linalg.yield %in : f32 loc(#loc133)
    } -> tensor<16x32x1xf32> loc(#loc133)
    %86 = linalg.generic {indexing_maps = [#map3, #map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%83, %84, %85 : tensor<16x32x1xi1>, tensor<16x32x1xf32>, tensor<16x32x1xf32>) outs(%30 : tensor<16x32x1xf32>) {
    ^bb0(%in: i1 loc("jit(f)/pick/jit(take_along_axis)/reduce_and"(#loc95)), %in_9: f32 loc("jit(f)/pick/jit(take_along_axis)/gather"(#loc95)), %in_10: f32 loc("jit(f)/pick/jit(take_along_axis)/broadcast_in_dim"(#loc95)), %out: f32 loc("jit(f)/pick/jit(take_along_axis)/select_n"(#loc95))):
      %92 = arith.select %in, %in_9, %in_10 : f32 loc(#loc129)
      linalg.yield %92 : f32 loc(#loc129)
    } -> tensor<16x32x1xf32> loc(#loc129)
    %87 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%67#1, %1 : tensor<16x32xi32>, tensor<16x32xi32>) outs(%2 : tensor<16x32xi1>) {
    ^bb0(%in: i32 loc("jit(f)/pick/reduce"(#loc4)), %in_9: i32 loc("jit(f)/pick/lt"(#loc96)), %out: i1 loc("jit(f)/pick/lt"(#loc96))):
      %92 = arith.cmpi slt, %in, %in_9 : i32 loc(#loc137)
      linalg.yield %92 : i1 loc(#loc137)
    } -> tensor<16x32xi1> loc(#loc137)
    %88 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%67#1, %4 : tensor<16x32xi32>, tensor<16x32xi32>) outs(%0 : tensor<16x32xi32>) {
    ^bb0(%in: i32 loc("jit(f)/pick/reduce"(#loc4)), %in_9: i32 loc("jit(f)/pick/add"(#loc96)), %out: i32 loc("jit(f)/pick/add"(#loc96))):
      %92 = arith.addi %in, %in_9 : i32 loc(#loc138)
      linalg.yield %92 : i32 loc(#loc138)
    } -> tensor<16x32xi32> loc(#loc138)
    %89 = linalg.generic {indexing_maps = [#map1, #map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%87, %88, %67#1 : tensor<16x32xi1>, tensor<16x32xi32>, tensor<16x32xi32>) outs(%0 : tensor<16x32xi32>) {
    ^bb0(%in: i1 loc("jit(f)/pick/lt"(#loc96)), %in_9: i32 loc("jit(f)/pick/add"(#loc96)), %in_10: i32 loc("jit(f)/pick/reduce"(#loc4)), %out: i32 loc("jit(f)/pick/select_n"(#loc96))):
      %92 = arith.select %in, %in_9, %in_10 : i32 loc(#loc139)
      linalg.yield %92 : i32 loc(#loc139)
    } -> tensor<16x32xi32> loc(#loc139)
    %90 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%89 : tensor<16x32xi32>) outs(%7 : tensor<16x32x1xi32>) {
    ^bb0(%in: i32 loc("jit(f)/pick/select_n"(#loc96)), %out: i32 loc("jit(f)/pick/broadcast_in_dim"(#loc96))):
      linalg.yield %in : i32 loc(#loc140)
    } -> tensor<16x32x1xi32> loc(#loc140)
    %91 = linalg.generic {indexing_maps = [#map3], iterator_types = ["parallel", "parallel", "parallel"]} outs(%19 : tensor<16x32x128xf32>) {
    ^bb0(%out: f32 loc("jit(f)/pick/gather"(#loc96))):
      %92 = linalg.index 0 : index loc(#loc141)
      %93 = linalg.index 1 : index loc(#loc141)
      %94 = linalg.index 2 : index loc(#loc141)
      %extracted = tensor.extract %90[%92, %93, %c0] : tensor<16x32x1xi32> loc(#loc141)
      %95 = arith.index_cast %extracted : i32 to index loc(#loc141)
      %96 = arith.maxsi %95, %c0 : index loc(#loc141)
      %97 = arith.minsi %96, %c511 : index loc(#loc141)
      %extracted_9 = tensor.extract %arg0[%97, %94] : tensor<512x128xf32> loc(#loc141)
      linalg.yield %extracted_9 : f32 loc(#loc141)
    } -> tensor<16x32x128xf32> loc(#loc141)
    return %86, %91 : tensor<16x32x1xf32>, tensor<16x32x128xf32> loc(#loc88)
  } loc(#loc)
} loc(#loc)
#loc = loc(unknown)
#loc11 = loc("/data/workloads/models_jax.py":176:24 to :33)
#loc12 = loc("/data/workloads/models_jax.py":176:38 to :51)
#loc13 = loc("/data/workloads/models_jax.py":176:23 to :52)
#loc23 = loc("/data/workloads/models_jax.py":181:23 to :32)
#loc26 = loc("/data/workloads/models_jax.py":181:37 to :57)
#loc42 = loc("calls.<locals>.f.<locals>.unsettled"(#loc11))
#loc43 = loc("calls.<locals>.f.<locals>.unsettled"(#loc12))
#loc44 = loc("calls.<locals>.f.<locals>.unsettled"(#loc13))
#loc55 = loc("calls.<locals>.f.<locals>.body"(#loc23))
#loc58 = loc("calls.<locals>.f.<locals>.body"(#loc26))
#loc74 = loc("calls.<locals>.f"(#loc4))
#loc79 = loc(callsite(#loc74 at #loc74))
#loc81 = loc("jit(f)/pick/gt"(#loc79))
#loc82 = loc("jit(f)/pick/ne"(#loc79))
#loc83 = loc("jit(f)/pick/or"(#loc79))
#loc84 = loc("jit(f)/pick/eq"(#loc79))
#loc85 = loc("jit(f)/pick/lt"(#loc79))
#loc86 = loc("jit(f)/pick/and"(#loc79))
#loc87 = loc("jit(f)/pick/select_n"(#loc79))
#loc109 = loc(callsite(#loc42 at #loc90))
#loc110 = loc(callsite(#loc43 at #loc90))
#loc111 = loc(callsite(#loc44 at #loc90))
#loc112 = loc(callsite(#loc55 at #loc90))
#loc115 = loc(callsite(#loc58 at #loc90))
#loc142 = loc("jit(f)/settle/while/cond/lt"(#loc109))
#loc143 = loc("jit(f)/settle/while/cond/gt"(#loc110))
#loc144 = loc("jit(f)/settle/while/cond/and"(#loc111))
#loc145 = loc("jit(f)/settle/while/body/add"(#loc112))
#loc148 = loc("jit(f)/settle/while/body/reduce_max"(#loc115))
