import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { parquetMetadata } from "hyparquet";
import * as assert from "uvu/assert";
import { openStore, type Scalar, type Store } from "../../../../engine/index.ts";
import { openStoreWith } from "../../../../engine/store/openStore.ts";
import { rounds } from "../../../support/layer.ts";
import { createRandom, withSeed } from "../../../support/random.ts";
import { suite } from "../../../support/suite.ts";
import { killAmid } from "../../killAmid.ts";
import { numberedParquet } from "../../numberedParquet.ts";
import { makeFolder, rejects, toCells } from "../../tables.ts";
import { faultyFiles } from "../faultyFiles.ts";

/** Options for a store that needs only one thread, because it only reads a folder or waits for changes. */
const again = (path: string) => ({ dir: path, ...options, workers: 1 });
const options = { workers: 2, memoryBytes: 2 ** 29 };
const columns = [
  { name: "x", type: "number" },
  { name: "s", type: "text" },
] as const;
/**
 * Number of rows in a file. They are more than a row group, and ingesting them takes so long that queries arrive
 * meanwhile.
 */
const filledRows = rounds({ quick: 70_000, deep: 400_000 });
/** Number of rows in a table before the ingest of a file fails. */
const firstRows = rounds({ quick: 2_000, deep: 70_000 });
/** Number of rows in a file that exceeds the memory budget, and the budget in bytes. */
const tooMany = rounds({
  quick: { rowCount: 200_000, memoryBytes: 8_000_000 },
  deep: { rowCount: 400_000, memoryBytes: 12_000_000 },
});
const files = new Map<string, Uint8Array<ArrayBuffer>>();

/** Returns a Parquet file of twenty row groups. Large files are created once and reused. */
function parquet(rowCount: number, first = 0) {
  const key = `${rowCount} ${first}`;
  const bytes = files.get(key) ?? numberedParquet(rowCount, Math.ceil(rowCount / 20), first);
  if (rowCount >= filledRows) files.set(key, bytes);
  return { table: "t", format: "parquet", bytes } as const;
}

const rowsOf = (...numbers: readonly number[]) => ({
  names: ["x", "s"],
  batch: {
    rowCount: numbers.length,
    columns: [
      { type: "number" as const, values: Float64Array.from(numbers) },
      {
        type: "text" as const,
        codes: Int32Array.from(numbers, (_, row) => row),
        dictionary: numbers.map((number) => `a text for row ${number}`),
      },
    ],
  },
});

/** Returns the numbers of all rows, in order. Asserts that every string names the number of its row. */
async function read(store: Store): Promise<number[]> {
  const cells = toCells(
    await store.query({
      table: "t",
      grouped: false,
      outputs: ["x", "s"].map((name) => ({ kind: "key", of: { kind: "column", name } })),
    }),
  );
  assert.ok(cells.every(([x, s]) => s === `a text for row ${x}`));
  return cells.map(([x]) => Number(x));
}

const countRows = async (store: Store): Promise<Scalar> =>
  toCells(
    await store.query({
      table: "t",
      grouped: true,
      outputs: [{ kind: "aggregate", function: "rows" }],
    }),
  )[0][0];
const counted = (rowCount: number, first = 0) =>
  Array.from({ length: rowCount }, (_, row) => first + row);

/** Returns the sizes of all files in a folder, except the lock. */
async function sizesOf(path: string): Promise<Record<string, number>> {
  const names = (await readdir(path)).filter((name) => !name.startsWith("lock"));
  return Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, (await stat(join(path, name))).size])),
  );
}

/** Damages the first page of the last row group of a file. */
function breakLastGroup(bytes: Uint8Array<ArrayBuffer>): Uint8Array {
  const broken = bytes.slice();
  const last = parquetMetadata(bytes.buffer).row_groups.at(-1)!;
  const { data_page_offset: start, total_compressed_size: size } = last.columns[1].meta_data!;
  broken.fill(0xff, Number(start), Number(start) + Number(size));
  return broken;
}

