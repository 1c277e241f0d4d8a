import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { tableFromArrays, tableToIPC } from "apache-arrow";
import { parquetWriteBuffer } from "hyparquet-writer";
import * as assert from "uvu/assert";
import { open } from "../../../../connectors/files/index.ts";
import { PluginError, type Plugin } from "../../../../plugins/protocol/index.ts";
import { rounds } from "../../../support/layer.ts";
import { openReach } from "../../../support/openReach.ts";
import { createRandom, withSeed, type Random } from "../../../support/random.ts";
import { suite } from "../../../support/suite.ts";
import { writeBook } from "../../../connectors/files/writeXlsx.ts";

const cells = Array.from({ length: 300 }, (_, row) => row % 7);
const lists = cells.map((cell) => [cell, { a: "x", b: [1, 2] }]);
const sheet = cells
  .map((cell, row) => `<row r="${row + 2}"><c r="A${row + 2}"><v>${cell}</v></c></row>`)
  .join("");

/** Creates a valid file of each format. The test then changes bytes of these files. */
const valid: Readonly<Record<string, () => Uint8Array>> = {
  "a.csv": () => Buffer.from(`a,b\n${cells.map((cell) => `${cell},"x ""${cell}"""`).join("\n")}\n`),
  "a.csv.gz": () => gzipSync(`a,b\n${cells.map((cell) => `${cell},x`).join("\n")}\n`),
  "a.json": () => Buffer.from(JSON.stringify(cells.map((a) => ({ a, b: [a, { c: "x" }] })))),
  "a.jsonl": () => Buffer.from(cells.map((a) => JSON.stringify({ a, b: "x" })).join("\n")),
  "a.parquet": () =>
    new Uint8Array(
      parquetWriteBuffer({
        codec: "SNAPPY",
        columnData: [
          { name: "a", data: cells, type: "INT32" },
          { name: "b", data: cells.map(String), type: "STRING" },
          { name: "c", data: lists, type: "JSON" },
        ],
      }),
    ),
  "a.arrow": () =>
    tableToIPC(
      tableFromArrays({ a: Int32Array.from(cells), b: cells.map((cell) => `x${cell}`) }),
      "file",
    ),
  "a.xlsx": () =>
    writeBook({
      sheets: {
        A: `<sheetData><row r="1"><c r="A1" t="str"><v>a</v></c></row>${sheet}</sheetData>`,
      },
    }),
};

/** Returns a copy of a file in which bytes are changed, and pieces are cut out, repeated or moved. */
function mutated(bytes: Uint8Array, random: Random): Uint8Array {
  let changed = Buffer.from(bytes);
  for (let count = 1 + random.below(6); count > 0; count--) {
    const at = random.below(Math.max(1, changed.length));
    const size = 1 + random.below(Math.min(64, Math.max(1, changed.length - at)));
    const piece = Buffer.from(changed.subarray(at, at + size));
    switch (random.pick(["set", "fill", "cut", "repeat", "move", "flip"] as const)) {
      case "set":
        changed[at] = random.below(256);
        break;
      case "fill":
        changed.fill(random.pick([0, 127, 128, 255]), at, at + Math.min(size, 8));
        break;
      case "cut":
        changed = Buffer.concat([changed.subarray(0, at), changed.subarray(at + size)]);
        break;
      case "repeat":
        changed = Buffer.concat([changed.subarray(0, at), piece, changed.subarray(at)]);
        break;
      case "move":
        changed.set(piece, random.below(Math.max(1, changed.length - piece.length + 1)));
        break;
      case "flip":
        changed[at] = (changed[at] ?? 0) ^ (1 << random.below(8));
    }
  }
  return changed;
}

suite("plugins/rows/formats with changed bytes", (test) => {
  let folder: string;
  let plugin: Plugin;
  test.before(async () => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), "manifold-fuzz-")));
    plugin = await open({ reach: openReach(folder), timeoutMs: 60_000, sizeBytes: 2 ** 24 });
  });
  test.after(async () => {
    await plugin.close?.();
    rmSync(folder, { recursive: true, force: true });
  });

  for (const [name, build] of Object.entries(valid))
    test(`a ${name.slice(2)} file with random changes is read or refused with 422`, () => {
      const random = createRandom();
      return withSeed(random, async () => {
        const bytes = build();
        for (let round = 0; round < rounds({ quick: 5, deep: 150, soak: 20_000 }); round++) {
          writeFileSync(join(folder, name), mutated(bytes, random));
          const call = {
            credentials: { host: join(folder, name), properties: {} },
            tenant: { organization: "one", user: "ada" },
            signal: AbortSignal.timeout(120_000),
          };
          try {
            for (const dataset of await plugin.datasets(call)) {
              const columns = dataset.columns.map(({ id }) => ({ column_id: id }));
              const query = { id: dataset.id, columns, filters: [], options: { pushdown: false } };
              await plugin.query({ ...call, query, dataset });
            }
          } catch (failure) {
            assert.instance(failure, PluginError, String(failure));
            assert.is((failure as PluginError).status, 422, String(failure));
            assert.not.match(String(failure), /took longer/, `round ${round} never finishes`);
          }
        }
      });
    });
});
