import { execFile } from "node:child_process";
import {
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";
import * as assert from "uvu/assert";
import { parse } from "yaml";
import { openRegistry, type Registry } from "./support/openRegistry.ts";
import { suite } from "./support/suite.ts";

const run = promisify(execFile);
const root = join(import.meta.dirname, "..");
const { version }: { readonly version: string } = JSON.parse(
  readFileSync(join(root, "package.json"), "utf8"),
);
const token = "a-token-of-the-tests";
const repository = "https://code.example.org/someone/manifold";

interface Workflow {
  readonly jobs: { readonly publish: { readonly steps: readonly { readonly run?: string }[] } };
}

/** The commands of the publishing job, in their order. */
const commands = (
  parse(readFileSync(join(root, ".github/workflows/publish.yml"), "utf8")) as Workflow
).jobs.publish.steps.flatMap(({ run: command }) => command ?? []);
const [checkTag = "", install = "", build = "", nameRepository = "", publish = "", ...more] =
  commands;

const withNode = `${dirname(process.execPath)}:${process.env["PATH"]}`;
const environment = { ...process.env, PATH: withNode, NODE_OPTIONS: "" };
const shell = (command: string, cwd: string, more: Readonly<Record<string, string>> = {}) =>
  run("bash", ["-eu", "-c", command], {
    cwd,
    env: { ...environment, ...more },
    maxBuffer: 2 ** 26,
  });

/** The package's files, keyed by path. */
type Files = ReadonlyMap<string, string>;

/** Paths that the package may contain. */
const ownPaths = /^(package\.json|README\.md|LICENSE|CHANGELOG\.md|SECURITY\.md|dist\/.+)$/;
/** Allowed file types in `dist`: code for browsers and Node.js, types, fonts, licenses and the bill of materials. */
const ownKinds = /\.(js|d\.ts|wasm|woff2|txt|json)$/;
const foreignPaths =
  /(^|\/)(test|tests|fixtures|node_modules|\.[^/]*)(\/|$)|\.(test|spec|bench)\.|\.map$/;
const secretTexts = [
  /-----BEGIN [A-Z ]*PRIVATE KEY-----/,
  /_authToken/,
  /\bnpm_[A-Za-z0-9]{36}\b/,
  /\bgh[pousr]_[A-Za-z0-9]{36}\b/,
  /\bAKIA[0-9A-Z]{16}\b/,
];

/** Lists the reasons why a package must not be published. `builtIn` is the folder in which the package was built. */
function faultsOf(files: Files, builtIn: string): string[] {
  const faults: string[] = [];
  for (const path of ["package.json", "README.md", "LICENSE", "SECURITY.md", "dist/sbom.cdx.json"])
    if (!files.has(path)) faults.push(`${path} is missing`);
  for (const [path, text] of files) {
    if (!ownPaths.test(path) || foreignPaths.test(path))
      faults.push(`${path} does not belong to the package`);
    else if (path.startsWith("dist/") && !ownKinds.test(path))
      faults.push(`${path} has an unknown file type`);
    if (/^\/\/[#@] sourceMappingURL=/m.test(text)) faults.push(`${path} refers to a source map`);
    if (text.includes(builtIn)) faults.push(`${path} contains the path of the build folder`);
    for (const secret of secretTexts)
      if (secret.test(text)) faults.push(`${path} contains ${secret}`);
  }
  const bill = files.get("dist/sbom.cdx.json");
  const described = files.get("package.json");
  if (bill === undefined || described === undefined) return faults;
  const { components }: { readonly components: readonly { readonly name: string }[] } =
    JSON.parse(bill);
  const { dependencies }: { readonly dependencies: object } = JSON.parse(described);
  const billed = new Set(components.map(({ name }) => name));
  for (const name of Object.keys(dependencies))
    if (!billed.has(name)) faults.push(`the bill of materials lacks ${name}`);
  return faults;
}

function readFolder(folder: string): Files {
  const paths = globSync("**/{*,.*}", { cwd: folder, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
  return new Map(paths.map((path) => [path, readFileSync(join(folder, path), "latin1")]));
}

const program = `
  import { openHost } from "manifold";
  import { createClient } from "manifold/client";
  import { definePlugin, serve } from "manifold/plugin";
  console.log([openHost, createClient, definePlugin, serve].map((each) => typeof each).join());
`;

suite("publish", (test) => {
  test("the publishing job checks the tag, installs, builds, sets the repository and publishes, in this order", () => {
    assert.match(checkTag, "GITHUB_REF_NAME");
    assert.match(install, /^npm ci/);
    assert.match(build, "npm run sbom");
    assert.match(nameRepository, /^npm pkg set repository/);
    assert.match(publish, /^npm publish .*--ignore-scripts/);
    assert.equal(more, []);
  });

  test("a tag that differs from the package's version stops the publishing job", async () => {
    await shell(checkTag, root, { GITHUB_REF_NAME: `v${version}` });
    for (const tag of [version, "v9.9.9", `v${version}-next`, "main"])
      await shell(checkTag, root, { GITHUB_REF_NAME: tag }).then(
        () => assert.unreachable(tag),
        ({ code }: { readonly code: number }) => assert.is(code, 1),
      );
  });

  test("the publish check refuses packages without a bill of materials, or with tests, source maps or secrets", () => {
    const dependencies = { koa: "^3.3.0" };
    const bill = JSON.stringify({ components: [{ name: "koa" }] });
    const good: readonly (readonly [string, string])[] = [
      ["package.json", JSON.stringify({ dependencies })],
      ["README.md", "# Manifold"],
      ["LICENSE", "MIT"],
      ["SECURITY.md", "# Security"],
      ["dist/core/cli/main.js", "#!/usr/bin/env node"],
      ["dist/sbom.cdx.json", bill],
    ];
    const faultsWith = (path: string, text: string | undefined) => {
      const files = new Map(good);
      if (text === undefined) files.delete(path);
      else files.set(path, text);
      return faultsOf(files, "/build/manifold");
    };
    assert.equal(faultsOf(new Map(good), "/build/manifold"), []);
    for (const [path, text, fault] of [
      ["dist/sbom.cdx.json", undefined, "dist/sbom.cdx.json is missing"],
      ["dist/sbom.cdx.json", '{"components":[]}', "lacks koa"],
      ["LICENSE", undefined, "LICENSE is missing"],
      ["test/core/host.test.js", "", "does not belong to the package"],
      ["dist/test/core/host.js", "", "does not belong to the package"],
      ["dist/core/host.test.js", "", "does not belong to the package"],
      ["dist/core/host.js.map", "{}", "does not belong to the package"],
      ["dist/.env", "", "does not belong to the package"],
      [".npmrc", "", "does not belong to the package"],
      [".manifold/secret", "", "does not belong to the package"],
      ["dist/node_modules/koa/index.js", "", "does not belong to the package"],
      ["dist/core/host.ts.orig", "", "has an unknown file type"],
      ["dist/core/host.js", "//# sourceMappingURL=host.js.map", "refers to a source map"],
      ["dist/core/host.js", "/build/manifold/core/host.ts", "the path of the build folder"],
      ["dist/core/host.js", "-----BEGIN PRIVATE KEY-----", "PRIVATE KEY"],
      ["README.md", "//registry.example.org/:_authToken=1", "_authToken"],
    ] as const)
      assert.match(faultsWith(path, text).join("\n"), fault, path);
  });

  test.deep(
    "the publishing workflow's commands publish a package that installs without scripts and runs",
    async () => {
      const folder = mkdtempSync(join(tmpdir(), "manifold-publish-"));
      let registry: Registry | undefined;
      try {
        // A checkout like that of the publishing job, which reuses the installed packages.
        const checkout = join(folder, "checkout");
        const leftOut = new Set(["dist", ".git", ".manifold"].map((name) => join(root, name)));
        const isCopied = (path: string) => !leftOut.has(path) && basename(path) !== "node_modules";
        cpSync(root, checkout, { recursive: true, filter: isCopied });
        symlinkSync(join(root, "node_modules"), join(checkout, "node_modules"));
        const { stdout: others } = await run("npm", ["config", "get", "registry"], { cwd: root });
        registry = await openRegistry({ name: "manifold", token, others: others.trim() });
        const settings = join(folder, "npmrc");
        writeFileSync(settings, `${registry.url.replace("http:", "")}/:_authToken=${token}\n`);
        const here = {
          npm_config_registry: registry.url,
          npm_config_userconfig: settings,
          GITHUB_REF_NAME: `v${version}`,
          GITHUB_SERVER_URL: "https://code.example.org",
          GITHUB_REPOSITORY: "someone/manifold",
        };
        await shell(checkTag, checkout, here);
        await shell(build, checkout);
        await shell(nameRepository, checkout, here);
        // npm signs the provenance with the identity of a hosted runner, and refuses to sign elsewhere.
        await shell(publish, checkout, here).then(
          () => assert.unreachable("npm published with provenance"),
          (failure: unknown) => assert.match(String(failure), /provenance/),
        );
        assert.is(registry.published(), undefined);
        await shell(publish.replace(" --provenance", ""), checkout, here);
        await shell(publish.replace(" --provenance", ""), checkout, here).then(
          () => assert.unreachable("the same version was published twice"),
          (failure: unknown) => assert.match(String(failure), /cannot publish over/),
        );

        const published = registry.published();
        assert.equal(published?.["dist-tags"], { latest: version });
        assert.equal(published?.versions[version]?.["repository"], {
          type: "git",
          url: `git+${repository}.git`,
        });
        const archive = join(folder, "package.tgz");
        writeFileSync(archive, registry.tarball(version) ?? "");
        await run("tar", ["-xzf", archive, "-C", folder]);
        const files = readFolder(join(folder, "package"));
        assert.ok(files.size > 1_000, String(files.size));
        for (const builtIn of [checkout, root]) assert.equal(faultsOf(files, builtIn), []);

        const user = join(folder, "user");
        mkdirSync(user);
        writeFileSync(join(user, "package.json"), '{ "type": "module" }');
        writeFileSync(join(user, "program.js"), program);
        await shell("npm install --ignore-scripts --no-audit --no-fund manifold", user, here);
        const { packages } = JSON.parse(readFileSync(join(user, "package-lock.json"), "utf8"));
        const { integrity } = packages["node_modules/manifold"];
        assert.is(integrity, published?.versions[version]?.dist.integrity);
        const { stdout: imported } = await shell("node program.js", user);
        assert.is(imported.trim(), "function,function,function,function");
        const { stdout: help } = await shell("npx manifold --help", user, here);
        assert.match(help, /^manifold serve /);
        const { stdout: said } = await shell("npx manifold --version", user, here);
        assert.is(said.trim(), version);
      } finally {
        await registry?.close();
        rmSync(folder, { recursive: true, force: true });
      }
    },
  );
});
