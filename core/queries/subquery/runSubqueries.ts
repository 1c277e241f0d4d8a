import { type Batch, leaves, mapTree } from "../../../plugins/protocol/index.ts";
import { chooseBin } from "./chooseBin.ts";
import type {
  Condition,
  ConditionLeaf,
  ParsedQuery,
  Reference,
  RelativeTest,
} from "../parsedQuery.ts";
import { conditionsOnColumn } from "./conditionsOnColumn.ts";
import { referencesIn, mapReferences } from "../references.ts";

/** Runs a subquery with the rights of the query. Returns one column per measure. */
export type RunSubquery = (parsed: ParsedQuery) => Promise<Batch>;

/**
 * Fetches the values that a query depends on, and fills them in: last values for `last_available`, and widths for a
 * number of bins. Last values come from all rows that the caller may see. Bins cover the rows that pass `where`. The
 * bins of a complete dimension cover all rows that pass the conditions on its column. If the query depends on no such
 * values, no subquery runs.
 */
export async function runSubqueries(
  parsed: ParsedQuery,
  runSubquery: RunSubquery,
): Promise<ParsedQuery> {
  return fillBins(await fillLastValues(parsed, runSubquery), runSubquery);
}

async function fillLastValues(parsed: ParsedQuery, runSubquery: RunSubquery): Promise<ParsedQuery> {
  const tests = [...parsed.where, ...parsed.having].flatMap(lastTests);
  if (tests.length === 0) return parsed;
  const references = distinct(tests.map(({ reference }) => reference));
  // One subquery per dataset, because joining would drop or repeat rows.
  const byDataset = Map.groupBy(references, ({ datasetId }) => datasetId);
  const { tree: _, ...unjoined } = parsed;
  const extremesOf = [...byDataset.values()].map((some) =>
    fetchExtremes(unjoined, some, ["max"], [], runSubquery),
  );
  const last = new Map((await Promise.all(extremesOf)).flatMap((each) => [...each]));
  const withLast = (condition: Condition): Condition =>
    mapTree(condition, (leaf) => {
      if (!isLast(leaf)) return leaf;
      const [lastMs = null] = last.get(keyOf(leaf.reference)) ?? [];
      return { ...leaf, lastMs: lastMs ?? Number.NaN };
    });
  return {
    ...parsed,
    where: parsed.where.map(withLast),
    having: parsed.having.map(withLast),
  };
}

async function fillBins(parsed: ParsedQuery, runSubquery: RunSubquery): Promise<ParsedQuery> {
  const { dimensions, measures, having, order, groupLimit } = parsed;
  const isOpen = ({ bins }: Reference) => bins !== undefined && "count" in bins;
  const mentions = [...dimensions, ...measures, ...having.flatMap(referencesIn)];
  const seconds = mentions.flatMap(({ second }) => (second ? [second] : []));
  const open = distinct([...mentions, ...seconds].filter(isOpen));
  if (open.length === 0) return parsed;
  const isWhole = (reference: Reference) =>
    dimensions.some((each) => each.isComplete && isOpen(each) && keyOf(each) === keyOf(reference));
  const { tree: _, ...unjoined } = parsed;
  const endsOf = (query: ParsedQuery, some: readonly Reference[]) =>
    some.length === 0 ? [] : fetchExtremes(query, some, ["min", "max"], query.where, runSubquery);
  const found = await Promise.all([
    endsOf(
      parsed,
      open.filter((each) => !isWhole(each)),
    ),
    ...open
      .filter(isWhole)
      .map((each) =>
        endsOf({ ...unjoined, where: conditionsOnColumn(parsed.where, each) }, [each]),
      ),
  ]);
  const ends = new Map(found.flatMap((each) => [...each]));
  const withBins = (reference: Reference): Reference => {
    const { bins, second, per } = reference;
    const [least = null, most = null] = ends.get(keyOf(reference)) ?? [];
    return {
      ...reference,
      ...(bins && "count" in bins && { bins: chooseBin(bins.count, least, most) }),
      ...(second && { second: withBins(second) }),
      ...(per && { per: per.map(withBins) }),
    };
  };
  const withBinsIn = (condition: Condition): Condition =>
    mapTree(condition, (leaf) =>
      "operands" in leaf
        ? mapReferences(leaf, withBins)
        : { ...leaf, reference: withBins(leaf.reference) },
    );
  return {
    ...parsed,
    dimensions: dimensions.map(withBins),
    measures: measures.map(withBins),
    having: having.map(withBinsIn),
    order: order.map((item) => ({ ...item, reference: withBins(item.reference) })),
    ...(groupLimit && { groupLimit: { ...groupLimit, per: groupLimit.per.map(withBins) } }),
  };
}

/** Fetches the extremes of columns with one query. */
async function fetchExtremes(
  { path, timezoneId, tree }: ParsedQuery,
  references: readonly Reference[],
  aggregations: readonly ("min" | "max")[],
  where: readonly Condition[],
  runSubquery: RunSubquery,
): Promise<ReadonlyMap<string, readonly (number | null)[]>> {
  const batch = await runSubquery({
    path,
    dimensions: [],
    measures: references.flatMap(({ path: at, columnId, datasetId, expression }) =>
      aggregations.map((aggregation) => ({
        path: at,
        columnId,
        datasetId,
        ...(expression !== undefined && { expression }),
        level: undefined,
        aggregation,
      })),
    ),
    where,
    having: [],
    order: [],
    limit: undefined,
    rollup: true,
    timezoneId,
    ...(tree && { tree }),
  });
  const values = batch.columns.map((vector) => {
    const value = vector.type === "hierarchy" ? undefined : vector.values[0];
    return value === undefined || Number.isNaN(value) ? null : value;
  });
  const { length } = aggregations;
  return new Map(
    references.map((reference, index) => [
      keyOf(reference),
      values.slice(index * length, (index + 1) * length),
    ]),
  );
}

function lastTests(condition: Condition): readonly RelativeTest[] {
  return leaves(condition).filter(isLast);
}

function isLast(condition: ConditionLeaf): condition is RelativeTest {
  return "relative" in condition && condition.relative === "last_available";
}

function distinct(references: readonly Reference[]): readonly Reference[] {
  return [...new Map(references.map((reference) => [keyOf(reference), reference])).values()];
}

function keyOf({ datasetId, columnId, expression }: Reference): string {
  return JSON.stringify([datasetId, columnId, expression]);
}
