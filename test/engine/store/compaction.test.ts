import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { nodeFiles, type Files } from "../../../engine/files/files.ts";
import type {
  Batch,
  ColumnDefinition,
  NamedBatch,
  Scalar,
  Store,
  StoreOptions,
  BatchColumn,
} from "../../../engine/index.ts";
import { openStoreWith } from "../../../engine/store/openStore.ts";
import { rounds } from "../../support/layer.ts";
import { createRandom, withSeed } from "../../support/random.ts";
import { suite } from "../../support/suite.ts";
import { makeFolder, rejects, toCells } from "../tables.ts";

const options = { workers: 1, memoryBytes: 2 ** 28 };
const rowGroup = 65_536;
const dayMs = 86_400_000;

const allDefinitions: readonly ColumnDefinition[] = [
  { name: "n", type: "number" },
  { name: "price", type: "number" },
  { name: "float", type: "number" },
  { name: "d", type: "datetime" },
  { name: "wide d", type: "datetime" },
  { name: "s", type: "text" },
  { name: "wide s", type: "text" },
];
/** Columns of the tables. The quick layer omits forms of segments that other tests write and read. */
const definitions = allDefinitions.filter(({ name }) =>
  rounds({ quick: ["n", "price", "s"], deep: [name] }).includes(name),
);

/** Returns the cell of a row, derived from the row's number. */
function cellOf(name: string, row: number): Scalar {
  if ((row * 7 + name.length) % 11 === 0) return null;
  if (name === "n") return row % 1000;
  if (name === "price") return row < 20_000 ? row : (row % 5000) / 100;
  if (name === "float") return row / 7;
  if (name === "d") return (row % 400) * dayMs;
  if (name === "wide d") return 1.6e12 + row * 1_000_001;
  if (name === "s") return `text ${row % 9}`;
  return name === "wide s" ? `row ${(row * 31) % 90_000}` : null;
}

const allNames = definitions.map(({ name }) => name);

const made = new Map<string, Scalar[]>();

/** Returns the first cells of a column. Creates each cell only once. */
function cellsOf(name: string, rowCount: number): readonly Scalar[] {
  const cells = made.get(name) ?? [];
  made.set(name, cells);
  for (let row = cells.length; row < rowCount; row++) cells.push(cellOf(name, row));
  return cells;
}

function vectorOf({ name, type }: ColumnDefinition, first: number, count: number): BatchColumn {
  const cells = cellsOf(name, first + count);
  if (type !== "text") {
    const values = new Float64Array(count);
    for (let row = 0; row < count; row++) values[row] = Number(cells[first + row] ?? NaN);
    return { type, values };
  }
  const places = new Map<string, number>();
  const codes = Int32Array.from({ length: count }, (_, row) => {
    const cell = cells[first + row];
    if (typeof cell !== "string") return -1;
    const place = places.get(cell) ?? places.size;
    places.set(cell, place);
    return place;
  });
  return { type, codes, dictionary: [...places.keys()] };
}

function rowsOf(first: number, count: number, names = allNames): NamedBatch {
  const wanted = allDefinitions.filter(({ name }) => names.includes(name));
  const columns = wanted.map((definition) => vectorOf(definition, first, count));
  return { names: wanted.map(({ name }) => name), batch: { rowCount: count, columns } };
}

const query = (store: Store, names: readonly string[]) =>
  store.query({
    table: "t",
    grouped: false,
    outputs: names.map((name) => ({ kind: "key", of: { kind: "column", name } })),
  });

const read = async (store: Store, names: readonly string[] = allNames) =>
  toCells(await query(store, names));

/** Asserts that all cells equal `cellOf`, and are null before the row at which their column was added. */
function checkCells(answer: Batch, names: readonly string[], startOf: (name: string) => number) {
  for (const [column, vector] of answer.columns.entries()) {
    const name = names[column];
    const start = startOf(name);
    const cells = cellsOf(name, answer.rowCount);
    for (let row = 0; row < answer.rowCount; row++) {
      const expected = row < start ? null : cells[row];
      let cell: Scalar;
      if (vector.type === "text")
        cell = vector.codes[row] < 0 ? null : vector.dictionary[vector.codes[row]];
      else cell = Number.isNaN(vector.values[row]) ? null : vector.values[row];
      if (!Object.is(cell, expected))
        throw new Error(`${name} of row ${row} is ${cell}, not ${expected}`);
    }
  }
}

