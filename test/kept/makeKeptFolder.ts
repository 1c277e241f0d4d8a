import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { openEmptyDatabase } from "../support/catalog.ts";
import { ownerKey, ownerToken, ownMain, startHostProcess } from "../support/hostProcess.ts";
import { testSecret } from "../support/openTestHost.ts";
import type { KeptFacts } from "./keptFolders.ts";
import { answersOf, fillKeptTenant, openKeptPlugin, questionsOf } from "./keptTenant.ts";

const run = promisify(execFile);

/**
 * Fills a host with records. Then writes a backup, the exported tenant and the host's answers to a folder. `main` is
 * the command file of the host's version; the default is the command of this tree.
 */
export async function makeKeptFolder({
  into,
  main = ownMain,
}: {
  readonly into: string;
  readonly main?: string;
}): Promise<KeptFacts> {
  mkdirSync(into, { recursive: true });
  const database = await openEmptyDatabase();
  const plugin = await openKeptPlugin();
  const dataDir = mkdtempSync(join(tmpdir(), "manifold-kept-"));
  const settings = {
    NODE_OPTIONS: "",
    DATABASE_URL: database.databaseUrl,
    MANIFOLD_DATA_DIR: dataDir,
    MANIFOLD_SECRET: testSecret,
    MANIFOLD_EGRESS_ALLOW: "127.0.0.1",
    MANIFOLD_WORKERS: "1",
  };
  const host = await startHostProcess(dataDir, settings, main);
  try {
    const { client, url } = host;
    const tenant = await fillKeptTenant(client, plugin);
    const person = { email: "kept@example.org", password: "a password that was kept" };
    await client.create("user", person);
    // The address of the live dataset no longer exists when the folder is opened later.
    const questions = questionsOf(tenant).all.slice(0, -1);
    const answers = await answersOf(client, questions);
    const { rows } = await client.get<{ rows: KeptFacts["securables"] }>("securable", {
      attributes: ["id", "type", "name"],
      order: [["id", "asc"]],
    });
    const facts: KeptFacts = { questions, answers, securables: rows, person };
    writeFileSync(join(into, "facts.json"), `${JSON.stringify(facts, null, 2)}\n`);
    const calling = { MANIFOLD_URL: url, MANIFOLD_KEY: ownerKey, MANIFOLD_TOKEN: ownerToken };
    const command = (...args: string[]) =>
      run(process.execPath, [main, ...args], { env: { ...process.env, ...settings, ...calling } });
    await command("backup", join(into, "backup"));
    await command("export", "--dir", join(into, "tenant"));
    return facts;
  } finally {
    await host.end("SIGTERM");
    await plugin.close();
    await database.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}
