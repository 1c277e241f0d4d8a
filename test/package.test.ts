import { execFile } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import * as assert from "uvu/assert";
import { fillDataFolder } from "./support/fillDataFolder.ts";
import { layer } from "./support/layer.ts";
import { processesNaming, startNpm } from "./support/npmProcess.ts";
import { suite } from "./support/suite.ts";

const run = promisify(execFile);
const root = join(import.meta.dirname, "..");
/**
 * The folder where the package is installed. It is inside node_modules so that the package finds its dependencies, and
 * is named `manifold` so that other packages can import it.
 */
const user = join(root, "node_modules/.cache/manifold-package");
const installed = join(user, "node_modules/manifold");
/** The environment of a user's host. Other tests turn the warm-up off. */
const asShipped = { MANIFOLD_WARM_UP: "on" };

const program = `
  import { openHost } from "manifold";
  import { createClient } from "manifold/client";
  import { checkPlugin } from "manifold/conformance";
  import { ManifoldDashboard } from "manifold/embed";
  import { openStore } from "manifold/engine";
  import { definePlugin, serve } from "manifold/plugin";
  const dataDir = process.env.DATA_DIR;
  const host = await openHost({ dataDir, port: 0, logLevel: "silent", workers: 1 });
  const client = createClient({ url: host.url, ...host.madeCredentials });
  const { rows } = await client.create("data", { type: "create", data: [["a", 1], ["a", 2]], options: { header: ["text", "number"] } });
  const [text, number] = rows[0].columns.map(({ id }) => ({ dataset_id: rows[0].id, column_id: id }));
  const answer = await client.get("data", { dimensions: [text], measures: [number] });
  await host.close();
  console.log(JSON.stringify([answer.data, typeof openStore, typeof definePlugin, typeof serve, typeof checkPlugin, typeof ManifoldDashboard]));
`;

/**
 * Opens a host twice on one data folder. The first host pushes rows. Both hosts query the rows and fetch the component.
 */
const twice = `
  import { openHost } from "manifold";
  import { createClient } from "manifold/client";
  const dataDir = process.env.DATA_DIR;
  const options = { dataDir, port: 0, logLevel: "silent", workers: 1 };
  const seen = [];
  let pair;
  for (let start = 0; start < 2; start++) {
    const host = await openHost(options);
    pair ??= host.madeCredentials;
    const client = createClient({ url: host.url, ...pair });
    const data = [["a", 1], ["a", 2]];
    if (start === 0) await client.create("data", { type: "create", data, options: { header: ["text", "number"] } });
    const { rows } = await client.get("securable", { where: { type: "dataset" }, include: [{ model: "Column" }] });
    const of = (type) => ({ dataset_id: rows[0].id, column_id: rows[0].columns.find((each) => each.type === type).id });
    const answer = await client.get("data", { dimensions: [of("hierarchy")], measures: [of("numeric")] });
    const { status } = await fetch(host.url + "/embed.js");
    seen.push([answer.data, status]);
    await host.close();
  }
  console.log(JSON.stringify(seen));
`;

/**
 * Builds the package as it is published. In the quick layer, builds only the JavaScript that its command needs to
 * start.
 */
async function build(): Promise<void> {
  if (layer === "deep") {
    await run("npm", ["run", "build"], { cwd: root });
    return cpSync(join(root, "dist"), join(installed, "dist"), { recursive: true });
  }
  const project = {
    extends: join(root, "tsconfig.build.json"),
    compilerOptions: {
      declaration: false,
      noCheck: true,
      lib: ["es5"],
      noResolve: true,
      types: [],
      rootDir: root,
      outDir: join(installed, "dist"),
    },
    files: filesOfStart().map((file) => join(root, file)),
    include: [],
  };
  writeFileSync(join(user, "tsconfig.json"), JSON.stringify(project));
  await run(join(root, "node_modules/.bin/tsc"), ["-p", user]);
}

