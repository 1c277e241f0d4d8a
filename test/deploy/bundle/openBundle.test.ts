import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import * as assert from "uvu/assert";
import { openBundle } from "../../../deploy/bundle/openBundle.ts";
import { suite } from "../../support/suite.ts";

const run = promisify(execFile);

suite("deploy/bundle/openBundle", (test) => {
  let root: string;
  test.beforeEach(() => {
    root = realpathSync(mkdtempSync(join(tmpdir(), "manifold-bundle-")));
    write("sources/main.ts", `export { greet } from "./deep/greet.ts";\n`);
    write("sources/deep/greet.ts", greeting("hello"));
  });
  test.afterEach(() => rmSync(root, { recursive: true, force: true }));
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  const greeting = (word: string) => `
interface Greeting { readonly word: string }
export function greet(): Greeting & { readonly where: readonly string[] } {
  const text = \`the text import.meta.url\`;
  return { word: "${word}", where: [import.meta.url, import.meta.dirname, text] };
}
export function fail(): never {
  throw new Error("planted");
}
`;
  const opened = () =>
    openBundle({
      root,
      entries: { main: "sources/main.ts" },
      folders: ["sources"],
      cacheDir: join(root, "cache"),
    });
  const source = () => pathToFileURL(join(root, "sources/main.ts")).href;
  const bundled = async () => (await opened()).get(source()) ?? "";
  const evaluate = async (script: string) => {
    const args = ["--enable-source-maps", "--input-type=module", "-e", script];
    const { stdout } = await run(process.execPath, args, { env: { PATH: process.env["PATH"] } });
    return stdout.trim();
  };

  test("bundled modules know the addresses of their sources, and strings are unchanged", async () => {
    const url = await bundled();
    const script = `const { greet } = await import(${JSON.stringify(url)}); console.log(JSON.stringify(greet()));`;
    const file = join(root, "sources/deep/greet.ts");
    assert.equal(JSON.parse(await evaluate(script)), {
      word: "hello",
      where: [pathToFileURL(file).href, dirname(file), "the text import.meta.url"],
    });
  });

  test("stack traces of bundled modules name the sources", async () => {
    write("sources/main.ts", `export { fail } from "./deep/greet.ts";\n`);
    const url = await bundled();
    const script = `const { fail } = await import(${JSON.stringify(url)}); try { fail(); } catch ({ stack }) { console.log(stack); }`;
    assert.match(await evaluate(script), `${join(root, "sources/deep/greet.ts")}:8:`);
  });

  test("unchanged sources reuse their bundle, and an edited source is bundled again", async () => {
    const first = await bundled();
    assert.is(await bundled(), first);
    write("sources/deep/greet.ts", greeting("changed"));
    const second = await bundled();
    assert.is.not(second, first);
    const script = `const { greet } = await import(${JSON.stringify(second)}); console.log(greet().word);`;
    assert.is(await evaluate(script), "changed");
  });

  test("other installed packages create another bundle", async () => {
    const first = await bundled();
    write("node_modules/.package-lock.json", "{}");
    assert.is.not(await bundled(), first);
  });
});
