import { join } from "node:path";
import { Dictionary, Float64, Int32, Table, tableToIPC, Utf8, vectorFromArray } from "apache-arrow";
import { parquetWriteBuffer } from "hyparquet-writer";
import * as assert from "uvu/assert";
import { openStore, type IngestRequest, type Scalar, type Store } from "../../../engine/index.ts";
import { openStoreWith } from "../../../engine/store/openStore.ts";
import { rounds } from "../../support/layer.ts";
import { createRandom, withSeed, type Random } from "../../support/random.ts";
import { suite } from "../../support/suite.ts";
import { killAmid } from "../killAmid.ts";
import { makeFolder, rejects, toCells } from "../tables.ts";
import { faultyFiles } from "./faultyFiles.ts";

/** Options to reopen a folder. One thread is enough, because it is mainly read. */
const again = (path: string) => ({ dir: path, ...options, workers: 1 });
const options = { workers: rounds({ quick: 1, deep: 2 }), memoryBytes: 2 ** 28 };
const columns = [
  { name: "x", type: "number" },
  { name: "d", type: "datetime" },
  { name: "s", type: "text" },
] as const;
type Cells = readonly [number | null, number | null, string | null];

const read = async (store: Store, names = columns.map(({ name }): string => name)) =>
  toCells(
    await store.query({
      table: "t",
      grouped: false,
      outputs: names.map((name) => ({ kind: "key", of: { kind: "column", name } })),
    }),
  );

function randomRows(random: Random, count: number): Cells[] {
  const texts = ["", "a", "b c", "ä", "日本", "😀", `"quoted"`, "],[", "x".repeat(300)];
  return Array.from({ length: count }, (_, row): Cells => [
    random.chance(0.1) ? null : random.below(2000) / 8 - 100,
    random.chance(0.1) ? null : random.below(2 ** 31) * 1000,
    random.chance(0.1) ? null : random.chance(0.5) ? random.pick(texts) : `row ${row}`,
  ]);
}

const bytesOf = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));
const dateOf = (time: number | null) => (time === null ? null : new Date(time).toISOString());

/** Functions that encode the same rows in every format. */
const forms: Record<string, (rows: readonly Cells[]) => Pick<IngestRequest, "format" | "bytes">> = {
  "JSON lists": (rows) => ({
    format: "json",
    bytes: bytesOf(rows.map(([x, d, s]) => [x, dateOf(d), s])),
  }),
  "JSON objects": (rows) => ({
    format: "json",
    bytes: bytesOf(rows.map(([x, d, s]) => ({ s, ...(x !== null && { x }), d: dateOf(d) }))),
  }),
  Arrow: (rows) => ({
    format: "arrow",
    bytes: tableToIPC(
      new Table({
        unused: vectorFromArray(rows.map(() => 1)),
        s: vectorFromArray(
          rows.map(([, , s]) => s),
          new Dictionary(new Utf8(), new Int32()),
        ),
        d: vectorFromArray(rows.map(([, d]) => (d === null ? null : new Date(d)))),
        x: vectorFromArray(
          rows.map(([x]) => x),
          new Float64(),
        ),
      }),
    ),
  }),
  Parquet: (rows) => ({
    format: "parquet",
    bytes: new Uint8Array(
      parquetWriteBuffer({
        columnData: [
          { name: "x", type: "DOUBLE", data: rows.map(([x]) => x) },
          { name: "s", type: "STRING", data: rows.map(([, , s]) => s) },
          {
            name: "d",
            type: "TIMESTAMP",
            data: rows.map(([, d]) => (d === null ? null : new Date(d))),
          },
        ],
        rowGroupSize: 1000,
      }),
    ),
  }),
};

