import { openStore } from "../../engine/index.ts";
import { createRandom } from "../support/random.ts";

/**
 * A process that changes one table until it is killed. Before every change it prints the state that
 * is acknowledged and the state that the change leads to: the number of columns, then the rows.
 * Exits with 3 when the folder is locked.
 */
const [dir, seed] = [process.argv[2], Number(process.argv[3])];
const random = createRandom(seed);
const store = await openStore({ dir, workers: 1, memoryBytes: 2 ** 28 }).catch(() =>
  process.exit(3),
);
if (store.table("t")) await store.drop({ table: "t" });
await store.create({ name: "t", columns: [{ name: "c0", type: "number" }] });
let columnCount = 1;
let rows: number[] = [];
for (let step = 1; ; step++) {
  const added = Array.from({ length: 1 + random.below(3) }, (_, index) => step * 10 + index);
  const batch = {
    names: ["c0"],
    batch: {
      rowCount: added.length,
      columns: [{ type: "number" as const, values: Float64Array.from(added) }],
    },
  };
  const kind =
    rows.length > 30
      ? "replace"
      : random.pick(["append", "append", "replace", "alter", "widen"] as const);
  const column = { name: `c${columnCount}`, type: "number" as const };
  const next = kind === "replace" ? added : kind === "alter" ? rows : [...rows, ...added];
  const nextCount = columnCount + (kind === "alter" || kind === "widen" ? 1 : 0);
  process.stdout.write(
    `${JSON.stringify({ now: [columnCount, ...rows], next: [nextCount, ...next] })}\n`,
  );
  if (kind === "append") await store.append({ table: "t", rows: batch });
  else if (kind === "widen") await store.append({ table: "t", rows: batch, addColumns: [column] });
  else if (kind === "alter") await store.alter({ table: "t", add: [column] });
  else await store.replace({ table: "t", rows: batch });
  rows = next;
  columnCount = nextCount;
}
