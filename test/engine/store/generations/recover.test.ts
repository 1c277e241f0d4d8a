import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { isDeepStrictEqual } from "node:util";
import * as assert from "uvu/assert";
import { nodeFiles } from "../../../../engine/files/files.ts";
import { openStore, type Scalar, type Store } from "../../../../engine/index.ts";
import { suite } from "../../../support/suite.ts";
import { numberedParquet } from "../../numberedParquet.ts";
import { makeFolder, toCells } from "../../tables.ts";

const options = { workers: 1, memoryBytes: 2 ** 28 };

const read = async (store: Store) =>
  toCells(
    await store.query({
      table: "t",
      grouped: false,
      outputs: ["n", "s", "d"].map((name) => ({ kind: "key", of: { kind: "column", name } })),
    }),
  );

suite("engine/store/generations/recover", (test) => {
  let folder: Awaited<ReturnType<typeof makeFolder>>;
  test.before(async () => void (folder = await makeFolder()));
  test.after(() => folder.remove());

  test.deep(
    "a folder of format version 3, with rows in parts, opens, takes sealed parts behind them, and opens again",
    async () => {
      const path = join(folder.path, "3");
      await nodeFiles.makeFolder(path);
      const fixture = JSON.parse(
        await readFile(fileURLToPath(new URL("fixtures/format3.json", import.meta.url)), "utf8"),
      ) as Record<string, string>;
      for (const [name, bytes] of Object.entries(fixture))
        await writeFile(join(path, name), Buffer.from(bytes, "base64"));
      const rows: Scalar[][] = [
        [0, "text 0 😀", 1_700_000_000_000],
        [0.25, "text 1 😀", null],
        [0.5, null, 1_700_000_120_000],
        [null, "text 1 😀", 1_700_000_180_000],
        [0, "text 0 😀", 1_700_000_240_000],
        [7, null, null],
      ];
      let store = await openStore({ dir: path, ...options });
      assert.equal([store.table("t")?.version, store.table("t")?.rowCount], [3, 6]);
      assert.ok(isDeepStrictEqual(await read(store), rows));
      const columns = [
        { name: "n", source: "x", type: "number" },
        { name: "s", type: "text" },
      ] as const;
      const bytes = numberedParquet(70_000, 20_000);
      await store.ingest({ table: "t", format: "parquet", bytes, columns });
      const added = Array.from({ length: 70_000 }, (_, row) => [
        row,
        `a text for row ${row}`,
        null,
      ]);
      assert.ok(isDeepStrictEqual(await read(store), [...rows, ...added]));
      await store.close();
      store = await openStore({ dir: path, ...options });
      assert.ok(isDeepStrictEqual(await read(store), [...rows, ...added]));
      await store.compact();
      await store.close();
      store = await openStore({ dir: path, ...options });
      assert.is(store.table("t")?.version, 4);
      assert.ok(isDeepStrictEqual(await read(store), [...rows, ...added]));
      await store.close();
    },
  );
});
