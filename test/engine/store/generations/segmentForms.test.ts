import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliDecompressSync } from "node:zlib";
import * as assert from "uvu/assert";
import { nodeFiles } from "../../../../engine/files/files.ts";
import {
  openStore,
  type BatchColumn,
  type DataType,
  type NamedBatch,
  type Scalar,
  type Store,
} from "../../../../engine/index.ts";
import { suite } from "../../../support/suite.ts";
import { makeFolder, toCells } from "../../tables.ts";

const options = { workers: 1, memoryBytes: 2 ** 28 };
const rowCount = 65_536;

/** Columns for every form and width of a segment. */
const columns: Record<string, { readonly type: DataType; of(row: number): Scalar }> = {
  whole1: { type: "number", of: (row) => (row % 5 === 0 ? null : row % 200) },
  whole2: { type: "number", of: (row) => (row % 7) * 1000 },
  whole3: { type: "number", of: (row) => ((row % 7) * 10_000) / 100 + 0.25 },
  whole4: { type: "number", of: (row) => (row % 3) * 1_000_000_001 - 4 },
  float4: {
    type: "number",
    of: (row) => (row % 2 === 0 ? 2 ** 90 : row % 9 === 0 ? null : -0.5),
  },
  float8: { type: "number", of: (row) => (row % 3 === 0 ? null : Math.PI * (row % 4)) },
  hours: { type: "datetime", of: (row) => (row % 11) * 3_600_000 },
  instants: {
    type: "datetime",
    of: (row) => (row % 4 === 0 ? null : (row % 5) * 4e13 + (row % 3)),
  },
  code1: { type: "text", of: (row) => (row % 6 === 0 ? null : `text ${row % 4}`) },
  code2: { type: "text", of: (row) => `entry ${row % 300}` },
  nothing: { type: "number", of: () => null },
};
const names = Object.keys(columns);
const definitions = names.map((name) => ({ name, type: columns[name]!.type }));

/** Returns the rows as a batch. */
function allRows(): NamedBatch {
  const vectors = names.map((name): BatchColumn => {
    const { type, of } = columns[name]!;
    const cells = Array.from({ length: rowCount }, (_, row) => of(row));
    if (type !== "text")
      return { type, values: Float64Array.from(cells, (cell) => Number(cell ?? NaN)) };
    const places = new Map<string, number>();
    const codes = Int32Array.from(cells, (cell) => {
      if (cell === null) return -1;
      const place = places.get(String(cell)) ?? places.size;
      places.set(String(cell), place);
      return place;
    });
    return { type, codes, dictionary: [...places.keys()] };
  });
  return { names, batch: { rowCount, columns: vectors } };
}

/**
 * Returns the folder of a store of format version 4, with one row group in a segment file and an ingest of 1,000 rows
 * in its log.
 */
async function readFixture(): Promise<readonly (readonly [string, Buffer])[]> {
  const path = fileURLToPath(new URL("fixtures/format4.json", import.meta.url));
  const files = JSON.parse(await readFile(path, "utf8")) as Record<string, string>;
  return Object.entries(files).map(([name, bytes]) => [
    name,
    brotliDecompressSync(Buffer.from(bytes, "base64")),
  ]);
}

const read = async (store: Store) =>
  toCells(
    await store.query({
      table: "t",
      grouped: false,
      outputs: names.map((name) => ({ kind: "key", of: { kind: "column", name } })),
    }),
  );

suite("engine/store/generations/segmentForms", (test) => {
  let folder: Awaited<ReturnType<typeof makeFolder>>;
  test.before(async () => void (folder = await makeFolder()));
  test.after(() => folder.remove());

  test("a folder of format version 4 with segments of every form and width can be opened", async () => {
    const path = join(folder.path, "read");
    await nodeFiles.makeFolder(path);
    for (const [name, bytes] of await readFixture()) await writeFile(join(path, name), bytes);
    const store = await openStore({ dir: path, ...options });
    const ingested = Array.from({ length: 1000 }, (_, row): Record<string, Scalar> => ({
      whole1: row,
      code1: `a text for row ${row}`,
    }));
    const found = await read(store);
    assert.is(found.length, rowCount + 1000);
    const wrong = found.findIndex((cells, row) =>
      names.some((name, column) => {
        const expected = row < rowCount ? columns[name]!.of(row) : ingested[row - rowCount]![name];
        return !Object.is(expected ?? null, cells[column]);
      }),
    );
    assert.is(wrong, -1, `row ${wrong}`);
    await store.close();
  });

  test("writing the same rows again gives the same bytes", async () => {
    const path = join(folder.path, "written");
    const store = await openStore({ dir: path, ...options });
    await store.create({ name: "t", columns: definitions });
    await store.append({ table: "t", rows: allRows() });
    await store.compact({ table: "t" });
    await store.close();
    const expected = (await readFixture()).find(([name]) => name.endsWith(".segments"))?.[1];
    const file = (await readdir(path)).find((name) => name.endsWith(".segments"));
    assert.ok(file !== undefined && expected !== undefined);
    assert.is(Buffer.compare(await readFile(join(path, file)), expected), 0);
  });
});
