//===- TorchWork.cpp - The work of PyTorch's ops --------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TorchWork.h"
#include "TorchOps.h"
#include "mlir-prof/Cost/OpKinds.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace mlirprof;
using namespace mlirprof::cost;
using namespace mlirprof::match;
using llvm::StringRef;

namespace {

struct Row {
  /// As in getPlainName; all words are separated by blanks.
  StringRef names;
  StringRef own, before, after;
  bool isView = false;
};

const Row kRows[] = {
    {"linear addmm mm bmm matmul baddbmm addbmm mv addmv dot inner", "dot",
     "transpose copy convert reshape broadcast", "add multiply reshape"},
    {"einsum bilinear", "dot", "transpose multiply", "transpose reduce add"},
    {"scaled_dot_product_attention native_multi_head_attention "
     "multi_head_attention transformer_encoder_layer_fwd",
     "dot", "*", "*"},
    {"lstm gru rnn_tanh rnn_relu lstm_cell gru_cell rnn_tanh_cell "
     "rnn_relu_cell",
     "dot logistic tanh", "*", "*"},
    {"conv1d conv2d conv3d convolution conv_transpose1d conv_transpose2d "
     "conv_transpose3d mkldnn_convolution thnn_conv2d",
     "convolution", "transpose pad reverse scatter dynamic-update-slice",
     "add transpose slice"},
    {"add", "add", "multiply convert", ""},
    {"sub rsub", "subtract", "multiply convert", ""},
    {"mul", "multiply", "convert", ""},
    {"div true_divide floor_divide", "divide", "convert", "floor"},
    {"addcmul addcdiv lerp", "multiply divide", "add", "add multiply"},
    {"relu clamp_min clamp_max clamp maximum minimum hardtanh relu6 threshold",
     "maximum minimum select clamp compare", "compare", "select"},
    {"leaky_relu prelu elu selu celu", "select maximum compare exponential",
     "*", "*"},
    {"hardswish hardsigmoid", "clamp maximum minimum compare select",
     "add multiply divide", "multiply divide minimum maximum compare select"},
    {"tanh", "tanh", "", ""},
    {"exp", "exponential", "", ""},
    {"log", "log", "", ""},
    {"pow square", "power multiply", "", ""},
    {"sigmoid", "logistic exponential", "negate", "add divide"},
    {"silu mish", "logistic exponential", "negate", "add divide multiply tanh"},
    {"gelu", "erf tanh", "multiply power add divide", "multiply add"},
    {"softplus logaddexp log_sigmoid", "log log-plus-one exponential", "*",
     "*"},
    {"softmax log_softmax logsumexp", "exponential",
     "reduce subtract maximum convert", "reduce divide log subtract multiply"},
    {"layer_norm batch_norm group_norm instance_norm rms_norm", "rsqrt sqrt",
     "reduce divide subtract multiply add convert power",
     "multiply add subtract divide convert"},
    {"mean", "reduce", "convert", "divide multiply convert"},
    {"sum prod amax amin any all max min argmax argmin", "reduce", "convert",
     "convert compare"},
    {"norm linalg_vector_norm", "reduce", "multiply power abs", "sqrt power"},
    {"var std var_mean std_mean", "reduce", "subtract multiply divide convert",
     "reduce subtract multiply divide sqrt convert"},
    {"max_pool1d max_pool2d max_pool3d avg_pool1d avg_pool2d avg_pool3d "
     "adaptive_avg_pool1d adaptive_avg_pool2d adaptive_max_pool2d",
     "reduce-window reduce", "pad convert", "divide multiply"},
    {"cumsum cumprod", "reduce-window", "", ""},
    {"t transpose permute adjoint numpy_T movedim swapaxes", "transpose", "",
     "", /*isView=*/true},
    {"view reshape flatten unflatten squeeze unsqueeze view_as unsafe_view",
     "reshape", "copy", "", /*isView=*/true},
    {"expand expand_as broadcast_to", "broadcast concatenate", "reshape",
     "reshape", /*isView=*/true},
    {"repeat repeat_interleave tile", "broadcast concatenate", "reshape",
     "reshape"},
    {"cat concat concatenate stack hstack vstack",
     "concatenate dynamic-update-slice", "reshape", "reshape"},
    {"slice select narrow chunk unsafe_chunk split split_with_sizes unbind "
     "tensor_split",
     "slice dynamic-slice", "", "reshape", /*isView=*/true},
    {"index_select gather embedding index take", "gather",
     "add compare select multiply convert", ""},
    {"scatter scatter_add index_add index_put index_copy scatter_reduce",
     "scatter", "add compare select", ""},
    {"sort topk argsort", "sort", "", ""},
    {"masked_fill where", "select", "compare convert", ""},
    {"eq ne lt le gt ge", "compare", "convert", ""},
    {"zeros ones full zeros_like ones_like full_like new_zeros new_ones "
     "new_full fill zero empty arange scalar_tensor",
     "broadcast iota", "", "", /*isView=*/true},
    {"clone contiguous copy to to_copy type_as", "copy convert", "", ""},
};

struct Words {
  llvm::SmallVector<StringRef, 6> own, before, after;
  bool isView = false;
};

void split(StringRef text, llvm::SmallVector<StringRef, 6> &words) {
  text.split(words, ' ', -1, /*KeepEmpty=*/false);
}

llvm::StringMap<Words> makeTable() {
  llvm::StringMap<Words> table;
  for (const Row &row : kRows) {
    llvm::SmallVector<StringRef, 6> names;
    split(row.names, names);
    for (StringRef name : names) {
      Words &words = table[name];
      split(row.own, words.own);
      split(row.before, words.before);
      split(row.after, words.after);
      words.isView = row.isView;
    }
  }
  return table;
}

const llvm::StringMap<Words> &getTable() {
  static const llvm::StringMap<Words> table = makeTable();
  return table;
}

/// Whether `op` does work of one of these opcodes.
bool isAnyOf(llvm::ArrayRef<StringRef> opcodes, const OpWords &op) {
  return llvm::is_contained(opcodes, "*") ||
         llvm::any_of(op.opcodes, [&](StringRef opcode) {
           return llvm::is_contained(opcodes, opcode);
         });
}

} // namespace

