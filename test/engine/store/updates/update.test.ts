import { join } from "node:path";
import * as assert from "uvu/assert";
import { nodeFiles } from "../../../../engine/files/files.ts";
import {
  openStore,
  type ColumnDefinition,
  type Scalar,
  type Store,
} from "../../../../engine/index.ts";
import { openStoreWith } from "../../../../engine/store/openStore.ts";
import { rounds } from "../../../support/layer.ts";
import { createRandom, withSeed, type Random } from "../../../support/random.ts";
import { eventually } from "../../../support/eventually.ts";
import { suite } from "../../../support/suite.ts";
import { checkAnswer } from "../../checkAnswer.ts";
import { plainUpdate, type PlainUpdate } from "../../../support/plainUpdate.ts";
import { makePlan } from "../../randomPlan.ts";
import { makeRows, makeTables, type RandomTable } from "../../randomTables.ts";
import { randomUpdate } from "../../randomUpdate.ts";
import { referenceBounds, type Row } from "../../referenceEngine.ts";
import { makeFolder, rejects, toBatch, toCells } from "../../tables.ts";

const memory = { workers: rounds({ quick: 1, deep: 2 }), memoryBytes: 2 ** 30 };
const namesOf = (columns: readonly ColumnDefinition[]) => columns.map(({ name }) => name);

async function readRows(store: Store, table: string, columns: readonly ColumnDefinition[]) {
  const outputs = columns.map(
    ({ name }) => ({ kind: "key", of: { kind: "column", name } }) as const,
  );
  return toCells(await store.query({ table, outputs, grouped: false }));
}

/** Like `assert.equal`, but cheap for many rows. */
function assertSame(
  found: readonly (readonly Scalar[])[],
  expected: readonly (readonly (Scalar | undefined)[])[],
): void {
  assert.is(found.length, expected.length);
  const wrong = found.findIndex((cells, row) =>
    cells.some((cell, column) => cell !== expected[row][column]),
  );
  assert.equal(found[wrong], expected[wrong], `row ${wrong}`);
}

/** Applies an update to a table and to its plain rows, compares both, and returns the plain rows. */
async function update(
  store: Store,
  { name: table, columns }: Pick<RandomTable, "name" | "columns">,
  before: readonly Row[],
  given: PlainUpdate,
): Promise<readonly Row[]> {
  const { rows, ...options } = given;
  const [first] = rows;
  if (!first) return before;
  const written = columns.filter(({ name }) => name in first);
  const expected = plainUpdate(before, given, namesOf(columns));
  const found = await store.update({ table, rows: toBatch(written, rows), ...options });
  const { refused } = found;
  assert.equal(
    { counts: found.counts, refused },
    { counts: expected.counts, refused: expected.refused },
  );
  assert.is(found.info.rowCount, expected.rows.length);
  return expected.rows;
}

async function load(
  store: Store,
  { name, columns }: RandomTable,
  rows: readonly Row[],
  temporary: boolean,
) {
  const definitions = columns.map((column) => ({ name: column.name, type: column.type }));
  await store.create({ name, columns: definitions, temporary });
  await store.append({ table: name, rows: toBatch(definitions, rows) });
}

/** Keys of `t`: unique numbers, texts, and several columns, some of which have rows with equal keys and nulls. */
const keys = [["serial"], ["word"], ["city", "small"], ["day", "accountId"], ["price"], ["real"]];