/** Number of rows that are added after a compaction; a full row group in the deep layer. */
const laterRows = rounds({ quick: 2_000, deep: rowGroup });
/** Columns that are checked after every step. The last step checks all columns. */
const stepNames = rounds({ quick: ["price", "s"], deep: ["price", "wide s"] });

async function check(store: Store, rowCount: number, names: readonly string[] = allNames) {
  const answer = await query(store, names);
  assert.is(answer.rowCount, rowCount);
  checkCells(answer, names, () => 0);
}

/** The file system. Counts partial reads, and fails writes once `fails` returns true. */
function watchedFiles() {
  const watched = {
    readBytes: 0,
    fails: (_path: string): boolean => false,
    freeBytes: Infinity,
    files: {
      ...nodeFiles,
      async openParts(path: string) {
        const file = await nodeFiles.openParts(path);
        return {
          ...file,
          async read(into: Uint8Array, position: number) {
            watched.readBytes += into.length;
            await file.read(into, position);
          },
        };
      },
      async openLog(path: string, create: boolean) {
        const file = await nodeFiles.openLog(path, create);
        return {
          ...file,
          async write(bytes: Uint8Array, position: number) {
            if (watched.fails(path)) {
              await file.write(bytes.subarray(0, bytes.length >> 1), position);
              throw Object.assign(new Error("ENOSPC: no space left on device, write"), {
                code: "ENOSPC",
                syscall: "write",
              });
            }
            await file.write(bytes, position);
          },
        };
      },
      async freeBytes(): Promise<number> {
        return watched.freeBytes;
      },
    } satisfies Files,
  };
  return watched;
}

