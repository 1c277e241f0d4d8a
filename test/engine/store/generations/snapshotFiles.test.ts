import { copyFile, mkdir, readdir, truncate } from "node:fs/promises";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { nodeFiles } from "../../../../engine/files/files.ts";
import { openStore } from "../../../../engine/index.ts";
import { openStoreWith } from "../../../../engine/store/openStore.ts";
import type { Store, StoreSnapshot } from "../../../../engine/types.ts";
import { rounds } from "../../../support/layer.ts";
import { createRandom, withSeed } from "../../../support/random.ts";
import { suite } from "../../../support/suite.ts";
import { makeFolder, rejects, toBatch, toCells } from "../../tables.ts";

const options = { workers: 1, memoryBytes: 2 ** 27 };
const columns = [
  { name: "n", type: "number" },
  { name: "s", type: "text" },
] as const;

/** Returns rows that count up from `first`. */
const rowsFrom = (first: number, count: number) =>
  toBatch(
    columns,
    Array.from({ length: count }, (_, row) => ({ n: first + row, s: `text ${(first + row) % 7}` })),
  );

/** Copies the files of a snapshot, as a backup does. */
async function copySnapshot({ folder, files }: StoreSnapshot, to: string): Promise<void> {
  await mkdir(to);
  for (const { name, sizeBytes } of files) {
    await copyFile(join(folder, name), join(to, name));
    await truncate(join(to, name), sizeBytes);
  }
}

async function numbersOf(store: Store, table: string): Promise<number[]> {
  const outputs = [{ kind: "key", of: { kind: "column", name: "n" } }] as const;
  const answer = await store.query({ table, outputs, grouped: false });
  return toCells(answer).map(([cell]) => Number(cell));
}

suite("engine/store/generations/snapshotFiles", (test) => {
  test.deep(
    "a copied snapshot opens with the store's state at the time of the snapshot, despite later changes",
    async () => {
      const random = createRandom();
      await withSeed(random, async () => {
        const folder = await makeFolder();
        const store = await openStoreWith(
          { ...options, dir: join(folder.path, "store") },
          nodeFiles,
          2_000,
        );
        try {
          /**
           * For each table, the number of rows whose append was requested, and the number of rows whose append was
           * acknowledged.
           */
          const requested = new Map<string, number>();
          const acknowledged = new Map<string, number>();
          const dropped = new Set<string>();
          const working: Promise<unknown>[] = [];
          for (let round = 0; round < rounds({ quick: 6, deep: 30 }); round++) {
            for (let change = 0; change < 12; change++) {
              const table = `t${random.below(5) + 5 * Math.floor(round / 3)}`;
              if (dropped.has(table)) continue;
              if (!requested.has(table)) {
                requested.set(table, 0);
                await store.create({ name: table, columns });
                acknowledged.set(table, 0);
              } else if (random.chance(0.04)) {
                dropped.add(table);
                working.push(store.drop({ table }));
              } else {
                const first = requested.get(table) ?? 0;
                const count = 1 + random.below(40);
                requested.set(table, first + count);
                const appending = store
                  .append({ table, rows: rowsFrom(first, count) })
                  .then(() => acknowledged.set(table, first + count));
                working.push(appending);
                if (random.chance(0.3)) await appending;
              }
            }
            const least = new Map(acknowledged);
            const snapshot = await store.snapshot();
            const most = new Map(requested);
            await rejects(store.snapshot(), "SNAPSHOT_OPEN");
            // Rows that are added now are written to the same files, but are not in the snapshot.
            for (const [table, first] of requested) {
              if (dropped.has(table)) continue;
              requested.set(table, first + 3);
              await store.append({ table, rows: rowsFrom(first, 3) });
              acknowledged.set(table, first + 3);
            }
            await store.compact();
            const copied = join(folder.path, `copy ${round}`);
            await copySnapshot(snapshot, copied);
            await snapshot.end();
            await Promise.all(working.splice(0));
            const copy = await openStore({ ...options, dir: copied });
            try {
              for (const [table, atLeast] of least) {
                if (dropped.has(table) && !copy.table(table)) continue;
                const numbers = await numbersOf(copy, table);
                assert.ok(numbers.length >= atLeast && numbers.length <= (most.get(table) ?? 0));
                assert.equal(
                  numbers,
                  numbers.map((_, row) => row),
                );
              }
            } finally {
              await copy.close();
            }
          }
          assert.not((await readdir(join(folder.path, "store"))).includes("snapshot"));
        } finally {
          await store.close();
          await folder.remove();
        }
      });
    },
  );

  test("a snapshot that a crash left behind is removed when the store opens", async () => {
    const folder = await makeFolder();
    try {
      const dir = join(folder.path, "store");
      const first = await openStore({ ...options, dir });
      await first.create({ name: "t", columns });
      await first.snapshot();
      await first.close();
      assert.ok((await readdir(dir)).includes("snapshot"));
      const second = await openStore({ ...options, dir });
      await second.close();
      assert.not((await readdir(dir)).includes("snapshot"));
    } finally {
      await folder.remove();
    }
  });
});