suite("engine/store/updates/update", (test) => {
  let folder: Awaited<ReturnType<typeof makeFolder>>;
  let store: Store;
  test.before(async () => {
    folder = await makeFolder();
    store = await openStore({ dir: join(folder.path, "shared"), ...memory });
  });
  test.after(async () => {
    await store.close();
    await folder.remove();
  });

  const compareUpdates = async (random: Random, rowCount: number, updateCount: number) => {
    const tables = makeTables({ wordCount: Math.max(1, rowCount), hasExtremes: true });
    const [table] = tables;
    let rows = makeRows(random, tables, rowCount)["t"];
    await load(store, table, rows, true);
    for (let each = 0; each < updateCount; each++) {
      const key = random.pick(keys);
      const given = randomUpdate(random, table, rows, { key, rowCount: 1 + random.below(200) });
      rows = await update(store, table, rows, given);
      const cells = await readRows(store, "t", table.columns);
      const plain = rows.map((row) => table.columns.map(({ name }) => row[name]));
      assert.equal(cells, plain);
    }
    await store.drop({ table: "t" });
  };

  test("random updates change the same rows as updates of a map", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      for (const rowCount of [0, 1, 30, 300])
        await compareUpdates(random, rowCount, rounds({ quick: 4, deep: 40, soak: 300 }));
    });
  });

  test.deep(
    "random updates of several row groups change the same rows as updates of a map",
    async () => {
      const random = createRandom();
      await withSeed(random, () =>
        compareUpdates(random, rounds({ quick: 70_000, deep: 70_000, soak: 140_000 }), 3),
      );
    },
  );

  for (const [rowCount, planCount] of [
    [1, 40],
    [300, 200],
    [4097, 30],
    [65_537, 4],
    [140_000, 2],
  ] as const)
    (rowCount < 4000 ? test : test.deep)(
      `random plans over ${rowCount} rows after updates return the same answers as the row-at-a-time engine`,
      async () => {
        const random = createRandom();
        await withSeed(random, async () => {
          const tables = makeTables({ wordCount: 300, hasExtremes: true });
          const rows = { ...makeRows(random, tables, rowCount) };
          for (const table of tables) {
            const { name } = table;
            await load(store, table, rows[name], true);
            const key = [name === "t" ? "serial" : "id"];
            for (let each = 0; each < 3; each++) {
              const options = {
                key,
                rowCount: 1 + random.below(Math.min(5000, rows[name].length)),
              };
              const given = randomUpdate(random, table, rows[name], options);
              rows[name] = await update(store, table, rows[name], given);
            }
          }
          for (let round = 0; round < planCount / rounds({ quick: 20, deep: 1 }); round++) {
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

  test("updated rows survive compaction, changes of columns and reopening the store", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      const dir = join(folder.path, "reopened");
      const open = () => openStoreWith({ dir, ...memory, workers: 1 }, nodeFiles, 2 ** 20);
      const columns: RandomTable["columns"] = [
        { name: "id", type: "number", make: (_, row) => row },
        { name: "text", type: "text", make: (each) => `w${each.below(50)}` },
        { name: "number", type: "number", make: (each) => each.below(100) },
      ];
      const table = { name: "t", columns };
      let own = await open();
      const make = (row: number): Row =>
        Object.fromEntries(columns.map((column) => [column.name, column.make(random, row)]));
      let rows: readonly Row[] = Array.from(
        { length: rounds({ quick: 3000, deep: 65_700 }) },
        (_, row) => make(row),
      );
      await load(own, table, rows, false);
      const check = async () => {
        const plain = rows.map((row) => columns.map(({ name }) => row[name]));
        assertSame(await readRows(own, "t", columns), plain);
        assert.is(own.table("t")?.rowCount, rows.length);
      };
      for (let round = 0; round < rounds({ quick: 3, deep: 8, soak: 40 }); round++) {
        const given = randomUpdate(random, table, rows, { key: ["id"], rowCount: 300 });
        rows = await update(own, table, rows, given);
        const kind = round % 4;
        if (kind === 1 || kind === 3) await own.compact({ table: "t" });
        if (kind === 2) {
          const more = [make(200_000 + round)];
          await own.append({ table: "t", rows: toBatch(columns, more) });
          rows = [...rows, ...more];
        }
        if (kind >= 1) {
          const { version } = own.table("t")!;
          await own.close();
          own = await open();
          assert.is(own.table("t")?.version, version);
        }
        await check();
      }
      await own.alter({ table: "t", retype: [{ name: "number", type: "text" }] });
      await own.alter({ table: "t", retype: [{ name: "number", type: "number" }] });
      await check();
      await own.close();
      own = await open();
      await check();
      await own.close();
    });
  });

  test("a table with many deleted rows is folded, and keeps its rows, its later changes and its files", async () => {
    const dir = join(folder.path, "folded");
    const columns = [
      { name: "id", type: "number" },
      { name: "text", type: "text" },
    ] as const;
    let own = await openStore({ dir, ...memory, workers: 1 });
    const make = (id: number, text: string): Row => ({ id, text });
    let rows = Array.from({ length: 70_000 }, (_, id) => make(id, `w${id % 9}`));
    await own.create({ name: "t", columns });
    await own.append({ table: "t", rows: toBatch(columns, rows) });
    await own.compact();
    const changed = Array.from({ length: 25_000 }, (_, id) => make(id * 2, "changed"));
    const updating = own.update({ table: "t", rows: toBatch(columns, changed), key: ["id"] });
    const later = make(-1, "later");
    const appending = own.append({ table: "t", rows: toBatch(columns, [later]) });
    const { info } = await updating;
    assert.is(info.deletedCount, 25_000);
    await appending;
    await eventually(() => own.table("t")?.deletedCount === undefined, "the table is folded");
    rows = [
      ...rows.filter(({ id }) => Number(id) % 2 === 1 || Number(id) >= 50_000),
      ...changed,
      later,
    ];
    const plain = rows.map(({ id, text }) => [id, text]);
    assertSame(await readRows(own, "t", columns), plain);
    assert.is(own.stats().compactionFailure, undefined);
    const { version, rowCount } = own.table("t")!;
    assert.is(rowCount, plain.length);
    const more = toBatch([columns[0]], [{ id: 1 }]);
    await own.update({ table: "t", rows: more, key: ["id"], deletes: true });
    await own.close();
    own = await openStore({ dir, ...memory, workers: 1 });
    assert.is(own.table("t")?.version, version + 1);
    assertSame(
      await readRows(own, "t", columns),
      plain.filter(([id]) => id !== 1),
    );
    await own.close();
  });

  test("a value that only deleted rows have does not prevent a change of type", async () => {
    const columns = [
      { name: "id", type: "number" },
      { name: "text", type: "text" },
    ] as const;
    await store.create({ name: "typed", columns, temporary: true });
    const rows = [
      { id: 1, text: "5" },
      { id: 2, text: "not a number" },
    ];
    await store.append({ table: "typed", rows: toBatch(columns, rows) });
    const key = toBatch([columns[0]], [{ id: 2 }]);
    await store.update({ table: "typed", rows: key, key: ["id"], deletes: true });
    await store.alter({ table: "typed", retype: [{ name: "text", type: "number" }] });
    assert.equal(await readRows(store, "typed", columns), [[1, 5]]);
    await store.drop({ table: "typed" });
  });

  test("updates of one table run one after another, and appends take effect between them", async () => {
    const columns = [
      { name: "id", type: "number" },
      { name: "value", type: "number" },
    ] as const;
    await store.create({ name: "busy", columns, temporary: true });
    const batch = (id: number, value: number) => toBatch(columns, [{ id, value }]);
    await Promise.all(
      Array.from({ length: 30 }, async (_, round) => {
        await store.update({ table: "busy", rows: batch(round % 3, round), key: ["id"] });
        if (round % 10 === 0)
          await store.append({ table: "busy", rows: batch(100 + round, round) });
      }),
    );
    const rows = (await readRows(store, "busy", columns)).map(([id]) => Number(id));
    assert.equal(
      rows.toSorted((left, right) => left - right),
      [0, 1, 2, 100, 110, 120],
    );
    await store.drop({ table: "busy" });
  });

  test("an update is refused for nulls and equal keys, unknown columns, other types and missing key columns", async () => {
    const columns = [
      { name: "id", type: "number" },
      { name: "text", type: "text" },
    ] as const;
    await store.create({ name: "strict", columns, temporary: true });
    const send = (
      rows: readonly Row[],
      key: readonly string[],
      written: readonly ColumnDefinition[] = columns,
    ) => store.update({ table: "strict", rows: toBatch(written, rows), key });
    await rejects(send([{ id: null, text: "a" }], ["id"]), "BATCH_MALFORMED");
    await rejects(send([{ id: 1, text: null }], ["id", "text"]), "BATCH_MALFORMED");
    const twice = [
      { id: 0, text: "a" },
      { id: -0, text: "b" },
    ];
    await rejects(send(twice, ["id"]), "BATCH_MALFORMED");
    await rejects(send(twice, []), "BATCH_MALFORMED");
    await rejects(send(twice, ["gone"]), "BATCH_MALFORMED");
    await rejects(
      send([{ gone: 1 }], ["gone"], [{ name: "gone", type: "number" }]),
      "COLUMN_UNKNOWN",
    );
    await rejects(send([{ id: "1" }], ["id"], [{ name: "id", type: "text" }]), "COLUMN_TYPE");
    assert.is(store.table("strict")?.rowCount, 0);
    await store.drop({ table: "strict" });
  });
});
