import {
  functionDefinitions,
  leaves,
  namesIn,
  type ColumnFilter,
  type Derived,
  type Expression,
  type Filter,
  type Query,
} from "../../plugins/protocol/index.ts";
import { longestText } from "../../plugins/meanings/index.ts";
import type { BoundQuery } from "./boundQuery.ts";
import { earlierPeriods } from "./earlierPeriods.ts";
import { defaultLimits } from "./limits.ts";
import type { ParsedQuery } from "./parsedQuery.ts";
import type { QueriedDataset } from "./queriedDataset.ts";
import type { Work } from "./workMeter.ts";

/**
 * The row count assumed for a dataset of unknown size, so that a query with too many expressions is rejected for any
 * data.
 */
const unknownRowCount = 20_000;
/** Assumed characters per string of a column. */
const usualLength = 50;

export interface EstimatedWork {
  readonly work: Work;
  readonly rowCount: number;
}

/**
 * Estimates the work of a bound query from what the host already knows: row counts, distinct string counts and the
 * query itself. Group estimates are upper bounds. O(size of the query).
 */
export function estimateWork(bound: BoundQuery, parsed: ParsedQuery): EstimatedWork {
  const { query, dataset, joined, formulas } = bound;
  const rowCount = rowsOf(dataset);
  const textCounts = createTextCounts(bound, rowCount);
  const derived = [
    ...(query.derived ?? []),
    ...(query.joins ?? []).flatMap((join) => join.derived ?? []),
  ];
  const derivedById = new Map(derived.map((each) => [each.id, each]));
  const countOf = (id: string): number => {
    const each = derivedById.get(id);
    return each
      ? computedCount(each.expression, textCounts, rowCount)
      : (textCounts(id) ?? rowCount);
  };
  const filters = [
    ...query.filters.flatMap((filter: Filter) => leaves(filter)),
    ...(query.joins ?? []).flatMap((join) =>
      (join.filters ?? []).flatMap((filter: Filter) => leaves(filter)),
    ),
  ];
  const stringTests = filters
    .filter(isStringTest)
    .reduce((sum, { column_id: id }) => sum + countOf(id), 0);
  const expressions = derived.map(({ expression }: Derived) => ({
    ...measureExpression(expression),
    times: computedCount(expression, textCounts, rowCount),
  }));
  const groups = groupsOf(query, countOf, rowCount);
  const ofGroups = formulas.map(({ expression }) => ({
    ...measureExpression(expression),
    times: groups,
  }));
  const computed = [...expressions, ...ofGroups];
  const measures = query.columns.filter(({ aggregation }) => aggregation !== undefined).length;
  const cells = certainCells(bound);
  const pastCount = earlierPeriods(bound.calculations).length;
  return {
    rowCount: Math.max(rowCount, ...joined.map(rowsOf)),
    work: {
      string_tests: (1 + pastCount) * stringTests,
      row_tests: (1 + pastCount) * filters.length * rowCount,
      computed_values:
        pastCount * rowCount +
        computed.reduce((sum, { nodeCount, times }) => sum + nodeCount * times, 0),
      string_length: Math.max(0, ...computed.map(({ characters }) => characters)),
      computed_characters: computed.reduce(
        (sum, { characters, times }) => sum + characters * times,
        0,
      ),
      joined_rows: joined.length * rowCount,
      ...(query.options.pushdown && {
        group_values: (1 + pastCount) * Math.max(1, measures) * groups,
      }),
      ...(cells !== undefined && { cells }),
      combinations: combinationsOf(bound, parsed, countOf),
      subqueries:
        pastCount +
        (parsed.rollup ? parsed.dimensions.filter(({ isComplete }) => isComplete).length : 0),
    },
  };
}

/**
 * Returns the number of cells of an answer with plain rows, no filters and no limit per group; undefined for other
 * answers, or if the row count is unknown.
 */
export function certainCells({ query, dataset, joined, cells }: BoundQuery): number | undefined {
  const { filters, groupLimit, limit, options } = query;
  const known = dataset.connection.sizeOf?.(dataset.source.id)?.rowCount;
  if (
    options.pushdown ||
    groupLimit ||
    filters.length > 0 ||
    joined.length > 0 ||
    known === undefined
  )
    return undefined;
  const { by = Infinity, offset = 0 } = limit ?? {};
  return Math.max(0, Math.min(by, known - offset)) * cells.length;
}

function rowsOf({ rowCount, connection, source }: QueriedDataset): number {
  return connection.sizeOf?.(source.id)?.rowCount ?? rowCount ?? unknownRowCount;
}

