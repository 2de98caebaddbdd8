//===- Groups.cpp - Which ops one dispatch computes -----------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From the last op of a block to the first, an op joins the group of its users
// if they are all in one group and the rules below allow it; otherwise it is
// the last op of a new group. So the results of one op leave a group, and
// groups do not wait for each other in a circle.
//
//===----------------------------------------------------------------------===//

#include "Groups.h"
#include "../Gpu/Rows.h"
#include "../Nest/JoinedGroups.h"
#include "../Nest/Nest.h"
#include "../Rows/RowTiles.h"
#include "../Rules/Rules.h"
#include "../Winograd/Transforms.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;
using linalg::LinalgOp;

/// A result is small if the group has this many times as many points.
static constexpr int64_t kLeastRatio = 4;

namespace {

/// The part an op plays in a group.
enum class OpKind {
  /// A contraction, convolution, or loop: at most one per group, with the
  /// epilogues that its nest computes before it stores.
  Heavy,
  /// Another structured op with a reduction.
  Reduction,
  Elementwise,
  /// Writes a part of its destination.
  Insertion,
  /// The fill of a border or the copy of a source in a padded tensor.
  Piece,
  Pad,
  Other
};

/// The users of an op's results.
struct Users {
  static constexpr int kNone = -1, kSeveral = -2;
  /// The only group that uses them.
  int group = kNone;
  bool onHost = false;

  void add(const Users &other) {
    onHost |= other.onHost;
    if (group == kNone)
      group = other.group;
    else if (other.group != kNone && other.group != group)
      group = kSeveral;
  }
};

struct GrowingGroup {
  /// Later ops first.
  std::vector<Operation *> ops;
  /// The largest iteration space of its ops; -1 if unknown.
  int64_t points = 0;
  bool hasHeavy = false;
  /// On a GPU, if it has reductions whose results it uses: the sizes of the
  /// loops that its ops share.
  SmallVector<int64_t> rows;
};

class GroupFinder {
public:
  GroupFinder(Block &block, const TargetModel &target)
      : block(block), target(target) {}

  std::vector<DispatchGroup> find();

private:
  void claimEpilogues();
  void claimGpuEpilogues();
  void claimAttention();
  void place(Operation *op);
  Users getUsers(Operation *op);
  bool canJoin(Operation *op, const GrowingGroup &group);
  bool canJoinAs(OpKind kind, Operation *op, const GrowingGroup &group);
  bool canShareRows(Operation *op, const GrowingGroup &group);
  bool isSumOfProducts(Operation *op);
  bool isInGroup(Operation *op, const GrowingGroup &group);
  void join(Operation *op, int group);

  Block &block;
  const TargetModel &target;
  std::vector<GrowingGroup> groups;
  DenseMap<Operation *, Users> users;
  /// The group of each op that has one.
  DenseMap<Operation *, int> groupOf;
  /// For a root and its epilogues but the last: the next op of the chain.
  DenseMap<Operation *, Operation *> nextOf;
  /// For epilogues: the root.
  DenseMap<Operation *, Operation *> rootOf;
  /// For the ops of an attention but its last product and that one's epilogues:
  /// the last product.
  DenseMap<Operation *, Operation *> attentionOf;
};

} // namespace

//===----------------------------------------------------------------------===//
// Kinds of ops
//===----------------------------------------------------------------------===//

/// Whether `op` writes into a slice of the tensor that an insertion then puts
/// it back into, as lowered pads do.
static bool isPiece(LinalgOp op) {
  if (!isa<linalg::FillOp, linalg::CopyOp>(op.getOperation()) ||
      !op->hasOneUse())
    return false;
  auto slice = op.getDpsInits().front().getDefiningOp<tensor::ExtractSliceOp>();
  auto insert = dyn_cast<tensor::InsertSliceOp>(*op->user_begin());
  return slice && insert && insert.getSource() == op->getResult(0) &&
         slice.getSource() == insert.getDest();
}

static OpKind getKind(Operation *op) {
  if (isa<scf::ForOp>(op) || isTransform(op))
    return OpKind::Heavy;
  if (isa<tensor::InsertSliceOp>(op))
    return OpKind::Insertion;
  if (isa<tensor::PadOp>(op))
    return OpKind::Pad;
  auto structured = dyn_cast<LinalgOp>(op);
  if (!structured)
    return OpKind::Other;
  if (isPiece(structured))
    return OpKind::Piece;
  if (structured.getNumReductionLoops() == 0)
    return OpKind::Elementwise;
  bool isHeavy = linalg::isaContractionOpInterface(structured) ||
                 isConvolution(structured) || isProduct(structured);
  return isHeavy ? OpKind::Heavy : OpKind::Reduction;
}

