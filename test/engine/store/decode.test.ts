import * as assert from "uvu/assert";
import {
  openStore,
  type BatchColumn,
  type NamedBatch,
  type Scalar,
  type Store,
} from "../../../engine/index.ts";
import { createRandom, withSeed, type Random } from "../../support/random.ts";
import { rounds } from "../../support/layer.ts";
import { suite } from "../../support/suite.ts";
import { makeFolder, rejects, toBatch, toCells } from "../tables.ts";

const columns = [
  { name: "x", type: "number" },
  { name: "d", type: "datetime" },
  { name: "s", type: "text" },
] as const;
const types = columns.map(({ type }) => type);
const names = columns.map(({ name }): string => name);
const bytesOf = (rows: readonly unknown[]) => new TextEncoder().encode(JSON.stringify(rows));

function randomRows(random: Random, count: number): (number | string | null)[][] {
  const texts = ["", "a", "ä", "😀", "\ud800", "],[", "x".repeat(300)];
  return Array.from({ length: count }, (_, row) => [
    random.chance(0.2) ? null : random.below(2000) / 8 - 100,
    random.chance(0.2) ? null : new Date(random.below(2 ** 31) * 1000).toISOString(),
    random.chance(0.2) ? null : random.chance(0.5) ? random.pick(texts) : `row ${row}`,
  ]);
}

/** Returns the rows as a batch of strings and numbers that no thread has decoded. */
const plain = (rows: readonly (number | string | null)[][]): NamedBatch =>
  toBatch(
    columns,
    rows.map(([x, d, s]) => ({ x, d: d === null ? null : Date.parse(String(d)), s })),
  );

const read = async (store: Store, table: string) =>
  toCells(
    await store.query({
      table,
      grouped: false,
      outputs: names.map((name) => ({ kind: "key", of: { kind: "column", name } })),
    }),
  );

