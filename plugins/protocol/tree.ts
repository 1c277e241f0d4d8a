import Type, { type TUnsafe } from "typebox";

/**
 * A tree of tests combined by `and` and `or`, nested to any depth. An empty `and` passes everything, and an empty `or`
 * passes nothing. A leaf has neither `and` nor `or`.
 */
export type Tree<Leaf> = Leaf | And<Leaf> | Or<Leaf>;

/** A group that passes if all members pass. */
export interface And<Leaf> {
  readonly and: readonly Tree<Leaf>[];
}

/** A group that passes if any member passes. */
export interface Or<Leaf> {
  readonly or: readonly Tree<Leaf>[];
}

/** Returns the schema of a tree whose leaves have the schema `leaf`. `name` must be unique among all trees. */
export function treeOf<Leaf>(name: string, leaf: TUnsafe<Leaf>): TUnsafe<Tree<Leaf>> {
  const members = Type.Array(Type.Ref(name));
  const tree = Type.Union([
    leaf,
    Type.Object({
      /** The members of a group. The group passes if all members pass. An empty list passes everything. */
      and: members,
    }),
    Type.Object({
      /** The members of a group. The group passes if any member passes. An empty list passes nothing. */
      or: members,
    }),
  ]);
  return Type.Unsafe<Tree<Leaf>>(Type.Cyclic({ [name]: tree }, name));
}

/**
 * The functions with which `foldTree` computes results: one for leaves, and one for each kind of group, which receives
 * the results of the group's members.
 */
export interface TreeFold<Leaf, Result> {
  leaf(leaf: Leaf): Result;
  and(members: readonly Result[], group: And<Leaf>): Result;
  or(members: readonly Result[], group: Or<Leaf>): Result;
}

/** Returns whether a node is an `and` group. */
export function isAnd<Leaf extends object>(tree: Tree<Leaf>): tree is And<Leaf> {
  return "and" in tree;
}

/** Returns whether a node is an `or` group. */
export function isOr<Leaf extends object>(tree: Tree<Leaf>): tree is Or<Leaf> {
  return "or" in tree;
}

/** Returns whether a node is a group and not a leaf. */
export function isGroup<Leaf extends object>(tree: Tree<Leaf>): tree is And<Leaf> | Or<Leaf> {
  return isAnd(tree) || isOr(tree);
}

/** Computes one result from a tree. Members are computed before their group, in order. O(nodes). */
export function foldTree<Leaf extends object, Result>(
  tree: Tree<Leaf>,
  fold: TreeFold<Leaf, Result>,
): Result {
  const foldMember = (member: Tree<Leaf>) => foldTree(member, fold);
  if (isAnd(tree)) return fold.and(tree.and.map(foldMember), tree);
  if (isOr(tree)) return fold.or(tree.or.map(foldMember), tree);
  return fold.leaf(tree);
}

/** Returns a copy of a tree in which each leaf is replaced by the result of `change(leaf)`. O(nodes). */
export function mapTree<Leaf extends object, Mapped>(
  tree: Tree<Leaf>,
  change: (leaf: Leaf) => Tree<Mapped>,
): Tree<Mapped> {
  return foldTree<Leaf, Tree<Mapped>>(tree, {
    leaf: change,
    and: (and) => ({ and }),
    or: (or) => ({ or }),
  });
}

/** Lists the leaves of a tree, in order. O(nodes). */
export function leaves<Leaf extends object>(tree: Tree<Leaf>): readonly Leaf[] {
  if (isAnd(tree)) return tree.and.flatMap((member) => leaves(member));
  if (isOr(tree)) return tree.or.flatMap((member) => leaves(member));
  return [tree];
}

/** Returns whether a node of a tree is nested in more than `levels` groups. Does not visit nodes below that depth. */
export function isDeeperThan<Leaf extends object>(tree: Tree<Leaf>, levels: number): boolean {
  if (levels < 0) return true;
  if (!isGroup(tree)) return false;
  const members = isAnd(tree) ? tree.and : tree.or;
  return members.some((member) => isDeeperThan(member, levels - 1));
}
