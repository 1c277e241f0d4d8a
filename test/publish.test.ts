import { cpSync, mkdirSync, readFileSync, writeFileSync, globSync } from "node:fs";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { parse } from "yaml";
import { bundledDependencies } from "../deploy/npm/bundleDependencies.ts";
import {
  buildPackages,
  type BuiltPackages,
  copyTree,
  packageNames,
  scope,
  shell,
} from "./support/buildPackages.ts";
import { openRegistry, registryOfTree, type Registry } from "./support/openRegistry.ts";
import { suite } from "./support/suite.ts";

const root = join(import.meta.dirname, "..");
const read = (path: string): { readonly version: string } =>
  JSON.parse(readFileSync(join(root, path), "utf8"));
const { version } = read("package.json");
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

/** The package's files, keyed by path. */
type Files = ReadonlyMap<string, string>;

/** Files and folders that a package may contain at its top level. */
const ownPaths =
  /^(package\.json|(README|CHANGELOG|SECURITY)\.md|LICENSE|(licences|parts\/.+)\.(txt|js)|main\.js|sbom\.cdx\.json|(bundled|connectors|core|docs|drivers|engine|examples|plugins|schemas|types|protocol|sdk|sql|rows|meanings|conformance|calls)\/.+|python\/(README\.md|pyproject\.toml|src\/.+)|[a-zA-Z]+\.(js|d\.ts))$/;
/** Allowed file types: code for browsers and Node.js, types, fonts, licences, pages, pictures and lists. */
const ownKinds = /(\.(js|js\.map|d\.ts|wasm|zst|woff2|txt|json|md|png|svg|yml)|^LICENSE)$/;
/** Allowed file types of the Python library, which belongs to the package of plugins. */
const pythonKinds = /\.(py|md|toml)$|\/py\.typed$/;
/** Allowed file types of examples. */
const exampleKinds = /\.(ts|tsx|js|css|vue|py|json|md)$/;
const foreignPaths =
  /(^|\/)(test|tests|fixtures|node_modules|__pycache__|\.[^/]*)(\/|$)|\.(test|spec|bench)\.|(?<!^core\/bundle\/[^/]*)\.map$/;
const secretTexts = [
  /-----BEGIN [A-Z ]*PRIVATE KEY-----\n[A-Za-z0-9+/]{20}/,
  /_authToken=[^$\s]/,
  /\bnpm_[A-Za-z0-9]{36}\b/,
  /\bgh[pousr]_[A-Za-z0-9]{36}\b/,
  /\bAKIA[0-9A-Z]{16}\b/,
];

