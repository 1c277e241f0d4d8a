import { isObject, type Members } from "../../base/index.ts";
import type { QueryAnswer } from "../../queries/index.ts";
import { instanceColumns } from "../../resources/index.ts";
import { type AlertState, type Observation, wholeKey } from "./step.ts";

/** Maximum number of instances followed per alert. Further instances are only counted. */
const mostInstances = 1_000;

/** The queries of an alert and the columns that identify its instances. */
export interface ObservedAlert {
  readonly query: unknown;
  readonly recovery: unknown;
  readonly instance_by: readonly string[] | null;
}

/**
 * Turns answers into an observation. The alert matches if its answer has rows; an instance matches if a row contains
 * its key. Keys are the cells of the instance's columns as JSON. `recovery` is the answer to the query of the recovery
 * condition, and `values` the answer to `valuesQuery`.
 */
export function observe(
  { query, recovery: recoveryQuery, instance_by }: ObservedAlert,
  answer: QueryAnswer,
  { recovery, values }: OtherAnswers = {},
): Observation {
  const by = instance_by ?? [];
  const columns = instanceColumns(by, query);
  const matching = keysOf(answer, columns);
  return {
    kind: "answer",
    matching,
    ...(recovery && { recovered: keysOf(recovery, instanceColumns(by, recoveryQuery)) }),
    ...(values &&
      columns.length > 0 && {
        reporting: new Set([...matching, ...values.data.map((row) => keyOf(row, columns))]),
      }),
  };
}

/** The answers of an evaluation other than that of the alert's query. */
export interface OtherAnswers {
  /** The answer to the query of the recovery condition. */
  readonly recovery?: QueryAnswer | undefined;
  /** The answer to `valuesQuery`. */
  readonly values?: QueryAnswer | undefined;
}

/**
 * Returns the query for the present values of instances that were not ok and do not match: the alert's query without
 * its condition on groups, and only for these instances if filters can select them. Undefined if no such instance
 * exists, or if the query has no condition on groups, because its answer then contains every value.
 */
export function valuesQuery(
  { query, instance_by }: Pick<ObservedAlert, "query" | "instance_by">,
  state: AlertState,
  matching: ReadonlySet<string>,
): object | undefined {
  if (!isObject<"having" | "where" | "dimensions">(query)) return undefined;
  const { having, order: _order, limit: _limit, where, ...rest } = query;
  const gone = [...state].filter(([key, { status }]) => status !== "ok" && !matching.has(key));
  if (gone.length === 0 || !Array.isArray(having) || having.length === 0) return undefined;
  const columns = instanceColumns(instance_by ?? [], query);
  const dimensions = Array.isArray(rest.dimensions) ? rest.dimensions.filter(isObject) : [];
  const own = columns.map((column) => dimensions[column]);
  const keys = gone.flatMap(([key]) => (key === wholeKey ? [] : [readKey(key)]));
  if (columns.length > 0 && keys.length === 0) return undefined;
  const only = own.every(isPlain)
    ? own.map((dimension, index) => ({
        expression: "? in ?",
        parameters: [dimension, [...new Set(keys.map((key) => key[index] ?? null))]],
      }))
    : [];
  return { ...rest, where: [...(Array.isArray(where) ? where : []), ...only] };
}

/** Returns whether a dimension consists of stored values, which filters can compare with the cells of an answer. */
const isPlain = (dimension: Members<"column_id"> | undefined): boolean =>
  dimension !== undefined &&
  typeof dimension.column_id === "string" &&
  Object.keys(dimension).every((member) => member === "column_id" || member === "dataset_id");

/** Returns the cells of an instance from its key. */
export function readKey(key: string): readonly unknown[] {
  const cells: unknown = key === wholeKey ? [] : JSON.parse(key);
  return Array.isArray(cells) ? cells : [];
}

/** Describes how many instances of an answer are not followed; undefined if all instances are. */
export function restOf(
  { query, instance_by }: Pick<ObservedAlert, "query" | "instance_by">,
  { data }: QueryAnswer,
): string | undefined {
  const columns = instanceColumns(instance_by ?? [], query);
  if (columns.length === 0 || data.length <= mostInstances) return undefined;
  const count = new Set(data.map((row) => keyOf(row, columns))).size;
  if (count <= mostInstances) return undefined;
  return `the answer has ${count} instances, but only the first ${mostInstances} are watched; narrow the query`;
}

/** Maximum number of rows whose numbers the ledger stores. For a longer answer, the ledger stores no numbers. */
const mostKeptRows = 100;

/**
 * Returns an observation in the form that the ledger stores: the keys, and in `values` the key and measures of each
 * row. With these, other thresholds can be tried without a query.
 */
export function storeObservation(
  observation: Observation,
  { query, instance_by }: Pick<ObservedAlert, "query" | "instance_by">,
  answer: QueryAnswer | undefined,
): Readonly<Record<string, unknown>> {
  if (observation.kind === "error") return { kind: "error" };
  const { kind, matching, recovered, reporting } = observation;
  const columns = instanceColumns(instance_by ?? [], query);
  const dimensions = isObject<"dimensions">(query) ? query.dimensions : undefined;
  const dimensionCount = Array.isArray(dimensions) ? dimensions.length : 0;
  const isKept = answer !== undefined && answer.data.length <= mostKeptRows;
  return {
    kind,
    matching: [...matching],
    ...(recovered && { recovered: [...recovered] }),
    ...(reporting && { reporting: [...reporting] }),
    ...(isKept && {
      values: answer.data.map((row) => [
        columns.length === 0 ? wholeKey : keyOf(row, columns),
        ...row.slice(dimensionCount),
      ]),
    }),
  };
}

/** Reads an observation from the ledger; undefined for a slot without an observation. */
export function readObservation(stored: unknown): Observation | undefined {
  if (!isObject(stored)) return undefined;
  const keysIn = (value: unknown) => new Set(Array.isArray(value) ? value.map(String) : []);
  const { kind, matching, recovered, reporting } = stored;
  if (kind === "error") return { kind };
  return {
    kind: "answer",
    matching: keysIn(matching),
    ...(recovered !== undefined && { recovered: keysIn(recovered) }),
    ...(reporting !== undefined && { reporting: keysIn(reporting) }),
  };
}

function keysOf({ data }: QueryAnswer, columns: readonly number[]): ReadonlySet<string> {
  if (columns.length === 0) return new Set(data.length > 0 ? [wholeKey] : []);
  const keys = new Set<string>();
  for (const row of data) {
    if (keys.size === mostInstances) break;
    keys.add(keyOf(row, columns));
  }
  return keys;
}

/** Returns the key of the instance to which a row belongs, given the positions of the instance's columns. */
export const keyOf = (row: readonly unknown[], columns: readonly number[]): string =>
  JSON.stringify(columns.map((column) => plainCell(row[column])));

const plainCell = (cell: unknown): unknown =>
  typeof cell === "object" && cell !== null && "id" in cell ? cell.id : (cell ?? null);
