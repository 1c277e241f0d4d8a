import { nodeFiles } from "../../engine/files/files.ts";
import type { NamedBatch } from "../../engine/index.ts";
import { openStoreWith } from "../../engine/store/openStore.ts";
import { createRandom } from "../support/random.ts";

/**
 * The state of a table: its columns, the type of its first column, and its rows as runs of consecutive numbers.
 * Undefined if the table does not exist.
 */
export type ChurnState =
  | undefined
  | {
      readonly columnCount: number;
      readonly type: "number" | "text";
      readonly runs: readonly (readonly [first: number, count: number])[];
    };

/**
 * A process that changes one table until it is killed. Before every change it prints the acknowledged state and the
 * state after the change. Logs are compacted early, partly in the background. Exits with 3 if the folder is locked.
 */
const [dir, seed] = [process.argv[2], Number(process.argv[3])];
const random = createRandom(seed);
const store = await openStoreWith(
  { dir, workers: 1, memoryBytes: 2 ** 28 },
  nodeFiles,
  2 ** 18,
).catch(() => process.exit(3));
if (store.table("t")) await store.drop({ table: "t" });
let state: ChurnState;

for (let step = 1; ; step++) {
  const first = step * 100_000;
  const count = random.chance(0.3) ? 20_000 + random.below(60_000) : 1 + random.below(3);
  if (!state) {
    const next: ChurnState = { columnCount: 1, type: "number", runs: [] };
    announce(next);
    await store.create({ name: "t", columns: [{ name: "c0", type: "number" }] });
    state = next;
    continue;
  }
  const { columnCount, type, runs } = state;
  const rowCount = runs.reduce((sum, run) => sum + run[1], 0);
  const kind =
    rowCount > 300_000
      ? random.pick(["replace", "drop"] as const)
      : random.pick([
          ...(["append", "append", "append", "widen", "alter", "compact", "compact"] as const),
          ...(["replace", "retype", "drop"] as const),
          ...(runs.length > 0 ? (["update", "update", "delete"] as const) : []),
        ]);
  const rows = toRows(first, count, type);
  const more = [...runs, [first, count] as const];
  const column = { name: `c${step}`, type: "number" as const };
  if (kind === "append") {
    announce({ ...state, runs: more });
    await store.append({ table: "t", rows });
    state = { ...state, runs: more };
  } else if (kind === "widen") {
    const next = { ...state, columnCount: columnCount + 1, runs: more };
    announce(next);
    await store.append({ table: "t", rows, addColumns: [column] });
    state = next;
  } else if (kind === "alter") {
    const next = { ...state, columnCount: columnCount + 1 };
    announce(next);
    await store.alter({ table: "t", add: [column] });
    state = next;
  } else if (kind === "retype") {
    const next = { ...state, type: type === "text" ? ("number" as const) : ("text" as const) };
    announce(next);
    await store.alter({ table: "t", retype: [{ name: "c0", type: next.type }] });
    state = next;
  } else if (kind === "update" || kind === "delete") {
    // Updated rows move to the end. Their columns that the update lacks keep their values.
    const chosen = random.pick(runs);
    const others = runs.filter((run) => run !== chosen);
    const next = { ...state, runs: kind === "update" ? [...others, chosen] : others };
    announce(next);
    await store.update({
      table: "t",
      rows: toRows(...chosen, type),
      key: ["c0"],
      missing: "refuse",
      deletes: kind === "delete",
    });
    state = next;
  } else if (kind === "replace") {
    const next = { ...state, runs: [[first, count] as const] };
    announce(next);
    await store.replace({ table: "t", rows });
    state = next;
  } else if (kind === "drop") {
    announce(undefined);
    await store.drop({ table: "t" });
    state = undefined;
  } else {
    announce(state);
    await store.compact({ table: "t" });
  }
}

function announce(next: ChurnState): void {
  process.stdout.write(`${JSON.stringify({ now: state ?? null, next: next ?? null })}\n`);
}

function toRows(first: number, count: number, type: "number" | "text"): NamedBatch {
  const values = Float64Array.from({ length: count }, (_, index) => first + index);
  const codes = Int32Array.from({ length: count }, (_, index) => index);
  return {
    names: ["c0"],
    batch: {
      rowCount: count,
      columns: [
        type === "number"
          ? { type, values }
          : { type, codes, dictionary: Array.from(values, (value) => String(value)) },
      ],
    },
  };
}