static int64_t multiply(ArrayRef<int64_t> sizes) {
  int64_t product = 1;
  for (int64_t size : sizes)
    if (ShapedType::isDynamic(size) ||
        llvm::MulOverflow(product, size, product))
      return -1;
  return product;
}

static int64_t countElements(Value tensor) {
  return multiply(cast<RankedTensorType>(tensor.getType()).getShape());
}

/// The size of the iteration space of `op`, or -1.
static int64_t countPoints(Operation *op) {
  if (auto structured = dyn_cast<LinalgOp>(op))
    return multiply(structured.getStaticLoopRanges());
  if (auto insert = dyn_cast<tensor::InsertSliceOp>(op))
    return countElements(insert.getSource());
  return countElements(op->getResult(0));
}

/// Whether the results of `op` are small against the points of `group`.
static bool isSmall(Operation *op, const GrowingGroup &group) {
  int64_t elements = countElements(op->getResult(0));
  if (elements >= 0 && group.points >= 0)
    return elements <= group.points / kLeastRatio;
  // If the size is unknown: it lacks a dimension of the group's result, or has
  // it with one element.
  auto count = [](Operation *of) {
    auto type = cast<RankedTensorType>(of->getResult(0).getType());
    return llvm::count_if(type.getShape(), [](int64_t n) { return n != 1; });
  };
  return count(op) < count(group.ops.front());
}

/// Whether the kernel that makes the source of `insert` should write it in
/// place: the source is not used elsewhere.
static bool takesSource(tensor::InsertSliceOp insert) {
  Operation *source = insert.getSource().getDefiningOp();
  if (!source || !source->hasOneUse() || getPlace(source) != OpPlace::Kernel)
    return false;
  OpKind kind = getKind(source);
  return kind == OpKind::Heavy || kind == OpKind::Reduction ||
         kind == OpKind::Elementwise;
}

/// Whether `op` makes the source of an insertion that takes it.
static bool isTakenSource(Operation *op) {
  if (!op->hasOneUse())
    return false;
  auto insert = dyn_cast<tensor::InsertSliceOp>(*op->user_begin());
  return insert && insert.getSource() == op->getResult(0) &&
         takesSource(insert);
}

/// Whether `op`, or the root of which it is the last epilogue, adds products
/// up.
bool GroupFinder::isSumOfProducts(Operation *op) {
  Operation *root = rootOf.lookup(op);
  auto structured = dyn_cast<LinalgOp>(root ? root : op);
  return structured && getReadInputs(structured).size() == 2 &&
         addsProducts(*structured.getBlock());
}

/// Whether `insert` belongs to the group of its users: it is a part of a padded
/// tensor, or of several that are copied into one.
static bool isPartOfCopy(tensor::InsertSliceOp insert) {
  // Parts that kernels write in place are dispatches of their own.
  if (takesSource(insert))
    return false;
  auto source = insert.getSource().getDefiningOp<LinalgOp>();
  // The kernel that writes the middle of a padded tensor fills its borders.
  if (source && isPiece(source))
    return true;
  return llvm::all_of(insert->getUsers(), [&](Operation *user) {
    auto next = dyn_cast<tensor::InsertSliceOp>(user);
    return next && !takesSource(next);
  });
}

//===----------------------------------------------------------------------===//
// Epilogues
//===----------------------------------------------------------------------===//

/// Gives each root the epilogues that its nest will compute: transforms and
/// then the rules are asked in the order in which cpu-apply-rules applies them.
void GroupFinder::claimEpilogues() {
  for (auto transform : block.getOps<cpu::WinogradOutputOp>())
    if (LinalgOp epilogue = getEpilogue(transform))
      if (rootOf.try_emplace(epilogue, transform).second)
        nextOf[transform] = epilogue;
  struct Root {
    LinalgOp op;
    NestFacts facts;
    bool isPlanned = false;
  };
  SmallVector<Root> roots;
  for (Operation &op : llvm::reverse(block)) {
    auto root = dyn_cast<LinalgOp>(op);
    if (!root || root.getNumReductionLoops() == 0 || isForSize(root) ||
        getPlace(root) != OpPlace::Kernel)
      continue;
    if (std::optional<NestFacts> facts = getNestFacts(root))
      roots.push_back({root, std::move(*facts)});
  }
  for (const Rule &rule : getRules())
    for (Root &root : roots) {
      if (root.isPlanned)
        continue;
      std::optional<NestPlan> plan = rule.plan(root.op, root.facts, target);
      if (!plan)
        continue;
      root.isPlanned = true;
      Operation *last = root.op;
      for (LinalgOp next : getEpilogues(root.op, root.facts, *plan)) {
        if (!rootOf.try_emplace(next, root.op).second)
          break;
        nextOf[last] = next;
        last = next;
      }
    }
}

