//===- Passes.td - Passes of the CPU code generator --------*- tablegen -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_CODEGEN_PASSES_TD
#define MLIR_PROF_CODEGEN_PASSES_TD

include "mlir/Pass/PassBase.td"

//===----------------------------------------------------------------------===//
// Options that passes share
//===----------------------------------------------------------------------===//

// The defaults are those of TargetModel (Target.h).
defvar VectorBits = Option<"vectorBits", "vector-bits", "unsigned", "512",
    "Width of a vector register in bits, a power of two; 8 without vectors">;
defvar VectorRegisters = Option<
    "vectorRegisters", "vector-registers", "unsigned", "32",
    "Number of vector registers">;
defvar Features = Option<"features", "features", "std::string", "",
    "Processor features as LLVM names them: +avx512f,+fma">;
defvar MaxError = Option<"maxError", "max-error", "double", "2e-6",
    "Largest error of an op, relative to its largest result">;
defvar TargetOptions = [VectorBits, VectorRegisters, Features, MaxError];

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

def CheckAccessesPass : Pass<"cpu-check-accesses", "::mlir::func::FuncOp"> {
  let summary = "Assert that indices are inside of tensors and buffers";
  let description = [{
    Reads and writes of elements, vectors and slices whose place is not known to
    be inside of their tensor or buffer get an assertion in front of them:

    ```mlir
    %in = arith.cmpi ult, %i, %c10 : index
    cf.assert %in, "index is out of range for dimension 0 of size 10"
    ```

    Ranges of loops, constants, comparisons and assertions prove that the others
    are. Flags of arithmetic that say that it does not overflow, or is exact, are
    dropped, because a model may claim them wrongly.
  }];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::cf::ControlFlowDialect", "::mlir::memref::MemRefDialect",
    "::mlir::tensor::TensorDialect"];
}

def CheckDivisionsPass : Pass<"cpu-check-divisions", "::mlir::func::FuncOp"> {
  let summary = "Assert that integers are not divided by zero";
  let description = [{
    A division or remainder of integers, or of vectors of them, gets an assertion
    that no divisor is zero, unless that is known; a power, that zero does not have
    a negative exponent. A signed division of the least integer by -1 wraps. Named
    structured ops that divide become `linalg.generic`.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::cf::ControlFlowDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::vector::VectorDialect"];
}

def CheckSizesPass : Pass<"cpu-check-sizes", "::mlir::func::FuncOp"> {
  let summary = "Assert that dynamic sizes fit each other";
  let description = [{
    Operands of structured ops, slices that are inserted, reshapes, concatenations,
    copies and casts whose dynamic sizes are not known to fit get an assertion. Sizes of
    the function's arguments are compared where it begins.
  }];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::cf::ControlFlowDialect", "::mlir::memref::MemRefDialect",
    "::mlir::tensor::TensorDialect"];
}

def HoistAssertionsPass : Pass<"cpu-hoist-assertions", "::mlir::func::FuncOp"> {
  let summary = "Check the assertions of a body before the op";
  let description = [{
    An assertion in the body of a `linalg.generic` that does not depend on all of
    its loops becomes a nest of the loops on which it depends, before the op:
    fewer checks, and a body without branches.
  }];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::cf::ControlFlowDialect", "::mlir::scf::SCFDialect",
    "::mlir::tensor::TensorDialect"];
}

//===----------------------------------------------------------------------===//
// Choices
//===----------------------------------------------------------------------===//

def ApplySchedulePass : Pass<"cpu-apply-schedule", "::mlir::ModuleOp"> {
  let summary = "Apply the named sequence __transform_main of a file";
  let description = [{
    Reads a file with a schedule of the transform dialect and interprets its
    named sequence `__transform_main` with the module as its argument. A file
    that cannot be read, does not parse or does not have that sequence is an
    error.
  }];
  let options = [Option<"path", "path", "std::string", "",
                        "File with the schedule">];
  let dependentDialects = ["::mlir::transform::TransformDialect"];
}

