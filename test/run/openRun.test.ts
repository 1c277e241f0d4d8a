import { execFile } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import * as assert from "uvu/assert";
import { suite } from "../support/suite.ts";

const run = promisify(execFile);
const root = join(import.meta.dirname, "../..");
const moduleOf = (path: string) => JSON.stringify(join(root, path));

suite("test/run/openRun", (test) => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "manifold-sources-")));
  test.after(() => rmSync(folder, { recursive: true, force: true }));

  test.deep(
    "without the runner's bundles, a thread of the engine starts from its sources",
    async () => {
      const program = `
      import { openStore } from ${moduleOf("engine/index.ts")};
      const store = await openStore({ dir: ${JSON.stringify(join(folder, "store"))}, workers: 1, memoryBytes: 2 ** 27 });
      await store.create({ name: "t", columns: [{ name: "x", type: "number" }] });
      const batch = { rowCount: 2, columns: [{ type: "number", values: Float64Array.of(3, 4) }] };
      await store.append({ table: "t", rows: { names: ["x"], batch } });
      const of = { kind: "column", name: "x" };
      const outputs = [{ kind: "aggregate", function: "sum", of }];
      const { columns } = await store.query({ table: "t", grouped: true, outputs });
      await store.close();
      process.stdout.write(String(columns[0].values[0]));
    `;
      assert.is(await outputOf(program), "7");
    },
  );

  for (const [name, entry] of Object.entries({
    files: "plugins/rows/formats/fileReader.ts",
    sqlite: "connectors/sqlite/reader.ts",
    duckdb: "connectors/duckdb/reader.ts",
    rest: "connectors/rest/pageReader.ts",
  }))
    test.deep(
      `without the runner's bundles, the reader of ${name} starts from its sources`,
      async () => {
        // A reader that cannot load a module ends with status 1 before it has received a message.
        const program = `
        import { fork } from "node:child_process";
        import { once } from "node:events";
        const reader = fork(${moduleOf(entry)}, { execArgv: ["--conditions=manifold-source"] });
        const ended = once(reader, "exit");
        await new Promise((resolve) => reader.send({ kind: "stop", id: 1 }, resolve));
        reader.disconnect();
        process.stdout.write(JSON.stringify(await ended));
      `;
        assert.match(await outputOf(program), /^\[0,null\]$/);
      },
    );

  /** Runs a program without the hooks of the runner, and returns its output. */
  async function outputOf(program: string): Promise<string> {
    const path = join(folder, "program.mjs");
    writeFileSync(path, program);
    const args = ["--conditions=manifold-source", path];
    const { stdout } = await run(process.execPath, args, {
      env: { ...process.env, NODE_OPTIONS: "" },
    });
    return stdout;
  }
});