/// The op that computes an element from that of `value` at the same place, and
/// is the only one that uses it; null if there is none.
static LinalgOp getElementwiseUser(Value value) {
  if (!value.hasOneUse())
    return {};
  OpOperand &use = *value.use_begin();
  auto user = dyn_cast<LinalgOp>(use.getOwner());
  if (!user || user.getNumReductionLoops() != 0 || !user.isDpsInput(&use) ||
      getPlace(user) != OpPlace::Kernel)
    return {};
  AffineMap map = user.getMatchingIndexingMap(&use);
  return map.isPermutation() ? user : LinalgOp();
}

/// A thread of a GPU computes all ops behind a root that are elementwise.
void GroupFinder::claimGpuEpilogues() {
  for (auto root : block.getOps<LinalgOp>()) {
    if (root.getNumReductionLoops() == 0 || getPlace(root) != OpPlace::Kernel ||
        root->getNumResults() != 1)
      continue;
    Operation *last = root;
    for (size_t count = 1; count != kMostGroupOps; ++count) {
      LinalgOp next = getElementwiseUser(last->getResult(0));
      if (!next || next->getNumResults() != 1 ||
          !rootOf.try_emplace(next, root).second)
        break;
      nextOf[last] = next;
      last = next;
    }
  }
}

/// Gives each product the ops that are computed with it row by row. A group is
/// one attention or none: what goes into its first product, and what follows
/// the epilogues of its last one, are other groups.
void GroupFinder::claimAttention() {
  for (Operation &op : llvm::reverse(block)) {
    auto product = dyn_cast<LinalgOp>(op);
    if (!product || attentionOf.contains(&op) ||
        getPlace(&op) != OpPlace::Kernel || !isProduct(product))
      continue;
    SmallVector<Operation *> end = {&op};
    while (Operation *next = nextOf.lookup(end.back()))
      end.push_back(next);
    SmallVector<Operation *> ops = findAttention(end);
    if (isTakenSource(end.back()) || ops.size() + end.size() > kMostGroupOps)
      continue;
    for (Operation *member : ops)
      attentionOf[member] = &op;
  }
}

//===----------------------------------------------------------------------===//
// Growing groups
//===----------------------------------------------------------------------===//

bool GroupFinder::isInGroup(Operation *op, const GrowingGroup &group) {
  auto found = groupOf.find(op);
  return found != groupOf.end() && &groups[found->second] == &group;
}

Users GroupFinder::getUsers(Operation *op) {
  Users result;
  for (Operation *user : op->getUsers()) {
    Operation *here = block.findAncestorOpInBlock(*user);
    auto known = here ? users.find(here) : users.end();
    Users other;
    if (known == users.end())
      other.onHost = true;
    else
      other = known->second;
    result.add(other);
  }
  return result;
}

/// Whether an op of `group` starts from a result of `op`.
static bool isStart(Operation *op) {
  return op->hasOneUse() && llvm::all_of(op->getUses(), [](OpOperand &use) {
           auto user = dyn_cast<LinalgOp>(use.getOwner());
           return user && user.isDpsInit(&use);
         });
}

/// Whether `op` and all ops of `group` are computed row by row on a GPU, and
/// use results of reductions in their own row.
bool GroupFinder::canShareRows(Operation *op, const GrowingGroup &group) {
  auto structured = dyn_cast<LinalgOp>(op);
  // An op that goes along the rows.
  LinalgOp first;
  for (Operation *member : group.ops)
    if (auto other = dyn_cast<LinalgOp>(member);
        other && (!first || first.getNumLoops() < other.getNumLoops()))
      first = other;
  if (!structured || !first)
    return false;
  bool isReduction = structured.getNumReductionLoops() != 0;
  SmallVector<int64_t> sizes =
      !group.rows.empty()
          ? group.rows
          : (isReduction ? structured : first).getStaticLoopRanges();
  auto isOfRows = [&](Operation *member) {
    auto other = dyn_cast<LinalgOp>(member);
    return other && isRowOp(other, sizes);
  };
  return isOfRows(op) && llvm::all_of(group.ops, isOfRows) &&
         llvm::all_of(op->getUses(), [&](OpOperand &use) {
           auto user = dyn_cast<LinalgOp>(use.getOwner());
           return user && isInGroup(user, group) && user.isDpsInput(&use) &&
                  (!isReduction || readsItsRow(user, use, sizes));
         });
}

