import { isDeepStrictEqual } from "node:util";
import * as assert from "uvu/assert";
import { openStore, type Store } from "../../../../engine/index.ts";
import { suite } from "../../../support/suite.ts";
import { numberedBatches, numberedColumns as columns } from "../../numberedBatches.ts";
import { makeFolder, toBatch, toCells } from "../../tables.ts";

const options = { workers: 1, memoryBytes: 2 ** 28 };

const rowCount = 70_000;

const read = async (store: Store) =>
  toCells(
    await store.query({
      table: "t",
      grouped: false,
      outputs: ["x", "s"].map((name) => ({ kind: "key", of: { kind: "column", name } })),
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
        x: row % 5 === 0 ? null : row / 4,
        s: row % 3 === 0 ? null : `text ${row % 2} 😀`,
      }));
      let store = await openStore({ dir, ...options });
      await store.create({ name: "t", columns });
      await store.append({ table: "t", rows: toBatch(columns, rows) });
      await store.fillBatches(numberedBatches({ rowCount, batchRows: 20_000 }));
      const expected = [
        ...rows.map(({ x, s }) => [x, s]),
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
