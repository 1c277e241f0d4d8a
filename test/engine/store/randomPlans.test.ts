import { openStore, type Store } from "../../../engine/index.ts";
import { rounds } from "../../support/layer.ts";
import { suite } from "../../support/suite.ts";
import { createRandom, withSeed, type Random } from "../../support/random.ts";
import { checkAnswer } from "../checkAnswer.ts";
import { makePlan } from "../randomPlan.ts";
import { makeRows, makeTables, type RandomTable } from "../randomTables.ts";
import { referenceBounds, type Row, type Tables } from "../referenceEngine.ts";
import { makeFolder, toBatch, toCells } from "../tables.ts";

/** Row counts of the quick layer. `query.test.ts` covers tables that are larger than a row group. */
const quickCounts = [0, 1, 2, 300, 4095, 4096, 4097];

/** Creates the tables and appends their rows in parts of random size. */
async function load(random: Random, store: Store, tables: readonly RandomTable[], rows: Tables) {
  for (const { name, columns } of tables) {
    const definitions = columns.map((column) => ({ name: column.name, type: column.type }));
    await store.create({ name, columns: definitions, temporary: true });
    const all: readonly Row[] = rows[name];
    for (let start = 0; start < all.length;) {
      const end = Math.min(all.length, start + 1 + random.below(all.length));
      await store.append({ table: name, rows: toBatch(definitions, all.slice(start, end)) });
      start = end;
    }
  }
}

suite("engine/store/randomPlans", (test) => {
  let folder: Awaited<ReturnType<typeof makeFolder>>;
  let store: Store;
  test.before(async () => {
    folder = await makeFolder();
    store = await openStore({ dir: folder.path, workers: 2, memoryBytes: 2 ** 30 });
  });
  test.after(async () => {
    await store.close();
    await folder.remove();
  });

  for (const [rowCount, planCount, wordCount] of [
    [0, 40, 1],
    [1, 60, 1],
    [2, 60, 2],
    [300, 200, 100],
    [4095, 12, 255],
    [4096, 12, 256],
    [4097, 12, 4000],
    [65_535, 2, 65_535],
    [65_536, 2, 65_536],
    [65_537, 2, 65_537],
    [140_000, 1, 300_000],
  ] as const)
    (quickCounts.includes(rowCount) ? test : test.deep)(
      `random plans over ${rowCount} rows return the same answers as the row-at-a-time engine`,
      async () => {
        const random = createRandom();
        await withSeed(random, async () => {
          const tables = makeTables({ wordCount, hasExtremes: true });
          const rows = makeRows(random, tables, rowCount);
          await load(random, store, tables, rows);
          for (let round = 0; round < planCount / rounds({ quick: 40, deep: 1 }); round++) {
            const plan = makePlan(random, { tables, isSql: false });
            const label = JSON.stringify(plan);
            const answer = await store.query(plan).catch((cause: unknown) => {
              throw new Error(label, { cause });
            });
            checkAnswer(toCells(answer), plan, referenceBounds(plan, rows["t"], rows), label);
          }
          for (const { name } of tables) await store.drop({ table: name });
        });
      },
    );
});
