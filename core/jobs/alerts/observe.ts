import type { QueryAnswer } from "../../queries/index.ts";
import { instanceColumns } from "../../resources/index.ts";
import { type Observation, wholeKey } from "./step.ts";

/** Instances of one alert; further ones are counted and not followed. */
const mostInstances = 1_000;

/** The queries of an alert and the columns that identify its instances. */
export interface ObservedAlert {
  readonly query: unknown;
  readonly recovery: unknown;
  readonly instance_by: readonly string[] | null;
}

/**
 * Turns answers into an observation: the alert matches when its answer has rows, an instance when it is in one. Keys
 * are the cells of the instance's columns as JSON. `recovery` is the answer of the condition for recovery.
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

function keysOf({ data }: QueryAnswer, columns: readonly number[]): ReadonlySet<string> {
  if (columns.length === 0) return new Set(data.length > 0 ? [wholeKey] : []);
  const keys = new Set<string>();
  for (const row of data) {
    if (keys.size === mostInstances) break;
    keys.add(JSON.stringify(columns.map((column) => plainCell(row[column]))));
  }
  return keys;
}

const plainCell = (cell: unknown): unknown =>
  typeof cell === "object" && cell !== null && "id" in cell ? cell.id : (cell ?? null);
