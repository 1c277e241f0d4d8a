import {
  operatorDefinitions,
  type Aggregation,
  type Cell,
  type Operator,
} from "../../../plugins/protocol/index.ts";
import { isObject, type Members } from "../../base/index.ts";
import type { Answer } from "./createCall.ts";

/** A column of a query. Rows are grouped by a column without an aggregation. */
export interface QueriedColumn {
  readonly id: string;
  readonly aggregation?: Aggregation;
}

/** A filter on one column of a dataset, from a token or a query. */
export interface Test {
  readonly columnId: string;
  readonly operator: Operator;
  readonly value?: readonly Cell[];
}

/** A query over one dataset that both the host and the reference can execute. */
export interface TestQuery {
  readonly datasetId: string;
  readonly columns: readonly QueriedColumn[];
  readonly tests: readonly Test[];
  /** Whether to return plain rows instead of groups. */
  readonly isRaw: boolean;
}

/** Returns the `find` member with which a test query is sent to the host. */
export function findOf({ datasetId, columns, tests, isRaw }: TestQuery): Members {
  const item = ({ id, aggregation }: QueriedColumn): Members => ({
    dataset_id: datasetId,
    column_id: id,
    ...(aggregation && { aggregation: { type: aggregation } }),
  });
  const dimensions = columns.filter(({ aggregation }) => !aggregation).map(item);
  const measures = columns.filter(({ aggregation }) => aggregation).map(item);
  const where = tests.map(({ columnId, operator, value }) => ({
    expression: value ? `? ${operator} ?` : `? ${operator}`,
    parameters: [
      { dataset_id: datasetId, column_id: columnId },
      ...(value ? [operatorDefinitions[operator].values === "list" ? value : value[0]] : []),
    ],
  }));
  return {
    ...(dimensions.length > 0 && { dimensions }),
    ...(measures.length > 0 && { measures }),
    ...(where.length > 0 && { where }),
    options: { cells: "plain", ...(isRaw && { rollup_data: false }) },
  };
}

/**
 * Returns a cell as `cells: "plain"` returns it. Files of a dashboard's items contain `{id, name}` instead of strings.
 */
const plainCell = (cell: Cell | { readonly id: string }): Cell =>
  typeof cell === "object" && cell !== null ? cell.id : cell;

/** Returns the rows in the answer of a data query or in a JSON file; undefined for an error. */
export function rowsOf({ status, body }: Answer): Cell[][] | undefined {
  if (status !== 200) return undefined;
  const data: unknown = isObject<"data">(body) ? body.data : undefined;
  return Array.isArray(data) ? data.map((row) => row.map(plainCell)) : undefined;
}

/** Makes a query smaller as long as it still leaks, by removing a test, a column, or all columns of one kind. */
export async function shrink(
  query: TestQuery,
  leaks: (smaller: TestQuery) => Promise<boolean>,
): Promise<TestQuery> {
  for (const smaller of smallerOf(query)) if (await leaks(smaller)) return shrink(smaller, leaks);
  return query;
}

function* smallerOf(query: TestQuery): Generator<TestQuery, void> {
  const { columns, tests, isRaw } = query;
  const half = Math.ceil(columns.length / 2);
  if (columns.length > 3) {
    yield { ...query, columns: columns.slice(0, half) };
    yield { ...query, columns: columns.slice(half) };
  }
  for (const [at] of tests.entries()) yield { ...query, tests: tests.toSpliced(at, 1) };
  if (columns.length > 1)
    for (const [at] of columns.entries()) yield { ...query, columns: columns.toSpliced(at, 1) };
  if (isRaw) yield { ...query, isRaw: false };
}
