import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  chmod,
  chown,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
} from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { runAs, type ServerUser } from "./runAs.ts";
import { unpackTemplate } from "./template/unpackTemplate.ts";

const run = promisify(execFile);

export interface ClusterOptions {
  readonly dataDir: string;
  readonly user: ServerUser | undefined;
  readonly initdb: string;
  /** The role that owns the cluster. */
  readonly role: string;
  /** Returns the path of a packed cluster, which then gets its own secrets. Without it, initdb creates a cluster. */
  readonly template: () => string | undefined;
}

/** Options with which initdb creates a cluster. */
const newCluster = [
  "--auth=scram-sha-256",
  "--encoding=UTF8",
  "--locale=C",
  // Strings are sorted by code point, and case conversion follows Unicode.
  "--locale-provider=builtin",
  "--builtin-locale=C.UTF-8",
  // The zone of the machine is not copied, because a template may come from another machine.
  "--set=timezone=UTC",
  "--set=log_timezone=UTC",
];

async function readPassword(file: string, user: ServerUser | undefined): Promise<string> {
  const kept = await readFile(file, "utf8").catch((failure: NodeJS.ErrnoException) => {
    if (failure.code === "ENOENT") return undefined;
    throw failure;
  });
  if (kept) return kept.trim();
  const password = randomBytes(32).toString("base64url");
  const draft = `${file}.new`;
  await writeFile(draft, password, { mode: 0o600 });
  if (user) await chown(draft, user.uid, user.gid);
  await rename(draft, file);
  return password;
}

/**
 * Creates the cluster `<dataDir>/catalog` if it does not exist, and resolves to the password of the role. The cluster
 * is created under another name, written to the disk and then renamed, so an attempt that was killed leaves no partial
 * cluster.
 */
export async function initialize(
  options: ClusterOptions,
): Promise<{ folder: string; password: string }> {
  const { dataDir, user, initdb, role } = options;
  const folder = join(dataDir, "catalog");
  const passwordFile = join(dataDir, "catalog-password");
  const password = await readPassword(passwordFile, user);
  if (await stat(join(folder, "PG_VERSION")).catch(() => undefined)) return { folder, password };

  for (const entry of await readdir(dataDir))
    if (entry.startsWith("catalog.new-")) await rm(join(dataDir, entry), { recursive: true });
  const draft = join(dataDir, `catalog.new-${randomBytes(4).toString("hex")}`);
  await mkdir(draft, { mode: 0o700 });
  await chmod(draft, 0o700);
  if (user) await chown(draft, user.uid, user.gid);
  const runInitdb = async (...args: readonly string[]) => {
    const given = [`--pgdata=${draft}`, ...args];
    const command = await runAs(user, [draft, passwordFile, initdb], initdb, given);
    const options = { ...command.user, cwd: "/" };
    await run(command.file, [...command.args], options).catch((cause: { stderr?: string }) => {
      const reason = cause.stderr?.trim() ?? "it did not start";
      throw new Error(`PostgreSQL's initdb failed in ${dataDir}: ${reason}`, { cause });
    });
  };
  const template = options.template();
  try {
    if (template === undefined)
      await runInitdb(`--username=${role}`, `--pwfile=${passwordFile}`, ...newCluster);
    else {
      await unpackTemplate({ file: template, to: draft, user, password });
      await runInitdb("--sync-only");
    }
  } catch (failure) {
    await rm(draft, { recursive: true, force: true });
    throw failure;
  }
  await rename(draft, folder);
  return { folder, password };
}
