import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rename, rm, utimes } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openCatalog, type Catalog } from "../../core/catalog/index.ts";
import { openQueue } from "../../core/jobs/queue/openQueue.ts";
import { hashSources } from "../../deploy/bundle/hashSources.ts";
import { removeOldEntries } from "../../deploy/bundle/removeOldEntries.ts";
import { copyCatalog } from "./copyCatalog.ts";
import { silentLog } from "./silentLog.ts";

const root = join(import.meta.dirname, "../..");
const cacheDir = join(root, "node_modules/.cache/manifold-tests");

/**
 * Returns a data folder with an empty catalog, in the state after the first start of a host. Runs of the same sources
 * share the folder, so only start servers on copies of the folder. Creating the folder takes two seconds of processor
 * time.
 */
export async function keptCatalog(): Promise<string> {
  const folder = join(cacheDir, `catalog-${await hashOfCatalog()}`);
  if (!existsSync(folder)) await keep(folder);
  // Removes folders that no run has used for a day.
  const now = new Date();
  await utimes(folder, now, now);
  return folder;
}

async function hashOfCatalog(): Promise<string> {
  const own = await readFile(import.meta.filename, "utf8");
  return hashSources({
    folders: ["base", "catalog", "jobs"].map((name) => join(root, "core", name)),
    lockFile: join(root, "package-lock.json"),
    // The files of a PostgreSQL server can be used only by one user and on one platform.
    settings: [own, process.getuid?.(), process.platform, process.arch].join("\0"),
  });
}

/** Creates the folder elsewhere and then renames it into place, because two runs may create it at the same time. */
async function keep(folder: string): Promise<void> {
  await mkdir(cacheDir, { recursive: true });
  removeOldEntries(cacheDir, "catalog-");
  const made = await mkdtemp(join(tmpdir(), "manifold-template-"));
  const part = await mkdtemp(`${folder}.`);
  try {
    await fill(made);
    await copyCatalog(made, part);
    await rename(part, folder).catch((failure: unknown) => {
      // Another run has already created the folder.
      if (!existsSync(folder)) throw failure;
    });
  } finally {
    for (const path of [made, part]) await rm(path, { recursive: true, force: true });
  }
}

async function fill(dataDir: string): Promise<void> {
  const empty = await openCatalog({ databaseUrl: undefined, dataDir, log: silentLog });
  // The catalog includes the tables of jobs. Creating them in each host would cost more than the rest of the host's
  // start.
  const jobs = await openQueue({ knex: empty.knex, log: silentLog, kinds: [] });
  await jobs.close();
  await makeSignInCheap(empty);
  await empty.close();
}

/** Makes the server hash a password once instead of 4,096 times, because a run opens thousands of connections. */
async function makeSignInCheap({ knex, address }: Catalog): Promise<void> {
  if (!("password" in address)) throw new TypeError("the test server is embedded");
  await knex.transaction(async (transaction) => {
    await transaction.raw("set local scram_iterations = 1");
    const quoted = address.password.replaceAll("'", "''");
    await transaction.raw(`alter role current_user password '${quoted}'`);
  });
}