TorchWork match::getTorchWork(StringRef name) {
  name = getPlainName(name);
  auto row = getTable().find(name);
  if (row != getTable().end())
    return {name, row->second.own, row->second.before, row->second.after};
  // Most names of elementwise functions are common to all frameworks.
  return {name, getKnownOpcodes(name), {}, {}};
}

bool match::isTorchView(StringRef name) {
  name = getPlainName(name);
  if (auto row = getTable().find(name); row != getTable().end())
    return row->second.isView;
  static const StringRef views[] = {"reshape", "transpose", "slice",
                                    "broadcast"};
  llvm::ArrayRef<StringRef> own = getKnownOpcodes(name);
  return !own.empty() && llvm::is_contained(views, own.front());
}

OpWords match::getOpWords(mlir::Operation *op) {
  std::string name = getTorchName(op);
  if (name.empty())
    return {"", getOpcodes(op)};
  llvm::ArrayRef<StringRef> own = getTorchWork(name).own;
  return {getPlainName(name).str(), {own.begin(), own.end()}};
}

WorkPart match::getWorkPart(const TorchWork &work, const OpWords &op) {
  if (!op.torchName.empty() && op.torchName == work.name)
    return WorkPart::Same;
  if (isAnyOf(work.own, op))
    return WorkPart::Own;
  bool isBefore = isAnyOf(work.before, op);
  if (isAnyOf(work.after, op))
    return isBefore ? WorkPart::Around : WorkPart::After;
  if (isBefore)
    return WorkPart::Before;
  static const StringRef anywhere[] = {"reshape", "broadcast", "copy",
                                       "convert"};
  return isAnyOf(anywhere, op) ? WorkPart::Any : WorkPart::None;
}