suite("engine/store/changes/fillTable", (test) => {
  let folder: Awaited<ReturnType<typeof makeFolder>>;
  let next = 0;
  const dir = () => join(folder.path, String(next++));
  /**
   * Returns the function that declares tests of a mode. Tests of appends run only in the deep layer, because both modes
   * fill a table in the same steps.
   */
  const declareFor = (mode: "append" | "replace") => (mode === "replace" ? test : test.deep);
  test.before(async () => void (folder = await makeFolder()));
  test.after(async () => {
    files.clear();
    await folder.remove();
  });

  test("batches are appended correctly wherever a row group ends", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      const path = dir();
      let store = await openStoreWith({ dir: path, ...options }, faultyFiles().files, 2 ** 18);
      await store.create({ name: "t", columns });
      const expected: number[] = [];
      for (let round = 0; round < rounds({ quick: 2, deep: 5 }); round++) {
        const count = 1 + random.below(rounds({ quick: 8_000, deep: 80_000 }));
        const request = parquet(count, round * 100_000);
        if (random.chance(0.2)) {
          expected.length = 0;
          await store.ingest({ ...request, mode: "replace" });
        } else await store.ingest(request);
        expected.push(...counted(count, round * 100_000));
        assert.is(store.table("t")?.rowCount, expected.length);
        if (random.chance(0.3)) await store.compact();
        if (random.chance(0.3)) {
          await store.append({ table: "t", rows: rowsOf(1, 2, 3) });
          expected.push(1, 2, 3);
        }
        if (random.chance(0.3)) {
          const before = store.table("t")?.version;
          await store.close();
          store = await openStore(again(path));
          assert.is(store.table("t")?.version, before);
        }
        if (random.chance(0.5)) assert.equal(await read(store), expected);
      }
      assert.equal(await read(store), expected);
      await store.close();
      store = await openStore(again(path));
      assert.equal(await read(store), expected);
      await store.close();
    });
  });

  for (const mode of ["append", "replace"] as const)
    declareFor(mode)(
      `queries during ${mode} see the old rows and do not wait for the change`,
      async () => {
        const store = await openStore({ dir: dir(), ...options });
        await store.create({ name: "t", columns });
        await store.create({ name: "other", columns });
        await store.append({ table: "t", rows: rowsOf(1, 2, 3) });
        let isDone = false;
        const ingested = store
          .ingest({ ...parquet(filledRows), mode })
          .finally(() => (isDone = true));
        let during = 0;
        const counts: Scalar[] = [];
        while (!isDone) {
          const [count] = await Promise.all([
            countRows(store),
            store.append({ table: "other", rows: rowsOf(during) }),
          ]);
          counts.push(count);
          if (count === 3 && !isDone) during++;
        }
        await ingested;
        assert.ok(during > 1, `${during} rounds`);
        const after = mode === "append" ? filledRows + 3 : filledRows;
        assert.ok(
          counts.every((count) => count === 3 || count === after),
          String(counts),
        );
        assert.is(await countRows(store), after);
        await store.close();
      },
    );

  test("an append that waits for a replace runs before any later replace", async () => {
    const store = await openStore(again(dir()));
    await store.create({ name: "t", columns });
    const rows = (first: number) => rowsOf(...counted(3, first));
    await Promise.all([
      store.replace({ table: "t", rows: rows(0) }),
      store.append({ table: "t", rows: rows(1000) }),
      store.replace({ table: "t", rows: rows(2000) }),
      store.append({ table: "t", rows: rows(3000) }),
    ]);
    assert.equal(await read(store), [...counted(3, 2000), ...counted(3, 3000)]);
    await store.close();
  });

  test("changes to a table are applied in the order of their calls", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      const path = dir();
      let store = await openStore({ dir: path, ...options });
      await store.create({ name: "t", columns });
      const expected: number[] = [];
      const work: Promise<unknown>[] = [];
      for (let step = 0; step < rounds({ quick: 24, deep: 40 }); step++) {
        const first = step * 1000;
        const kind = random.pick(["append", "append", "ingest", "ingest", "replace", "refill"]);
        const count = 1 + random.below(40);
        const rows = rowsOf(...counted(count, first));
        const json = {
          table: "t",
          format: "json" as const,
          bytes: new TextEncoder().encode(
            JSON.stringify(counted(count, first).map((x) => [x, `a text for row ${x}`])),
          ),
        };
        const file = random.chance(0.3) ? json : parquet(count, first);
        if (kind === "replace" || kind === "refill") expected.length = 0;
        expected.push(...counted(count, first));
        if (kind === "append") work.push(store.append({ table: "t", rows }));
        else if (kind === "replace") work.push(store.replace({ table: "t", rows }));
        else work.push(store.ingest({ ...file, mode: kind === "refill" ? "replace" : "append" }));
        if (random.chance(0.1)) work.push(store.compact());
        if (random.chance(0.1)) await setImmediate();
      }
      await Promise.all(work);
      assert.equal(await read(store), expected);
      await store.close();
      store = await openStore(again(path));
      assert.equal(await read(store), expected);
      await store.close();
    });
  });

  test("changing columns and dropping the table wait for the end of an earlier ingest", async () => {
    const store = await openStore(again(dir()));
    await store.create({ name: "t", columns });
    const ingested = store.ingest(parquet(1000));
    const altered = store.alter({ table: "t", add: [{ name: "y", type: "number" }] });
    const retyped = store.alter({ table: "t", retype: [{ name: "x", type: "text" }] });
    assert.is((await ingested).rowCount, 1000);
    assert.equal(
      (await altered).columns.map(({ name }) => name),
      ["x", "s", "y"],
    );
    assert.is((await retyped).columns[0]?.type, "text");
    const last = store.ingest({
      ...parquet(1000),
      columns: [{ name: "s", type: "text" }],
    });
    const dropped = store.drop({ table: "t" });
    assert.is((await last).rowCount, 2000);
    await dropped;
    assert.is(store.table("t"), undefined);
    await store.close();
  });

  test("changes of every kind succeed during a JSON ingest, in any order", async () => {
    const random = createRandom();
    const rowCount = 70_000;
    const json = {
      table: "t",
      format: "json",
      columns: [{ name: "x", type: "number" }],
      bytes: new TextEncoder().encode(JSON.stringify(counted(rowCount).map((x) => ({ x })))),
    } as const;
    await withSeed(random, async () => {
      const store = await openStoreWith({ dir: dir(), ...options }, faultyFiles().files, 2 ** 16);
      for (let round = 0; round < rounds({ quick: 1, deep: 6 }); round++) {
        await store.create({ name: "t", columns });
        await store.ingest(json);
        const work: Promise<unknown>[] = [store.ingest(json), store.ingest(json)];
        const changes = [
          () => store.compact({ table: "t" }),
          () => store.alter({ table: "t", retype: [{ name: "s", type: "number" }] }),
          () =>
            store.append({ table: "t", rows: { names: [], batch: { rowCount: 1, columns: [] } } }),
          () => store.create({ name: `other ${round}`, columns }),
        ];
        while (changes.length > 0) {
          await new Promise((resolve) => setTimeout(resolve, random.below(60)));
          work.push(changes.splice(random.below(changes.length), 1)[0]());
        }
        await Promise.all(work);
        assert.is(store.table("t")?.rowCount, rowCount * 3 + 1);
        const last = store.ingest(json).catch((error: { readonly code: string }) => error.code);
        await new Promise((resolve) => setTimeout(resolve, random.below(100)));
        await store.drop({ table: "t" });
        const ended = await last;
        assert.ok(ended === "TABLE_UNKNOWN" || typeof ended === "object", String(ended));
      }
      await store.close();
    });
  });

  for (const mode of ["append", "replace"] as const)
    for (const failure of ["a broken last row group", "a full disk"] as const)
      (failure === "a full disk" ? test.deep : declareFor(mode))(
        `${failure} during ${mode} leaves behind no rows, strings, memory or bytes in files`,
        async () => {
          const path = dir();
          const faulty = faultyFiles();
          let store = await openStoreWith({ dir: path, ...options }, faulty.files);
          await store.create({ name: "t", columns });
          const kept = counted(firstRows, 1_000_000);
          await store.ingest(parquet(firstRows, 1_000_000));
          assert.equal(await read(store), kept);
          const before = { info: store.table("t"), sizes: await sizesOf(path) };
          const { memoryBytes } = store.stats();
          const request = { ...parquet(filledRows), mode };
          if (failure === "a full disk") {
            faulty.failAfterWrites = 4;
            await rejects(store.ingest(request), "STORE_WRITE_FAILED");
            faulty.failAfterWrites = Infinity;
          } else {
            const bytes = breakLastGroup(request.bytes);
            await rejects(store.ingest({ ...request, bytes }), "INGEST_UNREADABLE");
          }
          assert.equal(store.table("t"), before.info);
          assert.equal(await sizesOf(path), before.sizes);
          assert.is(store.stats().memoryBytes, memoryBytes);
          const distinct = toCells(
            await store.query({
              table: "t",
              grouped: true,
              outputs: [
                {
                  kind: "aggregate",
                  function: "distinctcount",
                  of: { kind: "column", name: "s" },
                },
              ],
            }),
          );
          assert.equal(distinct, [[firstRows]]);
          await store.append({ table: "t", rows: rowsOf(7, 8) });
          await store.ingest(parquet(50, 500));
          const expected = [...kept, 7, 8, ...counted(50, 500)];
          assert.equal(await read(store), expected);
          await store.close();
          store = await openStore(again(path));
          assert.equal(await read(store), expected);
          await store.close();
        },
      );

  for (const mode of ["append", "replace"] as const)
    declareFor(mode)(
      `${mode} beyond the memory budget fails without side effects, and the store keeps working`,
      async () => {
        const path = dir();
        const store = await openStore({
          dir: path,
          workers: 1,
          memoryBytes: tooMany.memoryBytes,
        });
        await store.create({ name: "t", columns });
        await store.ingest(parquet(2000));
        const { memoryBytes } = store.stats();
        const before = { info: store.table("t"), sizes: await sizesOf(path) };
        await rejects(store.ingest({ ...parquet(tooMany.rowCount), mode }), "STORE_OUT_OF_MEMORY");
        assert.is(store.stats().memoryBytes, memoryBytes);
        assert.equal(store.table("t"), before.info);
        assert.equal(await sizesOf(path), before.sizes);
        await store.ingest({ ...parquet(100, 5000), mode });
        const kept = mode === "append" ? counted(2000) : [];
        assert.equal(await read(store), [...kept, ...counted(100, 5000)]);
        await store.close();
      },
    );

  test.deep(
    "killing the process during an ingest of a file leaves all or none of its rows stored",
    async () => {
      const random = createRandom();
      await withSeed(random, async () => {
        const path = dir();
        const rowCount = rounds({ quick: 100_000, deep: 200_000 });
        let kept = 0;
        let cut = 0;
        // The time of the kill is random, but some kills must interrupt an ingest.
        for (
          let round = 0;
          round < rounds({ quick: 1, deep: 4 }) || (cut === 0 && round < 24);
          round++
        ) {
          const wanted = 1 + random.below(4);
          const lines = await killAmid({
            script: new URL("../../ingestFileRepeatedly.ts", import.meta.url),
            args: [path, String(rowCount)],
            isReady: ({ length }) => length >= wanted,
            afterMs: random.below(rounds({ quick: 300, deep: 600 })),
          });
          const before = await sizesOf(path);
          const store = await openStore({ dir: path, ...options, memoryBytes: 2 ** 30 });
          const after = await sizesOf(path);
          if (Object.keys(before).some((name) => after[name] !== before[name])) cut++;
          const last = lines.at(-1);
          const acknowledged = last === "replacing" ? Number(lines.at(-2)) : Number(last ?? kept);
          const allowed =
            last === "replacing"
              ? [acknowledged, rowCount]
              : [acknowledged, acknowledged + rowCount];
          const found = store.table("t")?.rowCount ?? 0;
          assert.ok(allowed.includes(found), `${found} of ${allowed.join(" or ")}`);
          const sums = await store.query({
            table: "t",
            grouped: true,
            outputs: [
              { kind: "aggregate", function: "sum", of: { kind: "column", name: "x" } },
              { kind: "aggregate", function: "distinctcount", of: { kind: "column", name: "s" } },
            ],
          });
          assert.equal(toCells(sums), [[(found * (rowCount - 1)) / 2, rowCount]]);
          kept = found;
          await store.close();
        }
        assert.ok(cut > 0, "at least one file was interrupted");
      });
    },
  );
});
