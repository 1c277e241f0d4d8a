import { isDeepStrictEqual } from "node:util";
import { ApiError } from "../../base/index.ts";
import { memberPath } from "../parse/readMembers.ts";
import { chooseRoot, stepsFrom, treeWithoutRoot } from "./chooseRoot.ts";
import { findLinks, keyOfEnd, notJoinable, type DatasetLink, type LinkEnd } from "./findLinks.ts";
import { findUnique } from "./findUnique.ts";
import type { LinkMemory } from "./linkMemory.ts";
import { referencesOf as columnsIn } from "../parse/parseReference.ts";
import type { FindDataset, QueriedDataset } from "../queriedDataset.ts";
import type { JoinTree, ParsedQuery, Reference } from "../parsedQuery.ts";
import { referencesIn, referencesOf } from "../references.ts";
import type { RunSubquery } from "../subquery/runSubqueries.ts";

/** Maximum number of datasets that one query may name, not counting datasets that only connect others. */
const mostNamed = 20;

/** Two ways to count the values of linked columns. */
export interface UniqueCounts {
  /** Counts the values over all rows, whoever the caller is. */
  readonly whole: RunSubquery;
  /** Counts the values over the rows that the caller may see. */
  readonly own: RunSubquery;
}

/** The counts remembered from earlier queries, and the subqueries with which to check them. */
export interface Guessing {
  readonly memory: LinkMemory;
  /** Counts the values while the query runs with the guessed tree. */
  readonly counts: UniqueCounts;
}

/** A query with the tree of its joins. */
export interface JoinedQuery {
  readonly query: ParsedQuery;
  /** The check of the tree if the tree is a guess from remembered counts; otherwise absent. */
  readonly check?: GuessCheck;
}

/** A key without repeated values among all rows of its dataset, as proved by an answer. */
export interface ProvenKey {
  readonly datasetId: string;
  /** The ids by which the plugin knows the columns of the key. */
  readonly columnIds: readonly string[];
}

export interface CountedAhead {
  /** Whether each counted key is unique, by `keyOfEnd`. */
  readonly unique: ReadonlyMap<string, boolean>;
  /** Whether the counted columns confirm the guess. */
  readonly isAsGuessed: boolean;
}

/** Compares a guess with the current rows. */
export interface GuessCheck {
  /** Counts the columns that the answer is not expected to prove unique. */
  countAhead(): Promise<CountedAhead>;
  /**
   * Counts the columns that are in neither `counted` nor `proven`, and returns the query with the tree for the current
   * rows. If the guess was right, returns the same query object.
   */
  confirm(
    counted: ReadonlyMap<string, boolean>,
    proven: readonly ProvenKey[],
  ): Promise<ParsedQuery>;
}

/**
 * Finds how the datasets of a query are joined: along the links of their columns, starting from the dataset with the
 * finest rows. Values are counted over all rows, so that a query means the same to every caller. If these counts do not
 * determine a tree and row filters apply to the caller, counts only the caller's rows, so that an error reveals nothing
 * about other rows. A query of one dataset is returned unchanged.
 * @throws {ApiError} QUERY_NOT_JOINABLE, and the errors of `findDataset` and of counting
 */
