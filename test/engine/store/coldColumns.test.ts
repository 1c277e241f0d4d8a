import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { nodeFiles, type Files } from "../../../engine/files/files.ts";
import { SegmentFile } from "../../../engine/files/segmentFile.ts";
import type { Answer, Store } from "../../../engine/index.ts";
import { openStoreWith } from "../../../engine/store/openStore.ts";
import { rounds } from "../../support/layer.ts";
import { createRandom, withSeed } from "../../support/random.ts";
import { suite } from "../../support/suite.ts";
import { makeFolder, rejects, toCells } from "../tables.ts";

/** Number of rows. It is so large that a column of doubles is read with several reads. */
const rowCount = rounds({ quick: 9, deep: 12, soak: 26 }) * 65_536;
/** Number of rows of the table that tests read at the same time. */
const otherCount = rounds({ quick: 65_536, deep: rowCount });
const names = ["a", "b", "c"] as const;
const factorOf = { a: 1 / 3, b: 1 / 7, c: 1 / 11 };

const valuesOf = (name: (typeof names)[number]) =>
  Float64Array.from({ length: rowCount }, (_, row) => row * factorOf[name]);

const query = (store: Store, columns: readonly string[], table = "t", signal?: AbortSignal) =>
  store.query(
    {
      table,
      grouped: true,
      outputs: columns.map((name) => ({
        kind: "aggregate",
        function: "sum",
        of: { kind: "column", name },
      })),
    },
    signal && { signal },
  );

/** The file system. Counts partial reads, and delays them while `held` is set. */
function watchedFiles() {
  const watched = {
    readBytes: 0,
    underWay: 0,
    held: undefined as Promise<void> | undefined,
    files: {
      ...nodeFiles,
      async openParts(path: string) {
        const file = await nodeFiles.openParts(path);
        let underWay = 0;
        return {
          ...file,
          async read(into: Uint8Array, position: number) {
            watched.underWay++;
            underWay++;
            watched.readBytes += into.length;
            await watched.held;
            await file.read(into, position).finally(() => {
              watched.underWay--;
              underWay--;
            });
          },
          async close() {
            assert.is(underWay, 0, "a segment file is closed once nothing reads it");
            await file.close();
          },
        };
      },
    } satisfies Files,
  };
  return watched;
}

