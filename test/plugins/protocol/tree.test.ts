import assert from "node:assert/strict";
import { suite } from "../../support/suite.ts";
import {
  foldTree,
  isDeeperThan,
  isGroup,
  leaves,
  mapTree,
  type Tree,
} from "../../../plugins/protocol/tree.ts";

interface Leaf {
  readonly name: string;
}
const [a, b, c] = ["a", "b", "c"].map((name): Leaf => ({ name })) as [Leaf, Leaf, Leaf];
const tree: Tree<Leaf> = { or: [a, { and: [b, { or: [] }] }, c] };

suite("plugins/protocol/tree", (test) => {
  test("`leaves` lists the leaves of a tree in order", () => {
    assert.deepEqual(leaves<Leaf>(tree), [a, b, c]);
    assert.deepEqual(leaves<Leaf>(a), [a]);
    assert.deepEqual(leaves<Leaf>({ and: [] }), []);
  });

  test("mapTree replaces the leaves of a tree and keeps its shape, including empty groups", () => {
    const upper = mapTree(tree, ({ name }: Leaf) => ({ name: name.toUpperCase() }));
    assert.deepEqual(upper, {
      or: [{ name: "A" }, { and: [{ name: "B" }, { or: [] }] }, { name: "C" }],
    });
  });

  test("foldTree folds the members before their group, and also passes the group itself", () => {
    const groups: unknown[] = [];
    const text = foldTree<Leaf, string>(tree, {
      leaf: ({ name }) => name,
      and: (members, group) => (groups.push(group), `(${members.join(" and ")})`),
      or: (members, group) => (groups.push(group), `(${members.join(" or ")})`),
    });
    assert.equal(text, "(a or (b and ()) or c)");
    assert.equal(groups.at(-1), tree);
    assert.equal(groups.length, 3);
  });

  test("isGroup, isAnd and isOr distinguish groups from leaves", () => {
    assert.deepEqual(
      [tree, a, { and: [] }].map((each) => isGroup<Leaf>(each)),
      [true, false, true],
    );
  });

  test("isDeeperThan detects nodes that are nested in more than a given number of groups", () => {
    assert.deepEqual(
      [0, 1, 2, 3].map((levels) => isDeeperThan<Leaf>(tree, levels)),
      [true, true, false, false],
    );
    assert.ok(!isDeeperThan<Leaf>(a, 0));
  });

  test("trees of any depth do not overflow the stack", () => {
    let deep: Tree<Leaf> = a;
    for (let level = 0; level < 100_000; level++) deep = { and: [deep] };
    assert.ok(isDeeperThan<Leaf>(deep, 400));
  });
});