export async function joinDatasets(
  parsed: ParsedQuery,
  findDataset: FindDataset,
  counts: UniqueCounts,
  guessing?: Guessing,
): Promise<JoinedQuery> {
  if (parsed.tree) return { query: parsed };
  const mentions = mentionsOf(referencesOf(parsed));
  if (new Set(mentions.map(({ datasetId }) => datasetId)).size < 2) return { query: parsed };
  const named = await findNamed(mentions, findDataset);
  if (named.length < 2) return { query: parsed };
  if (named.length > mostNamed)
    throw notJoinable(
      parsed.path,
      `the query names ${named.length} datasets, but may name at most ${mostNamed}`,
    );
  const links = await findLinks(named, findDataset, parsed.path);
  const measures = parsed.measures.flatMap((each) => (each.second ? [each, each.second] : [each]));
  const measured = await findNamed(mentionsOf(measures), findDataset);
  const way: Way = { links, preferred: [...measured, ...named], path: parsed.path };
  const memory = guessing?.memory;
  const guessed = memory && guessTree(way, memory);
  if (!guessed) return { query: { ...parsed, tree: await countTree(way, counts, memory) } };
  const query = { ...parsed, tree: guessed };
  const ends = links.flat();
  const check: GuessCheck = {
    async countAhead() {
      const filtered = new Set(
        mentionsOf(parsed.where.flatMap(referencesIn)).map(({ datasetId }) => datasetId),
      );
      const isRead = ({ dataset }: LinkEnd) =>
        dataset.rowFilters.length === 0 && !filtered.has(dataset.id);
      const ahead = countedFirst(way, memory).filter((end) => !isRead(end));
      const before = ahead.map((end) => memory.wasUnique(end));
      const unique = await countEnds(ahead, way, guessing.counts.whole, memory);
      const isAsGuessed = ahead.every((end, index) => unique.get(keyOfEnd(end)) === before[index]);
      return { unique, isAsGuessed };
    },
    async confirm(counted, proven) {
      const isProven = ({ dataset, columns }: LinkEnd) =>
        proven.some(
          (key) =>
            key.datasetId === dataset.id &&
            isDeepStrictEqual(
              key.columnIds,
              columns.map(({ pluginId }) => pluginId),
            ),
        );
      const known = new Map([
        ...ends.filter(isProven).map((end) => [keyOfEnd(end), true] as const),
        ...counted,
      ]);
      const tree = await countTree(way, guessing.counts, memory, known);
      return isDeepStrictEqual(tree, guessed) ? query : { ...parsed, tree };
    },
  };
  return { query, check };
}

/** The links between the datasets of a query, and the candidates for the root in order of preference. */
interface Way {
  readonly links: readonly DatasetLink[];
  readonly preferred: readonly QueriedDataset[];
  readonly path: string;
}

/** Chooses the tree that the remembered counts imply; undefined if they do not determine one. */
function guessTree(way: Way, memory: LinkMemory): JoinTree | undefined {
  const known = new Map<string, boolean>();
  for (const end of countedFirst(way, memory)) {
    const isUnique = memory.wasUnique(end);
    if (isUnique === undefined) return undefined;
    known.set(keyOfEnd(end), isUnique);
  }
  try {
    return treeOf(way, known);
  } catch (failure) {
    if (isNotJoinable(failure)) return undefined;
    throw failure;
  }
}

/** Chooses the tree. Counts the linked columns that are not in `known`, but no more of them than necessary. */
async function countTree(
  way: Way,
  { whole, own }: UniqueCounts,
  memory: LinkMemory | undefined,
  known: ReadonlyMap<string, boolean> = new Map(),
): Promise<JoinTree> {
  const { links, path } = way;
  const missing = (ends: readonly LinkEnd[], among: ReadonlyMap<string, boolean>) =>
    ends.filter((end) => !among.has(keyOfEnd(end)));
  const count = (ends: readonly LinkEnd[]) => countEnds(ends, way, whole, memory);
  const wanted = countedFirst(way, memory);
  const first = new Map([...known, ...(await count(missing(wanted, known)))]);
  const isDecided = wanted.every((end) => first.get(keyOfEnd(end)));
  const rest = isDecided ? [] : missing(links.flat(), first);
  const unique = new Map([...first, ...(await count(rest))]);
  try {
    return treeOf(way, unique);
  } catch (failure) {
    if (!isNotJoinable(failure)) throw failure;
    const isBound = links.flat().some(({ dataset }) => dataset.rowFilters.length > 0);
    const rootless = treeWithoutRoot(links, uniqueIn(unique), way.preferred);
    if (!isBound) return orThrow(rootless, failure);
    const visible = await findUnique(links.flat(), path, own);
    try {
      return treeOf(way, visible);
    } catch (ofVisible) {
      if (!isNotJoinable(ofVisible)) throw ofVisible;
      return orThrow(
        rootless ?? treeWithoutRoot(links, uniqueIn(visible), way.preferred),
        ofVisible,
      );
    }
  }
}

