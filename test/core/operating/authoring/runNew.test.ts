import { spawnSync } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import * as assert from "uvu/assert";
import { parse } from "yaml";
import { packageVersion } from "../../../../core/base/index.ts";
import { runPluginCommand } from "../../../../core/operating/authoring/index.ts";
import { entryOf } from "../../../../core/operating/authoring/entryOf.ts";
import { packageSource } from "../../../../core/operating/authoring/packageSource.ts";
import { runDev } from "../../../../core/operating/authoring/runDev.ts";
import { rounds } from "../../../support/layer.ts";
import { suite } from "../../../support/suite.ts";

const root = join(import.meta.dirname, "../../../..");

suite("core/operating/authoring/runNew", (test) => {
  let dir: string;
  const here = process.cwd();
  test.before(() => {
    dir = mkdtempSync(join(tmpdir(), "manifold-new-"));
    mkdirSync(join(dir, "node_modules/@manifold-analytics"), { recursive: true });
    symlinkSync(join(root, "plugins"), join(dir, "node_modules/@manifold-analytics/plugin"));
    process.chdir(dir);
  });
  test.after(() => {
    process.chdir(here);
    rmSync(dir, { recursive: true, force: true });
  });

  async function run(...args: string[]) {
    const lines: string[] = [];
    const write = (line: string) => lines.push(line);
    const status = await runPluginCommand(args, { environment: {}, write, note: write });
    return { status, text: lines.join("\n") };
  }

  for (const kind of ["rows", "rest", "sql"])
    (kind === "rows" ? test : test.deep)(
      `a new plugin of kind ${kind} passes the check without changes`,
      async () => {
        const made = await run("new", `my-${kind}`, "--kind", kind);
        assert.is(made.status, 0, made.text);
        assert.match(made.text, `cd my-${kind}\n  npm install\n  npm test`);
        const queries = String(rounds({ quick: 10, deep: 250, soak: 2500 }));
        const checked = await run("check", `my-${kind}`, "--seed", "1", "--queries", queries);
        assert.is(checked.status, 0, checked.text);
        assert.match(checked.text, /passed: \d+ proved, 0 wrong/);
      },
    );

  test("`plugin new` refuses an invalid name, an invalid kind and an existing folder, and each error names the cause", async () => {
    mkdirSync(join(dir, "taken"));
    for (const [args, why] of [
      [[], /plugin new requires one name/],
      [["My Plugin"], /lowercase letters.*not "My Plugin"/],
      [["../out"], /not "\.\.\/out"/],
      [["x", "--kind", "soap"], /--kind must be rows, rest, sql, not "soap"/],
      [["taken"], /taken already exists/],
      [["x", "--folder", "taken"], /taken already exists/],
      [["@Acme/x"], /not "@Acme\/x"; a scope such as @acme\/ may come first/],
      [["x", "--name", "a/b/c"], /not "a\/b\/c"/],
      [["http"], /npm does not accept the name "http" here; choose another, such as my-http/],
      [["typescript"], /such as my-typescript/],
      [["@manifold-analytics/x"], /belongs to Manifold's own packages/],
    ] as const) {
      const { status, text } = await run("new", ...args);
      assert.is(status, 2);
      assert.match(text, why);
    }
  });

  const readProject = (name: string): Readonly<Record<string, string>> =>
    Object.fromEntries(
      readdirSync(join(dir, name), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => relative(join(dir, name), join(entry.parentPath, entry.name)))
        .map((path) => [path, readFileSync(join(dir, name, path), "utf8")]),
    );

  test("a new project has types, tests, a workflow, a container file and a README, and depends only on the library", async () => {
    const { devDependencies: tools }: { readonly devDependencies: Record<string, string> } =
      JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    for (const kind of ["rows", "rest", "sql"]) {
      const made = await run("new", `@acme/of-${kind}`, "--kind", kind);
      assert.is(made.status, 0, made.text);
      const files = readProject(`of-${kind}`);
      const described = JSON.parse(files["package.json"] ?? "");
      assert.is(described.name, `@acme/of-${kind}`);
      assert.equal(described.bin, { [`of-${kind}`]: "dist/serve.js" });
      assert.is(described.dependencies, undefined);
      assert.equal(Object.keys(described.peerDependencies), ["@manifold-analytics/plugin"]);
      const { "@manifold-analytics/plugin": library, ...others } = described.devDependencies;
      assert.is(library, `file:${join(root, "dist/plugin")}`);
      assert.equal(others, {
        "@types/node": tools["@types/node"],
        typescript: tools["typescript"],
      });
      assert.is(described.private, undefined);
      const used = Object.values(files).join("\n");
      assert.not.match(used, /(?<![\w@/-])manifold plugin|npx manifold\b/);
      const { jobs } = parse(files[".github/workflows/check.yml"] ?? "");
      const steps: readonly { readonly run?: string; readonly uses?: string }[] = jobs.check.steps;
      for (const { run: command = "" } of steps)
        for (const [, script = ""] of command.matchAll(/^npm run (\w+)/gm))
          assert.ok(script in described.scripts, command);
      for (const { uses } of steps) if (uses) assert.match(uses, /@[\da-f]{40}$/);
      const readme = files["README.md"] ?? "";
      assert.not.match(readme, /node_modules|file:|publish|badge|src\//, "for users only");
      assert.match(readme, `Node ${described.engines.node.slice(2)} or newer`);
      assert.equal(described.files.includes("DEVELOPING.md"), false);
      const developing = files["DEVELOPING.md"] ?? "";
      for (const [, script = ""] of developing.matchAll(/`npm (?:run )?(\w+)` \|/g))
        assert.ok(script in described.scripts || ["install", "pack"].includes(script), script);
      const links = Array.from(
        developing.matchAll(/\]\(node_modules\/@manifold-analytics\/plugin\/([^)]+)\)/g),
      );
      assert.ok(links.length >= 4);
      for (const [, path = ""] of links)
        assert.ok(readFileSync(join(root, path === "README.md" ? "deploy/npm/plugin.md" : path)));
      assert.match(files["Containerfile"] ?? "", /^USER node$/m);
    }
  });

  test("with an older Node, a project's commands use the Node that the command has installed, or say what to install", async () => {
    assert.is((await run("new", "older")).status, 0);
    const { scripts } = JSON.parse(readProject("older")["package.json"] ?? "");
    for (const name of ["test", "check", "dev"])
      assert.match(scripts[name], /^node scripts\/onNode\.js /);
    const isOld = `Object.defineProperty(process.versions, "node", { value: "20.19.0" })`;
    const cache = join(dir, "cache");
    const start = (script: string, asOld = true) =>
      spawnSync(
        process.execPath,
        [
          ...(asOld ? ["--import", `data:text/javascript,${encodeURIComponent(isOld)}`] : []),
          "scripts/onNode.js",
          "-e",
          script,
        ],
        {
          cwd: join(dir, "older"),
          encoding: "utf8",
          env: { ...process.env, XDG_CACHE_HOME: cache, NODE_OPTIONS: "" },
        },
      );
    const refused = start("");
    assert.is(refused.status, 2);
    assert.match(refused.stderr, /needs Node 26 or newer, not 20\.19\.0\. Install it from/);
    assert.is(start("process.exit(3)", false).status, 3);
    const installed = join(cache, `manifold/node/26.10.0-${process.platform}-${process.arch}/bin`);
    mkdirSync(installed, { recursive: true, mode: 0o700 });
    symlinkSync(process.execPath, join(installed, "node"));
    const used = start("console.log(process.argv0, process.versions.node)");
    assert.is(used.stdout, `${join(installed, "node")} ${process.versions.node}\n`, used.stderr);
    chmodSync(join(cache, "manifold/node"), 0o777);
    assert.is(start("").status, 2, "others can write to the folder");
  });

  test("`plugin new` writes to the folder in --folder, and the package gets the name in --name", async () => {
    const made = await run("new", "birds", "--name", "@acme/birds-plugin", "--folder", "deep/er");
    assert.is(made.status, 0, made.text);
    assert.match(made.text, "cd deep/er");
    assert.is(JSON.parse(readProject("deep/er")["package.json"] ?? "").name, "@acme/birds-plugin");
  });

  test("a new project gets the library from the same source as the command's own copy", () => {
    const copyIn = (home: string, resolved?: string) => {
      const folder = join(dir, home, "node_modules/@manifold-analytics/plugin");
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, "package.json"), "{}");
      const packages = { "node_modules/@manifold-analytics/plugin": { resolved } };
      if (resolved !== undefined)
        writeFileSync(
          join(dir, home, "node_modules/.package-lock.json"),
          JSON.stringify({ packages }),
        );
      return folder;
    };
    const archive = join(dir, "library.tgz");
    writeFileSync(archive, "");
    const range = `^${packageVersion()}`;
    const published = copyIn("s1", "https://registry.example.org/plugin-0.1.0.tgz");
    assert.equal(packageSource(published), { spec: range });
    assert.equal(packageSource(copyIn("s2")), { spec: range }, "another package manager");
    const fromArchive = copyIn("s3", "file:../library.tgz");
    assert.equal(packageSource(fromArchive), { spec: `file:${archive}`, path: archive });
    const removed = copyIn("s4", "file:../removed.tgz");
    assert.equal(packageSource(removed), { spec: `file:${removed}`, path: removed });
    const linked = join(dir, "s5");
    mkdirSync(linked);
    writeFileSync(join(linked, "package.json"), "{}");
    assert.equal(packageSource(linked), { spec: `file:${linked}`, path: linked });
    const tree = join(root, "dist/plugin");
    assert.equal(packageSource(), { spec: `file:${tree}`, path: tree });
  });

  test("the plugin of a folder is its source file, or the compiled file that package.json names", () => {
    const write = (folder: string, files: Readonly<Record<string, unknown>>) => {
      for (const [path, value] of Object.entries(files)) {
        mkdirSync(join(dir, folder, path, ".."), { recursive: true });
        writeFileSync(join(dir, folder, path), JSON.stringify(value));
      }
      return join(dir, folder);
    };
    const exports = { ".": { types: "./dist/plugin.d.ts", default: "./dist/plugin.js" } };
    const compiled = { "package.json": { exports }, "dist/plugin.js": "" };
    for (const [folder, files, found] of [
      ["e1", { ...compiled, "src/plugin.ts": "" }, "src/plugin.ts"],
      ["node_modules/e2", { ...compiled, "src/plugin.ts": "" }, "dist/plugin.js"],
      ["e3", compiled, "dist/plugin.js"],
      ["e4", { "package.json": { main: "a.ts" }, "a.ts": "", "src/plugin.ts": "" }, "a.ts"],
      ["e5", { "package.json": { exports: "./b.js" }, "b.js": "" }, "b.js"],
      ["e6", { "package.json": { exports: { import: "./c.js" } }, "c.js": "" }, "c.js"],
      ["e7", { "package.json": {}, "plugin.js": "", "src/plugin.ts": "" }, "plugin.js"],
      ["e8", { "index.js": "" }, "index.js"],
    ] as const)
      assert.is(entryOf(write(folder, files)), join(dir, folder, found));
    const unbuilt = write("e9", { "package.json": { exports } });
    assert.throws(
      () => entryOf(unbuilt),
      /e9 has no \.\/dist\/plugin\.js, which its package\.json/,
    );
    assert.throws(
      () => entryOf(write("e10", { "a.txt": "" })),
      /e10 has no plugin\.ts, plugin\.js/,
    );
  });

  test.deep(
    "`plugin bench` prints the time of each kind of query that a plugin supports",
    async () => {
      await run("new", "measured");
      const { status, text } = await run("bench", "measured", "--rounds", "3");
      assert.is(status, 0, text);
      assert.match(
        text,
        /trips: all rows +begins \d+\.\d \/ \d+\.\d +ends \d+\.\d \/ \d+\.\d +\d+ KB/,
      );
    },
  );

  test.deep(
    "`plugin dev` prints each query, reloads a changed plugin and stops when its process is stopped",
    async () => {
      await run("new", "living");
      const stop = Promise.withResolvers<void>();
      let heard = Promise.withResolvers<void>();
      const lines: string[] = [];
      const write = (line: string) => {
        lines.push(line);
        heard.resolve();
        heard = Promise.withResolvers();
      };
      const until = async (wanted: RegExp) => {
        while (!lines.some((line) => wanted.test(line))) await heard.promise;
      };
      const environment = { PLUGIN_SECRET: "dev-secret" };
      const ended = runDev(["living"], { environment, write, note: write }, () => stop.promise);
      await until(/register it at a host/);
      const url = /http:\S+/.exec(lines.join("\n"))?.[0] ?? "";
      const send = () =>
        fetch(`${url}/query`, {
          method: "POST",
          headers: { "x-secret": "dev-secret" },
          body: '{"id":"trips","columns":[{"column_id":"city"}],"filters":[],"options":{"pushdown":false}}',
        });
      assert.is((await send()).status, 200);
      await until(/ms {2}trips \[rows\] city {2}→ 3 rows/);
      appendFileSync(join(dir, "living/src/plugin.ts"), "// Changed.\n");
      await until(/loaded again/);
      assert.is((await send()).status, 200);
      stop.resolve();
      assert.is(await ended, 0);
      assert.not.match(lines.join("\n"), "dev-secret");
    },
  );
});