suite("engine/store/coldColumns", (test) => {
  let folder: Awaited<ReturnType<typeof makeFolder>>;
  let dir = "";
  let segmentsPath = "";
  const opened: Store[] = [];
  const open = async (files: Files = nodeFiles, memoryBytes = 2 ** 28) => {
    const store = await openStoreWith(
      { dir, workers: rounds({ quick: 1, deep: 2 }), memoryBytes },
      files,
    );
    opened.push(store);
    return store;
  };
  let expected: Answer;
  test.before(async () => {
    folder = await makeFolder();
    dir = join(folder.path, "store");
    const store = await open();
    for (const table of ["t", "other"]) {
      await store.create({ name: table, columns: names.map((name) => ({ name, type: "number" })) });
      const count = table === "t" ? rowCount : otherCount;
      const columns = names.map(
        (name) => ({ type: "number", values: valuesOf(name).subarray(0, count) }) as const,
      );
      await store.append({ table, rows: { names, batch: { rowCount: count, columns } } });
      await store.compact({ table });
    }
    expected = await query(store, names);
    await store.close();
    const files = (await readdir(dir)).filter((name) => name.endsWith(".segments")).sort();
    segmentsPath = join(dir, files[0]);
  });
  test.after(async () => {
    for (const store of opened) await store.close();
    await folder.remove();
  });
  const isExpected = (answer: Answer, columns: readonly string[]) =>
    assert.equal(
      toCells(answer)[0],
      columns.map((name) => toCells(expected)[0][names.indexOf(name as "a")]),
    );

  test.deep("the error for a flipped bit names the file, the column and the byte", async () => {
    const random = createRandom();
    const good = await readFile(segmentsPath);
    const file = await SegmentFile.open(nodeFiles, segmentsPath);
    const { columns } = file.footer;
    await file.close();
    await withSeed(random, async () => {
      for (let round = 0; round < rounds({ quick: 1, deep: 2, soak: 20 }); round++) {
        const { name, values } = random.pick(columns);
        const at = random.below(values.sizeBytes);
        const bad = Buffer.from(good);
        bad[values.offset + at] ^= 1 << random.below(8);
        await writeFile(segmentsPath, bad);
        const store = await open();
        const queries = [
          query(store, names),
          query(store, [name]),
          query(store, names.toReversed()),
        ];
        const failures = (await Promise.allSettled(queries)).map((outcome) =>
          outcome.status === "rejected" ? String(outcome.reason) : "answered",
        );
        const segmentStart = values.offset + at - (at % (65_536 * 8));
        const reason = `00000002.segments: the values of the column ${name} at byte ${segmentStart} do not match their checksum`;
        assert.ok(reason.startsWith(segmentsPath.slice(dir.length + 1)), segmentsPath);
        for (const failure of failures) assert.ok(failure.includes(reason), failure);
        await rejects(query(store, names), "TABLE_DAMAGED");
        isExpected(await query(store, names, "other"), names);
        await store.close();
      }
      await writeFile(segmentsPath, good);
      const store = await open();
      isExpected(await query(store, names), names);
      await store.close();
    });
  });

  test("simultaneous queries of the same columns read them once", async () => {
    const watched = watchedFiles();
    const store = await open(watched.files);
    watched.readBytes = 0;
    isExpected(await query(store, ["a"]), ["a"]);
    const ofOne = watched.readBytes;
    assert.ok(ofOne > rowCount * 8);
    watched.readBytes = 0;
    const lists = [["a", "b"], ["b"], ["b", "a"], ["b", "c"]];
    const answers = await Promise.all(lists.map((each) => query(store, each)));
    answers.forEach((answer, index) => isExpected(answer, lists[index]));
    assert.is(watched.readBytes, 2 * ofOne);
    await store.close();
  });

  test.deep(
    "cancelling a query during a column read does not fail other queries that wait for the read",
    async () => {
      const watched = watchedFiles();
      const store = await open(watched.files);
      const { memoryBytes } = store.stats();
      const release = Promise.withResolvers<void>();
      watched.held = release.promise;
      const aborting = new AbortController();
      const cancelled = query(store, ["a", "b"], "t", aborting.signal);
      const waiting = query(store, ["b"]);
      cancelled.catch(() => undefined);
      while (watched.underWay === 0) await new Promise((resolve) => setImmediate(resolve));
      aborting.abort();
      release.resolve();
      await rejects(cancelled, "QUERY_CANCELLED");
      isExpected(await waiting, ["b"]);
      await store.close();
      // The budget has space for one column at a time, so the columns of the cancelled query are evicted for the next
      // query.
      const small = await open(nodeFiles, memoryBytes + rowCount * 12);
      const aborted = new AbortController();
      const first = query(small, ["a"], "t", aborted.signal);
      aborted.abort();
      await rejects(first, "QUERY_CANCELLED");
      isExpected(await query(small, ["b"]), ["b"]);
      await small.close();
    },
  );

  test("closing the store during column reads fails the queries that wait for them", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      for (let round = 0; round < rounds({ quick: 1, deep: 3, soak: 20 }); round++) {
        const watched = watchedFiles();
        const store = await open(watched.files);
        watched.readBytes = 0;
        const queries = [query(store, names), query(store, ["a"]), query(store, ["c"], "other")];
        const outcomes = Promise.allSettled(queries);
        const until = random.below(2 * rowCount * 8);
        while (watched.readBytes < until) await new Promise((resolve) => setImmediate(resolve));
        await store.close();
        assert.is(watched.underWay, 0);
        for (const outcome of await outcomes)
          if (outcome.status === "rejected")
            assert.is((outcome.reason as { code?: string }).code, "STORE_CLOSED");
      }
    });
  });
});
