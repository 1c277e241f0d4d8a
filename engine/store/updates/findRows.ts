import type { Memory } from "../../memory/memory.ts";
import { bindKeys } from "../../plan/bindKeys.ts";
import { bindPlan } from "../../plan/bindPlan.ts";
import type { Pool } from "../../pool/pool.ts";
import type { Snapshot } from "../../table/snapshot.ts";
import type { ColumnDefinition, UpdateRequest } from "../../types.ts";
import type { FoundRows } from "./planUpdate.ts";

/**
 * Returns the names of the columns that an update reads: first those of its key, then those that it does not contain,
 * unless it deletes its rows.
 */
export function readColumns(
  { rows, key, deletes = false }: UpdateRequest,
  columns: readonly ColumnDefinition[],
): readonly string[] {
  const others = columns.map(({ name }) => name).filter((name) => !rows.names.includes(name));
  return [...key, ...(deletes ? [] : others)];
}

/**
 * Finds the stored rows whose key is one of the keys of an update, by scanning the columns of the key in the threads.
 * Also reads the columns that the update does not contain, unless it deletes its rows.
 * @throws {EngineError} BATCH_MALFORMED, and the errors of running a plan
 */
export async function findRows(
  request: UpdateRequest,
  snapshot: Snapshot,
  { memory, pool }: { readonly memory: Memory; readonly pool: Pool },
): Promise<FoundRows> {
  const { rows, key, tenant } = request;
  const columns = new Map(key.map((name) => [name, rows.batch.columns[rows.names.indexOf(name)]]));
  const definitions = [...snapshot.columns.values()].map(({ definition }) => definition);
  const names = readColumns(request, definitions);
  const wantedKeys = bindKeys(columns, snapshot);
  const outputs = names.map((name) => ({ kind: "key", of: { kind: "column", name } }) as const);
  const plan = { table: snapshot.table, outputs, grouped: false };
  const bound = bindPlan(plan, new Map([[snapshot.table, snapshot]]), memory).plan;
  const answer = await pool.run({ ...bound, wantedKeys }, { ...(tenant && { tenant }) });
  const at = outputs.length;
  const [rowNumbers = none, keyNumbers = none] = answer.columns.slice(at);
  return {
    rowNumbers,
    keyNumbers,
    kept: new Map(
      names.flatMap((name, index) =>
        index < key.length ? [] : [[name, answer.columns[index] ?? none] as const],
      ),
    ),
  };
}

const none = new Float64Array(0);
