import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import * as assert from "uvu/assert";
import { openStore, type FillRequest, type Scalar, type Store } from "../../../../engine/index.ts";
import { openStoreWith } from "../../../../engine/store/openStore.ts";
import { rounds } from "../../../support/layer.ts";
import { createRandom, withSeed } from "../../../support/random.ts";
import { suite } from "../../../support/suite.ts";
import { killAmid } from "../../killAmid.ts";
import { numberedBatches, numberedColumns as columns } from "../../numberedBatches.ts";
import { makeFolder, rejects, toCells } from "../../tables.ts";
import { faultyFiles } from "../faultyFiles.ts";

const options = { workers: 1, memoryBytes: 2 ** 29 };
/** Rows of the batches that a thread seals. Smaller batches are encoded on the main thread. */
const sealedRows = 8_192;
/** Number of rows of a fill in the deep layer, which are more than a row group. */
const filledRows = rounds({ quick: sealedRows + 100, deep: 100_000, soak: 400_000 });
/** Number of rows in a table before a fill fails. */
const firstRows = rounds({ quick: 500, deep: 70_000 });

const filling = (rowCount: number, first = 0, batchRows = sealedRows): FillRequest =>
  numberedBatches({ rowCount, batchRows, first });

/** Returns a fill that calls `between` after each of its batches. */
function pausing(request: FillRequest, between: () => unknown): FillRequest {
  const batches = (async function* () {
    for await (const batch of request.batches) {
      yield batch;
      await between();
    }
  })();
  return { ...request, batches };
}