suite("engine/store/decode", (test) => {
  const options = { workers: 1, memoryBytes: 2 ** 28 };
  let folder: Awaited<ReturnType<typeof makeFolder>>;
  test.before(async () => void (folder = await makeFolder()));
  test.after(() => folder.remove());

  test("decoded rows that are appended or replace others are stored like other rows, and survive a restart", async () => {
    const store = await openStore({ dir: `${folder.path}/1`, ...options });
    const random = createRandom();
    await withSeed(random, async () => {
      for (const name of ["decoded", "plain"]) await store.create({ name, columns });
      for (let round = 0; round < rounds({ quick: 5, deep: 12 }); round++) {
        const rows = randomRows(random, random.below(200));
        const bytes = bytesOf(rows);
        const mode = random.chance(0.2) ? "replace" : "append";
        await store[mode]({ table: "plain", rows: plain(rows) });
        const decoded = await store.decode({ bytes, types });
        const batch = {
          rowCount: rows.length,
          columns: decoded.columns.map(({ column }) => column),
        };
        const { rowCount } = await store[mode]({ table: "decoded", rows: { names, batch } });
        decoded.release();
        assert.is(rowCount, store.table("plain")?.rowCount);
        assert.equal(await read(store, "decoded"), await read(store, "plain"));
      }
      assert.equal(store.textCounts("decoded"), store.textCounts("plain"));
      await store.close();
      const again = await openStore({ dir: `${folder.path}/1`, ...options });
      assert.equal(await read(again, "decoded"), await read(again, "plain"));
      await again.close();
    });
  });

  test("decoded columns can be stored next to columns of other origin, which are checked", async () => {
    const store = await openStore({ dir: `${folder.path}/2`, ...options });
    await store.create({ name: "t", columns: [...columns, { name: "r", type: "text" }] });
    const { columns: decoded } = await store.decode({
      bytes: bytesOf([
        [1, null, "ä"],
        [2, null, "b"],
      ]),
    });
    const [x, , s] = decoded.map(({ column }) => column);
    const append = (r: BatchColumn, d: BatchColumn) => {
      const rows: NamedBatch = {
        names: ["s", "r", "x", "d"],
        batch: { rowCount: 2, columns: [s, r, x, d] },
      };
      return store.append({ table: "t", rows });
    };
    const r: BatchColumn = { type: "text", codes: Int32Array.of(-1, 0), dictionary: ["日本"] };
    const d: BatchColumn = { type: "datetime", values: Float64Array.of(0, NaN) };
    await rejects(append({ ...r, codes: Int32Array.of(1, 0) }, d), "BATCH_MALFORMED");
    await rejects(append(r, { ...d, values: Float64Array.of(0.5, 1) }), "BATCH_MALFORMED");
    await rejects(append(r, { type: "number", values: Float64Array.of(0, 1) }), "COLUMN_TYPE");
    await append(r, d);
    assert.equal(await read(store, "t"), [
      [1, 0, "ä"],
      [2, null, "b"],
    ]);
    await store.close();
  });

  test.deep("simultaneous decodes that share buffers each return their own rows", async () => {
    const store = await openStore({ dir: `${folder.path}/3`, ...options, workers: 2 });
    const random = createRandom();
    await withSeed(random, async () => {
      const tables = ["t", "u", "v"];
      for (const name of tables) await store.create({ name, columns });
      const push = async (name: string) => {
        const expected: Scalar[][] = [];
        for (let turn = 0; turn < rounds({ quick: 3, deep: 15 }); turn++) {
          const rows = randomRows(random, 1 + random.below(random.pick([20, 2000])));
          const decoded = await store.decode({ bytes: bytesOf(rows), types });
          // One in five is refused while other rows are stored.
          const refused = random.chance(0.2)
            ? rejects(
                store.decode({
                  bytes: bytesOf([
                    [1, null, "x"],
                    [true, null, ""],
                  ]),
                }),
                "INGEST_CELL",
              )
            : undefined;
          const batch = {
            rowCount: rows.length,
            columns: decoded.columns.map(({ column }) => column),
          };
          await store.append({ table: name, rows: { names, batch } });
          decoded.release();
          await refused;
          expected.push(
            ...rows.map(([x, d, s]) => [x, d === null ? null : Date.parse(String(d)), s]),
          );
        }
        assert.equal(await read(store, name), expected);
      };
      await Promise.all(tables.map(push));
      await store.close();
    });
  });

  test("detects types, counts strings and rejects cells of other types", async () => {
    const store = await openStore({ dir: `${folder.path}/2`, ...options });
    const rows = [
      [1, "2024-01-05", "ä", null],
      [2, "2024-01-06", "😀x", null],
      [null, null, "ä", null],
    ];
    const found = await store.decode({ bytes: bytesOf(rows), digestPrefix: "" });
    assert.equal(
      found.columns.map(({ column, isDate, isEmpty, textCount, textLength }) => [
        column.type,
        isDate,
        isEmpty,
        textCount,
        textLength,
      ]),
      [
        ["number", false, false, 0, 0],
        ["datetime", true, false, 0, 0],
        ["text", false, false, 2, 4],
        ["text", false, true, 0, 0],
      ],
    );
    const spaced = new TextEncoder().encode(
      ' [ [ 1.0e0 , "2024-01-05" , "\\u00e4" , null ] , [2,"2024-01-06","\\ud83d\\ude00x",null],[null,null,"ä",null]] ',
    );
    assert.is((await store.decode({ bytes: spaced, digestPrefix: "" })).digest, found.digest);
    assert.is((await store.decode({ bytes: spaced })).digest, undefined);
    assert.not.equal(
      (await store.decode({ bytes: spaced, digestPrefix: "a" })).digest,
      found.digest,
    );
    await rejects(store.decode({ bytes: bytesOf([["a"]]), types: ["number"] }), "INGEST_CELL");
    for (const rows of [[[1], [1, 2]], [{ "[": 1 }], [[1], { x: 1 }]])
      await rejects(store.decode({ bytes: bytesOf(rows), digestPrefix: "" }), "INGEST_MALFORMED");
    await store.close();
    await rejects(store.decode({ bytes: spaced }), "STORE_CLOSED");
  });
});
