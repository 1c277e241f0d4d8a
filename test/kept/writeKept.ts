import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { openEmptyDatabase } from "../support/catalog.ts";
import { ownerKey, ownerToken, startHostProcess } from "../support/hostProcess.ts";
import { testSecret } from "../support/openTestHost.ts";
import { keptFolder, type KeptFacts } from "./keptFolders.ts";
import { answersOf, fillKeptTenant, openKeptPlugin, questionsOf } from "./keptTenant.ts";
import { openKeptPackage } from "./openKeptPackage.ts";

// Has a kept package fill a host, back it up and export its tenant, and keeps both folders:
//   node --conditions=manifold-source test/kept/writeKept.ts manifold-0.1.0.tgz
const run = promisify(execFile);
const [, , name = ""] = process.argv;
const kept = await openKeptPackage(name);
const database = await openEmptyDatabase();
const plugin = await openKeptPlugin();
const folder = mkdtempSync(join(tmpdir(), "manifold-kept-"));
const dataDir = join(folder, "data");
const made = join(folder, "made");
mkdirSync(made);
const settings = {
  NODE_OPTIONS: "",
  DATABASE_URL: database.databaseUrl,
  MANIFOLD_DATA_DIR: dataDir,
  MANIFOLD_SECRET: testSecret,
  MANIFOLD_EGRESS_ALLOW: "127.0.0.1",
  MANIFOLD_WORKERS: "1",
};
const host = await startHostProcess(dataDir, settings, kept.main);
try {
  const { client, url } = host;
  const tenant = await fillKeptTenant(client, plugin);
  const person = { email: "kept@example.org", password: "a password that was kept" };
  await client.create("user", person);
  // The live dataset is at an address that is gone when the folder is opened.
  const questions = questionsOf(tenant).all.slice(0, -1);
  const answers = await answersOf(client, questions);
  const { rows } = await client.get<{ rows: KeptFacts["securables"] }>("securable", {
    attributes: ["id", "type", "name"],
    order: [["id", "asc"]],
  });
  const facts: KeptFacts = { questions, answers, securables: rows, person };
  writeFileSync(join(made, "facts.json"), `${JSON.stringify(facts, null, 2)}\n`);
  const calling = { MANIFOLD_URL: url, MANIFOLD_KEY: ownerKey, MANIFOLD_TOKEN: ownerToken };
  const command = (...args: string[]) =>
    run(process.execPath, [kept.main, ...args], {
      env: { ...process.env, ...settings, ...calling },
    });
  await command("backup", join(made, "backup"));
  await command("export", "--dir", join(made, "tenant"));
  await run("tar", ["-czf", keptFolder(kept.version), "-C", made, "."]);
} finally {
  await host.end("SIGTERM");
  await plugin.close();
  await database.close();
  kept.close();
  rmSync(folder, { recursive: true, force: true });
}
process.exit(0);