/** Returns a fill whose last batch is followed by a batch with an infinite number. */
function broken(request: FillRequest): FillRequest {
  const batches = (async function* () {
    yield* request.batches;
    const values = Float64Array.of(1, Infinity);
    yield { names: ["x"], batch: { rowCount: 2, columns: [{ type: "number", values }] } } as const;
  })();
  return { ...request, batches };
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
  test.after(() => folder.remove());

  test("batches are appended correctly wherever a row group ends", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      const path = dir();
      let store = await openStoreWith({ dir: path, ...options }, faultyFiles().files, 2 ** 18);
      await store.create({ name: "t", columns });
      const expected: number[] = [];
      for (let round = 0; round < rounds({ quick: 2, deep: 5 }); round++) {
        const count = 1 + random.below(rounds({ quick: 3_000, deep: 40_000, soak: 80_000 }));
        const size = random.pick(rounds({ quick: [500, 3_000], deep: [500, sealedRows, 20_000] }));
        const request = filling(count, round * 100_000, size);
        if (random.chance(0.2)) expected.length = 0;
        const mode = expected.length === 0 ? "replace" : "append";
        await store.fillBatches({ ...request, mode });
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
          store = await openStore({ dir: path, ...options });
          assert.is(store.table("t")?.version, before);
        }
        if (random.chance(0.5)) assert.equal(await read(store), expected);
      }
      assert.equal(await read(store), expected);
      await store.close();
      store = await openStore({ dir: path, ...options });
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
        let during = 0;
        const request = pausing(filling(filledRows, 0, Math.ceil(filledRows / 3)), async () => {
          const [count] = await Promise.all([
            countRows(store),
            store.append({ table: "other", rows: rowsOf(during++) }),
          ]);
          assert.is(count, 3);
        });
        const { rowCount } = await store.fillBatches({ ...request, mode });
        assert.ok(during > 1, `${during} rounds`);
        const after = mode === "append" ? filledRows + 3 : filledRows;
        assert.is(rowCount, after);
        assert.is(await countRows(store), after);
        await store.close();
      },
    );

  test("a fill fills the given columns and all other columns with null", async () => {
    const store = await openStore({ dir: dir(), ...options });
    const added = [...columns, { name: "y", type: "number" }] as const;
    await store.create({ name: "t", columns: added });
    await store.fillBatches(filling(2));
    const batches = (async function* () {
      yield { ...rowsOf(7), names: ["x", "s"] };
      const values = Float64Array.of(8);
      yield {
        names: ["x"],
        batch: { rowCount: 1, columns: [{ type: "number", values }] },
      } as const;
    })();
    await store.fillBatches({ table: "t", columns, batches });
    const outputs = added.map(
      ({ name }) => ({ kind: "key", of: { kind: "column", name } }) as const,
    );
    assert.equal(toCells(await store.query({ table: "t", grouped: false, outputs })), [
      [0, "a text for row 0", null],
      [1, "a text for row 1", null],
      [7, "a text for row 7", null],
      [8, null, null],
    ]);
    await store.close();
  });

  test("a replace keeps the columns, or sets the given columns, and the table gets the next version", async () => {
    const path = dir();
    let store = await openStore({ dir: path, ...options });
    await store.create({ name: "t", columns });
    await store.fillBatches(filling(500));
    const { version } = store.table("t") ?? { version: NaN };
    const kept = await store.fillBatches({ ...filling(2, 5), mode: "replace" });
    assert.is(kept.version, version + 1);
    assert.equal(kept.columns, columns);
    assert.equal(await read(store), [5, 6]);
    const definitions = [...columns, { name: "y", type: "number" }] as const;
    const set = await store.fillBatches({ ...filling(2, 7), mode: "replace", definitions });
    assert.equal(set.columns, definitions);
    await store.close();
    store = await openStore({ dir: path, ...options });
    assert.equal(store.table("t")?.columns, definitions);
    assert.equal(await read(store), [7, 8]);
    await store.close();
  });

  test("temporary tables can be filled", async () => {
    const store = await openStore({ dir: dir(), ...options });
    await store.create({ name: "t", columns, temporary: true });
    await store.fillBatches(filling(100));
    assert.equal(await read(store), counted(100));
    await store.close();
  });

  test("a fill that does not match the table is rejected before its batches are read", async () => {
    const store = await openStore({ dir: dir(), ...options });
    await store.create({ name: "t", columns });
    const refused: [string, Partial<FillRequest>][] = [
      ["TABLE_UNKNOWN", { table: "nowhere" }],
      ["COLUMN_UNKNOWN", { columns: [{ name: "z", type: "number" }] }],
      ["COLUMN_TYPE", { columns: [{ name: "x", type: "text" }] }],
      ["BATCH_MALFORMED", { columns: [columns[0], columns[0]] }],
    ];
    const request = pausing(filling(2), () => assert.unreachable("a batch was read"));
    for (const [code, change] of refused)
      await rejects(store.fillBatches({ ...request, ...change }), code);
    assert.is(store.table("t")?.rowCount, 0);
    await store.close();
  });

  test("an append that waits for a replace runs before any later replace", async () => {
    const store = await openStore({ dir: dir(), ...options });
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
      for (let step = 0; step < rounds({ quick: 16, deep: 80, soak: 400 }); step++) {
        const first = step * 1000;
        const kind = random.pick(["append", "append", "fill", "fill", "replace", "refill"]);
        const count = 1 + random.below(40);
        const rows = rowsOf(...counted(count, first));
        const file = filling(count, first, random.pick([1, 10, 100]));
        if (kind === "replace" || kind === "refill") expected.length = 0;
        expected.push(...counted(count, first));
        if (kind === "append") work.push(store.append({ table: "t", rows }));
        else if (kind === "replace") work.push(store.replace({ table: "t", rows }));
        else {
          const mode = kind === "refill" ? "replace" : "append";
          work.push(store.fillBatches({ ...file, mode }));
        }
        if (random.chance(0.1)) work.push(store.compact());
        if (random.chance(0.1)) await setImmediate();
      }
      await Promise.all(work);
      assert.equal(await read(store), expected);
      await store.close();
      store = await openStore({ dir: path, ...options });
      assert.equal(await read(store), expected);
      await store.close();
    });
  });

  test("changing columns and dropping the table wait for the end of an earlier fill", async () => {
    const store = await openStore({ dir: dir(), ...options });
    await store.create({ name: "t", columns });
    const filled = store.fillBatches(filling(1000, 0, 300));
    const altered = store.alter({ table: "t", add: [{ name: "y", type: "number" }] });
    const retyped = store.alter({ table: "t", retype: [{ name: "x", type: "text" }] });
    assert.is((await filled).rowCount, 1000);
    assert.equal(
      (await altered).columns.map(({ name }) => name),
      ["x", "s", "y"],
    );
    assert.is((await retyped).columns[0]?.type, "text");
    const numbers = { type: "number", values: new Float64Array(1000) } as const;
    const batches = (async function* () {
      yield { names: ["y"], batch: { rowCount: 1000, columns: [numbers] } };
    })();
    const last = store.fillBatches({
      table: "t",
      columns: [{ name: "y", type: "number" }],
      batches,
    });
    const dropped = store.drop({ table: "t" });
    assert.is((await last).rowCount, 2000);
    await dropped;
    assert.is(store.table("t"), undefined);
    await store.close();
  });

  test("changes of every kind succeed during a fill, in any order", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      const store = await openStoreWith({ dir: dir(), ...options }, faultyFiles().files, 2 ** 16);
      for (let round = 0; round < rounds({ quick: 2, deep: 3, soak: 20 }); round++) {
        await store.create({ name: "t", columns });
        const rowCount = rounds({ quick: 2_000, deep: 70_000 });
        const request = () =>
          pausing(filling(rowCount, 0, Math.ceil(rowCount / 10)), () => setImmediate());
        await store.fillBatches(request());
        const work: Promise<unknown>[] = [];
        const changes = [
          () => store.fillBatches(request()),
          () => store.fillBatches(request()),
          () => store.compact({ table: "t" }),
          () =>
            store.append({ table: "t", rows: { names: [], batch: { rowCount: 1, columns: [] } } }),
          () => store.alter({ table: "t", add: [{ name: "y", type: "number" }] }),
          () => store.create({ name: `other ${round}`, columns }),
        ];
        while (changes.length > 0) {
          for (let turn = random.below(8); turn > 0; turn--) await setImmediate();
          work.push(changes.splice(random.below(changes.length), 1)[0]());
        }
        await Promise.all(work);
        assert.is(store.table("t")?.rowCount, rowCount * 3 + 1);
        const last = store
          .fillBatches(request())
          .catch((error: { readonly code: string }) => error.code);
        for (let turn = random.below(8); turn > 0; turn--) await setImmediate();
        await store.drop({ table: "t" });
        const ended = await last;
        assert.ok(ended === "TABLE_UNKNOWN" || typeof ended === "object", String(ended));
      }
      await store.close();
    });
  });

  for (const mode of ["append", "replace"] as const)
    for (const failure of ["an invalid last batch", "a full disk", "a failed sync"] as const)
      (failure === "an invalid last batch" ? declareFor(mode) : test.deep)(
        `${failure} during ${mode} leaves behind no rows, strings, memory or bytes in files`,
        async () => {
          const path = dir();
          const faulty = faultyFiles();
          let store = await openStoreWith({ dir: path, ...options }, faulty.files);
          await store.create({ name: "t", columns });
          const kept = counted(firstRows, 1_000_000);
          await store.fillBatches(filling(firstRows, 1_000_000));
          assert.equal(await read(store), kept);
          const before = { info: store.table("t"), sizes: await sizesOf(path) };
          const { memoryBytes } = store.stats();
          const request = { ...filling(filledRows), mode };
          if (failure === "a full disk") {
            faulty.failAfterWrites = 2;
            await rejects(store.fillBatches(request), "STORE_WRITE_FAILED");
            faulty.failAfterWrites = Infinity;
          } else if (failure === "a failed sync") {
            faulty.fault = "sync";
            await rejects(store.fillBatches(request), "STORE_WRITE_FAILED");
          } else await rejects(store.fillBatches(broken(request)), "VALUE_NOT_FINITE");
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
          await store.fillBatches(filling(50, 500));
          const expected = [...kept, 7, 8, ...counted(50, 500)];
          assert.equal(await read(store), expected);
          await store.close();
          store = await openStore({ dir: path, ...options });
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
          memoryBytes: 1_000_000,
        });
        await store.create({ name: "t", columns });
        await store.fillBatches(filling(2000));
        const { memoryBytes } = store.stats();
        const before = { info: store.table("t"), sizes: await sizesOf(path) };
        await rejects(store.fillBatches({ ...filling(40_000), mode }), "STORE_OUT_OF_MEMORY");
        assert.is(store.stats().memoryBytes, memoryBytes);
        assert.equal(store.table("t"), before.info);
        assert.equal(await sizesOf(path), before.sizes);
        await store.fillBatches({ ...filling(100, 5000), mode });
        const kept = mode === "append" ? counted(2000) : [];
        assert.equal(await read(store), [...kept, ...counted(100, 5000)]);
        await store.close();
      },
    );

  test("closing the store fails a running fill, which stores no rows", async () => {
    const path = dir();
    let store = await openStore({ dir: path, ...options });
    await store.create({ name: "t", columns });
    const begun = Promise.withResolvers<void>();
    const request = pausing(filling(10 * sealedRows), () => begun.resolve());
    const filled = [request, filling(10)].map((each) =>
      rejects(store.fillBatches(each), "STORE_CLOSED"),
    );
    await begun.promise;
    await store.close();
    await Promise.all(filled);
    await rejects(store.fillBatches(filling(10)), "STORE_CLOSED");
    store = await openStore({ dir: path, ...options });
    assert.is(store.table("t")?.rowCount, 0);
    await store.close();
  });

  test.deep("killing the process during a fill leaves all or none of its rows stored", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      const path = dir();
      const rowCount = rounds({ quick: 100_000, deep: 100_000, soak: 200_000 });
      let kept = 0;
      let cut = 0;
      // The time of the kill is random, but some kills must interrupt a fill.
      for (
        let round = 0;
        round < rounds({ quick: 1, deep: 2, soak: 10 }) || (cut === 0 && round < 24);
        round++
      ) {
        const wanted = 1 + random.below(4);
        const lines = await killAmid({
          script: new URL("../../fillRepeatedly.ts", import.meta.url),
          args: [path, String(rowCount)],
          isReady: ({ length }) => length >= wanted,
          afterMs: random.below(300),
        });
        const before = await sizesOf(path);
        const store = await openStore({ dir: path, ...options, memoryBytes: 2 ** 30 });
        const after = await sizesOf(path);
        if (Object.keys(before).some((name) => after[name] !== before[name])) cut++;
        const last = lines.at(-1);
        const acknowledged = last === "replacing" ? Number(lines.at(-2)) : Number(last ?? kept);
        const allowed =
          last === "replacing" ? [acknowledged, rowCount] : [acknowledged, acknowledged + rowCount];
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
      assert.ok(cut > 0, "at least one fill was interrupted");
    });
  });
});