/**
 * Returns a function that counts the distinct strings of a column. The function returns undefined for a column of
 * another type.
 */
function createTextCounts(
  { dataset, joined, query }: BoundQuery,
  rowCount: number,
): (id: string) => number | undefined {
  const own = dataset.connection.sizeOf?.(dataset.source.id)?.textCounts;
  const others = new Map<string, number>();
  for (const [index, join] of (query.joins ?? []).entries()) {
    const each = joined[index];
    const counts = each?.connection.sizeOf?.(each.source.id)?.textCounts;
    for (const { id, column_id: columnId, type } of join.columns) {
      const count =
        counts?.get(columnId) ?? (type === "hierarchy" && each ? rowsOf(each) : undefined);
      if (count !== undefined) others.set(id, count);
    }
  }
  const types = new Map(dataset.source.columns.map(({ id, type }) => [id, type]));
  return (id) =>
    own?.get(id) ?? others.get(id) ?? (types.get(id) === "hierarchy" ? rowCount : undefined);
}

function isStringTest({ expression }: ColumnFilter): boolean {
  return /like|with/.test(expression);
}

/**
 * Returns how often an expression is computed: once per distinct string if it reads a single string column, otherwise
 * once per row.
 */
function computedCount(
  expression: Expression,
  textCounts: (id: string) => number | undefined,
  rowCount: number,
): number {
  const [first, ...others] = [...new Set(namesIn(expression).columnIds)];
  if (first === undefined) return 1;
  return others.length > 0 ? rowCount : (textCounts(first) ?? rowCount);
}

interface ExpressionSize {
  readonly nodeCount: number;
  /** Upper bound of the characters that the string functions write for one value. */
  readonly characters: number;
}

/** Measures an expression. No string is longer than the maximum length, because functions return null instead. */
function measureExpression(expression: Expression): ExpressionSize {
  let nodeCount = 0;
  let characters = 0;
  /** Returns the length of a part's value when the value is written as a string. */
  const visit = (part: Expression): number => {
    nodeCount++;
    if (part.kind === "column") return usualLength;
    if (part.kind === "literal") return String(part.value ?? "").length;
    const lengths = part.args.map(visit);
    const { result } = functionDefinitions[part.function];
    // The length of a number or an instant that is written as a string.
    if (result !== "hierarchy" && result !== "T") return 24;
    const length = Math.min(longestText, lengthOf(part, lengths));
    // A function with result `T` only returns one of its arguments, whose characters are already counted.
    if (result === "hierarchy") characters += length;
    return length;
  };
  visit(expression);
  return { nodeCount, characters };
}

type Call = Extract<Expression, { readonly kind: "call" }>;

function lengthOf({ function: name, args }: Call, lengths: readonly number[]): number {
  const [first = 0, second = 0, third = 0] = lengths;
  const numberAt = (index: number): number => {
    const arg = args[index];
    return arg?.kind === "literal" && typeof arg.value === "number"
      ? Math.max(0, arg.value)
      : longestText;
  };
  if (name === "repeat") return first * numberAt(1);
  if (name === "padStart" || name === "padEnd") return numberAt(1);
  if (name === "replace")
    return first * Math.max(1, third / (args[1]?.kind === "literal" ? Math.max(1, second) : 1));
  return name === "concat" ? lengths.reduce((sum, each) => sum + each, 0) : Math.max(...lengths);
}

/** Number of periods or bins assumed for a dimension with `include_nonoccurring`. */
const usualPeriodCount = 1_000;

/**
 * Returns an upper bound of the combinations of the dimensions with `include_nonoccurring`, capped at the rows that an
 * answer may have.
 */
function combinationsOf(
  { query, cells }: BoundQuery,
  { dimensions, rollup }: ParsedQuery,
  countOf: (id: string) => number,
): number {
  if (!rollup || !dimensions.some(({ isComplete }) => isComplete)) return 0;
  const counts = dimensions.map((dimension, index) => {
    const column = query.columns[cells[index] ?? -1];
    if (!column) return 1;
    const count = countOf(column.column_id);
    return column.level || column.bin ? Math.min(count, usualPeriodCount) : count;
  });
  return Math.min(
    defaultLimits.answerRowCount,
    counts.reduce((product, count) => product * Math.max(1, count), 1),
  );
}

/** Returns an upper bound of a query's groups. */
function groupsOf(query: Query, countOf: (id: string) => number, rowCount: number): number {
  let groups = 1;
  for (const { column_id: id, aggregation } of query.columns)
    if (aggregation === undefined) groups = Math.min(rowCount, groups * Math.max(1, countOf(id)));
  return groups;
}
