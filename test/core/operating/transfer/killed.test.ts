import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import * as assert from "uvu/assert";
import { exportFolder } from "../../../../core/operating/transfer/index.ts";
import { createRandom, withSeed } from "../../../support/random.ts";
import { suite } from "../../../support/suite.ts";
import { fillAtRandom } from "./fillTenant.ts";
import { openTenantHost, type TenantHost } from "./openTenantHost.ts";

const main = fileURLToPath(new URL("../../../../core/cli/main.ts", import.meta.url));

/** Runs the command, and kills it after it has printed the given number of lines. */
async function applyOf(
  { url, key, token }: TenantHost,
  dir: string,
  killAfter = Infinity,
): Promise<{ readonly status: number | null; readonly output: string }> {
  const child = spawn(process.execPath, [main, "apply", "--dir", dir], {
    env: { ...process.env, MANIFOLD_URL: url, MANIFOLD_KEY: key, MANIFOLD_TOKEN: token },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => {
      output += chunk.toString();
      if (output.split("\n").length > killAfter) child.kill("SIGKILL");
    });
  const [status] = (await once(child, "exit")) as [number | null];
  return { status, output };
}

const filesOf = (dir: string): [string, string][] =>
  readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/^ids\.|\.part$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted()
    .map((path) => [path.slice(dir.length), readFileSync(path, "utf8")]);

const fillRounds = 4;
const killRounds = 5;

suite("core/operating/transfer: a command that is killed", (test) => {
  const folders: string[] = [];
  const hosts: TenantHost[] = [];
  test.after(async () => {
    for (const host of hosts) await host.close();
    for (const made of folders) rmSync(made, { recursive: true, force: true });
  });

  test.deep(
    "`manifold apply` creates every record once, even if it is killed repeatedly and names are equal",
    () => {
      const random = createRandom();
      return withSeed(random, async () => {
        const [from, to] = [await openTenantHost({}), await openTenantHost({})];
        hosts.push(from, to);
        for (let round = 0; round < fillRounds; round++) await fillAtRandom(from.client, random);
        const dir = mkdtempSync(join(tmpdir(), "manifold-killed-"));
        const again = mkdtempSync(join(tmpdir(), "manifold-killed-"));
        folders.push(dir, again);
        await exportFolder({ client: from.client, dir });
        let killCount = 0;
        for (let round = 0; round < killRounds; round++) {
          const { status, output } = await applyOf(to, dir, 1 + random.below(6));
          assert.ok(status === null || status === 0, output);
          if (status === null) killCount++;
        }
        assert.ok(killCount > 0, "it was killed at least once");
        const { status, output } = await applyOf(to, dir);
        assert.is(status, 0, output);
        assert.not.match(output, "note:");
        const last = await applyOf(to, dir);
        assert.match(last.output, /^nothing to change/);
        cpSync(dir, again, { recursive: true });
        await exportFolder({ client: to.client, dir: again });
        assert.equal(filesOf(again), filesOf(dir));
      });
    },
  );
});
