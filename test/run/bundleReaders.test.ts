import * as assert from "uvu/assert";
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { suite } from "../support/suite.ts";
import { bundleReaders } from "./bundleReaders.ts";

const run = promisify(execFile);

/** Forks each module, and prints a list of the messages that the modules send. */
const starter = `
import { fork } from "node:child_process";
import { once } from "node:events";
const answers = [];
for (const file of ["reader.ts", "late.ts", "other.ts"]) {
  const child = fork(new URL(file, import.meta.url), ["given"]);
  answers.push((await once(child, "message"))[0]);
}
process.stdout.write(JSON.stringify(answers));
`;
const reader = `import { greet } from "./greet.ts";
process.send(\`\${greet()} \${process.argv[2]} \${import.meta.url}\`);
`;

suite("test/run/bundleReaders", (test) => {
  let dir = "";
  test.before(() => {
    dir = mkdtempSync(join(tmpdir(), "readers-"));
    mkdirSync(join(dir, "sources"));
  });
  test.after(() => rmSync(dir, { recursive: true, force: true }));

  const write = (file: string, text: string) => writeFileSync(join(dir, "sources", file), text);
  const bundled = () =>
    bundleReaders({
      entries: ["reader.ts", "late.ts"].map((file) => join(dir, "sources", file)),
      folders: [join(dir, "sources")],
      cacheDir: join(dir, "cache"),
    });
  const greeting = (from: string) =>
    `export function greet(): string {\n  return "${from}";\n}\nexport const stack = new Error().stack;\n`;

  test("`fork` starts a listed module from its bundle under its source's address, and any other module from its source", async () => {
    write("greet.ts", greeting("hello"));
    write("reader.ts", reader);
    write("late.ts", `const { stack } = await import("./greet.ts");\nprocess.send(stack);\n`);
    write("other.ts", `import { stack } from "./greet.ts";\nprocess.send(stack);\n`);
    write("start.mjs", starter);
    const hook = await bundled();
    const start = join(dir, "sources/start.mjs");
    const { stdout } = await run(process.execPath, ["--import", hook, start]);
    const [first, late, other] = JSON.parse(stdout) as string[];
    assert.is(first, `hello given file://${dir}/sources/reader.ts`);
    assert.match(late!, join(dir, "cache"));
    assert.not.match(late!, "greet.ts");
    assert.match(other!, "greet.ts");
  });

  test("unchanged sources reuse their bundle, and changed sources create a new bundle", async () => {
    const hook = await bundled();
    assert.is(await bundled(), hook);
    write("greet.ts", greeting("changed"));
    assert.is.not(await bundled(), hook);
  });
});
