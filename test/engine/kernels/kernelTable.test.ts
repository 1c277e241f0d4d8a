import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { kernelTables, type KernelTable } from "../../../engine/kernels/kernelTable.ts";
import { openExports } from "../../../engine/kernels/openKernels.ts";
import { warmRowCount, type ExportOf } from "../../../engine/kernels/table/kernelEntry.ts";
import { suite } from "../../support/suite.ts";

const folder = new URL("../../../engine/kernels/", import.meta.url);
const tables: Readonly<Record<string, KernelTable>> = kernelTables;
/** The table's entries by name. A kernel that is in two tables has one entry. */
const entries = new Map(Object.values(tables).flatMap((table) => Object.entries(table)));

/**
 * For each kernel that no test in this folder calls, the test elsewhere that compares the kernel's results with plain
 * code.
 */
const testedElsewhere: Readonly<Record<string, string>> = {
  clearBytes: "engine/ingest/decode/decodeMemory.test.ts",
  internTexts: "engine/ingest/decode/textReader.test.ts",
  addText: "engine/ingest/decode/textReader.test.ts",
  rehashTexts: "engine/ingest/decode/textReader.test.ts",
};

suite("engine/kernels/kernelTable", (test) => {
  test("the kernel table declares exactly the exports of kernels.wasm", () => {
    const module = new WebAssembly.Module(readFileSync(new URL("kernels.wasm", folder)));
    const memory = new WebAssembly.Memory({ initial: 1, maximum: 65_536, shared: true });
    const { exports } = new WebAssembly.Instance(module, { env: { memory } });
    const exported = Object.keys(exports).filter((name) => typeof exports[name] === "function");
    const declared = [...entries].flatMap(([name, { variants }]) =>
      variants.map(({ ending }) => name + ending),
    );
    assert.deepEqual(exported.toSorted(), declared.toSorted());
  });

  test("every warm-up call runs each variant of its kernel on a block of zeros without changing the block", () => {
    const memory = new WebAssembly.Memory({ initial: 2, maximum: 65_536, shared: true });
    const exportsOf = openExports(memory);
    const bytes = new Uint8Array(memory.buffer);
    const address = 65_536;
    const slots = address + 32 * warmRowCount;
    const scratch = {
      zeros: address,
      out: address + 16 * warmRowCount,
      slots,
      count: slots + 1024,
      keys: slots + 2048,
      clear: (at: number, sizeBytes: number) => bytes.fill(0, at, at + sizeBytes),
    };
    const uncalled: string[] = [];
    for (const [name, { variants, warm }] of entries) {
      if (typeof warm === "string") continue;
      bytes.fill(0);
      const called = new Set<string>();
      const exportOf = (ending: string) => {
        const kernel = exportsOf(name)<(...operands: number[]) => unknown>(ending);
        return (...operands: number[]) => {
          called.add(ending);
          return kernel(...operands);
        };
      };
      warm(exportOf as ExportOf, scratch);
      assert.ok(
        bytes.subarray(address, scratch.out).every((byte) => byte === 0),
        `${name} changed the zeros`,
      );
      for (const { ending } of variants) if (!called.has(ending)) uncalled.push(name + ending);
    }
    // This kernel copies without a loop, so V8 need not optimize it.
    assert.deepEqual(uncalled, ["decodeFloat8"]);
  });

  test("every kernel of the arena has a warm-up call", () => {
    for (const [name, { warm }] of Object.entries(tables["arena"]))
      assert.equal(typeof warm, "function", name);
  });

  test("every kernel has a comment that contains its formula", () => {
    const sources = globSync("table/*.ts", { cwd: folder.pathname }).map((path) =>
      readFileSync(new URL(path, folder), "utf8"),
    );
    for (const [name] of entries)
      assert.ok(
        sources.some((source) => source.match(new RegExp(`\\*/\\n  ${name}: (single|by\\w+)<`))),
        `${name} has no comment`,
      );
  });

  test("every kernel is called by a test in this folder, or by the test named in testedElsewhere", () => {
    const tests = new Map(
      globSync("test/engine/**/*.test.ts").map((path) => [
        path.replaceAll("\\", "/").slice("test/".length),
        readFileSync(path, "utf8"),
      ]),
    );
    const own = [...tests].filter(([path]) => path.startsWith("engine/kernels/"));
    const isNamed = (source: string, name: string) =>
      new RegExp(`\\.${name}\\b|"${name}"|\\b${name}: `).test(source);
    for (const [name] of entries) {
      const elsewhere = testedElsewhere[name];
      if (elsewhere)
        assert.ok(tests.has(elsewhere), `${elsewhere}, which tests ${name}, does not exist`);
      else
        assert.ok(
          own.some(
            ([path, source]) => !path.endsWith("/kernelTable.test.ts") && isNamed(source, name),
          ),
          `no test calls ${name}; add one, or list it in testedElsewhere`,
        );
    }
  });
});