bool GroupFinder::canJoinAs(OpKind kind, Operation *op,
                            const GrowingGroup &group) {
  bool isSource = isTakenSource(op);
  switch (kind) {
  case OpKind::Heavy:
    return isSource && !group.hasHeavy;
  case OpKind::Reduction:
    // Alone, products of one kind can share a kernel.
    if (!isSource && !hasVectors(target) && isSumOfProducts(op))
      return false;
    // Threads of a GPU would compute it again for each element, unless they
    // share its row.
    return (isSource || (isSmall(op, group) &&
                         (!isGpu(target) || canShareRows(op, group)))) &&
           !group.hasHeavy;
  case OpKind::Elementwise: {
    int64_t points = countPoints(op);
    bool fits = points < 0 || group.points < 0 || points <= group.points;
    if (!group.rows.empty())
      return canShareRows(op, group);
    return isSource || isStart(op) || (fits && !group.hasHeavy);
  }
  case OpKind::Insertion:
    return isPartOfCopy(cast<tensor::InsertSliceOp>(op));
  case OpKind::Piece:
  case OpKind::Pad:
    return true;
  case OpKind::Other:
    return false;
  }
  llvm_unreachable("unknown kind");
}

bool GroupFinder::canJoin(Operation *op, const GrowingGroup &group) {
  if (group.ops.size() >= kMostGroupOps)
    return false;
  if (Operation *product = attentionOf.lookup(op))
    return isInGroup(product, group);
  if (Operation *next = nextOf.lookup(op))
    return isInGroup(next, group) &&
           (group.rows.empty() || canShareRows(op, group));
  // The last epilogue brings its root.
  OpKind kind = getKind(op);
  Operation *root = rootOf.lookup(op);
  if (root && getKind(root) == OpKind::Heavy)
    kind = OpKind::Heavy;
  else if (root)
    kind = OpKind::Reduction;
  return canJoinAs(kind, op, group);
}

void GroupFinder::join(Operation *op, int number) {
  GrowingGroup &group = groups[number];
  group.ops.push_back(op);
  int64_t points = countPoints(op);
  group.points =
      points < 0 || group.points < 0 ? -1 : std::max(points, group.points);
  Operation *root = rootOf.lookup(op);
  // An epilogue brings its reduction, which has the same rows.
  Operation *reduction = root ? root : op;
  bool isNext = nextOf.contains(op) || group.ops.size() == 1;
  if (isGpu(target) && group.rows.empty() && !isNext &&
      getKind(reduction) == OpKind::Reduction && canShareRows(op, group))
    group.rows = cast<LinalgOp>(reduction).getStaticLoopRanges();
  group.hasHeavy |= getKind(root ? root : op) == OpKind::Heavy;
  groupOf[op] = number;
  users[op] = {number, false};
}

void GroupFinder::place(Operation *op) {
  OpPlace place = getPlace(op);
  if (place == OpPlace::Host || isOpTriviallyDead(op))
    return;
  Users all = getUsers(op);
  bool isFillForHost = all.onHost && isa<linalg::FillOp>(op);
  if (place != OpPlace::Kernel && !isFillForHost) {
    users[op] = all;
    return;
  }
  if (all.group >= 0 && !all.onHost && canJoin(op, groups[all.group]))
    return join(op, all.group);
  groups.emplace_back();
  join(op, int(groups.size()) - 1);
}

std::vector<DispatchGroup> GroupFinder::find() {
  if (isGpu(target)) {
    claimGpuEpilogues();
  } else {
    claimEpilogues();
    claimAttention();
  }
  for (Operation &op : llvm::reverse(block))
    place(&op);
  std::vector<DispatchGroup> result;
  for (GrowingGroup &group : llvm::reverse(groups))
    result.push_back({{group.ops.rbegin(), group.ops.rend()}});
  return result;
}

std::vector<DispatchGroup> codegen::findGroups(Block &block,
                                               const TargetModel &target) {
  return GroupFinder(block, target).find();
}