suite("engine/store/compaction", (test) => {
  let folder: Awaited<ReturnType<typeof makeFolder>>;
  /**
   * All opened stores. If a failed test leaves a store open, the store is closed at the end, instead of by the garbage
   * collector.
   */
  const opened: Store[] = [];
  const open = async (given: StoreOptions, files: Files = nodeFiles, logBytes?: number) => {
    const store = await openStoreWith(given, files, logBytes);
    opened.push(store);
    return store;
  };
  let next = 0;
  const dir = () => join(folder.path, String(next++));
  const filesIn = async (path: string) =>
    (await readdir(path)).filter((name) => /\.(log|segments|damaged|new)$/.test(name)).sort();
  test.before(async () => void (folder = await makeFolder()));
  test.after(async () => {
    for (const store of opened) await store.close();
    await folder.remove();
  });

  test("compaction changes no answers and no versions, and keeps changes made later", async () => {
    const path = dir();
    let store = await open({ dir: path, ...options });
    await store.create({ name: "t", columns: [{ name: "gone", type: "text" }, ...definitions] });
    await store.append({ table: "t", rows: rowsOf(0, rowGroup + 1000) });
    const { version } = await store.alter({ table: "t", drop: ["gone"] });
    await store.compact({ table: "t" });
    assert.equal(await filesIn(path), ["00000002.segments", "00000003.log"]);
    assert.is(store.table("t")?.version, version);
    await check(store, rowGroup + 1000, stepNames);
    let rowCount = rowGroup + 1000;
    await store.append({ table: "t", rows: rowsOf(rowCount, laterRows) });
    rowCount += laterRows;
    await check(store, rowCount, stepNames);
    await store.close();

    store = await open({ dir: path, ...options });
    assert.is(store.table("t")?.version, version + 1);
    await store.append({ table: "t", rows: rowsOf(rowCount, 500) });
    rowCount += 500;
    await check(store, rowCount, stepNames);
    await store.close();

    store = await open({ dir: path, ...options });
    await store.compact();
    await check(store, rowCount, stepNames);
    await store.append({ table: "t", rows: rowsOf(rowCount, 10) });
    const before = store.tables();
    await store.close();
    store = await open({ dir: path, ...options });
    await check(store, rowCount + 10);
    assert.equal(
      store.tables().map((table) => ({ ...table, memoryBytes: 0 })),
      before.map((table) => ({ ...table, memoryBytes: 0 })),
    );
    await store.close();
  });

  test.deep(
    "compaction removes dropped columns from disk, and a new column with the same name is empty",
    async () => {
      const path = dir();
      let store = await open({ dir: path, ...options });
      await store.create({ name: "t", columns: definitions });
      await store.append({ table: "t", rows: rowsOf(0, rowGroup + 10) });
      await store.compact();
      const size = async () =>
        (
          await Promise.all(
            (await filesIn(path)).map(async (name) => (await stat(join(path, name))).size),
          )
        ).reduce((sum, bytes) => sum + bytes, 0);
      const before = await size();
      await store.alter({
        table: "t",
        drop: ["wide s"],
        add: [{ name: "wide s", type: "number" }],
      });
      const sparse = async () =>
        (await read(store, ["wide s", "n"])).every(
          ([cell, n], row) => cell === null && n === cellOf("n", row),
        );
      assert.ok(await sparse());
      await store.close();
      store = await open({ dir: path, ...options });
      assert.ok(await sparse());
      await store.compact();
      assert.ok((await size()) < before - 500_000, `${before} bytes became ${await size()}`);
      assert.ok(await sparse());
      await store.close();
      store = await open({ dir: path, ...options });
      assert.ok(await sparse());
      await store.close();
    },
  );

  test.deep("during compaction, rows and columns can change and queries can run", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      for (let round = 0; round < rounds({ quick: 2, deep: 2, soak: 8 }); round++) {
        const path = dir();
        let store = await open({ dir: path, ...options });
        await store.create({ name: "t", columns: definitions });
        await store.append({ table: "t", rows: rowsOf(0, rowGroup + 3) });
        if (round % 2 === 1) {
          await store.compact();
          await store.append({ table: "t", rows: rowsOf(rowGroup + 3, rowGroup) });
        }
        let rowCount = rowGroup + 3 + (round % 2) * rowGroup;
        const compaction = store.compact({ table: "t" });
        let isDone = false;
        void compaction.finally(() => (isDone = true));
        const added: Promise<unknown>[] = [];
        while (!isDone) {
          const count = 1 + random.below(3000);
          added.push(store.append({ table: "t", rows: rowsOf(rowCount, count) }));
          rowCount += count;
          if (random.chance(0.1)) added.push(check(store, rowCount, ["n"]).catch(() => undefined));
          await new Promise((resolve) => setTimeout(resolve, random.below(4)));
        }
        await compaction;
        await Promise.all(added);
        await check(store, rowCount);
        const again = store.compact();
        const dropped = store.alter({
          table: "t",
          drop: ["price"],
          add: [{ name: "late", type: "number" }],
        });
        await Promise.all([again, dropped]);
        const left = ["n", "float", "d", "wide d", "s", "wide s", "late"];
        await check(store, rowCount, left);
        const replaced = Promise.all([
          store.compact(),
          store.replace({ table: "t", rows: rowsOf(0, 5, ["n"]) }),
        ]).catch((error: { code?: string }) => assert.is(error.code, "TABLE_UNKNOWN"));
        await replaced;
        await store.compact();
        await check(store, 5, ["n"]);
        await store.close();
        store = await open({ dir: path, ...options });
        await check(store, 5, ["n"]);
        await store.close();
        assert.is((await filesIn(path)).length, 1, (await filesIn(path)).join());
      }
    });
  });

  test.deep(
    "row groups that fill up during a compaction are moved by the next compaction",
    async () => {
      const path = dir();
      const began = Promise.withResolvers<void>();
      const added = Promise.withResolvers<void>();
      const store = await open(
        { dir: path, ...options },
        {
          ...nodeFiles,
          async openLog(file, create) {
            if (file.endsWith(".segments")) {
              began.resolve();
              await added.promise;
            }
            return nodeFiles.openLog(file, create);
          },
        },
      );
      const logBytes = async () => {
        const logs = (await filesIn(path)).filter((name) => name.endsWith(".log"));
        return (await stat(join(path, logs.at(-1)!))).size;
      };
      await store.create({ name: "t", columns: definitions });
      await store.append({ table: "t", rows: rowsOf(0, rowGroup + 3) });
      const first = store.compact({ table: "t" });
      await began.promise;
      await store.append({ table: "t", rows: rowsOf(rowGroup + 3, 2 * rowGroup) });
      added.resolve();
      await first;
      const before = await logBytes();
      await store.compact({ table: "t" });
      const after = await logBytes();
      assert.ok(after < 5000 && before > 100 * after, `${before} and then ${after} bytes`);
      const names = await filesIn(path);
      await store.compact({ table: "t" });
      assert.equal(await filesIn(path), names, "a compact table is not rewritten");
      await store.close();
      const again = await open({ dir: path, ...options });
      await check(again, 3 * rowGroup + 3);
      await again.close();
    },
  );

  test.deep("a log that exceeds its limit is compacted in the background", async () => {
    const path = dir();
    const store = await open({ dir: path, ...options }, nodeFiles, 2 ** 20);
    await store.create({ name: "t", columns: definitions });
    for (let step = 0; step < 20; step++)
      await store.append({ table: "t", rows: rowsOf(step * 10_000, 10_000) });
    await check(store, 200_000);
    await store.close();
    const names = await filesIn(path);
    assert.ok(
      names.some((name) => name.endsWith(".segments")),
      names.join(),
    );
    const again = await open({ dir: path, ...options });
    await check(again, 200_000);
    await again.close();
  });

  test.deep(
    "compaction without enough disk space writes nothing, and the error says how much space is needed",
    async () => {
      const path = dir();
      const watched = watchedFiles();
      let store = await open({ dir: path, ...options }, watched.files, 2 ** 20);
      await store.create({ name: "t", columns: definitions });
      watched.freeBytes = 2 ** 20;
      await store.append({ table: "t", rows: rowsOf(0, rowGroup + 10) });
      await rejects(store.compact({ table: "t" }), "STORE_WRITE_FAILED");
      assert.match(
        store.stats().compactionFailure ?? "",
        /needs \d+ MiB of disk space, but only 1 MiB are/,
      );
      await store.close();
      store = await open({ dir: path, ...options }, watched.files, 2 ** 20);
      await check(store, rowGroup + 10);
      assert.match(store.stats().compactionFailure ?? "", /needs \d+ MiB/);
      await store.close();
      assert.equal(await filesIn(path), ["00000001.log"]);
    },
  );

  test.deep(
    "if the disk fills up, compaction fails and leaves no files, and the store keeps working",
    async () => {
      const path = dir();
      const watched = watchedFiles();
      let store = await open({ dir: path, ...options }, watched.files, 2 ** 21);
      await store.create({ name: "t", columns: definitions });
      watched.fails = (file) => file.endsWith(".segments");
      await store.append({ table: "t", rows: rowsOf(0, rowGroup + 10) });
      await rejects(store.compact({ table: "t" }), "STORE_WRITE_FAILED");
      assert.ok(store.stats().compactionFailure?.includes("ENOSPC"));
      let writes = 0;
      watched.fails = (file) => /0000000[2-9]\.log$/.test(file) && writes++ > 0;
      await rejects(store.compact({ table: "t" }), "STORE_WRITE_FAILED");
      watched.fails = (file) => file.endsWith("manifest.new");
      await rejects(store.compact({ table: "t" }), "STORE_WRITE_FAILED");
      await store.close();
      watched.fails = () => false;
      store = await open({ dir: path, ...options }, watched.files);
      assert.equal(await filesIn(path), ["00000001.log"]);
      await check(store, rowGroup + 10);
      await store.append({ table: "t", rows: rowsOf(rowGroup + 10, 10) });
      await store.compact();
      assert.is(store.stats().compactionFailure, undefined);
      await check(store, rowGroup + 20);
      await store.close();
      store = await open({ dir: path, ...options });
      await check(store, rowGroup + 20);
      await store.close();
    },
  );

  const tableCount = rounds({ quick: 20, deep: 20, soak: 100 });
  test.deep(
    "opening many tables reads no rows of segment files, and a query reads only its own columns",
    async () => {
      const path = dir();
      const watched = watchedFiles();
      let store = await open({ dir: path, ...options }, watched.files);
      const rows = rowsOf(0, rowGroup, ["n", "price", "s"]);
      for (let table = 0; table < tableCount; table++) {
        const columns = definitions.filter(({ name }) => ["n", "price", "s"].includes(name));
        await store.create({ name: table === 0 ? "t" : `t${table}`, columns });
        await store.append({ table: table === 0 ? "t" : `t${table}`, rows });
      }
      await store.compact();
      await store.close();
      const names = await filesIn(path);
      let segmentBytes = 0;
      for (const name of names.filter((file) => file.endsWith(".segments")))
        segmentBytes += (await stat(join(path, name))).size;
      watched.readBytes = 0;
      store = await open({ dir: path, ...options }, watched.files);
      assert.is(store.tables().length, tableCount);
      assert.is(store.stats().rowCount, tableCount * rowGroup);
      assert.is(store.stats().memoryBytes, 0);
      assert.ok(
        watched.readBytes < segmentBytes / 50,
        `${watched.readBytes} of ${segmentBytes} bytes were read`,
      );
      watched.readBytes = 0;
      const answer = await store.query({
        table: "t",
        grouped: true,
        outputs: [{ kind: "aggregate", function: "sum", of: { kind: "column", name: "n" } }],
      });
      let sum = 0;
      for (let row = 0; row < rowGroup; row++) sum += Number(cellOf("n", row));
      assert.equal(toCells(answer), [[sum]]);
      assert.ok(watched.readBytes >= rowGroup, "the column was read");
      assert.ok(watched.readBytes <= rowGroup * 2 + 1024, `${watched.readBytes} bytes were read`);
      watched.readBytes = 0;
      await check(store, rowGroup, ["n"]);
      assert.is(watched.readBytes, 0, "it was read once");
      await store.append({ table: "t", rows: rowsOf(rowGroup, 7, ["n", "price", "s"]) });
      assert.is(watched.readBytes, 0, "rows are added without reading");
      await check(store, rowGroup + 7, ["n", "price", "s"]);
      await store.close();
    },
  );

  test.deep(
    "with a small memory budget, the least recently used columns are evicted and answers stay correct",
    async () => {
      const random = createRandom();
      const path = dir();
      let store = await open({ dir: path, ...options });
      await store.create({ name: "t", columns: definitions });
      await store.append({ table: "t", rows: rowsOf(0, 2 * rowGroup) });
      await store.compact();
      await store.close();
      const watched = watchedFiles();
      const memoryBytes = 9 * 2 ** 20;
      store = await open({ dir: path, workers: 1, memoryBytes }, watched.files);
      let rowCount = 2 * rowGroup;
      await withSeed(random, async () => {
        for (let round = 0; round < rounds({ quick: 21, deep: 24, soak: 60 }); round++) {
          const names = [definitions[round % definitions.length].name];
          if (random.chance(0.3)) names.push(random.pick(["n", "d", "s"]));
          if (random.chance(0.2)) {
            await store.append({ table: "t", rows: rowsOf(rowCount, 10) });
            rowCount += 10;
          }
          if (round === 20) await store.compact();
          await Promise.all([
            check(store, rowCount, [...new Set(names)]),
            check(store, rowCount, ["n"]),
          ]);
          assert.ok(store.stats().memoryBytes <= memoryBytes, `${store.stats().memoryBytes} bytes`);
        }
      });
      const [segments] = (await filesIn(path)).filter((name) => name.endsWith(".segments"));
      const { size } = await stat(join(path, segments));
      assert.ok(watched.readBytes > size * 2, `${watched.readBytes} bytes were read of ${size}`);
      await rejects(read(store), "STORE_OUT_OF_MEMORY");
      await check(store, rowCount, ["n"]);
      await store.close();
    },
  );

  test.deep(
    "with a small memory budget, random operations give the same results as a simple list of columns",
    async () => {
      const random = createRandom();
      await withSeed(random, async () => {
        const path = dir();
        const memoryBytes = 15 * 2 ** 20;
        const openSmall = () => open({ dir: path, workers: 1, memoryBytes }, nodeFiles, 2 ** 19);
        let store = await openSmall();
        await store.create({ name: "t", columns: definitions });
        /** For each column, the first row whose cell is not null. */
        const present = new Map(definitions.map(({ name }) => [name, 0]));
        let rowCount = 0;
        const checkSome = async (names: readonly string[]) => {
          const answer = await query(store, names).catch((error: { code?: string }) => {
            if (error.code === "STORE_OUT_OF_MEMORY") return undefined;
            throw error;
          });
          if (!answer) return false;
          assert.is(answer.rowCount, rowCount);
          checkCells(answer, names, (name) => present.get(name) ?? 0);
          return true;
        };
        for (let step = 0; step < rounds({ quick: 6, deep: 30, soak: 200 }); step++) {
          const kind = random.below(10);
          if (kind < 3 && rowCount < 200_000) {
            const count = random.chance(0.5) ? random.below(50) : 10_000 + random.below(20_000);
            await store
              .append({ table: "t", rows: rowsOf(rowCount, count, [...present.keys()]) })
              .then(
                () => (rowCount += count),
                (error: { code?: string }) => assert.is(error.code, "STORE_OUT_OF_MEMORY"),
              );
          } else if (kind === 3) {
            const name = random.pick(definitions).name;
            const column = definitions.filter((definition) => definition.name === name);
            if (present.has(name)) await store.alter({ table: "t", drop: [name] });
            else await store.alter({ table: "t", add: column });
            if (!present.delete(name)) present.set(name, rowCount);
          } else if (kind === 4)
            await store
              .compact()
              .catch((error: { code?: string }) => assert.is(error.code, "STORE_OUT_OF_MEMORY"));
          else if (kind === 5) {
            await store.close();
            store = await openSmall();
          } else {
            const names = [...present.keys()].filter((name) => name !== "wide s");
            if (names.length > 0) await checkSome([random.pick(names), random.pick(names)]);
            if (present.has("wide s") && random.chance(0.3)) await checkSome(["wide s"]);
          }
        }
        await store.close();
        store = await open({ dir: path, ...options });
        await store.compact();
        assert.is(store.stats().memoryBytes, store.table("t")?.memoryBytes);
        for (const name of present.keys()) assert.ok(await checkSome([name]), name);
      });
    },
  );

  test("a damaged segment file makes only its own table unusable", async () => {
    const path = dir();
    let store = await open({ dir: path, ...options });
    const names = ["n", "s"];
    const columns = allDefinitions.filter(({ name }) => names.includes(name));
    for (const name of ["t", "u"]) {
      await store.create({ name, columns });
      await store.append({ table: name, rows: rowsOf(0, rowGroup, names) });
    }
    await store.compact();
    await store.close();
    const [file] = (await filesIn(path)).filter((name) => name.endsWith(".segments"));
    const bytes = await readFile(join(path, file));
    bytes[5000] ^= 4;
    await writeFile(join(path, file), bytes);
    store = await open({ dir: path, ...options });
    await check(store, rowGroup, ["s"]);
    await rejects(read(store, ["n"]), "TABLE_DAMAGED");
    await rejects(read(store, ["s"]), "TABLE_DAMAGED");
    await rejects(store.append({ table: "t", rows: rowsOf(0, 1, names) }), "TABLE_DAMAGED");
    await rejects(store.compact({ table: "t" }), "TABLE_DAMAGED");
    assert.equal(
      store.tables().map(({ name }) => name),
      ["u"],
    );
    const more = await store.append({ table: "u", rows: rowsOf(0, 1, names) });
    assert.is(more.rowCount, rowGroup + 1);
    await store.replace({ table: "t", rows: rowsOf(0, 3, ["n"]), columns });
    await check(store, 3, ["n"]);
    await store.close();
    assert.ok((await filesIn(path)).includes(`${file}.damaged`));
    store = await open({ dir: path, ...options });
    await check(store, 3, ["n"]);
    await store.close();

    bytes[bytes.length - 10] ^= 1;
    await writeFile(
      join(
        path,
        (await filesIn(path)).find((name) => name.endsWith(".segments"))!,
      ),
      bytes,
    );
    store = await open({ dir: path, ...options });
    await rejects(store.append({ table: "u", rows: rowsOf(0, 1, names) }), "TABLE_DAMAGED");
    await check(store, 3, ["n"]);
    await store.close();
  });
});
