import { isObject } from "../../base/index.ts";
import type { QueryAnswer } from "../../queries/index.ts";
import { instanceColumns } from "../../resources/index.ts";
import { type Observation, wholeKey } from "./step.ts";

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
 * condition.
 */
export function observe(
  { query, recovery: recoveryQuery, instance_by }: ObservedAlert,
  answer: QueryAnswer,
  recovery?: QueryAnswer,
): Observation {
  const by = instance_by ?? [];
  const matching = keysOf(answer, instanceColumns(by, query));
  if (!recovery) return { kind: "answer", matching };
  return {
    kind: "answer",
    matching,
    recovered: keysOf(recovery, instanceColumns(by, recoveryQuery)),
  };
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
  const { kind, matching, recovered } = observation;
  const columns = instanceColumns(instance_by ?? [], query);
  const dimensions = isObject<"dimensions">(query) ? query.dimensions : undefined;
  const dimensionCount = Array.isArray(dimensions) ? dimensions.length : 0;
  const isKept = answer !== undefined && answer.data.length <= mostKeptRows;
  return {
    kind,
    matching: [...matching],
    ...(recovered && { recovered: [...recovered] }),
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
  const { kind, matching, recovered } = stored;
  if (kind === "error") return { kind };
  return {
    kind: "answer",
    matching: keysIn(matching),
    ...(recovered !== undefined && { recovered: keysIn(recovered) }),
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

const keyOf = (row: readonly unknown[], columns: readonly number[]): string =>
  JSON.stringify(columns.map((column) => plainCell(row[column])));

const plainCell = (cell: unknown): unknown =>
  typeof cell === "object" && cell !== null && "id" in cell ? cell.id : (cell ?? null);
