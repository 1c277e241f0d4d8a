import { isDeepStrictEqual } from "node:util";
import * as assert from "uvu/assert";
import { openStore, type Store } from "../../../../engine/index.ts";
import { suite } from "../../../support/suite.ts";
import { numberedParquet } from "../../numberedParquet.ts";
import { makeFolder, toCells } from "../../tables.ts";

const options = { workers: 1, memoryBytes: 2 ** 28 };

/** Number of rows: enough for an ingest to be written in parts. */
const rowCount = 70_000;

const read = async (store: Store) =>
  toCells(
    await store.query({
      table: "t",
      grouped: false,
      outputs: ["n", "s"].map((name) => ({ kind: "key", of: { kind: "column", name } })),
    }),
  );

suite("engine/store/generations/recover", (test) => {
  let folder: Awaited<ReturnType<typeof makeFolder>>;
  test.before(async () => void (folder = await makeFolder()));
  test.after(() => folder.remove());

  test.deep(
    "a log with unsealed rows accepts sealed rows, and can be opened, compacted and opened again",
    async () => {
      const dir = folder.path;
      const rows = Array.from({ length: rowCount }, (_, row) => ({
        n: row % 5 === 0 ? null : row / 4,
        s: row % 3 === 0 ? null : `text ${row % 2} 😀`,
      }));
      let store = await openStore({ dir, ...options });
      await store.create({
        name: "t",
        columns: [
          { name: "n", type: "number" },
          { name: "s", type: "text" },
        ],
      });
      const json = new TextEncoder().encode(JSON.stringify(rows));
      await store.ingest({ table: "t", format: "json", bytes: json });
      const columns = [
        { name: "n", source: "x", type: "number" },
        { name: "s", type: "text" },
      ] as const;
      const parquet = numberedParquet(rowCount, 20_000);
      await store.ingest({ table: "t", format: "parquet", bytes: parquet, columns });
      const expected = [
        ...rows.map(({ n, s }) => [n, s]),
        ...rows.map((_, row) => [row, `a text for row ${row}`]),
      ];
      assert.ok(isDeepStrictEqual(await read(store), expected));
      const version = store.table("t")?.version;
      await store.close();
      store = await openStore({ dir, ...options });
      assert.ok(isDeepStrictEqual(await read(store), expected));
      await store.compact();
      await store.close();
      store = await openStore({ dir, ...options });
      assert.is(store.table("t")?.version, version);
      assert.ok(isDeepStrictEqual(await read(store), expected));
      await store.close();
    },
  );
});
