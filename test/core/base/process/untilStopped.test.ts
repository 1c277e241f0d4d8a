import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import * as assert from "uvu/assert";
import { createClient } from "../../../../core/web/client/index.ts";
import { fillDataFolder } from "../../../support/fillDataFolder.ts";
import { ownerKey, ownerToken } from "../../../support/hostProcess.ts";
import { type NpmProcess, processesNaming, startNpm } from "../../../support/npmProcess.ts";
import { suite } from "../../../support/suite.ts";

const root = fileURLToPath(new URL("../../../..", import.meta.url));
const module = new URL("../../../../core/base/process/untilStopped.ts", import.meta.url).href;

/** A program that never finishes closing after it is told to stop. */
const waiting = `
  import { untilStopped } from ${JSON.stringify(module)};
  setInterval(() => {}, 1000);
  const stopped = untilStopped();
  console.log("waits");
  await stopped;
  console.log("stops");
`;

/** Resolves when the server at the URL no longer accepts connections. */
async function refuses(url: string): Promise<void> {
  for (;;)
    try {
      await fetch(`${url}/healthz`);
      await pause(10);
    } catch {
      return;
    }
}

suite("core/base/process/untilStopped", (test) => {
  const dataDir = mkdtempSync(join(tmpdir(), "manifold-stop-"));
  const held: ServerResponse[] = [];
  const plugin = createServer((_, response) => {
    held.push(response);
    plugin.emit("held");
  });
  let allowed = "";
  test.before(async () => {
    await once(plugin.listen(0, "127.0.0.1"), "listening");
    await fillDataFolder(dataDir);
    allowed = `127.0.0.1:${(plugin.address() as AddressInfo).port}`;
  });
  test.after(() => {
    plugin.closeAllConnections();
    plugin.close();
    rmSync(dataDir, { recursive: true, force: true });
  });

  const start = (script: string): NpmProcess =>
    startNpm("npm", ["run", script], {
      cwd: root,
      env: {
        MANIFOLD_DATA_DIR: dataDir,
        MANIFOLD_PORT: "0",
        MANIFOLD_KEY: ownerKey,
        MANIFOLD_TOKEN: ownerToken,
        MANIFOLD_LOG_LEVEL: "warn",
        MANIFOLD_CALLS_PER_SECOND: "0",
        MANIFOLD_EGRESS_ALLOW: allowed,
      },
    });
  const nothingLeft = async (npm: NpmProcess) => {
    await npm.gone();
    while (processesNaming(dataDir).length > 0) await pause(20);
  };

  for (const [target, signal, declare] of [
    ["npm", "SIGTERM", test.deep],
    ["npm", "SIGKILL", test.deep],
    ["child", "SIGTERM", test.deep],
    ["group", "SIGHUP", test.deep],
  ] as const)
    declare(
      `${signal} to the ${target} of npm start closes the host and leaves no process behind`,
      async () => {
        const npm = start("start");
        const [, url = ""] = await npm.written(/Manifold listens on (\S+)/);
        npm.kill(target, signal);
        await nothingLeft(npm);
        await refuses(url);
      },
    );

  test.deep(
    "after Ctrl-C on `npm start`, which sends two signals, the host still answers all 60 calls in progress",
    async () => {
      const npm = start("start");
      const [, url = ""] = await npm.written(/Manifold listens on (\S+)/);
      const client = createClient({ url, key: ownerKey, token: ownerToken });
      const slug = "held";
      await client.create("plugin", {
        slug,
        name: { en: slug },
        base_url: `http://${allowed}`,
        authorize: "custom",
      });
      const pending = client.create("account", { provider: slug, name: { en: slug } });
      const calls = [pending];
      while (held.length < 1) await once(plugin, "held");
      for (let index = 1; index < 60; index++)
        calls.push(client.create("account", { provider: slug, name: { en: slug } }));
      while (held.length < 60) await once(plugin, "held");
      npm.kill("group", "SIGINT");
      await refuses(url);
      for (const response of held) response.setHeader("Content-Type", "application/json").end("{}");
      const answers = await Promise.all(calls);
      assert.is(answers.length, 60);
      await nothingLeft(npm);
    },
  );

  for (const [target, signal, declare] of [
    ["group", "SIGINT", test.deep],
    ["npm", "SIGTERM", test.deep],
  ] as const)
    declare(
      `${signal} to the ${target} of npm run demo closes the host and the plugin`,
      async () => {
        const demo = join(dataDir, "demo");
        mkdirSync(demo, { recursive: true });
        await fillDataFolder(demo);
        const npm = startNpm("npm", ["run", "demo"], {
          cwd: root,
          env: { MANIFOLD_DATA_DIR: demo, MANIFOLD_PORT: "0" },
        });
        await npm.written(/Loading|already exist/);
        npm.kill(target, signal);
        await nothingLeft(npm);
      },
    );

  test("a second signal within a second is ignored, and a later signal stops the host at once with status 1", async () => {
    const child = spawn(process.execPath, ["--input-type=module", "-e", waiting]);
    const ended = once(child, "exit");
    await once(child.stdout, "data");
    child.kill("SIGINT");
    const [text] = (await once(child.stdout, "data")) as [Buffer];
    assert.is(text.toString(), "stops\n");
    child.kill("SIGTERM");
    await pause(100);
    assert.is(child.exitCode, null);
    await pause(1_000);
    child.kill("SIGTERM");
    assert.equal(await ended, [1, null]);
  });
});
