import type { Memory } from "../../memory/memory.ts";
import { bindKeys } from "../../plan/bindKeys.ts";
import { bindPlan } from "../../plan/bindPlan.ts";
import type { Pool } from "../../pool/pool.ts";
import type { Snapshot } from "../../table/snapshot.ts";
import type { UpdateRequest } from "../../types.ts";
import type { FoundRows } from "./planUpdate.ts";

/**
 * Finds the stored rows whose key is one of the keys of an update, by scanning the columns of the key in the threads.
 * Also reads the columns that the update does not contain, unless it deletes its rows.
 * @throws {EngineError} BATCH_MALFORMED, and the errors of running a plan
 */
export async function findRows(
  { rows, key, deletes = false, tenant }: UpdateRequest,
  snapshot: Snapshot,
  { memory, pool }: { readonly memory: Memory; readonly pool: Pool },
): Promise<FoundRows> {
  const columns = new Map(key.map((name) => [name, rows.batch.columns[rows.names.indexOf(name)]]));
  const others = deletes
    ? []
    : [...snapshot.columns.keys()].filter((name) => !rows.names.includes(name));
  const wantedKeys = bindKeys(columns, snapshot);
  const outputs = [...key, ...others].map(
    (name) => ({ kind: "key", of: { kind: "column", name } }) as const,
  );
  const plan = { table: snapshot.table, outputs, grouped: false };
  const bound = bindPlan(plan, new Map([[snapshot.table, snapshot]]), memory).plan;
  const answer = await pool.run({ ...bound, wantedKeys }, { ...(tenant && { tenant }) });
  const at = outputs.length;
  const [rowNumbers = none, keyNumbers = none] = answer.columns.slice(at);
  return {
    rowNumbers,
    keyNumbers,
    kept: new Map(
      others.map((name, index) => [name, answer.columns[key.length + index] ?? none] as const),
    ),
  };
}

const none = new Float64Array(0);
