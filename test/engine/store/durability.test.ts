import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import * as assert from "uvu/assert";
import { openStore, type NamedBatch, type Store } from "../../../engine/index.ts";
import { openStoreWith } from "../../../engine/store/openStore.ts";
import { eventually } from "../../support/eventually.ts";
import { rounds } from "../../support/layer.ts";
import { suite } from "../../support/suite.ts";
import { createPartRandom, createRandom, withSeed } from "../../support/random.ts";
import type { ChurnState } from "../churn.ts";
import { makeFolder, rejects, toCells } from "../tables.ts";
import { faultyFiles } from "./faultyFiles.ts";

const options = { workers: 1, memoryBytes: 2 ** 28 };
const numbers = (...values: number[]): NamedBatch => ({
  names: ["x"],
  batch: {
    rowCount: values.length,
    columns: [{ type: "number", values: Float64Array.from(values) }],
  },
});
const readColumn = async (store: Store, name: string, table = "t") =>
  toCells(
    await store.query({
      table,
      grouped: false,
      outputs: [{ kind: "key", of: { kind: "column", name } }],
    }),
  ).map(([cell]) => cell);
const read = (store: Store, table: string) => readColumn(store, "x", table);
const column = { name: "x", type: "number" } as const;

/** Number of rounds of kills. They are divided into parts, so that each part finishes in time. */
const killRounds = rounds({ quick: 1, deep: 4, soak: 20 });
const killParts = Math.ceil(Number(process.env["KILL_ROUNDS"] ?? killRounds) / killRounds);

