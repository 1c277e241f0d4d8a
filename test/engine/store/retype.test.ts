import { join } from "node:path";
import * as assert from "uvu/assert";
import {
  openStore,
  type ColumnDefinition,
  type Scalar,
  type Store,
} from "../../../engine/index.ts";
import { nodeFiles } from "../../../engine/files/files.ts";
import { openStoreWith } from "../../../engine/store/openStore.ts";
import { rounds } from "../../support/layer.ts";
import { suite } from "../../support/suite.ts";
import { makeFolder, rejects, toBatch, toCells } from "../tables.ts";

const options = { workers: 1, memoryBytes: 2 ** 28 };
const rowGroup = 65_536;
const columns: readonly ColumnDefinition[] = [
  { name: "n", type: "number" },
  { name: "s", type: "text" },
  { name: "d", type: "datetime" },
];
/** Rows before the value that cannot be converted; in the deep layer, they fill a row group. */
const firstRows = rounds({ quick: 102, deep: rowGroup + 2 });
/** Rows of a table that is retyped while it is queried. */
const busyRows = rounds({ quick: 5_000, deep: rowGroup });
const rowsOf = (count: number) =>
  toBatch(
    columns,
    Array.from({ length: count }, (_, row) => ({
      n: row % 5 === 0 ? null : row / 4,
      s: row % 7 === 0 ? null : String(row % 500),
      d: row * 60_000,
    })),
  );
const read = async (store: Store, ...names: string[]): Promise<Scalar[][]> =>
  toCells(
    await store.query({
      table: "t",
      grouped: false,
      outputs: names.map((name) => ({ kind: "key", of: { kind: "column", name } })),
    }),
  );

suite("engine/store/retype", (test) => {
  let folder: Awaited<ReturnType<typeof makeFolder>>;
  let next = 0;
  const opened: Store[] = [];
  const open = async (dir: string, files = nodeFiles, temporary = false) => {
    const store = await openStoreWith({ dir, ...options }, files);
    opened.push(store);
    if (!store.table("t")) await store.create({ name: "t", columns, temporary });
    return store;
  };
  const dir = () => join(folder.path, String(next++));
  test.before(async () => void (folder = await makeFolder()));
  test.after(async () => {
    for (const store of opened) await store.close();
    await folder.remove();
  });

  for (const rowCount of [0, 100, ...rounds({ quick: [], deep: [rowGroup + 100, 2 * rowGroup] })])
    test(`columns of ${rowCount} rows can be retyped, dropped and added in one durable step`, async () => {
      const path = dir();
      let store = await open(path);
      await store.append({ table: "t", rows: rowsOf(rowCount) });
      if (rowCount > rowGroup) await store.compact();
      const { version } = store.table("t")!;
      const info = await store.alter({
        table: "t",
        retype: [
          { name: "n", type: "text" },
          { name: "s", type: "number" },
        ],
        drop: ["d"],
        add: [{ name: "x", type: "number" }],
      });
      assert.is(info.version, version + 1);
      assert.equal(info.columns, [
        { name: "n", type: "text" },
        { name: "s", type: "number" },
        { name: "x", type: "number" },
      ]);
      const expected = Array.from({ length: rowCount }, (_, row) => [
        row % 5 === 0 ? null : String(row / 4),
        row % 7 === 0 ? null : row % 500,
        null,
      ]);
      assert.equal(await read(store, "n", "s", "x"), expected);
      await store.close();
      store = await openStore({ dir: path, ...options });
      opened.push(store);
      assert.is(store.table("t")?.version, version + 1);
      assert.equal(await read(store, "n", "s", "x"), expected);
      await store.alter({ table: "t", retype: [{ name: "s", type: "datetime" }] });
      assert.equal(
        (await read(store, "s")).map(([cell]) => cell),
        expected.map(([, cell]) => cell),
      );
      await store.append({
        table: "t",
        rows: toBatch([{ name: "n", type: "text" }], [{ n: "more" }]),
      });
      assert.equal((await read(store, "n")).at(-1), ["more"]);
      await store.close();
    });

  test("a value that cannot be converted fails the retyping, and the error names its row", async () => {
    const path = dir();
    let store = await open(path);
    await store.append({ table: "t", rows: rowsOf(firstRows) });
    await store.append({
      table: "t",
      rows: toBatch([{ name: "s", type: "text" }], [{ s: "seven" }]),
    });
    const before = store.tables();
    const failure = await store
      .alter({ table: "t", drop: ["d"], retype: [{ name: "s", type: "number" }] })
      .catch((error: unknown) => error);
    assert.is(
      (failure as Error).message,
      `the column s contains "seven" in row ${firstRows}, not number`,
    );
    assert.equal(store.tables(), before);
    await rejects(
      store.alter({ table: "t", retype: [{ name: "z", type: "text" }] }),
      "COLUMN_UNKNOWN",
    );
    await rejects(
      store.alter({ table: "t", drop: ["n"], retype: [{ name: "n", type: "text" }] }),
      "COLUMN_UNKNOWN",
    );
    await rejects(
      store.alter({ table: "t", retype: [{ name: "n", type: "list" as "text" }] }),
      "BATCH_MALFORMED",
    );
    await rejects(
      store.alter({
        table: "t",
        retype: [{ name: "n", type: "text" }],
        add: [{ name: "s", type: "text" }],
      }),
      "COLUMN_EXISTS",
    );
    assert.equal(store.tables(), before);
    await store.close();
    store = await open(path);
    assert.equal(store.table("t")?.columns, columns);
    assert.is((await read(store, "d")).length, firstRows + 1);
  });

  test("a failed write fails the retyping and leaves the columns unchanged", async () => {
    const path = dir();
    let isFull = false;
    const store = await open(path, {
      ...nodeFiles,
      async openLog(file, create) {
        const log = await nodeFiles.openLog(file, create);
        return {
          ...log,
          async write(bytes, position) {
            if (isFull) throw new Error("ENOSPC: no space left on device, write");
            await log.write(bytes, position);
          },
        };
      },
    });
    await store.append({ table: "t", rows: rowsOf(10) });
    const before = store.tables();
    isFull = true;
    await rejects(
      store.alter({ table: "t", retype: [{ name: "n", type: "text" }] }),
      "STORE_WRITE_FAILED",
    );
    isFull = false;
    assert.equal(store.tables(), before);
    await store.alter({ table: "t", retype: [{ name: "n", type: "text" }] });
    assert.equal((await read(store, "n"))[1], ["0.25"]);
  });

  test("during retyping, queries and new rows see either the old columns or the new columns", async () => {
    const store = await open(dir());
    await store.append({ table: "t", rows: rowsOf(busyRows) });
    const work: Promise<unknown>[] = [];
    const seen = new Set<string>();
    for (const type of ["text", "number", "text", "number"] as const) {
      work.push(store.alter({ table: "t", retype: [{ name: "s", type }] }));
      work.push(
        read(store, "s").then((cells) => {
          assert.is(cells.length, busyRows);
          seen.add(typeof cells[1][0]);
          assert.is(Number(cells[1][0]), 1);
        }),
      );
    }
    await Promise.all(work);
    assert.ok(seen.size > 0);
    assert.is(store.table("t")?.rowCount, busyRows);
  });

  test("a temporary table can be retyped", async () => {
    const store = await open(dir(), nodeFiles, true);
    await store.append({ table: "t", rows: rowsOf(10) });
    await store.alter({ table: "t", retype: [{ name: "d", type: "number" }] });
    assert.equal((await read(store, "d"))[3], [180_000]);
    await store.compact();
    assert.equal((await read(store, "d"))[3], [180_000]);
  });
});