/** Returns whether columns are unique. Counts the columns whose rows may have changed since their last count. */
async function countEnds(
  ends: readonly LinkEnd[],
  { path }: Way,
  countValues: RunSubquery,
  memory: LinkMemory | undefined,
): Promise<ReadonlyMap<string, boolean>> {
  const known = new Map<string, boolean>();
  for (const end of ends) {
    const isUnique = memory?.isUnique(end);
    if (isUnique !== undefined) known.set(keyOfEnd(end), isUnique);
  }
  const changed = ends.filter((end) => !known.has(keyOfEnd(end)));
  const counted = await findUnique(changed, path, countValues);
  memory?.remember(changed, counted);
  return new Map([...known, ...counted]);
}

/**
 * Lists the linked columns to count first: the columns that must be unique for the preferred root, usually the keys of
 * small datasets. Lists all linked columns if one of these columns had repeated values before.
 */
function countedFirst(
  { links, preferred }: Way,
  memory: LinkMemory | undefined,
): readonly LinkEnd[] {
  const ends = links.flat();
  const needed = new Set(
    preferred
      .slice(0, 1)
      .flatMap(({ id }) => stepsFrom(id, links).map((step) => step.columnIds.join(" "))),
  );
  const some = ends.filter((end) => needed.has(keyOfEnd(end)));
  return some.some((end) => memory?.wasUnique(end) === false) ? ends : some;
}

function treeOf({ links, preferred, path }: Way, unique: ReadonlyMap<string, boolean>): JoinTree {
  return chooseRoot(links, uniqueIn(unique), preferred, path);
}

function uniqueIn(unique: ReadonlyMap<string, boolean>): ReadonlySet<string> {
  return new Set([...unique].flatMap(([id, isUnique]) => (isUnique ? [id] : [])));
}

function orThrow(tree: JoinTree | undefined, failure: unknown): JoinTree {
  if (tree) return tree;
  throw failure;
}

function isNotJoinable(failure: unknown): boolean {
  return failure instanceof ApiError && failure.code === "QUERY_NOT_JOINABLE";
}

/**
 * Finds the datasets that a query names, even inside expressions and formulas.
 * @throws the errors of `findDataset`
 */
export function namedDatasets(
  parsed: ParsedQuery,
  findDataset: FindDataset,
): Promise<readonly QueriedDataset[]> {
  return findNamed(mentionsOf(referencesOf(parsed)), findDataset);
}

/** A mention of a dataset, in a member or inside an expression or formula. */
interface Mention {
  readonly path: string;
  readonly datasetId: string;
  readonly isInText: boolean;
}

function mentionsOf(references: readonly Reference[]): readonly Mention[] {
  return references.flatMap(({ path, datasetId, expression, formula }) => {
    const inText = [
      ...(expression === undefined ? [] : columnsIn(expression, memberPath(path, "expression"))),
      ...(formula === undefined ? [] : columnsIn(formula, memberPath(path, "formula"))),
    ].map((column) => ({ path, datasetId: column.datasetId, isInText: true }));
    return datasetId === undefined
      ? inText
      : [{ path: memberPath(path, "dataset_id"), datasetId, isInText: false }, ...inText];
  });
}

/**
 * Lists the datasets in order of first mention. Expressions may name datasets that the caller cannot see; compiling
 * them fails.
 */
async function findNamed(
  mentions: readonly Mention[],
  findDataset: FindDataset,
): Promise<readonly QueriedDataset[]> {
  const found = await Promise.all(
    mentions.map(({ path, datasetId, isInText }) =>
      findDataset(datasetId, path).catch((failure: unknown) => {
        const isUnknown = failure instanceof ApiError && failure.code === "RECORD_NOT_FOUND";
        if (isInText && isUnknown) return undefined;
        throw failure;
      }),
    ),
  );
  const datasets = found.filter((dataset) => dataset !== undefined);
  return [...new Map(datasets.map((dataset) => [dataset.id, dataset])).values()];
}