suite("engine/store/ingest", (test) => {
  let folder: Awaited<ReturnType<typeof makeFolder>>;
  let next = 0;
  const dir = () => join(folder.path, String(next++));
  test.before(async () => void (folder = await makeFolder()));
  test.after(() => folder.remove());

  test.deep(
    "simultaneous JSON ingests that share buffers each store their own rows in the table and log",
    async () => {
      const random = createRandom();
      await withSeed(random, async () => {
        const path = dir();
        let store = await openStore({ dir: path, ...options });
        const names = ["t", "u", "v"];
        for (const name of names) await store.create({ name, columns });
        const expected = new Map(names.map((name) => [name, [] as Cells[]]));
        const form = () => forms[random.pick(["JSON lists", "JSON objects"])]!;
        const caller = async (name: string) => {
          for (let push = 0; push < 15; push++) {
            const rows = randomRows(random, 1 + random.below(random.pick([20, 4000])));
            const applied = store.ingest({ table: name, ...form()(rows) });
            expected.get(name)?.push(...rows);
            // One in five ingests is rejected after other ingests have been encoded.
            const refused = random.chance(0.2)
              ? store.ingest({
                  table: name,
                  format: "json",
                  bytes: bytesOf([[1, null, "x"], [true]]),
                })
              : undefined;
            if (refused) await rejects(refused, "INGEST_CELL");
            await applied;
          }
        };
        const readAll = async () => {
          for (const name of names) {
            const answer = await store.query({
              table: name,
              grouped: false,
              outputs: columns.map((column) => ({
                kind: "key",
                of: { kind: "column", name: column.name },
              })),
            });
            assert.equal(toCells(answer), expected.get(name), name);
          }
        };
        await Promise.all(names.map(caller));
        await readAll();
        await store.close();
        store = await openStore(again(path));
        await readAll();
        await store.close();
      });
    },
  );

  test.deep(
    "JSON that waits for a dictionary is not changed by later JSON that reuses memory",
    async () => {
      const path = dir();
      const random = createRandom();
      let store = await openStore({ dir: path, ...options });
      await store.create({ name: "t", columns });
      const rows = randomRows(random, 70_000);
      await store.ingest({ table: "t", ...forms["JSON lists"](rows) });
      await store.compact({ table: "t" });
      await store.close();
      store = await openStore(again(path));
      await withSeed(random, async () => {
        for (let push = 0; push < 24; push++) {
          const more = randomRows(random, 1 + random.below(3000));
          await store.ingest({ table: "t", ...forms["JSON lists"](more) });
          rows.push(...more);
        }
        assert.equal(await read(store), rows);
      });
      await store.close();
    },
  );

  test("rows of every format read back unchanged, before and after reopening the store", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      const path = dir();
      let store = await openStore({ dir: path, ...options });
      await store.create({ name: "t", columns });
      const expected: Cells[] = [];
      for (let round = 0; round < rounds({ quick: 1, deep: 3 }); round++)
        for (const form of Object.values(forms)) {
          const rows = randomRows(random, 1 + random.below(rounds({ quick: 2000, deep: 5000 })));
          expected.push(...rows);
          const info = await store.ingest({ table: "t", ...form(rows) });
          assert.is(info.rowCount, expected.length);
          if (random.chance(0.3)) await store.compact();
        }
      assert.equal(await read(store), expected);
      await store.close();
      store = await openStore(again(path));
      const more = randomRows(random, 100);
      // At this point, the dictionary is not yet in memory.
      await store.ingest({ table: "t", ...forms["JSON lists"](more) });
      assert.equal(await read(store), [...expected, ...more]);
      await store.close();
    });
  });

  test.deep(
    "JSON that is split into many parts and row groups keeps its order of rows",
    async () => {
      const store = await openStore({ dir: dir(), ...options });
      await store.create({ name: "t", columns });
      const rows = Array.from({ length: 90_000 }, (_, row): Cells => [
        row,
        row * 1000,
        `a text that is long enough for some parts ${row % 40_000}`,
      ]);
      const { bytes } = forms["JSON lists"](rows);
      assert.ok(bytes.length > 3 * 2 ** 21);
      await store.ingest({ table: "t", format: "json", bytes });
      assert.equal(await read(store), rows);
      await store.close();
    },
  );

  test("a lone surrogate is kept in the table and in the log", async () => {
    const path = dir();
    let store = await openStore({ dir: path, ...options });
    await store.create({ name: "t", columns });
    const texts = ["\ud800", "a\udc00b", "😀", "\ud800"];
    await store.ingest({ table: "t", ...forms["JSON lists"](texts.map((s) => [1, null, s])) });
    await store.append({
      table: "t",
      rows: {
        names: ["s"],
        batch: {
          rowCount: 2,
          columns: [
            { type: "text", codes: Int32Array.of(0, 1), dictionary: ["a\udc00b", "\udfff"] },
          ],
        },
      },
    });
    const expected = [...texts, "a\udc00b", "\udfff"].map((text) => [text]);
    assert.equal(await read(store, ["s"]), expected);
    await store.close();
    store = await openStore(again(path));
    assert.equal(await read(store, ["s"]), expected);
    await store.close();
  });

  test("an ingest fills the given columns from their sources and all other columns with null", async () => {
    const store = await openStore({ dir: dir(), ...options });
    await store.create({ name: "t", columns });
    const rows = [[1, null, "a"] as const, [2, null, "b"] as const];
    await store.ingest({
      table: "t",
      ...forms["Parquet"](rows),
      columns: [{ name: "s", type: "text", source: "s" }],
    });
    await store.ingest({
      table: "t",
      format: "json",
      bytes: bytesOf([{ Amount: 7 }, {}]),
      columns: [{ name: "x", type: "number", source: "Amount" }],
    });
    assert.equal(await read(store), [
      [null, null, "a"],
      [null, null, "b"],
      [7, null, null],
      [null, null, null],
    ]);
    await store.close();
  });

  test("an ingest can replace all rows of a table, which keeps its columns and gets the next version", async () => {
    const path = dir();
    let store = await openStore({ dir: path, ...options });
    await store.create({ name: "t", columns });
    await store.ingest({ table: "t", ...forms["Arrow"](randomRows(createRandom(1), 500)) });
    const { version } = store.table("t") ?? { version: NaN };
    const info = await store.ingest({
      table: "t",
      mode: "replace",
      ...forms["JSON objects"]([[5, 0, "new"]]),
    });
    assert.is(info.version, version + 1);
    assert.equal(info.columns, columns);
    assert.equal(await read(store), [[5, 0, "new"]]);
    await store.close();
    store = await openStore(again(path));
    assert.equal(await read(store), [[5, 0, "new"]]);
    await store.close();
  });

  test.deep("simultaneous ingests take effect in the order of their calls", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      const store = await openStore({ dir: dir(), ...options });
      await store.create({ name: "t", columns });
      const expected: Scalar[][] = [];
      const work: Promise<unknown>[] = [];
      for (let step = 0; step < rounds({ quick: 7, deep: 30 }); step++) {
        if (random.chance(0.2)) {
          const bytes = bytesOf([
            [1, null, "refused"],
            [true, null, "refused"],
          ]);
          work.push(rejects(store.ingest({ table: "t", format: "json", bytes }), "INGEST_CELL"));
          continue;
        }
        const rows = Array.from({ length: random.chance(0.2) ? 20_000 : 3 }, (_, row): Cells => [
          step,
          row * 1000,
          `${step}`,
        ]);
        if (random.chance(0.1)) {
          expected.length = 0;
          work.push(
            store.ingest({
              table: "t",
              mode: "replace",
              ...random.pick(Object.values(forms))(rows),
            }),
          );
        } else work.push(store.ingest({ table: "t", ...random.pick(Object.values(forms))(rows) }));
        expected.push(...rows.map((cells) => [...cells]));
      }
      await Promise.all(work);
      assert.equal(await read(store), expected);
      await store.close();
    });
  });

  test.deep("queries during an ingest see all of its rows or none", async () => {
    const store = await openStore({ dir: dir(), ...options });
    await store.create({ name: "t", columns });
    const rows = Array.from({ length: 120_000 }, (_, row): Cells => [row, null, `text ${row}`]);
    let isDone = false;
    const ingested = store
      .ingest({ table: "t", ...forms["JSON lists"](rows) })
      .finally(() => (isDone = true));
    const counts: Scalar[] = [];
    let before = 0;
    while (!isDone) {
      const answer = await store.query({
        table: "t",
        grouped: true,
        outputs: [{ kind: "aggregate", function: "rows" }],
      });
      if (!isDone) before++;
      counts.push(toCells(answer)[0][0]);
    }
    await ingested;
    assert.ok(before > 0, "at least one query was answered in the meantime");
    assert.ok(
      counts.every((count) => count === 0 || count === rows.length),
      String(counts),
    );
    await store.close();
  });

  test("rejected bytes change nothing, and the error names the fault", async () => {
    const store = await openStore({ dir: dir(), ...options });
    await store.create({ name: "t", columns });
    await store.ingest({ table: "t", ...forms["JSON lists"]([[1, null, "kept"]]) });
    const before = store.table("t");
    const json = (text: string) => ({
      format: "json" as const,
      bytes: new TextEncoder().encode(text),
    });
    const parquet = forms["Parquet"](randomRows(createRandom(2), 3000));
    const torn = { ...parquet, bytes: parquet.bytes.subarray(0, parquet.bytes.length - 20) };
    const lacking = {
      format: "arrow" as const,
      bytes: tableToIPC(new Table({ x: vectorFromArray([1, 2], new Float64()) })),
    };
    const refused: [string, Partial<IngestRequest>][] = [
      ["INGEST_MALFORMED", json(`[[1,null,"a"],[2,null`)],
      ["INGEST_CELL", json(`[[1,null,"a"],["two",null,"b"]]`)],
      ["INGEST_MALFORMED", json(`[[1,null,"a"],[2]]`)],
      ["INGEST_MALFORMED", json(`[{"unknown":1}]`)],
      ["INGEST_UNREADABLE", torn],
      ["INGEST_UNREADABLE", { format: "parquet", bytes: new Uint8Array(100) }],
      ["INGEST_UNREADABLE", { format: "arrow", bytes: new Uint8Array(100) }],
      ["TABLE_UNKNOWN", { table: "nowhere", ...json("[]") }],
      ["COLUMN_UNKNOWN", { ...json("[]"), columns: [{ name: "z", type: "number" }] }],
      ["COLUMN_TYPE", { ...json("[]"), columns: [{ name: "x", type: "text" }] }],
      ["BATCH_MALFORMED", { ...json("[]"), columns: [columns[0], columns[0]] }],
      ["BATCH_MALFORMED", { ...json("[]"), format: "csv" as never }],
      ["BATCH_MALFORMED", { ...json("[]"), mode: "merge" as never }],
      ["BATCH_MALFORMED", { format: "json", bytes: "[]" as never }],
    ];
    for (const [code, request] of refused)
      await rejects(store.ingest({ table: "t", ...json("[]"), ...request }), code);
    const failure: unknown = await store.ingest({ table: "t", ...lacking }).catch((error) => error);
    assert.match(String((failure as Error).message), /\bd\b/);
    assert.equal(store.table("t"), before);
    assert.equal(await read(store), [[1, null, "kept"]]);
    await store.close();
  });

  test("dropping a column while rows are being encoded fails the ingest", async () => {
    const store = await openStore({ dir: dir(), ...options });
    await store.create({ name: "t", columns });
    const ingested = rejects(
      store.ingest({ table: "t", ...forms["JSON lists"]([[1, null, "a"]]) }),
      "COLUMN_UNKNOWN",
    );
    await store.alter({ table: "t", drop: ["d"] });
    await ingested;
    assert.is(store.table("t")?.rowCount, 0);
    await store.close();
  });

  test("an ingest beyond the memory budget is rejected, and the store keeps working", async () => {
    const store = await openStore({ dir: dir(), workers: 1, memoryBytes: 400_000 });
    await store.create({ name: "t", columns });
    const rows = (count: number) =>
      Array.from({ length: count }, (_, row): Cells => [row, null, `a text ${row}`]);
    await store.ingest({ table: "t", ...forms["JSON lists"](rows(10)) });
    await rejects(
      store.ingest({ table: "t", ...forms["JSON lists"](rows(20_000)) }),
      "STORE_OUT_OF_MEMORY",
    );
    await store.ingest({ table: "t", ...forms["JSON lists"](rows(20)) });
    assert.equal(await read(store), [...rows(10), ...rows(20)]);
    await store.close();
  });

  for (const fault of ["write", "sync"] as const)
    test(`a failed ${fault} fails the whole ingest, and the store keeps working`, async () => {
      const path = dir();
      const faulty = faultyFiles();
      const rows = (first: number) =>
        Array.from({ length: 3000 }, (_, row): Cells => [first + row, null, `text ${first + row}`]);
      let store = await openStoreWith({ dir: path, ...options }, faulty.files);
      await store.create({ name: "t", columns });
      await store.ingest({ table: "t", ...forms["Parquet"](rows(0)) });
      faulty.fault = fault;
      await rejects(
        store.ingest({ table: "t", ...forms["Parquet"](rows(10_000)) }),
        "STORE_WRITE_FAILED",
      );
      faulty.fault = "none";
      await store.ingest({ table: "t", ...forms["Arrow"](rows(20_000)) });
      const expected = [...rows(0), ...rows(20_000)];
      assert.equal(await read(store), expected);
      await store.close();
      store = await openStore(again(path));
      assert.equal(await read(store), expected);
      await store.close();
    });

  test.deep(
    "after a process is killed, all acknowledged ingests are stored and none is stored in part",
    async () => {
      const random = createRandom();
      await withSeed(random, async () => {
        const path = dir();
        const rowCount = 80_000;
        let kept = 0;
        for (let round = 0; round < rounds({ quick: 1, deep: 3 }); round++) {
          const wanted = 1 + random.below(2);
          const countIn = (lines: readonly string[], word: string) =>
            lines.filter((line) => line === word).length;
          const lines = await killAmid({
            script: new URL("../ingestRepeatedly.ts", import.meta.url),
            args: [path, String(rowCount)],
            isReady: (printed) => countIn(printed, "acknowledged") >= wanted,
            afterMs: random.below(400),
          });
          const store = await openStore({ dir: path, ...options, memoryBytes: 2 ** 30 });
          const found = (store.table("t")?.rowCount ?? 0) / rowCount;
          assert.ok(Number.isInteger(found), `${found} ingests`);
          assert.ok(
            found >= kept + countIn(lines, "acknowledged"),
            "everything acknowledged is stored",
          );
          assert.ok(found <= kept + countIn(lines, "called"), "nothing is stored twice");
          const sum = await store.query({
            table: "t",
            grouped: true,
            outputs: [
              { kind: "aggregate", function: "sum", of: { kind: "column", name: "x" } },
              { kind: "aggregate", function: "distinctcount", of: { kind: "column", name: "s" } },
            ],
          });
          assert.equal(toCells(sum), [[(found * rowCount * (rowCount - 1)) / 2, rowCount]]);
          kept = found;
          await store.close();
        }
      });
    },
  );

  test("closing the store fails a running ingest, which stores no rows", async () => {
    const path = dir();
    let store = await openStore({ dir: path, ...options });
    await store.create({ name: "t", columns });
    const rows = randomRows(createRandom(3), rounds({ quick: 10_000, deep: 50_000 }));
    const request = { table: "t", ...forms["JSON lists"](rows) };
    const ingested = Array.from({ length: 5 }, () =>
      rejects(store.ingest({ ...request, bytes: request.bytes.slice() }), "STORE_CLOSED"),
    );
    await store.close();
    await Promise.all(ingested);
    await rejects(store.ingest(request), "STORE_CLOSED");
    store = await openStore(again(path));
    assert.is(store.table("t")?.rowCount, 0);
    await store.close();
  });

  test.deep(
    "`warm` starts the threads, can be called again and stops when the store closes",
    async () => {
      const path = dir();
      let store = await openStore({ dir: path, ...options });
      await store.create({ name: "t", columns });
      await store.warm();
      await store.warm();
      assert.equal(await read(store), []);
      await store.close();
      await rejects(store.warm(), "STORE_CLOSED");
      store = await openStore(again(path));
      const warmed = store.warm();
      await store.close();
      await warmed;
    },
  );

  test("temporary tables accept ingested rows", async () => {
    const store = await openStore({ dir: dir(), ...options });
    await store.create({ name: "t", columns, temporary: true });
    const rows = randomRows(createRandom(4), 100);
    await store.ingest({ table: "t", ...forms["Arrow"](rows) });
    assert.equal(await read(store), rows);
    await store.close();
  });
});