/** Returns the files that `core/cli/main.ts` and the command load at start. */
function filesOfStart(): readonly string[] {
  const found = new Set(["core/cli/main.ts", "core/cli/command.ts"]);
  for (const file of found) {
    const text = readFileSync(join(root, file), "utf8");
    const imports = /^(?:import|export) (?!type)[^"';]*?"(\.[^"]+)"/gm;
    for (const [, specifier = ""] of text.matchAll(imports))
      found.add(join(dirname(file), specifier));
  }
  return [...found];
}

suite("package", (test) => {
  test.before(async () => {
    rmSync(user, { recursive: true, force: true });
    mkdirSync(installed, { recursive: true });
    await build();
    cpSync(join(root, "package.json"), join(installed, "package.json"));
    // npm makes the command file executable when it installs the package.
    writeFileSync(join(user, "package.json"), "{}");
    chmodSync(join(installed, "dist/core/cli/main.js"), 0o755);
    mkdirSync(join(user, "node_modules/.bin"));
    symlinkSync("../manifold/dist/core/cli/main.js", join(user, "node_modules/.bin/manifold"));
  });
  test.after(() => rmSync(user, { recursive: true, force: true }));

  test.deep(
    "a host started from the published JavaScript files stores rows and answers queries",
    async () => {
      const dataDir = mkdtempSync(join(tmpdir(), "manifold-package-"));
      await fillDataFolder(dataDir);
      const { stdout } = await run(process.execPath, ["--input-type=module", "-e", program], {
        cwd: user,
        env: { ...process.env, ...asShipped, DATA_DIR: dataDir, NODE_OPTIONS: "" },
      }).finally(() => rmSync(dataDir, { recursive: true, force: true }));
      assert.equal(JSON.parse(stdout), [
        [[{ id: "a", name: { en: "a" } }, 3]],
        "function",
        "function",
        "function",
        "function",
        "function",
      ]);
    },
  );

  test.deep(
    "the packed package installs without scripts, runs a host and reopens its data folder",
    async () => {
      const folder = mkdtempSync(join(tmpdir(), "manifold-packed-"));
      try {
        const packed = ["pack", "--ignore-scripts", "--silent", "--pack-destination", folder];
        const { stdout: name } = await run("npm", packed, { cwd: root });
        writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
        const flags = ["--ignore-scripts", "--no-audit", "--no-fund"];
        await run("npm", ["install", ...flags, join(folder, name.trim())], { cwd: folder });
        const shipped = join(folder, "node_modules/manifold");
        for (const file of [
          "LICENSE",
          "SECURITY.md",
          "dist/core/http/assets/files/assets/licences.txt",
        ])
          assert.ok(existsSync(join(shipped, file)), file);
        writeFileSync(join(folder, "serve.js"), twice);
        const env = {
          ...process.env,
          ...asShipped,
          NODE_OPTIONS: "",
          DATA_DIR: join(folder, "data"),
        };
        const { stdout } = await run(process.execPath, ["serve.js"], { cwd: folder, env });
        const row = [{ id: "a", name: { en: "a" } }, 3];
        assert.equal(JSON.parse(stdout), [
          [[row], 200],
          [[row], 200],
        ]);
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    },
  );

  test("the command of the published package prints its version", async () => {
    const { stdout } = await run(join(user, "node_modules/.bin/manifold"), ["--version"]);
    assert.match(stdout, /^\d+\.\d+\.\d+\n$/);
  });

  for (const [target, signal, declare] of [
    ["npm", "SIGTERM", test.deep],
    ["child", "SIGTERM", test.deep],
    ["group", "SIGINT", test.deep],
    ["npm", "SIGKILL", test.deep],
  ] as const)
    declare(
      `sending ${signal} to the ${target} of npx manifold serve closes the host and leaves no process behind`,
      async () => {
        const dataDir = join(user, "data-npx");
        const env = { ...asShipped, MANIFOLD_DATA_DIR: dataDir, MANIFOLD_PORT: "0" };
        const npx = startNpm("npx", ["--no-install", "manifold", "serve"], { cwd: user, env });
        const [, url = ""] = await npx.written(/Manifold listens on (\S+)/);
        npx.kill(target, signal);
        await npx.gone();
        while (processesNaming(dataDir).length > 0) await pause(20);
        await fetch(url).then(
          () => assert.unreachable("the host still listens"),
          () => undefined,
        );
      },
    );
});
