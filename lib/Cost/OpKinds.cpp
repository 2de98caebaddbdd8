//===- OpKinds.cpp - Kinds of work that ops do ----------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Cost/OpKinds.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::cost;

namespace {

/// An op name's kind, and the opcodes that XLA may give to the op.
struct KindEntry {
  OpKind kind = OpKind::Other;
  SmallVector<StringRef, 2> opcodes;
};

struct KindRow {
  OpKind kind;
  StringRef opcode;
  /// Names without dialect, '_', capitals and a version at the end, separated
  /// by blanks.
  StringRef names;
};

constexpr OpKind kFree = OpKind::Free;
constexpr OpKind kElementwise = OpKind::Elementwise;
constexpr OpKind kTranscendental = OpKind::Transcendental;
constexpr OpKind kMovement = OpKind::Movement;

const KindRow kRows[] = {
    {kFree, "constant", "constant const"},
    {kFree, "reshape",
     "reshape dynamicreshape expandshape collapseshape expanddims squeeze "
     "bitcast ensureshape unflatten flatten"},
    {kFree, "",
     "return yield empty module func terminator noop identity identityn "
     "optimizationbarrier stopgradient tuple gettupleelement dim shape "
     "shapeof rank getdimensionsize createtoken aftertoken fromelements "
     "extract reinterpretcast memoryspacecast subview alloc alloca dealloc "
     "assumealignment symbol island graph fetch mesh"},
    {OpKind::Contraction, "dot",
     "dotgeneral dot matmul batchmatmul matvec vecmat batchmatvec batchvecmat "
     "mmt4d batchmmt4d contract einsum xlaeinsum xladot quantizedmatmul "
     "matmultransposea matmultransposeb batchmatmultransposea "
     "batchmatmultransposeb batchreducematmul unarydoteinsum fullyconnected"},
    {OpKind::Convolution, "convolution",
     "convolution conv2d conv1d conv3d depthwiseconv2dnative depthwiseconv2d "
     "transposeconv2d conv2dbackpropinput conv2dbackpropfilter "
     "dynamicconv xlaconv conv"},
    {OpKind::Reduction, "reduce",
     "reduce sum mean prod all any reducesum reducemax reducemin reduceprod "
     "reduceall reduceany reduction argmax argmin multireduction l2loss "
     "euclideannorm"},
    {OpKind::Reduction, "all-reduce", "allreduce"},
    {OpKind::Reduction, "reduce-scatter", "reducescatter"},
    {OpKind::Window, "reduce-window",
     "reducewindow maxpool avgpool maxpool2d avgpool2d cumsum cumprod"},
    {OpKind::Window, "select-and-scatter",
     "selectandscatter maxpoolgrad avgpoolgrad"},
    {OpKind::Broadcast, "broadcast",
     "broadcastindim broadcast broadcastto dynamicbroadcastindim fill splat "
     "tile"},
    {OpKind::Broadcast, "iota", "iota range arange index"},
    {kElementwise, "add", "add addf addi biasadd addn"},
    {kElementwise, "subtract", "sub subtract subf subi"},
    {kElementwise, "multiply",
     "mul multiply mulf muli div divide divf realdiv"},
    {kElementwise, "divide",
     "div divide divf realdiv divsi divui floordiv reciprocal"},
    {kElementwise, "maximum",
     "maximum maximumf maxnumf maxsi maxui relu max clamp"},
    {kElementwise, "minimum", "minimum minimumf minnumf minsi minui min relu6"},
    {kElementwise, "compare",
     "compare cmpf cmpi less lessequal greater greaterequal equal notequal "
     "relugrad"},
    {kElementwise, "select", "select selectv2 where relugrad"},
    {kElementwise, "and", "and andi logicaland"},
    {kElementwise, "or", "or ori logicalor"},
    {kElementwise, "not", "not xori logicalnot"},
    {kElementwise, "negate", "negate neg negf"},
    {kElementwise, "abs", "abs absf absi"},
    {kElementwise, "sign", "sign copysign"},
    {kElementwise, "floor", "floor"},
    {kElementwise, "ceil", "ceil"},
    {kElementwise, "clamp", "clamp clampf clipbyvalue"},
    {kElementwise, "convert",
     "convert extf truncf sitofp uitofp fptosi fptoui extsi extui trunci "
     "indexcast cast"},
    {kElementwise, "rng-bit-generator",
     "rng rngbitgenerator randomuniform randomstandardnormal"},
    {kTranscendental, "tanh", "tanh tanhgrad"},
    {kTranscendental, "exponential", "exponential exp softmax elu selu"},
    {kTranscendental, "exponential-minus-one", "exponentialminusone expm1"},
    {kTranscendental, "log", "log logsoftmax"},
    {kTranscendental, "log-plus-one", "logplusone log1p softplus"},
    {kTranscendental, "logistic", "logistic sigmoid"},
    {kTranscendental, "rsqrt", "rsqrt fusedbatchnorm"},
    {kTranscendental, "sqrt", "sqrt"},
    {kTranscendental, "cbrt", "cbrt"},
    {kTranscendental, "power", "power pow powf fpowi square"},
    {kTranscendental, "sine", "sine sin"},
    {kTranscendental, "cosine", "cosine cos"},
    {kTranscendental, "erf", "erf gelu erfc"},
    {kTranscendental, "atan2", "atan2"},
    {kTranscendental, "remainder", "remainder remf floormod mod"},
    {kMovement, "copy",
     "copy memcpy readvariableop assignvariableop memrefcopy"},
    {kMovement, "transpose", "transpose"},
    {kMovement, "reverse", "reverse reversev2"},
    {kMovement, "slice", "slice stridedslice extractslice realdynamicslice"},
    {kMovement, "dynamic-slice", "dynamicslice extractslice stridedslice"},
    {kMovement, "dynamic-update-slice", "dynamicupdateslice insertslice"},
    {kMovement, "concatenate", "concatenate concat pack stack"},
    {kMovement, "pad", "pad dynamicpad mirrorpad"},
    {kMovement, "gather", "gather dynamicgather embeddinglookup onehot"},
    {kMovement, "scatter", "scatter tensorscatterupdate"},
    {kMovement, "all-gather", "allgather"},
    {kMovement, "all-to-all", "alltoall"},
    {kMovement, "collective-permute", "collectivepermute"},
    {kMovement, "sort", "sort topk"},
    {OpKind::Control, "while", "while statelesswhile for forall parallel"},
    {OpKind::Control, "conditional", "if case"},
    {OpKind::Control, "call",
     "call partitionedcall statefulpartitionedcall composite execute "
     "customcall"},
};

/// "tf.BatchMatMulV2" becomes "batchmatmul", and so does "linalg.batch_matmul".
std::string normalize(StringRef name) {
  name = name.substr(name.find('.') + 1);
  if (name.size() > 2 && name[name.size() - 2] == 'V')
    name = name.drop_back(2);
  std::string result;
  for (char c : name)
    if (c != '_')
      result += llvm::toLower(c);
  return result;
}

llvm::StringMap<KindEntry> makeTable() {
  llvm::StringMap<KindEntry> result;
  for (const KindRow &row : kRows) {
    SmallVector<StringRef> names;
    row.names.split(names, ' ', -1, /*KeepEmpty=*/false);
    for (StringRef name : names) {
      auto [entry, inserted] = result.try_emplace(name);
      if (inserted)
        entry->second.kind = row.kind;
      if (!row.opcode.empty())
        entry->second.opcodes.push_back(row.opcode);
    }
  }
  return result;
}

const KindEntry &getEntry(StringRef opName) {
  static const llvm::StringMap<KindEntry> table = makeTable();
  static const KindEntry convolution = {OpKind::Convolution, {"convolution"}};
  static const KindEntry window = {OpKind::Window, {"reduce-window"}};
  static const KindEntry other;
  std::string name = normalize(opName);
  auto found = table.find(name);
  if (found != table.end())
    return found->second;
  StringRef rest = name;
  if (rest.starts_with("conv") || rest.starts_with("depthwiseconv"))
    return convolution;
  return rest.starts_with("pooling") ? window : other;
}

/// The kind and opcodes that follow from the body of a linalg.generic.
struct BodyInfo {
  OpKind kind = OpKind::Movement;
  SmallVector<StringRef, 4> opcodes;
};

/// Whether a dimension that is summed over has more than one element.
bool reducesAnything(linalg::GenericOp op) {
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  SmallVector<unsigned> dimensions;
  op.getReductionDims(dimensions);
  return llvm::any_of(dimensions, [&](unsigned d) { return ranges[d] != 1; });
}

BodyInfo readBody(linalg::GenericOp op) {
  BodyInfo info;
  bool multiplies = false, adds = false, any = false;
  for (Operation &inner : op.getBody()->without_terminator()) {
    // Elements at computed positions.
    if (isa<tensor::ExtractOp>(inner))
      info.opcodes.push_back("gather");
    const KindEntry &entry = getEntry(inner.getName().getStringRef());
    if (entry.kind == OpKind::Free)
      continue;
    any = true;
    llvm::append_range(info.opcodes, entry.opcodes);
    multiplies |= llvm::is_contained(entry.opcodes, "multiply");
    adds |= llvm::is_contained(entry.opcodes, "add");
    if (entry.kind == OpKind::Transcendental)
      info.kind = OpKind::Transcendental;
    else if (info.kind == OpKind::Movement)
      info.kind = OpKind::Elementwise;
  }
  if (op.getNumReductionLoops() != 0) {
    if (!reducesAnything(op)) {
      info.kind = OpKind::Free;
      return info;
    }
    bool contracts = multiplies && adds && op.getNumDpsInputs() > 1;
    info.kind = contracts ? OpKind::Contraction : OpKind::Reduction;
    info.opcodes.push_back(contracts ? "dot" : "reduce");
    info.opcodes.push_back(contracts ? "convolution" : "reduce-window");
    return info;
  }
  if (any)
    return info;
  // The body only yields, so the work is in the indexing maps.
  bool permutes = false, repeats = op.getNumDpsInputs() == 0;
  for (OpOperand *input : op.getDpsInputOperands()) {
    AffineMap map = op.getMatchingIndexingMap(input);
    repeats |= !map.isPermutation();
    permutes |= map.isPermutation() && !map.isIdentity();
  }
  if (repeats) {
    info.kind = OpKind::Broadcast;
    info.opcodes.push_back("broadcast");
  }
  if (permutes)
    info.opcodes.push_back("transpose");
  info.opcodes.push_back("copy");
  return info;
}

/// A reduction over dimensions of size 1.
bool isReshape(Operation *op) {
  if (op->getNumOperands() == 0 || op->getNumResults() == 0)
    return false;
  auto in = dyn_cast<ShapedType>(op->getOperand(0).getType());
  auto out = dyn_cast<ShapedType>(op->getResult(0).getType());
  return in && out && in.hasStaticShape() && out.hasStaticShape() &&
         in.getNumElements() == out.getNumElements();
}

} // namespace

OpKind cost::getKind(Operation *op) {
  if (auto generic = dyn_cast<linalg::GenericOp>(op))
    return readBody(generic).kind;
  if (op->hasTrait<OpTrait::ConstantLike>() ||
      op->hasTrait<OpTrait::IsTerminator>())
    return OpKind::Free;
  OpKind kind = getEntry(op->getName().getStringRef()).kind;
  if (kind == OpKind::Reduction && isReshape(op))
    return OpKind::Free;
  return kind;
}

bool cost::isProduct(Operation *op) {
  OpKind kind = getKind(op);
  return kind == OpKind::Contraction || kind == OpKind::Convolution;
}

ArrayRef<StringRef> cost::getKnownOpcodes(StringRef name) {
  return getEntry(name).opcodes;
}

SmallVector<StringRef, 4> cost::getOpcodes(Operation *op) {
  if (auto generic = dyn_cast<linalg::GenericOp>(op))
    return readBody(generic).opcodes;
  const auto &opcodes = getEntry(op->getName().getStringRef()).opcodes;
  return {opcodes.begin(), opcodes.end()};
}

bool cost::isKind(StringRef opcode, Operation *op) {
  return llvm::is_contained(getOpcodes(op), opcode);
}
