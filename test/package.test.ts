import { execFile } from "node:child_process";
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import * as assert from "uvu/assert";
import { buildPackages, packageNames, scope } from "./support/buildPackages.ts";
import { fillDataFolder } from "./support/fillDataFolder.ts";
import { processesNaming, startNpm } from "./support/npmProcess.ts";
import { suite } from "./support/suite.ts";

const run = promisify(execFile);
const root = join(import.meta.dirname, "..");
/**
 * The folder where the packages are installed. It is inside node_modules, so that the packages find their dependencies.
 * Their folders have the names of the packages, so that the packages find each other.
 */
const user = join(root, "node_modules/.cache/manifold-package");
const installed = join(user, "node_modules", scope, "host");
const { bin }: { readonly bin: { readonly manifold: string } } = JSON.parse(
  readFileSync(join(root, "package.json"), "utf8"),
);
/** The environment of a user's host. Other tests turn the warm-up off. */
const asShipped = { MANIFOLD_WARM_UP: "on" };

/**
 * Opens a host twice on one data folder. The first host pushes rows. Both hosts query the rows and fetch the component.
 */
const twice = `
  import { openHost } from "@manifold-analytics/host";
  import { createClient } from "@manifold-analytics/client";
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

suite("package", (test) => {
  test.before(async () => {
    rmSync(user, { recursive: true, force: true });
    mkdirSync(installed, { recursive: true });
    const built = await buildPackages();
    for (const name of packageNames)
      cpSync(built.dist(name), join(installed, "..", name), { recursive: true });
    built.remove();
    // npm makes the command file executable when it installs the package.
    writeFileSync(join(user, "package.json"), "{}");
    const command = join(installed, bin.manifold);
    chmodSync(command, 0o755);
    mkdirSync(join(user, "node_modules/.bin"));
    symlinkSync(command, join(user, "node_modules/.bin/manifold"));
  });
  test.after(() => rmSync(user, { recursive: true, force: true }));

  test.deep(
    "a host started from the published JavaScript files stores rows, answers queries and reopens its data folder",
    async () => {
      const dataDir = mkdtempSync(join(tmpdir(), "manifold-package-"));
      await fillDataFolder(dataDir);
      const { stdout } = await run(process.execPath, ["--input-type=module", "-e", twice], {
        cwd: user,
        env: { ...process.env, ...asShipped, DATA_DIR: dataDir, NODE_OPTIONS: "" },
      }).finally(() => rmSync(dataDir, { recursive: true, force: true }));
      const row = [{ id: "a", name: { en: "a" } }, 3];
      assert.equal(JSON.parse(stdout), [
        [[row], 200],
        [[row], 200],
      ]);
    },
  );

  test.deep(
    "the host's package exports everything that programs need, but not the engine",
    async () => {
      const script = `
      const exported = Object.keys(await import("@manifold-analytics/host")).toSorted();
      const engine = await import("@manifold-analytics/host/engine").then(() => "found", ({ code }) => code);
      console.log(JSON.stringify([exported, engine]));
    `;
      const { stdout } = await run(process.execPath, ["--input-type=module", "-e", script], {
        cwd: user,
        env: { ...process.env, NODE_OPTIONS: "" },
      });
      assert.equal(JSON.parse(stdout), [
        ["openEmbeddedPostgres", "openHost", "settings", "untilStopped"],
        "ERR_PACKAGE_PATH_NOT_EXPORTED",
      ]);
    },
  );

  test.deep("the command of the published package prints its version", async () => {
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
