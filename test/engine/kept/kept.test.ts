import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliDecompressSync, crc32 } from "node:zlib";
import * as assert from "uvu/assert";
import { formatVersion } from "../../../engine/files/frame.ts";
import { EngineError, openStore, type Store } from "../../../engine/index.ts";
import { makeFolder, toCells } from "../tables.ts";
import { suite } from "../../support/suite.ts";
import { groupRows, keptBatch, keptColumns, keptRows } from "./keptRows.ts";

const options = { workers: 1, memoryBytes: 2 ** 28 };
/** The format version of release 0.1.0. */
const firstVersion = 4;
const versions = Array.from(
  { length: formatVersion - firstVersion + 1 },
  (_, index) => firstVersion + index,
);

/**
 * Writes the kept folder of a format version to `dir`, and returns its files. Bytes 8 to 11 of each file are the
 * version.
 */
function unpack(version: number, dir: string): Buffer[] {
  const path = join(import.meta.dirname, `store-${version}.json`);
  const files: Readonly<Record<string, string>> = JSON.parse(readFileSync(path, "utf8"));
  mkdirSync(dir);
  return Object.entries(files).map(([name, packed]) => {
    const bytes = brotliDecompressSync(Buffer.from(packed, "base64"));
    writeFileSync(join(dir, name), bytes);
    return bytes;
  });
}

async function firstDifference(store: Store): Promise<number> {
  const cells = toCells(
    await store.query({
      table: "kept",
      grouped: false,
      outputs: keptColumns.map(({ name }) => ({ kind: "key", of: { kind: "column", name } })),
    }),
  );
  const expected = [...keptRows, ...keptRows.slice(0, cells.length - keptRows.length)];
  return expected.findIndex((row, at) => row.some((cell, of) => !Object.is(cell, cells[at]?.[of])));
}

suite("engine/kept: folders of the store", (test) => {
  let folder: Awaited<ReturnType<typeof makeFolder>>;
  test.before(async () => void (folder = await makeFolder()));
  test.after(() => folder.remove());

  test("the tests keep a folder of each format version since release 0.1.0", () => {
    const kept = readdirSync(import.meta.dirname).filter((name) => name.endsWith(".json"));
    assert.equal(
      kept.toSorted(),
      versions.map((version) => `store-${version}.json`),
    );
    for (const version of versions)
      for (const bytes of unpack(version, join(folder.path, `read-${version}`)))
        assert.is(bytes.readUInt32LE(8), version);
  });

  for (const version of versions)
    test(`the store opens a folder of format version ${version}, adds rows and compacts it`, async () => {
      const dir = join(folder.path, `open-${version}`);
      unpack(version, dir);
      let store = await openStore({ dir, ...options });
      assert.is(store.table("kept")?.rowCount, groupRows + 10);
      assert.is(await firstDifference(store), -1);
      await store.append({ table: "kept", rows: keptBatch(0, 3) });
      await store.compact();
      await store.close();
      store = await openStore({ dir, ...options });
      assert.is(store.table("kept")?.rowCount, groupRows + 13);
      assert.is(await firstDifference(store), -1);
      await store.close();
    });

  for (const version of [firstVersion - 1, formatVersion + 1])
    test(`opening a folder of format version ${version} fails without changing it`, async () => {
      const dir = join(folder.path, `unknown-${version}`);
      unpack(formatVersion, dir);
      const manifest = readFileSync(join(dir, "manifest"));
      manifest.writeUInt32LE(version, 8);
      manifest.writeUInt32LE(crc32(manifest.subarray(0, 12)), 12);
      writeFileSync(join(dir, "manifest"), manifest);
      const failure: unknown = await openStore({ dir, ...options }).catch(
        (error: unknown) => error,
      );
      assert.instance(failure, EngineError);
      if (!(failure instanceof EngineError)) return;
      assert.is(failure.code, "FILE_VERSION");
      assert.match(
        failure.message,
        `has format version ${version}; this engine reads ${formatVersion}`,
      );
      assert.is(Buffer.compare(readFileSync(join(dir, "manifest")), manifest), 0);
    });
});
