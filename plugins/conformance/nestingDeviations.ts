import { isAnd, isGroup, isOr, type Query, type Tree } from "../protocol/index.ts";
import { hasTests, isOf } from "./concerns.ts";
import type { Deviation } from "./deviation.ts";

type Trees<Leaf> = readonly Tree<Leaf>[];

/** Replaces each filter group of a tree, from the innermost to the outermost. `depth` is 0 for a group at the top. */
function mapGroups<Leaf extends object>(
  tree: Tree<Leaf>,
  change: (word: "and" | "or", members: Trees<Leaf>, depth: number) => Tree<Leaf>,
  depth = 0,
): Tree<Leaf> {
  const inner = (members: Trees<Leaf>) =>
    members.map((member) => mapGroups(member, change, depth + 1));
  if (isAnd(tree)) return change("and", inner(tree.and), depth);
  if (isOr(tree)) return change("or", inner(tree.or), depth);
  return tree;
}

const group = <Leaf extends object>(word: "and" | "or", members: Trees<Leaf>): Tree<Leaf> =>
  word === "and" ? { and: members } : { or: members };

/** Returns the members of a filter group. For a leaf, returns a list that contains only the leaf. */
function membersOf<Leaf extends object>(tree: Tree<Leaf>): Trees<Leaf> {
  if (isAnd(tree)) return tree.and;
  return isOr(tree) ? tree.or : [tree];
}

const hasGroups = ({ filters, having = [] }: Query): boolean =>
  [...filters, ...having].some((tree) => isGroup<object>(tree));
const hasSeveral = (query: Query): boolean => query.filters.length > 1 || hasTests(query);

/** Known deviations in how filters are combined. */
export const nestingDeviations: readonly Deviation[] = [
  {
    does: "acknowledges several filters and applies only the first",
    semantics: { readFilters: (filters) => filters.slice(0, 1) },
    concerns: isOf("together"),
    touches: hasSeveral,
  },
  {
    does: "acknowledges several filters and applies only the last",
    semantics: { readFilters: (filters) => filters.slice(-1) },
    concerns: isOf("together"),
    touches: hasSeveral,
    isOnlyNamed: true,
  },
  {
    does: 'combines filters with "or" instead of "and"',
    semantics: { readFilters: (filters) => (filters.length > 1 ? [{ or: filters }] : filters) },
    concerns: isOf("together"),
    touches: hasSeveral,
    isOnlyNamed: true,
  },
  {
    does: "ignores groups inside groups",
    semantics: {
      readFilters: (filters) =>
        filters.map((filter) =>
          mapGroups(filter, (word, members, depth) => {
            const kept = depth === 0 ? members.filter((member) => !isGroup(member)) : members;
            // A group that has lost all of its members is no longer a filter.
            return kept.length < members.length && kept.length === 0
              ? { and: [] }
              : group(word, kept);
          }),
        ),
    },
    concerns: isOf("nested"),
    touches: hasGroups,
  },
  {
    does: "lets every row pass a group inside a group",
    semantics: {
      readFilters: (filters) =>
        filters.map((filter) =>
          mapGroups(filter, (word, members, depth) =>
            depth > 0 ? { and: [] } : group(word, members),
          ),
        ),
    },
    concerns: isOf("nested"),
    touches: hasGroups,
    isOnlyNamed: true,
  },
  {
    does: "lets no row pass a group inside a group",
    semantics: {
      readFilters: (filters) =>
        filters.map((filter) =>
          mapGroups(filter, (word, members, depth) =>
            depth > 0 ? { or: [] } : group(word, members),
          ),
        ),
    },
    concerns: isOf("nested"),
    touches: hasGroups,
    isOnlyNamed: true,
  },
  {
    does: "ignores groups that are more than two levels deep",
    semantics: {
      readFilters: (filters) =>
        filters.map((filter) =>
          mapGroups(filter, (word, members, depth) =>
            group(word, depth === 1 ? members.filter((member) => !isGroup(member)) : members),
          ),
        ),
    },
    concerns: isOf("nested"),
    touches: hasGroups,
    isOnlyNamed: true,
  },
  {
    does: "reads the members of inner groups as members of the outer group",
    semantics: {
      readFilters: (filters) =>
        filters.map((filter) =>
          mapGroups(filter, (word, members) => group(word, members.flatMap(membersOf))),
        ),
    },
    concerns: isOf("nested"),
    touches: hasGroups,
  },
  {
    does: 'treats "or" as "and"',
    semantics: {
      readFilters: (filters) =>
        filters.map((filter) => mapGroups(filter, (_, members) => ({ and: members }))),
    },
    concerns: isOf("nested"),
    touches: hasGroups,
  },
  {
    does: 'treats "and" inside groups as "or"',
    semantics: {
      readFilters: (filters) =>
        filters.map((filter) => mapGroups(filter, (_, members) => ({ or: members }))),
    },
    concerns: isOf("nested"),
    touches: hasGroups,
    isOnlyNamed: true,
  },
  {
    does: "applies only the first member of a group",
    semantics: {
      readFilters: (filters) =>
        filters.map((filter) =>
          mapGroups(filter, (word, members) => group(word, members.slice(0, 1))),
        ),
    },
    concerns: isOf("nested"),
    touches: hasGroups,
    isOnlyNamed: true,
  },
  {
    does: 'ignores groups with "or"',
    semantics: {
      readFilters: (filters) =>
        filters.map((filter) =>
          mapGroups(filter, (word, members) => (word === "or" ? { and: [] } : { and: members })),
        ),
    },
    concerns: isOf("nested"),
    touches: hasGroups,
    isOnlyNamed: true,
  },
  {
    does: "ignores groups of filters",
    semantics: { readFilters: (filters) => filters.filter((filter) => !isGroup(filter)) },
    concerns: isOf("nested"),
    touches: hasGroups,
    isOnlyNamed: true,
  },
];
