#loc1 = loc("m.mlir":8:11)
module @m {
  stream.executable private @e0 {
    stream.executable.export public @f0 workgroups() -> (index) {
      %x = new.op [loc] <{a = "stream.cmd.dispatch"}> loc(#loc1)
      stream.return %x : index loc(#loc1)
    } loc(#loc1)
    builtin.module {
      func.func @f0(%arg0: !stream.binding {a.b = 64 : index} loc("x")) attributes {t = #u.v<{n = 1}>} {
        %0:2 = stream.load %arg0[%c] : (f32) -> (f32) loc(#loc1)
        %1 = linalg.generic {maps = [#m], k = "}"} ins(%0#0 : f32) {
        ^bb0(%in: f32 loc("in")):
          %2 = arith.addf %in, %in : f32 loc("inner")
          linalg.yield %2 : f32 loc("inner")
        } -> f32 loc(callsite("dot" at #loc2)) // linalg.fake loc("no")
        %3 = linalg.relu %1 : f32 loc(fused<{prof = 3 : i32}>["relu"(#loc1), "a\22b"])
        return loc(#loc1)
      } loc(callsite("dot" at #loc2))
    } loc(#loc1)
  } loc(#loc1)
  util.func public @main(%arg0: !x) -> !x {
    %r = stream.cmd.execute await(%t) => with(%a as %b: !stream.resource<external>{%c}) {
      stream.cmd.concurrent {
        stream.cmd.copy %a[%c], %b[%c], %n : !r -> !r loc(#loc1)
        stream.cmd.flush %b[%c for %n] : !r loc(#loc1)
        stream.cmd.dispatch {@e0::@f0, @"e 1"::@f0}[%c](%x : i32) {
          ro %a[%c for %n] : !stream.resource<external>{%n}
        } loc(callsite("dot" at #loc2))
      } loc(#loc1)
      stream.cmd.dispatch @e0::@variant::@f0 loc(#loc9)
    } => !stream.timepoint loc(#loc1)
    util.return loc(#loc1)
  } loc(#loc1)
} loc(unknown)
#loc2 = loc("main"(callsite(#loc1 at #loc2)))
