import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { brotliCompressSync } from "node:zlib";
import type { openStore as Open } from "../../../engine/index.ts";
import { groupRows, keptBatch, keptColumns, keptRows } from "./keptRows.ts";

// Lets the engine in a checkout write a store's folder, and saves the folder as one file in test/engine/kept: node
// --conditions=manifold-source test/engine/kept/writeKept.ts <checkout> <folder>/store-<format version>.json
const [, , checkout = ".", target = ""] = process.argv;
const { openStore }: { openStore: typeof Open } = await import(
  resolve(checkout, "engine/index.ts")
);
const dir = mkdtempSync(join(tmpdir(), "manifold-kept-"));
const store = await openStore({ dir, workers: 1, memoryBytes: 2 ** 28 });
await store.create({ name: "kept", columns: keptColumns });
await store.append({ table: "kept", rows: keptBatch(0, groupRows) });
await store.compact();
await store.append({ table: "kept", rows: keptBatch(groupRows, keptRows.length) });
await store.close();
const files = readdirSync(dir)
  .filter((name) => name !== "lock")
  .map((name) => [name, brotliCompressSync(readFileSync(join(dir, name))).toString("base64")]);
writeFileSync(target, `${JSON.stringify(Object.fromEntries(files), null, 2)}\n`);
rmSync(dir, { recursive: true });