/** Lists the reasons why a package must not be published. `builtIn` is the folder in which the package was built. */
function faultsOf(files: Files, builtIn: string): string[] {
  const faults: string[] = [];
  const described: {
    readonly name?: string;
    readonly dependencies?: object;
    readonly peerDependencies?: object;
  } = JSON.parse(files.get("package.json") ?? "{}");
  const isHost = described.name === `${scope}/host`;
  const required = ["package.json", "README.md", "LICENSE", "SECURITY.md"];
  for (const path of isHost ? [...required, "sbom.cdx.json", "bundled/licences.txt"] : required)
    if (!files.has(path)) faults.push(`${path} is missing`);
  for (const [path, text] of files) {
    const [folder] = path.split("/");
    const kinds =
      folder === "examples" ? exampleKinds : folder === "python" ? pythonKinds : ownKinds;
    if (!ownPaths.test(path) || foreignPaths.test(path))
      faults.push(`${path} does not belong to the package`);
    else if (!kinds.test(path)) faults.push(`${path} has an unknown file type`);
    if (/^\/\/[#@] sourceMappingURL=/m.test(text) && !path.startsWith("core/bundle/"))
      faults.push(`${path} refers to a source map`);
    if (text.includes(builtIn)) faults.push(`${path} contains the path of the build folder`);
    for (const secret of secretTexts)
      if (secret.test(text)) faults.push(`${path} contains ${secret}`);
  }
  if (!isHost) return faults;
  const { components }: { readonly components: readonly { readonly name: string }[] } = JSON.parse(
    files.get("sbom.cdx.json") ?? '{"components":[]}',
  );
  const { dependencies = {}, peerDependencies = {} } = described;
  const billed = new Set(components.map(({ name }) => name));
  const used = [dependencies, peerDependencies].flatMap((each) => Object.keys(each));
  for (const name of [...used, ...bundledDependencies])
    if (!billed.has(name) && !/^@(manifold-analytics|types)\//.test(name))
      faults.push(`the bill of materials lacks ${name}`);
  return faults;
}

function readFolder(folder: string): Files {
  const paths = globSync("**/{*,.*}", { cwd: folder, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
  return new Map(paths.map((path) => [path, readFileSync(join(folder, path), "latin1")]));
}

/** The package.json files of all packages except the host. */
const treePackages = ["plugins", "core/web/client", "core/web/embed"].map(
  (folder) => `${folder}/package.json`,
);

suite("publish", (test) => {
  test("the publishing job checks the tag, installs, builds, sets the repository and publishes, in this order", () => {
    assert.match(checkTag, "GITHUB_REF_NAME");
    assert.match(install, /^npm ci/);
    assert.is(build, "npm run build");
    assert.match(nameRepository, /npm pkg set repository/);
    assert.match(publish, /npm publish .*--ignore-scripts/);
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
    const name = `${scope}/host`;
    const dependencies = { koa: "^3.3.0" };
    const billed = ["koa", ...bundledDependencies].map((each) => ({ name: each }));
    const good: readonly (readonly [string, string])[] = [
      ["package.json", JSON.stringify({ name, dependencies })],
      ["README.md", "# Manifold"],
      ["LICENSE", "MIT"],
      ["SECURITY.md", "# Security"],
      ["core/cli/main.js", "#!/usr/bin/env node"],
      ["bundled/licences.txt", "got 16.1.0"],
      ["sbom.cdx.json", JSON.stringify({ components: billed })],
    ];
    const faultsWith = (path: string, text: string | undefined) => {
      const files = new Map(good);
      if (text === undefined) files.delete(path);
      else files.set(path, text);
      return faultsOf(files, "/build/manifold");
    };
    assert.equal(faultsOf(new Map(good), "/build/manifold"), []);
    for (const [path, text, fault] of [
      ["sbom.cdx.json", undefined, "sbom.cdx.json is missing"],
      ["sbom.cdx.json", '{"components":[]}', "lacks koa"],
      ["sbom.cdx.json", '{"components":[{"name":"koa"}]}', "lacks got"],
      ["bundled/licences.txt", undefined, "licences.txt is missing"],
      ["LICENSE", undefined, "LICENSE is missing"],
      ["test/core/host.test.js", "", "does not belong to the package"],
      ["core/test/host.js", "", "does not belong to the package"],
      ["core/host.test.js", "", "does not belong to the package"],
      ["core/host.js.map", "{}", "does not belong to the package"],
      ["core/.env", "", "does not belong to the package"],
      [".npmrc", "", "does not belong to the package"],
      [".manifold/secret", "", "does not belong to the package"],
      ["core/node_modules/koa/index.js", "", "does not belong to the package"],
      ["python/src/manifold_plugin/__pycache__/query.py", "", "does not belong to the package"],
      ["python/tests.py", "", "does not belong to the package"],
      ["python/src/manifold_plugin/query.pyc", "", "has an unknown file type"],
      ["core/host.ts", "", "has an unknown file type"],
      ["examples/support/data.sqlite", "", "has an unknown file type"],
      ["core/host.js", "//# sourceMappingURL=host.js.map", "refers to a source map"],
      ["core/host.js", "/build/manifold/core/host.ts", "the path of the build folder"],
      ["core/host.js", `-----BEGIN PRIVATE KEY-----\n${"A".repeat(64)}`, "PRIVATE KEY"],
      ["README.md", "//registry.example.org/:_authToken=1", "_authToken"],
    ] as const)
      assert.match(faultsWith(path, text).join("\n"), fault, path);
  });

  test("the four packages have one version, and the host depends on exactly this version of the plugin package", () => {
    const described = ["package.json", ...treePackages].map((path) => read(path));
    assert.is(described.length, packageNames.length);
    for (const each of described) assert.is(each.version, version);
    const { dependencies }: { readonly dependencies: Readonly<Record<string, string>> } =
      JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    assert.is(dependencies[`${scope}/plugin`], version);
  });

  test.deep("the publishing workflow's commands publish the four packages, each once", async () => {
    const copied = copyTree();
    let registry: Registry | undefined;
    let built: BuiltPackages | undefined;
    try {
      const { checkout, folder } = copied;
      // Building the copy would give the same packages again.
      built = await buildPackages();
      for (const name of packageNames)
        cpSync(built.dist(name), join(checkout, "dist", name), { recursive: true });
      registry = await openRegistry({ scope, token, others: await registryOfTree() });
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
      await shell(nameRepository, checkout, here);
      // npm signs the provenance with the identity of a hosted runner, and refuses to sign elsewhere.
      await shell(publish, checkout, here).then(
        () => assert.unreachable("npm published with provenance"),
        (failure: unknown) => assert.match(String(failure), /provenance/),
      );
      assert.equal(registry.names(), []);
      await shell(publish.replace(" --provenance", ""), checkout, here);
      await shell(publish.replace(" --provenance", ""), checkout, here).then(
        () => assert.unreachable("the same version was published twice"),
        (failure: unknown) => assert.match(String(failure), /cannot publish over/),
      );

      assert.equal(
        registry.names(),
        packageNames.map((name) => `${scope}/${name}`),
      );
      for (const name of packageNames) {
        const published = registry.published(`${scope}/${name}`);
        assert.equal(published?.["dist-tags"], { latest: version }, name);
        const described = published?.versions[version];
        assert.equal(described?.["repository"], { type: "git", url: `git+${repository}.git` });
        const unpacked = join(folder, name);
        mkdirSync(unpacked);
        const archive = join(unpacked, "package.tgz");
        writeFileSync(archive, registry.tarball(`${scope}/${name}`, version) ?? "");
        await shell("tar -xzf package.tgz", unpacked);
        const files = readFolder(join(unpacked, "package"));
        assert.ok(files.size > 15, `${name}: ${files.size}`);
        for (const builtIn of [built.checkout, checkout, root])
          assert.equal(faultsOf(files, builtIn), [], name);
      }
    } finally {
      await registry?.close();
      built?.remove();
      copied.remove();
    }
  });
});