suite("engine/store/durability", (test) => {
  let folder: Awaited<ReturnType<typeof makeFolder>>;
  let next = 0;
  const dir = () => join(folder.path, String(next++));
  test.before(async () => void (folder = await makeFolder()));
  test.after(() => folder.remove());

  test("rows, columns and versions survive reopening the store", async () => {
    const path = dir();
    let store = await openStore({ dir: path, ...options });
    await store.create({ name: "t", columns: [column, { name: "gone", type: "text" }] });
    await store.append({ table: "t", rows: numbers(1, NaN, -0) });
    await store.append({
      table: "t",
      addColumns: [{ name: "s", type: "text" }],
      rows: {
        names: ["s"],
        batch: {
          rowCount: 2,
          columns: [
            {
              type: "text",
              codes: Int32Array.of(1, -1),
              dictionary: ["unused", "lone \uD800 __proto__"],
            },
          ],
        },
      },
    });
    await store.alter({ table: "t", drop: ["gone"], add: [{ name: "d", type: "datetime" }] });
    await store.create({ name: "replaced", columns: [column] });
    await store.replace({
      table: "replaced",
      columns: [{ name: "y", type: "number" }, column],
      rows: numbers(7),
    });
    await store.create({ name: "dropped", columns: [column] });
    await store.drop({ table: "dropped" });
    await store.create({ name: "scratch", columns: [column], temporary: true });
    const before = store.tables().filter(({ temporary }) => !temporary);
    await store.close();
    store = await openStore({ dir: path, ...options });
    assert.equal(store.tables(), before);
    assert.equal(await read(store, "replaced"), [7]);
    const answer = await store.query({
      table: "t",
      grouped: false,
      outputs: ["x", "s", "d"].map((name) => ({ kind: "key", of: { kind: "column", name } })),
    });
    assert.equal(toCells(answer), [
      [1, null, null],
      [null, null, null],
      [-0, null, null],
      [null, "lone \uD800 __proto__", null],
      [null, null, null],
    ]);
    await store.close();
    assert.equal(
      (await readdir(path)).sort(),
      before.map((_, index) => ["00000001.log", "00000003.log"][index]).concat("lock", "manifest"),
    );
  });

  test("a table that is dropped and created again gets a higher version than before", async () => {
    const store = await openStore({ dir: dir(), ...options });
    await store.create({ name: "t", columns: [column] });
    const { version } = await store.append({ table: "t", rows: numbers(1) });
    await store.drop({ table: "t" });
    assert.ok((await store.create({ name: "t", columns: [column] })).version > version);
    await store.close();
  });

  test("each of many concurrent appends is accepted or rejected, and all accepted rows are stored", async () => {
    const path = dir();
    let store = await openStore({ dir: path, ...options });
    await store.create({ name: "t", columns: [column] });
    const results = await Promise.allSettled([
      ...Array.from({ length: 50 }, (_, index) =>
        store.append({ table: "t", rows: numbers(index) }),
      ),
      store.append({ table: "t", rows: numbers(Infinity) }),
      store.append({ table: "t", addColumns: [{ name: "y", type: "number" }], rows: numbers(50) }),
      store.append({ table: "t", addColumns: [{ name: "y", type: "number" }], rows: numbers(51) }),
    ]);
    assert.equal(
      results
        .filter(({ status }) => status === "rejected")
        .map((result) => (result as PromiseRejectedResult).reason.code),
      ["VALUE_NOT_FINITE", "COLUMN_EXISTS"],
    );
    await store.close();
    store = await openStore({ dir: path, ...options });
    assert.equal(
      await read(store, "t"),
      Array.from({ length: 51 }, (_, index) => index),
    );
    await store.close();
  });

  test("after simultaneous appends, replaces and queries, the table contains exactly the acknowledged changes", async () => {
    const path = dir();
    let store = await openStore({ dir: path, ...options });
    await store.create({ name: "t", columns: [column] });
    await store.create({ name: "u", columns: [column] });
    const work: Promise<unknown>[] = [];
    for (let step = 0; step < 20; step++) {
      work.push(store.append({ table: "t", rows: numbers(step) }));
      if (step === 9) work.push(store.replace({ table: "t", rows: numbers(-1) }));
      work.push(store.append({ table: "u", rows: numbers(step) }), read(store, "t"));
    }
    await Promise.all(work);
    const expected = [-1, ...Array.from({ length: 10 }, (_, index) => index + 10)];
    assert.equal(await read(store, "t"), expected);
    await store.close();
    store = await openStore({ dir: path, ...options });
    assert.equal(await read(store, "t"), expected);
    assert.is(store.table("u")?.rowCount, 20);
    await store.close();
  });

  test("`close` completes pending writes and rejects running queries", async () => {
    const path = dir();
    let store = await openStore({ dir: path, ...options });
    await store.create({ name: "t", columns: [column] });
    const appended = store.append({ table: "t", rows: numbers(1) });
    const outcome = read(store, "t").then(
      () => "answered",
      (error: { code?: string }) => error.code,
    );
    await store.close();
    await appended;
    assert.ok(["answered", "STORE_CLOSED"].includes(String(await outcome)));
    await rejects(read(store, "t"), "STORE_CLOSED");
    await store.close();
    store = await openStore({ dir: path, ...options });
    assert.is(store.table("t")?.rowCount, 1);
    await store.close();
  });

  test("malformed rows are rejected as a whole, and the error names the fault", async () => {
    const store = await openStore({ dir: dir(), ...options });
    await store.create({
      name: "t",
      columns: [column, { name: "d", type: "datetime" }, { name: "s", type: "text" }],
    });
    const one = (name: string, vector: NamedBatch["batch"]["columns"][number], rowCount = 1) =>
      store.append({ table: "t", rows: { names: [name], batch: { rowCount, columns: [vector] } } });
    await rejects(
      one("x", { type: "number", values: Float64Array.of(-Infinity) }),
      "VALUE_NOT_FINITE",
    );
    await rejects(one("x", { type: "number", values: Float64Array.of(1, 2) }), "BATCH_MALFORMED");
    await rejects(one("x", { type: "datetime", values: Float64Array.of(1) }), "COLUMN_TYPE");
    await rejects(one("z", { type: "number", values: Float64Array.of(1) }), "COLUMN_UNKNOWN");
    await rejects(one("d", { type: "datetime", values: Float64Array.of(0.5) }), "BATCH_MALFORMED");
    await rejects(
      one("d", { type: "datetime", values: Float64Array.of(8.64e15 + 2) }),
      "BATCH_MALFORMED",
    );
    await rejects(
      one("s", { type: "text", codes: Int32Array.of(1), dictionary: ["a"] }),
      "BATCH_MALFORMED",
    );
    await rejects(
      one("s", { type: "text", codes: Int32Array.of(-2), dictionary: ["a"] }),
      "BATCH_MALFORMED",
    );
    await rejects(store.create({ name: "t", columns: [] }), "TABLE_EXISTS");
    await rejects(store.create({ name: "u", columns: [column, column] }), "COLUMN_EXISTS");
    await rejects(store.alter({ table: "t", drop: ["z"] }), "COLUMN_UNKNOWN");
    await rejects(store.drop({ table: "z" }), "TABLE_UNKNOWN");
    assert.is(store.table("t")?.rowCount, 0);
    await store.close();
    await rejects(store.append({ table: "t", rows: numbers(1) }), "STORE_CLOSED");
  });

  test("an append beyond the memory budget is rejected as a whole", async () => {
    const store = await openStore({ dir: dir(), workers: 1, memoryBytes: 100_000 });
    await store.create({ name: "t", columns: [column] });
    await store.append({ table: "t", rows: numbers(1) });
    await rejects(
      store.append({ table: "t", rows: numbers(...new Float64Array(20_000)) }),
      "STORE_OUT_OF_MEMORY",
    );
    assert.is(store.stats().rowCount, 1);
    await store.append({ table: "t", rows: numbers(2) });
    await store.close();
  });

  for (const fault of ["write", "sync"] as const)
    test(`a failed ${fault} fails the append, and the store keeps working`, async () => {
      const path = dir();
      const faulty = faultyFiles();
      let store = await openStoreWith({ dir: path, ...options }, faulty.files);
      await store.create({ name: "t", columns: [column] });
      await store.append({ table: "t", rows: numbers(1) });
      faulty.fault = fault;
      await rejects(store.append({ table: "t", rows: numbers(2) }), "STORE_WRITE_FAILED");
      if (fault === "write")
        await rejects(store.create({ name: "u", columns: [column] }), "STORE_WRITE_FAILED");
      faulty.fault = "none";
      await store.append({ table: "t", rows: numbers(3) });
      assert.equal(await read(store, "t"), [1, 3]);
      await store.close();
      store = await openStore({ dir: path, ...options });
      assert.equal(await read(store, "t"), [1, 3]);
      assert.is(store.table("u"), undefined);
      await store.close();
    });

  test("a failed write that cannot be undone makes the table read-only until it is reopened", async () => {
    const path = dir();
    const faulty = faultyFiles();
    let store = await openStoreWith({ dir: path, ...options }, faulty.files);
    await store.create({ name: "t", columns: [column] });
    await store.append({ table: "t", rows: numbers(1) });
    faulty.fault = "write";
    faulty.also = "truncate";
    await rejects(store.append({ table: "t", rows: numbers(2) }), "STORE_WRITE_FAILED");
    faulty.fault = "none";
    await rejects(store.append({ table: "t", rows: numbers(3) }), "STORE_WRITE_FAILED");
    assert.equal(await read(store, "t"), [1]);
    await store.close();
    store = await openStore({ dir: path, ...options });
    await store.append({ table: "t", rows: numbers(4) });
    assert.equal(await read(store, "t"), [1, 4]);
    await store.close();
  });

  test("if the manifest cannot be replaced, a replace fails and the old rows stay", async () => {
    const path = dir();
    const faulty = faultyFiles();
    let store = await openStoreWith({ dir: path, ...options }, faulty.files);
    await store.create({ name: "t", columns: [column] });
    await store.append({ table: "t", rows: numbers(1) });
    faulty.fault = "rename";
    await rejects(store.replace({ table: "t", rows: numbers(2) }), "STORE_WRITE_FAILED");
    assert.equal(await read(store, "t"), [1]);
    await store.close();
    store = await openStore({ dir: path, ...options });
    assert.equal(await read(store, "t"), [1]);
    await store.close();
  });

  const tailStep = rounds({ quick: 59, deep: 5 });
  test("an incomplete write of any length at the end of the log is removed when the store opens", async () => {
    const path = dir();
    let store = await openStore({ dir: path, ...options });
    await store.create({ name: "t", columns: [column] });
    await store.append({ table: "t", rows: numbers(1, 2) });
    await store.close();
    const log = join(path, "00000001.log");
    const acknowledged = await readFile(log);
    store = await openStore({ dir: path, ...options });
    await store.append({ table: "t", rows: numbers(3, 4) });
    await store.close();
    const whole = await readFile(log);
    for (let size = acknowledged.length; size < whole.length; size += tailStep) {
      await writeFile(log, whole);
      await truncate(log, size);
      store = await openStore({ dir: path, ...options });
      assert.equal(await read(store, "t"), [1, 2]);
      await store.append({ table: "t", rows: numbers(5) });
      assert.equal(await read(store, "t"), [1, 2, 5]);
      await store.close();
    }
  });

  test("a flipped bit anywhere in a table's file makes only that table unusable", async () => {
    const random = createRandom();
    const path = dir();
    let store = await openStore({ dir: path, ...options });
    for (const name of ["t", "u"]) {
      await store.create({ name, columns: [column] });
      await store.append({ table: name, rows: numbers(1, 2, 3) });
    }
    await store.close();
    await withSeed(random, async () => {
      const log = join(path, "00000001.log");
      const good = await readFile(log);
      for (let round = 0; round < rounds({ quick: 2, deep: 20, soak: 100 }); round++) {
        const bad = Buffer.from(good);
        bad[random.below(bad.length)] ^= 1 << random.below(8);
        await writeFile(log, bad);
        store = await openStore({ dir: path, ...options });
        await rejects(
          store.query({
            table: "t",
            grouped: true,
            outputs: [{ kind: "aggregate", function: "rows" }],
          }),
          "TABLE_DAMAGED",
        );
        await rejects(store.append({ table: "t", rows: numbers(1) }), "TABLE_DAMAGED");
        assert.equal(store.table("u")?.rowCount, 3);
        await store.close();
        assert.equal(await readFile(log), bad);
      }
      await writeFile(log, good);
      const manifest = join(path, "manifest");
      const goodManifest = await readFile(manifest);
      for (let round = 0; round < rounds({ quick: 2, deep: 20 }); round++) {
        const bad = Buffer.from(goodManifest);
        bad[random.below(bad.length)] ^= 1 << random.below(8);
        await writeFile(manifest, bad);
        await rejects(openStore({ dir: path, ...options }), "FILE_CORRUPT");
      }
    });
  });

  test("a damaged table can be dropped, but its file is kept", async () => {
    const path = dir();
    let store = await openStore({ dir: path, ...options });
    await store.create({ name: "t", columns: [column] });
    await store.close();
    await writeFile(join(path, "00000001.log"), "nonsense");
    store = await openStore({ dir: path, ...options });
    await store.drop({ table: "t" });
    await store.create({ name: "t", columns: [column] });
    await store.close();
    store = await openStore({ dir: path, ...options });
    assert.is((await readFile(join(path, "00000001.log.damaged"))).toString(), "nonsense");
    assert.is(store.table("t")?.rowCount, 0);
    await store.close();
  });

  test("opening a folder that is already open fails", async () => {
    const path = dir();
    const store = await openStore({ dir: path, ...options });
    await rejects(openStore({ dir: path, ...options }), "STORE_LOCKED");
    await store.close();
  });

  test.deep("opening a folder that is open in another process fails", async () => {
    const path = dir();
    const store = await openStore({ dir: path, ...options });
    const child = spawnChurn(path, 1);
    const [code] = await once(child, "exit");
    assert.is(code, 3);
    await store.close();
  });

  for (let part = 1; part <= killParts; part++)
    test.deep(
      `after kill -9, every acknowledged change is stored and the folder is not locked (part ${part})`,
      async () => {
        const random = createPartRandom(part);
        const path = dir();
        let changes = 0;
        let filesSeen = 0;
        // A child process that is killed early leaves no segment file. The deep layer goes on until one is left.
        const mostRounds = killRounds + rounds({ quick: 0, deep: 30 });
        await withSeed(random, async () => {
          for (
            let round = 0;
            round < killRounds || (filesSeen === 0 && round < mostRounds);
            round++
          ) {
            const child = spawnChurn(path, random.below(2 ** 31));
            let output = "";
            child.stdout.on("data", (text: Buffer) => (output += text.toString()));
            const lines = 2 + random.below(40);
            let complaint = "";
            child.stderr.on("data", (text: Buffer) => (complaint += text.toString()));
            const ended = once(child, "exit").then(([code]) => {
              throw new Error(`the process ended by itself with ${String(code)}: ${complaint}`);
            });
            while (output.split("\n").length < lines)
              await Promise.race([once(child.stdout, "data"), ended]);
            ended.catch(() => undefined);
            if (round === 0) await rejects(openStore({ dir: path, ...options }), "STORE_LOCKED");
            await new Promise((resolve) => setTimeout(resolve, random.below(40)));
            child.kill("SIGKILL");
            await once(child, "close");
            const states = output
              .split("\n")
              .slice(0, -1)
              .map((line) => JSON.parse(line) as { now: ChurnState; next: ChurnState });
            const last = states.at(-1);
            changes += states.length;
            filesSeen += (await readdir(path)).filter((name) => name.endsWith(".segments")).length;
            const store = await openStore({ dir: path, ...options });
            const found = JSON.stringify(await readState(store));
            assert.ok(
              [last?.now, last?.next].some((state) => JSON.stringify(state) === found),
              `round ${round}: ${found} is neither ${JSON.stringify(last)}`,
            );
            // Opening may fold a table in the background, whose old and new files exist at the same time for a moment.
            await eventually(async () => {
              const left = (await readdir(path)).filter((name) => /\.(log|segments)$/.test(name));
              return left.length <= 2;
            }, "no unnamed files are left");
            await store.close();
          }
        });
        assert.ok(changes > killRounds, `${changes} changes`);
        assert.ok(filesSeen > 0 || mostRounds === killRounds, `${filesSeen} files`);
      },
    );
});

async function readState(store: Store): Promise<ChurnState | null> {
  const columns = store.table("t")?.columns;
  if (!columns) return null;
  const runs: [number, number][] = [];
  for (const cell of await readColumn(store, "c0")) {
    const run = runs.at(-1);
    if (run && Number(cell) === run[0] + run[1]) run[1]++;
    else runs.push([Number(cell), 1]);
  }
  return { columnCount: columns.length, type: columns[0].type as "number" | "text", runs };
}

function spawnChurn(path: string, seed: number) {
  return spawn(
    process.execPath,
    [fileURLToPath(new URL("../churn.ts", import.meta.url)), path, String(seed)],
    { stdio: ["ignore", "pipe", "pipe"] },
  );
}
