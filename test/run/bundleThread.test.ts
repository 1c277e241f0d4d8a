import * as assert from "uvu/assert";
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { suite } from "../support/suite.ts";
import { bundleThread, type BundleOptions } from "./bundleThread.ts";

const run = promisify(execFile);

/** Starts a thread with the entry module, given by path. Prints the message that the thread sends. */
const starter = (entry: string) => `
import { Worker } from "node:worker_threads";
new Worker(${JSON.stringify(entry)}).on("message", (text) => process.stdout.write(text));
`;

suite("test/run/bundleThread", (test) => {
  let dir = "";
  test.before(() => {
    dir = mkdtempSync(join(tmpdir(), "bundle-"));
  });
  test.after(() => rmSync(dir, { recursive: true, force: true }));

  const write = (file: string, text: string) => writeFileSync(join(dir, file), text);
  const bundled = (options: Partial<BundleOptions> = {}) =>
    bundleThread({
      entry: join(dir, "entry.ts"),
      sourcesDir: dir,
      cacheDir: join(dir, "cache"),
      ...options,
    });

  test("a thread loads its modules as one bundle, which reports addresses and positions in the sources", async () => {
    write(
      "entry.ts",
      `import { parentPort } from "node:worker_threads";
import { fail } from "./fail.ts";
const loaded = new Error().stack ?? "";
try { fail(); } catch (failure) {
  parentPort?.postMessage(\`\${import.meta.url}\\n\${(failure as Error).stack}\\n\${loaded}\`);
}
`,
    );
    write(
      "fail.ts",
      `interface Removed {}\nexport function fail(): never {\n  throw new Error("failed");\n}\n`,
    );
    const { hook, inSources } = await bundled();
    write("start.mjs", starter(join(dir, "entry.ts")));
    const { stdout } = await run(process.execPath, ["--import", hook, join(dir, "start.mjs")]);
    assert.match(stdout, `file://${dir}/entry.ts\n`);
    assert.match(stdout, hook.replace(".hook.js", ".js:"));
    assert.not.match(stdout, "fail.ts");
    assert.match(inSources(stdout), `${dir}/fail.ts:3:`);
    assert.match(inSources(stdout), `${dir}/entry.ts:3:`);
    assert.not.match(inSources(stdout), hook.replace(".hook.js", ".js:"));
  });

  test("unchanged sources reuse their bundle, and changed sources create a new bundle", async () => {
    const { hook } = await bundled();
    assert.is((await bundled()).hook, hook);
    write("fail.ts", `export function fail(): never {\n  throw new Error("changed");\n}\n`);
    assert.is.not((await bundled()).hook, hook);
  });

  test("a package is part of the bundle unless it is shared, and a new version creates a new bundle", async () => {
    const hello = join(dir, "node_modules/hello");
    mkdirSync(hello, { recursive: true });
    write(
      "node_modules/hello/package.json",
      `{ "name": "hello", "type": "module", "exports": "./hello.js" }`,
    );
    write("node_modules/hello/hello.js", `export const where = new Error().stack;`);
    write(
      "entry.ts",
      `import { parentPort } from "node:worker_threads";\nimport { where } from "hello";\nparentPort?.postMessage(where);\n`,
    );
    write("lock.json", "1");
    const lockFile = join(dir, "lock.json");
    const startWith = async (hook: string) =>
      (await run(process.execPath, ["--import", hook, join(dir, "start.mjs")])).stdout;
    const whole = await bundled({ lockFile });
    assert.not.match(await startWith(whole.hook), "hello.js");
    const sharing = await bundled({ lockFile, shared: ["hello"] });
    assert.match(await startWith(sharing.hook), "hello.js");
    write("lock.json", "2");
    assert.is.not((await bundled({ lockFile })).hook, whole.hook);
  });
});