def BranchWeightsPass
    : Pass<"cpu-branch-weights", "::mlir::func::FuncOp"> {
  let summary = "Carry recorded branch and trip counts to LLVM";
  let description = [{
    Turns the choice `branches` of `scf` ops into branch weights, from which
    LLVM places blocks and estimates trip counts, and into hints for loops that
    run a few times only: the loop vectorizer and the unroller would add checks
    and code that such a loop never uses.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::LLVM::LLVMDialect"];
}

def CanonicalizePass : Pass<"cpu-canonicalize"> {
  let summary = "Canonicalize and keep the choices of branches and loops";
  let description = [{
    Runs every canonicalization pattern, as upstream's `canonicalize` does.
    Upstream rebuilds a branch or loop to drop an unused result and loses its
    discardable attributes; this pass hands the choices on to the new op. The
    default pipeline runs it until `cpu-branch-weights` has read them.
  }];
}

def CheckChoicesPass : Pass<"cpu-check-choices", "::mlir::ModuleOp"> {
  let summary = "Warn of choices that no pass can follow";
  let description = [{
    Warns of a choice with an unknown technique, an unknown parameter or a value
    out of range. Without the warning, a misspelled choice would change nothing
    and nobody would notice. A choice that is well-formed but does not fit its op
    is left to the pass that reads it.

    Marks that tell the rules about sizes (`share-sizes`) and come with the module
    are removed, because they may be wrong.
  }];
}

//===----------------------------------------------------------------------===//
// Versions
//===----------------------------------------------------------------------===//

def VersionsPass : Pass<"cpu-versions", "::mlir::ModuleOp"> {
  let summary = "Make versions of functions for the calls that choices name";
  let description = [{
    A function with the choice

    ```mlir
    versions = {"1" = "arg0.dim0=8", "2" = "arg0.dim0=1 arg2=4"}
    ```

    becomes a dispatch that tests the conditions in the order of their numbers and
    calls the first version that fits, or else the original function. Each version
    is a private function that is not inlined, so it is compiled as if it were the
    whole model. Choices that were made for ops of dynamic shape apply to the
    versions. They are removed from the original function, which is called with all
    other shapes.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect"];
}

//===----------------------------------------------------------------------===//
// Graph
//===----------------------------------------------------------------------===//

def ChooseLayoutPass : Pass<"cpu-choose-layout", "::mlir::func::FuncOp"> {
  let summary = "Store images with their channels last where that pays";
  let description = [{
    Convolutions with their channels first, as PyTorch and ONNX write them, become
    convolutions with their channels last, for which the rules have better loops,
    and Winograd's algorithm. All ops that can have their tensors in another order
    follow: structured ops by their indexing maps, pads, slices, concatenations and
    reshapes. Constants are reordered at compile time, and tensors are transposed
    where an op that has another order uses them. The set of ops is the cheapest by
    the time of the convolutions and the bytes that transposes move, a minimum cut
    of the graph; a model for which that does not pay stays as it is.
  }];
  let options = [VectorBits];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::tensor::TensorDialect"];
}

def JoinGroupsPass : Pass<"cpu-join-groups", "::mlir::func::FuncOp"> {
  let summary = "Let grouped convolutions have one loop over all filters";
  let description = [{
    Frameworks split the channels of an image into groups by a reshape, convolve
    each group, and join the channels of the result by another reshape. The pass
    replaces the loops over groups and over the filters of a group by one loop over
    all filters, `v`; the image is read at channel
    `(v floordiv filters) * channels + c`. The reshapes vanish where they undo each
    other, so that later ops become part of the convolution, and scales of its
    weights. Groups of less filters than a vector has lanes share a vector if they
    fill it.
  }];
  let dependentDialects = [
    "::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
}

def FoldScalesPass : Pass<"cpu-fold-scales", "::mlir::func::FuncOp"> {
  let summary = "Fold scales of channels into constant weights";
  let description = [{
    A convolution or matrix product with constant weights takes over the ops behind
    it that multiply each of its channels by a constant and add another one, as a
    batch normalization does: the weights are scaled when the model is built, and
    the sums start from the offsets. The weights are rounded once more, so the pass
    does nothing if `max-error` is below 1.2e-7. Reshapes of constants are folded in
    any case.
  }];
  let options = [MaxError];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::tensor::TensorDialect"];
}

def SimplifyProductsPass
    : Pass<"cpu-simplify-products", "::mlir::func::FuncOp"> {
  let summary = "Rewrite products without needless loops and copies";
  let description = [{
    A product whose operand is broadcast along a batch reads the source of the
    broadcast: the batch becomes a loop over rows, and the copies are not made. A
    convolution whose filter has one tap, with its channels last, becomes a matrix
    product of its pixels, of which strides are a slice.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::tensor::TensorDialect"];
}

//===----------------------------------------------------------------------===//
// Convolutions
//===----------------------------------------------------------------------===//

def ConvolutionsToMatmulPass
    : Pass<"cpu-convolutions-to-matmul", "::mlir::func::FuncOp"> {
  let summary = "Turn convolutions into matrix products where chosen";
  let description = [{
    A convolution with the choice `algorithm = {name = "product"}` becomes a copy
    of the image, in which each element stands once for each filter tap that
    reads it (im2col), and a matrix product of that copy and the filter. This
    pays where the direct loops have short or strided rows, and costs the memory
    of the copy.
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
}

def PixelConvolutionsToMatmulPass
    : Pass<"cpu-pixel-convolutions-to-matmul", "::mlir::func::FuncOp"> {
  let summary = "Turn convolutions of one pixel among zeros into matrix products";
  let description = [{
    Frameworks write the transposed convolution of an image of one pixel, with which
    generative networks begin, as a convolution of that pixel among zeros. Each
    result reads the pixel through one filter tap, so this is a matrix product of
    the pixel's channels and the filter with its taps reversed. If the filter has an
    infinity or a NaN, its products with the zeros, which are NaN, are not computed.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::tensor::TensorDialect"];
}

def SplitTransposedConvolutionsPass
    : Pass<"cpu-split-transposed-convolutions", "::mlir::func::FuncOp"> {
  let summary = "Split transposed convolutions into dense convolutions";
  let description = [{
    Frameworks write a transposed convolution of stride S as a convolution of an
    image whose pixels stand S apart among zeros, so that all but one in S
    products per dimension are with zero. Every S-th result reads the same filter
    taps and neighboring pixels: the pass emits S dense convolutions of the
    original image, each with every S-th tap, and interleaves their results.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::tensor::TensorDialect"];
}

def TrimWindowsPass : Pass<"cpu-trim-windows", "::mlir::func::FuncOp"> {
  let summary = "Remove filter positions that meet only padding";
  let description = [{
    A convolution whose filter positions are far apart, on a small image, multiplies
    mostly the zeros around it. Outer positions that do not meet the image for any
    pixel of the result are removed, and with them the padding that only they read.
    An infinity or a NaN there no longer produces a NaN.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
}

def WinogradPass : Pass<"cpu-winograd", "::mlir::func::FuncOp"> {
  let summary = "Compute 3x3 convolutions by Winograd's algorithm";
  let description = [{
    A convolution of 3x3 taps and stride 1 over an image with channels last and
    with constant weights becomes a transform of image tiles, 36 (or 16) matrix
    products and a transform of the products to result tiles. That is a quarter
    (or 4/9) of the multiplications. The larger tile is used where its estimated
    error is at most `max-error`.

    The transforms are loops, or with `keep-transforms` ops of the dialect `cpu`,
    of which `cpu-apply-rules` makes loops that also compute the next op.
  }];
  let options = [
    VectorBits, MaxError,
    Option<"keepTransforms", "keep-transforms", "bool", "false",
           "Leave transforms as ops of the dialect cpu">];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlirprof::cpu::CpuDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect",
    "::mlir::vector::VectorDialect"];
}

def ExpandWinogradPass : Pass<"cpu-expand-winograd", "::mlir::func::FuncOp"> {
  let summary = "Turn transforms of Winograd's algorithm into loops on tensors";
  let description = [{
    The ops that `cpu-winograd{keep-transforms}` leaves become loops on tensors, of
    MLIR's own dialects: the form of a module that leaves the compiler.
  }];
  let options = [VectorBits];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect",
    "::mlir::vector::VectorDialect"];
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

def GroupWeightsPass : Pass<"cpu-group-weights", "::mlir::ModuleOp"> {
  let summary = "Pack constant weights for dot-product instructions";
  let description = [{
    Products of bytes and of bf16 for which the processor has a dot-product
    instruction get their constant weights interleaved in the groups that the
    instruction multiplies. Where both operands of a byte product have the same
    signedness, the sign bits of one are flipped and the result starts from the
    correction. The pass runs on tensors, right before `cpu-apply-rules`.
  }];
  let options = TargetOptions;
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::scf::SCFDialect",
    "::mlir::tensor::TensorDialect", "::mlir::vector::VectorDialect"];
}

def PackWeightsPass : Pass<"cpu-pack-weights", "::mlir::ModuleOp"> {
  let summary = "Pack constant weights of products into panels";
  let description = [{
    A matrix product reads its weights `W[k][n]` in panels as wide as the register
    kernel; in row-major order each row of a panel lies on another page. Constant
    weights become `W'[n / panel][k][n mod panel]`, evaluated at compile time,
    with the last panel padded with zeros. The indexing map of the op states the
    new order. Transposes and permutations of the weights are evaluated too.
  }];
  let options = TargetOptions;
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::tensor::TensorDialect"];
}

def TransposeOperandsPass
    : Pass<"cpu-transpose-operands", "::mlir::func::FuncOp"> {
  let summary = "Transpose operands that are strided along the result's rows";
  let description = [{
    The second operand of a product that is stored by columns, and filters that
    are, have their elements far apart along the result's contiguous dimension.
    Each element is read for many results, so the pass transposes the operand once
    before the op. Constant operands are transposed at compile time.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::tensor::TensorDialect"];
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

def ApplyRulesPass : Pass<"cpu-apply-rules", "::mlir::func::FuncOp"> {
  let summary = "Turn structured ops on tensors into loops of vectors";
  let description = [{
    Applies the rules of the default pipeline in their order: each takes the
    structured ops that it knows (contractions, convolutions, dot products,
    reductions, elementwise ops, transposes) and emits a nest of loops with register
    tiles for the target, on buffers in an op `cpu.nest` that bufferization replaces
    by the loops. Ops that no rule takes stay as they are. Loops whose
    iterations are independent get the attribute `mlirprof.parallel`.

    First, a kernel whose ops share their rows (an attention, a softmax, a
    normalization) is put into loops over blocks of rows, if what its ops pass on
    would not stay in the cache otherwise.
  }];
  let options = TargetOptions;
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlirprof::cpu::CpuDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect",
    "::mlir::vector::VectorDialect"];
}

def FoldIndicesPass : Pass<"cpu-fold-indices", "::mlir::func::FuncOp"> {
  let summary = "Compute indices that depend on loops only when a model is built";
  let description = [{
    Resizing and similar ops come as arithmetic on indices and floats that says
    which elements a body extracts. Small ops on constants and indices become
    constants. In bodies that extract elements, a number that depends on one loop
    becomes a linear expression of the loop where it is one, and the element of a
    table otherwise.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::linalg::LinalgDialect"];
}

def FollowProductsPass : Pass<"cpu-follow-products", "::mlir::func::FuncOp"> {
  let summary = "Compute pointwise ops in the shape of the product before them";
  let description = [{
    Frameworks multiply tensors of several dimensions as matrices: between the
    product and its activation stands a reshape. A pointwise op after the reshape
    of a product or convolution is computed on the unshaped tensors, so that it can
    become an epilogue, and its result is reshaped. So is a pointwise op whose
    reshaped result a product adds to, such as a bias for each column.
  }];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
}

def SimplifySoftmaxPass
    : Pass<"cpu-simplify-softmax", "::mlir::func::FuncOp"> {
  let summary = "Go through the rows of a softmax less often";
  let description = [{
    Whether all elements of a row are -inf is read from the row's maximum, if that
    is computed, too. A product with the quotients of a softmax becomes a product
    with the exponentials, whose sums are divided: they are fewer, and computed on
    the product's registers. Only products of f32 and f64 are changed, and
    exponentials of differences from a maximum.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::tensor::TensorDialect"];
}

def NarrowComparisonsPass
    : Pass<"cpu-narrow-comparisons", "::mlir::func::FuncOp"> {
  let summary = "Compare floats before they are widened";
  let description = [{
    A comparison of a widened float with another one, or with a constant that the
    narrow type has too, does not need the wide type.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def FuseElementwisePass
    : Pass<"cpu-fuse-elementwise", "::mlir::func::FuncOp"> {
  let summary = "Fuse elementwise ops where nothing is computed twice";
  let description = [{
    Fuses an elementwise op into its only consumer where each element is still
    computed once. Upstream fuses wherever it can, so a producer with two
    consumers, or one that is read along a broadcast, is computed several times.
    An op that only widens or extracts elements is fused into all its consumers if
    each needs every element once: to load what another op has stored costs more.
    Where an epilogue reads results of several products, those of the earlier ones
    are stored, as narrow as its chain makes them. A broadcast of equal elements
    becomes a fill. The choice `fusion` overrides the rule for an op: `{with = "none"}` keeps it on
    its own, `{with = "all"}` fuses it into every consumer.
  }];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
}

def LiftExtractsPass : Pass<"cpu-lift-extracts", "::mlir::func::FuncOp"> {
  let summary = "Turn tensor.extract in a body into an input of the op";
  let description = [{
    Frameworks reverse a tensor by an op whose body extracts elements. Where the
    extracted position is a sum of loop indices and constants, the tensor becomes
    an input with the map `(d0) -> (4 - d0)`, say, which the rules can handle. An
    op that then only copies a constant, as for filters of transposed
    convolutions, is evaluated at compile time.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::linalg::LinalgDialect"];
}

def LowerDispatchesPass : Pass<"cpu-lower-dispatches", "::mlir::ModuleOp"> {
  let summary = "Turn runs of kernels into calls of their code";
  let description = [{
    With one thread, replaces each `dispatch.run` on buffers by a call of the kernel's
    code with an array of addresses, one for each operand, and an array of the dynamic
    sizes of these operands in order. The number of the dispatch is first stored in
    the variable `mlirprof_instance`, which samplers read. Kernels that are declared
    become declarations of such code.

    With several threads, dispatches of a block that follow each other, but for ops
    without effects and allocations, become one program of the runtime's executor:
    a call of `prof_executor_run` with the addresses of the buffers. Its table says
    which dispatches wait for which others: those that write or read bytes that an
    earlier one of them writes or reads. The table is declared, with its words as an
    attribute (`mlirprof.words`); it is completed after the kernels were compiled.
    Each dispatch has a function of its own that calls the kernel, so that a sampled
    stack tells dispatches of one kernel apart. These functions, and the arrays of
    addresses, are attributes of declarations until the end of the stage
    (`defineProgramAddresses`), as no other pass needs to go through them.
  }];
  let options = [Option<"threads", "threads", "unsigned", "1",
                        "Number of threads">];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::LLVM::LLVMDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect"];
}

def LimitUnrollingPass
    : Pass<"cpu-limit-unrolling", "::mlir::func::FuncOp"> {
  let summary = "Keep LLVM from unrolling loops that the rules have unrolled";
  let description = [{
    The rules unroll as far as registers allow. LLVM would unroll a nest of
    constant bounds further, into one block of thousands of stores that takes its
    scheduler seconds. The pass replaces `mlirprof.parallel` on a loop with
    `llvm.loop_annotation` that disables unrolling, and removes all choices.
    Reduction loops are left to LLVM.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def LoopAnnotationsPass : Pass<"cpu-loop-annotations", "::mlir::ModuleOp"> {
  let summary = "Move loop hints and branch weights onto LLVM branches";
  let description = [{
    Upstream's lowerings hand `llvm.loop_annotation` on as a discardable attribute
    of the branch that closes the loop, where the translation to LLVM IR does not
    look. The pass makes it the branch's own attribute, and does the same for the
    branch weights of `cpu-branch-weights`.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def ParallelizePass : Pass<"cpu-parallelize", "::mlir::func::FuncOp"> {
  let summary = "Distribute independent loop iterations over threads";
  let description = [{
    Turns the outermost loop with `mlirprof.parallel` of each nest into
    `scf.parallel` where its work pays for starting the threads, or where the
    choice `threads` says so.
  }];
  let options = [Option<"threads", "threads", "unsigned", "2",
                        "Number of threads">];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::scf::SCFDialect"];
}

def ReshapeLoopsPass : Pass<"cpu-reshape-loops", "::mlir::func::FuncOp"> {
  let summary = "Reshape ops so that vectors fit their last dimension";
  let description = [{
    The rules vectorize along the last dimension of a result. Where it is too
    short, the op is computed on reshaped tensors, which costs nothing:

    - the last dimensions of elementwise ops on whole tensors are collapsed;
    - the rows of matrix products that lie in several dimensions, such as the
      pixels of an image, are collapsed, with the elementwise ops behind them;
    - sums of products drop a last dimension of one element (a matrix-vector
      product), so that vectors lie along the sum or the rows;
    - results that are stored at a constant 0 of a dimension of one element (a
      reduction that keeps its dimensions) drop that dimension.
  }];
  let options = TargetOptions;
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

def OutlineColdPass : Pass<"cpu-outline-cold", "::mlir::ModuleOp"> {
  let summary = "Outline ops that are compiled for size into functions";
  let description = [{
    Runs on buffers. Neighboring ops with the choice `code = {for = "size"}` go into
    a function that LLVM optimizes for size and that the back end places behind the
    others, and so do branches that no run took. Ops between two such ops are
    outlined with them or moved in front of both; buffers that nothing else uses are
    allocated and freed in the function.
  }];
  let dependentDialects = [
    "::mlir::func::FuncDialect", "::mlir::LLVM::LLVMDialect",
    "::mlir::scf::SCFDialect"];
}

def SmallNestsPass : Pass<"cpu-small-nests", "::mlir::func::FuncOp"> {
  let summary = "Emit small vector loops for ops that are compiled for size";
  let description = [{
    Runs on buffers. An op with the choice `code = {for = "size"}` gets the loops
    of the rules with one vector and a few rows a step: little code that is not an
    order of magnitude slower, in case an input that the profile did not see makes
    the op hot.
  }];
  let options = TargetOptions;
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
    "::mlir::vector::VectorDialect"];
}

def SplitLargePass : Pass<"cpu-split-large", "::mlir::ModuleOp"> {
  let summary = "Split large functions into several";
  let description = [{
    Runs on buffers. Some of LLVM's analyses take time that grows faster than a
    function does. The pass outlines runs of neighboring ops of a function that
    has more than `large` ops.
  }];
  let options = [
    Option<"large", "large", "size_t", "16000",
           "Functions of up to this many ops are not split">,
    Option<"most", "most", "size_t", "2000",
           "Approximate size of an outlined function in ops">,
    Option<"least", "least", "size_t", "100",
           "Runs of fewer ops are not outlined">
  ];
  let dependentDialects = [
    "::mlir::func::FuncDialect", "::mlir::LLVM::LLVMDialect",
    "::mlir::scf::SCFDialect"];
}

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

def EliminateEmptyTensorsPass
    : Pass<"cpu-eliminate-empty-tensors", "::mlir::ModuleOp"> {
  let summary = "Eliminate empty tensors in linear time";
  let description = [{
    Ops with results of one shape share an empty tensor, and so a buffer. The
    analysis of bufferization compares each read with each write of such a tensor,
    which takes quadratic time, so the pass lets only neighboring ops share one. It
    then runs upstream's elimination of empty tensors where that has anything to do.

    The analysis would also let two arguments of a loop that start from the same
    empty tensor share its buffer, though the loop writes both. They get tensors of
    their own.
  }];
  let dependentDialects = ["::mlir::bufferization::BufferizationDialect",
                           "::mlir::tensor::TensorDialect"];
}

def LowerCopiesPass : Pass<"cpu-lower-copies", "::mlir::func::FuncOp"> {
  let summary = "Lower copies between strided buffers to linalg";
  let description = [{
    `memref.copy` of a buffer that is not contiguous would become a call of MLIR's
    runtime library, which compiled models do not link. The pass makes it a
    `linalg.generic`.
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect"];
}

def PlanBuffersPass : Pass<"cpu-plan-buffers", "::mlir::func::FuncOp"> {
  let summary = "Place buffers of known size in one allocation";
  let description = [{
    Buffers of known size that are allocated and freed in one block become parts
    of one allocation for each call. The largest is placed first, each as low as
    it fits among those that are live at the same time. Branches, and loops whose
    iterations may run in parallel, keep their own allocations.

    The pipeline `default` runs the pass on the host side: kernels are told that
    their arguments are disjoint. `single-function` does not run it: a transformer
    block was 6 % slower with it, since LLVM no longer knows that parts of one
    allocation are disjoint.
  }];
  let options = [Option<"threads", "threads", "unsigned", "1",
                        "Threads that may share the iterations of a loop">];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::memref::MemRefDialect"];
}

def PlaceWorkspacePass : Pass<"cpu-place-workspace", "::mlir::func::FuncOp"> {
  let summary = "Let callers pass the memory of all buffers";
  let description = [{
    For targets whose programs do not allocate. Each allocation that is left in a
    kernel or in a public function becomes an argument behind the others, with the
    attribute `mlirprof.workspace`: its place in one workspace, whose size is an
    attribute of the function. Memory of unknown size is an error.

    ```mlir
    func.func private @k(%a: memref<4xf32>) attributes {dispatch.kernel} {
      %b = memref.alloc() : memref<4xf32>
      ...
    }
    // becomes
    func.func private @k(%a: memref<4xf32>,
                         %b: memref<4xf32> {mlirprof.workspace = 0 : i64})
        attributes {dispatch.kernel, mlirprof.workspace = 64 : i64} {
      ...
    }
    ```
  }];
  let dependentDialects = ["::mlir::memref::MemRefDialect"];
}

def MaterializeMasksPass : Pass<"cpu-materialize-masks"> {
  let summary = "Turn masks of vectors into comparisons";
  let description = [{
    As upstream's `convert-vector-to-llvm` does first. `convert-to-llvm`, which knows
    how wide an index of the target is, does not.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::vector::VectorDialect"];
}

def DropAssertionsPass : Pass<"cpu-drop-assertions"> {
  let summary = "Erase assertions";
  let description = [{
    For code of which the caller knows that its inputs are good.
  }];
}

def SwapBuffersPass : Pass<"cpu-swap-buffers", "::mlir::func::FuncOp"> {
  let summary = "Let what a loop carries swap between two buffers";
  let description = [{
    A loop that computes its next value from the current one, such as a recurrent
    layer, needs the buffers of both. Bufferization allocates one in each iteration
    and copies the next value there. This pass allocates both before the loop:
    halves of one buffer that swap places. The loop carries the offset of the
    current half. Where the body computes the next value in a buffer that does not
    hold anything between iterations, it computes it in the other half, and the copy
    is gone. Loops that carry buffers of unknown size stay as they are, as do loops
    other than `scf.for`.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect"];
}

//===----------------------------------------------------------------------===//
// State
//===----------------------------------------------------------------------===//

def ThreadStatePass : Pass<"cpu-thread-state", "::mlir::ModuleOp"> {
  let summary = "Make variables arguments and results of functions";
  let description = [{
    Replaces loads and stores of `ml_program.global` by values: a function that uses
    a variable gets its value as an argument, one that stores it returns the new
    value, and loops, branches and calls hand it on. The attribute
    `mlirprof.variable` marks these arguments and results, and a `memref.global`
    keeps the first value. A variable that nothing stores becomes a constant.

    A variable of unknown size, with a value in another file, or without a value
    and without a store is an error, and so is a store in a region whose runs are not
    in order (`scf.forall`).
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::bufferization::BufferizationDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
    "::mlir::tensor::TensorDialect"];
}

def InsertStoresPass : Pass<"cpu-insert-stores", "::mlir::ModuleOp"> {
  let summary = "Let bufferization compute values in the buffers of variables";
  let description = [{
    The stores of `cpu-thread-state` become insertions into the variable's old
    value, so that `cpu-eliminate-empty-tensors` and bufferization compute the new
    value in its place where that is possible, and else copy it there.
  }];
  let dependentDialects = ["::mlir::tensor::TensorDialect"];
}

def PlaceStatePass : Pass<"cpu-place-state", "::mlir::ModuleOp"> {
  let summary = "Place the variables of a model in one buffer";
  let description = [{
    All mutable `memref.global`s become parts of the buffer `mlirprof_state`, each
    at a multiple of 64 bytes, and the function `mlirprof_reset` gives them their
    first values; variables without one begin with zeros. Public functions find
    their variables there and no longer have arguments for them. A value that was
    computed elsewhere is copied at the end of the call.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::bufferization::BufferizationDialect",
    "::mlir::complex::ComplexDialect", "::mlir::func::FuncDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::memref::MemRefDialect"];
}

def PassStatePass : Pass<"cpu-pass-state", "::mlir::ModuleOp"> {
  let summary = "Let callers pass the memory of the variables";
  let description = [{
    For targets whose programs do not have memory of their own. The buffer
    `mlirprof_state` (`cpu-place-state`) becomes an argument of the functions that
    use it, behind their others, with the attribute `mlirprof.state`.

    ```mlir
    func.func @f(%a: memref<4xf32>) {
      %s = memref.get_global @mlirprof_state : memref<64xi8>
      ...
    }
    // becomes
    func.func @f(%a: memref<4xf32>, %s: memref<64xi8> {mlirprof.state}) {
      ...
    }
    ```
  }];
  let dependentDialects = ["::mlir::func::FuncDialect",
                           "::mlir::memref::MemRefDialect"];
}

def SettleBuffersPass : Pass<"cpu-settle-buffers", "::mlir::func::FuncOp"> {
  let summary = "Give buffers that branches and loops choose one place each";
  let description = [{
    For host sides that are kept as a list of steps on memory of known places. A
    buffer that an `scf.if` results in, or that an `scf.for` or `scf.while` hands
    to its next iteration, gets a buffer of its own at the begin of the function,
    into which each block copies what it yields.
  }];
  let dependentDialects = ["::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect"];
}

//===----------------------------------------------------------------------===//
// Devices
//===----------------------------------------------------------------------===//

def PlaceDispatchesPass : Pass<"place-dispatches", "::mlir::ModuleOp"> {
  let summary = "Choose the devices on which dispatches run";
  let description = [{
    Each dispatch that a pattern matches gets the device after the pattern; of
    several patterns, the first one counts. A pattern has `*` for any text and `?`
    for any character. It is for the name of the kernel, for a name in the location
    of the dispatch or of an op of its kernel, or for one of their lines: `file.mlir:12`.
    The device `host` is that of the program. A pattern that does not match anything
    is an error.
  }];
  let options = [ListOption<"places", "places", "std::string",
                            "Pattern and device: matmul*=npu">];
}

def InsertTransfersPass : Pass<"insert-transfers", "::mlir::func::FuncOp"> {
  let summary = "Copy buffers to the devices whose dispatches use them";
  let description = [{
    For host sides whose buffers have places in memory of the caller
    (`cpu-place-workspace`). Each device has a place for each part of a buffer that it
    uses. The pass follows which of the copies are current, through branches and
    loops, and inserts

    - a `dispatch.transfer` of what a dispatch or the host reads, and what is not
      current there: once for each direction, none between dispatches on one device,
      and in front of a loop if only its first iteration needs it;
    - a `dispatch.wait` where the host reads what a transfer brings, overwrites what
      one still reads, and at the end.

    Constants do not change: they are on the devices before the function is called.
    Results, variables and arguments that are written are on the host at the end.
    Between two devices, the way is through the host. A function without devices
    stays as it is, and so does one that has its transfers.
  }];
  let dependentDialects = ["::mlirprof::dispatch::DispatchDialect",
                           "::mlir::scf::SCFDialect"];
}

//===----------------------------------------------------------------------===//
// Dispatches
//===----------------------------------------------------------------------===//

def FormDispatchesPass : Pass<"form-dispatches", "::mlir::ModuleOp"> {
  let summary = "Divide functions on tensors into dispatches of kernels";
  let description = [{
    Ops of a block that are computed together become a kernel, and a `dispatch.run`
    takes their place:

    - a contraction, a convolution or a loop of vectors, with the epilogues that
      `cpu-apply-rules` computes before it stores the result;
    - chains of elementwise ops, with reductions whose results are small against
      the rest, such as a softmax or a normalization;
    - pads with their reader, and parts that are copied into one tensor; several
      kernels copy the parts of a long concatenation.

    A kernel whose result is only inserted into a tensor writes that part in place.
    Each kernel makes its own fills, slices, and scalar and small constants; all
    other constants are operands, and so is the place of a part of another tensor.
    Control flow, calls, and arithmetic of sizes stay on the host side, and so does
    each op for which the pass does not know a group.

    Kernels are named by what they compute: `conv3x3_relu`.

    With `gpu`, kernels are for a GPU, whose threads compute one element of the
    result each, from the arguments of the kernel: a product, a convolution or a
    reduction is in a kernel of its own, with its epilogues and what it reads once.
  }];
  let options = TargetOptions # [
    Option<"gpu", "gpu", "bool", "false", "Whether kernels are for a GPU">];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::bufferization::BufferizationDialect",
    "::mlirprof::dispatch::DispatchDialect", "::mlir::tensor::TensorDialect"];
}

def InlineDispatchesPass : Pass<"inline-dispatches", "::mlir::ModuleOp"> {
  let summary = "Turn dispatches into calls of functions";
  let description = [{
    Kernels become ordinary private functions, and runs of kernels calls of them,
    each with a grid of one workgroup. Upstream's `inline` then gives back a module
    without the dialect `dispatch`, on tensors or on buffers.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect",
    "::mlir::tensor::TensorDialect"];
}

def ShareSizesPass : Pass<"share-sizes", "::mlir::ModuleOp"> {
  let summary = "Make sizes in which kernels differ their arguments";
  let description = [{
    Kernels that are alike except for sizes get the same code: dimensions in which
    they differ become dynamic, and numbers in which their slices differ become
    arguments. `share-dispatches` then lets their dispatches run one kernel. Each
    `dispatch.run` keeps its own sizes.

    Kernels are alike if their ops are, and the rules plan the same loops for them:
    the same vectors and rows, and sizes that leave the same rest. Then the code
    only differs in the bounds of its loops and in distances in memory. That does
    not cost time where each step of the innermost loop reads one row of each
    operand. So all loops of a sum that is computed for several rows at once
    (products, convolutions, pooling) keep their sizes, and so do loops of a sum
    that LLVM unrolls, and ops without a rule. A kernel whose own memory is not
    small next to its work keeps the sizes of that memory.

    `mlirprof.loop_sizes` tells the rules the sizes of one of the dispatches, and
    `mlirprof.loop_blocks` by which numbers all leave the same rest. Marks of
    these names that a module has already are removed.
  }];
  let options = TargetOptions;
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::tensor::TensorDialect"];
}

def RepeatFillsPass : Pass<"cpu-repeat-fills", "::mlir::func::FuncOp"> {
  let summary = "Run a fill again for each dispatch that writes into its result";
  let description = [{
    A dispatch that writes a part of a tensor starts from a copy of the tensor if
    others need it too. If the tensor is what a dispatch made of numbers alone, such
    as the border of padded tensors of one size, that dispatch runs again instead, in
    front of each one that writes into its result.
  }];
  let dependentDialects = ["::mlir::tensor::TensorDialect"];
}

def ShareDispatchesPass : Pass<"share-dispatches", "::mlir::ModuleOp"> {
  let summary = "Let dispatches of equal structure run one kernel";
  let description = [{
    Kernels that differ only in their names and locations become one, the first of
    them. Choices and all other attributes count as structure. Ops of the shared
    kernel have the locations of all ops that they stand for, up to the number of
    identities that are read from a location.

    Numbers the dispatches of the module in order (`instance`), and keeps on each
    the identities that the ops of its own kernel had (`origins`).
  }];
}

def SplitWorkgroupsPass : Pass<"cpu-split-workgroups", "::mlir::ModuleOp"> {
  let summary = "Divide kernels on buffers into phases and workgroups";
  let description = [{
    Cuts each kernel into phases, which run one after the other, each a function of
    its own. An outermost loop with independent iterations and enough work is a phase
    whose grid of workgroups shares them; it has the mark `mlirprof.parallel`, or
    reads and writes each buffer that it writes at places of the iteration's own.
    Everything between two such loops is a phase of one workgroup. Attributes of the
    functions tell the grid and the estimated time of a workgroup in ns.

    Phases compute values without effects for themselves. Memory and other values
    that several phases use, and memory that workgroups share, lie in a workspace:
    arguments with `mlirprof.workspace`, the place, follow those of the kernel.

    A kernel without such a loop stays as it is, one phase of one workgroup.
  }];
  let options = [Option<"threads", "threads", "unsigned", "2",
                        "Number of threads">];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::LLVM::LLVMDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
    "::mlirprof::dispatch::DispatchDialect"];
}

//===----------------------------------------------------------------------===//
// Lowering
//===----------------------------------------------------------------------===//

def AllowContractionPass
    : Pass<"cpu-allow-contraction", "::mlir::ModuleOp"> {
  let summary = "Let LLVM contract products and sums into fused ones";
  let description = [{
    Sets the fast-math flag `contract` on `llvm.fmul`, `llvm.fadd` and `llvm.fsub`.
  }];
}

def ApproximateMathPass
    : Pass<"cpu-approximate-math", "::mlir::func::FuncOp"> {
  let summary = "Approximate exp, log, tanh and the like by polynomials";
  let description = [{
    Applies upstream's polynomial approximations of f32 functions where they are
    right for all arguments; these vectorize. `sin`, `cos` and `cbrt` call the
    mathematical library, as upstream reduces their arguments in single precision
    or does not handle infinity. Logarithms of denormal numbers are scaled first.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::math::MathDialect",
    "::mlir::vector::VectorDialect"];
}

def DecomposePass : Pass<"cpu-decompose", "::mlir::func::FuncOp"> {
  let summary = "Decompose softmax, pack, unpack and other aggregates";
  let description = [{
    Replaces linalg ops that stand for several ops (`linalg.softmax`, `linalg.pack`,
    `linalg.unpack`) with these. An op that cannot be decomposed is an error. A
    `tensor.pad` of negative amounts pads a slice instead.
  }];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::math::MathDialect",
    "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect"];
}

def ExpandMathPass : Pass<"cpu-expand-math"> {
  let summary = "Expand math.clampf, math.isinf and math.isnormal";
  let description = [{
    Upstream does not lower `math.isinf` and `math.isnormal` to the LLVM dialect,
    and expands `math.clampf` with its bounds exchanged. The pass replaces the
    three with ops of `arith`.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::math::MathDialect"];
}

def LiftLoopsPass : Pass<"cpu-lift-loops", "::mlir::func::FuncOp"> {
  let summary = "Lift loops between blocks to structured loops";
  let description = [{
    Runs upstream's `lift-cf-to-scf` on functions with a loop between blocks, as
    upstream's buffer deallocation handles structured loops only. Poison tensors
    that it leaves become empty ones, which have buffers.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect",
    "::mlir::tensor::TensorDialect", "::mlir::ub::UBDialect"];
}

def LowerLoopsPass : Pass<"cpu-lower-loops", "::mlir::ModuleOp"> {
  let summary = "Lower scf loops and branches to branches between blocks";
  let description = [{
    Applies upstream's patterns of `convert-scf-to-cf` from the last loop to the
    first. Each pattern splits the block behind its loop and moves what follows;
    from the first loop on, that takes quadratic time and memory (8 GB for a model
    of 2,000 ops). An op that cannot be lowered is an error.
  }];
  let dependentDialects = ["::mlir::cf::ControlFlowDialect",
                           "::mlir::memref::MemRefDialect"];
}

def LowerPadsPass : Pass<"cpu-lower-pads", "::mlir::func::FuncOp"> {
  let summary = "Lower tensor.pad to fills of the border and a copy";
  let description = [{
    Upstream lowers `tensor.pad` to a fill of the whole result and an insertion,
    which becomes a strided copy that the rules cannot vectorize. The pass fills
    the border only and copies the source by `linalg.copy`, so that each element is
    written once. Where a size is dynamic, the whole result is filled first. A pad
    whose value is not constant stays.
  }];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
}

def LowerTosaPass : Pass<"cpu-lower-tosa", "::mlir::ModuleOp"> {
  let summary = "Lower TOSA to linalg on tensors";
  let description = [{
    Runs upstream's lowerings of `tosa` to `linalg`, `tensor`, `scf` and `arith` on
    a module that has any `tosa` op, and works around upstream's errors in
    `tosa.resize` and `tosa.transpose_conv2d`.
  }];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::math::MathDialect",
    "::mlir::ml_program::MLProgramDialect", "::mlir::scf::SCFDialect",
    "::mlir::tensor::TensorDialect"];
}

def FoldZeroPointsPass : Pass<"cpu-fold-zero-points", "::mlir::func::FuncOp"> {
  let summary = "Fold zero points of quantized convolutions into the bias";
  let description = [{
    A convolution of `tosa` on bytes with constant weights `w` multiplies `x - z`, with
    the zero point `z` of its input. The pass adds `-z * sum w` to the constant bias
    of each filter, so that products of bytes are left, for which machines have
    instructions. The padding of the image becomes a `tosa.pad` with `z`. A
    depthwise convolution with one filter for each channel becomes
    `linalg.depthwise_conv_2d_nhwc_hwc`, whose sums start from the bias.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::tensor::TensorDialect", "::mlir::tosa::TosaDialect"];
}

def NarrowRescalesPass : Pass<"cpu-narrow-rescales", "::mlir::func::FuncOp"> {
  let summary = "Compute rescales by the high half of a 32-bit product";
  let description = [{
    `tosa.rescale` multiplies by `m / 2^s` and rounds in 64 bits, which takes 32-bit
    machines two dozen instructions. If the multiplier and shift of each channel are
    constant, and the input stays in a range that constant weights, biases and
    types prove, the same number is the rounded high half of one product, and a
    rounded shift of it.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::tensor::TensorDialect", "::mlir::tosa::TosaDialect"];
}

def MultiplyHighPass : Pass<"cpu-multiply-high", "::mlir::func::FuncOp"> {
  let summary = "Multiply every other lane for the high halves of products";
  let description = [{
    The high half of a product of 32-bit numbers is computed in 64 bits. For vectors,
    x86-64 has an instruction that multiplies the even lanes of two registers, with
    results of the registers' size. The pass multiplies even and odd lanes apart and
    merges the high halves, where extensions to 64 bits and back would move all
    lanes.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::vector::VectorDialect"];
}

def LowerVectorsPass : Pass<"cpu-lower-vectors", "::mlir::func::FuncOp"> {
  let summary = "Lower vectors of any rank to vectors of rank 1";
  let description = [{
    Applies upstream's lowerings of contractions, transfers, transposes, masks,
    gathers, scans and shape casts of vectors.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect",
    "::mlir::ub::UBDialect", "::mlir::vector::VectorDialect"];
}

def CarryBFloatPass : Pass<"cpu-carry-bfloat"> {
  let summary = "Carry numbers of bf16 as integers";
  let description = [{
    Where the processor does not have bf16, LLVM turns numbers that go from block to
    block, and elements that it loads or stores one by one under a mask, into f32.
    It turns them back by a function of the compiler's runtime that many programs do
    not link. The pass lets ops of the llvm dialect that do not compute with such
    numbers, and branches, carry i16 instead.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def RoundToBFloatPass : Pass<"cpu-round-to-bfloat"> {
  let summary = "Round f64 and wider types to bf16 correctly";
  let description = [{
    No processor rounds f64 to bf16. LLVM calls a function of the compiler's
    runtime that many programs do not link, and upstream's expansion goes through
    f32 and rounds twice. The pass rounds to f32 to odd first (Boldo and Melquiond,
    "Emulation of a FMA and correctly rounded sums: proved algorithms using
    rounding to odd", IEEE Transactions on Computers 57, 2008), after which the
    second rounding is exact.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::math::MathDialect"];
}

def SimplifySlicesPass : Pass<"cpu-simplify-slices", "::mlir::func::FuncOp"> {
  let summary = "Drop empty slices and unused strides";
  let description = [{
    Two kinds of slices are valid on tensors but fail as views of buffers. A view
    without elements must not begin at the end of its buffer, as that of the last
    part of a `tensor.concat` does; the pass drops it. The stride of a dimension of
    one element is never used, yet upstream crashes where that dimension is dropped
    and the stride is not among those of the source; the pass sets it to 1.

    A concatenation whose first parts another one has concatenated before, as in
    densely connected models, begins with the result of that one.
  }];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::memref::MemRefDialect", "::mlir::tensor::TensorDialect"];
}

//===----------------------------------------------------------------------===//
// GPUs
//===----------------------------------------------------------------------===//

def ChooseTilesPass : Pass<"gpu-choose-tiles", "::mlir::func::FuncOp"> {
  let summary = "Choose what a workgroup of a GPU computes of a kernel";
  let description = [{
    A kernel gets the attribute `mlirprof.gpu`, a plan: the strategy, the threads of
    a workgroup, and how many consecutive elements a thread computes.

    ```mlir
    func.func private @add(...) attributes {dispatch.kernel,
      mlirprof.gpu = {strategy = "elements", threads = 256, width = 4}}
    ```
  }];
  let options = [Option<"warpgroups", "warpgroups", "bool", /*default=*/"false",
                        "the GPU has products of warpgroups (sm_90a)">];
}

def EmitKernelsPass : Pass<"gpu-emit-kernels", "::mlir::func::FuncOp"> {
  let summary = "Make code for the threads of a GPU from ops on tensors";
  let description = [{
    The ops of a kernel become the code of one thread, by the plan of
    `gpu-choose-tiles`: loops of loads, arithmetic and stores at the thread's
    position in its workgroup and in the grid. The code of an element computes the
    elements that it depends on, back to the arguments of the kernel, so that chains
    of ops keep their values in registers. The grid and the threads of a workgroup
    become attributes of the function.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect"];
}

def LowerIntrinsicsPass : Pass<"gpu-lower-intrinsics", "::mlir::func::FuncOp"> {
  let summary = "Lower positions of threads and barriers to NVVM";
  let description = [{
    `gpu.thread_id`, `gpu.block_id` and `gpu.barrier` become ops of the dialect
    `nvvm`, which tells LLVM the range of a position.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::NVVM::NVVMDialect"];
}

#endif // MLIR_PROF_CODEGEN_PASSES_TD
