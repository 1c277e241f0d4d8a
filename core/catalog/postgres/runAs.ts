import { constants } from "node:fs";
import { access, readFile, stat } from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";
import { env, getuid } from "node:process";

/** The operating-system user that owns the server's files and runs it. */
export interface ServerUser {
  readonly uid: number;
  readonly gid: number;
}

/**
 * Chooses the operating-system user that runs a server whose files are in `folders`. The first folder that exists
 * determines the user. Undefined means the current user. PostgreSQL refuses to run as root, so root starts it as the
 * owner of the folder if that user has a name, otherwise as `postgres`, otherwise as `nobody`.
 */
export async function chooseServerUser(
  folders: readonly string[],
): Promise<ServerUser | undefined> {
  if (getuid?.() !== 0) return undefined;
  const entries = (await readFile("/etc/passwd", "utf8"))
    .split("\n")
    .map((line) => line.split(":"));
  for (const folder of folders) {
    const found = await stat(folder).catch(() => undefined);
    // initdb refuses a user without a name.
    const isNamed = entries.some(([, , uid]) => uid === String(found?.uid));
    if (found && found.uid !== 0 && isNamed) return { uid: found.uid, gid: found.gid };
  }
  for (const name of ["postgres", "nobody"]) {
    const entry = entries.find(([user]) => user === name);
    if (entry) return { uid: Number(entry[2]), gid: Number(entry[3]) };
  }
  throw new Error(
    "PostgreSQL refuses to run as root, and neither the user postgres nor nobody exists; start as another user, or set DATABASE_URL",
  );
}

async function canReach(path: string, user: ServerUser): Promise<boolean> {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    const { mode, uid, gid } = await stat(folder);
    const bit = uid === user.uid ? 0o100 : gid === user.gid ? 0o010 : 0o001;
    if (!(mode & bit)) return false;
    if (folder === dirname(folder)) return true;
  }
}

async function findCommand(name: string): Promise<string | undefined> {
  for (const folder of (env["PATH"] ?? "").split(delimiter)) {
    const path = join(folder, name);
    const runs = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (runs) return path;
  }
  return undefined;
}

/** A command line, and the user to run it as. */
export interface Command {
  readonly file: string;
  readonly args: readonly string[];
  readonly user: ServerUser | undefined;
}

/**
 * Changes a command so that it runs as `user`, who must be able to reach `paths`. If a parent folder is closed to that
 * user, the command keeps only the capability of root to pass closed folders (setpriv of util-linux).
 * @throws {Error} that says what to do if setpriv is needed but missing
 */
export async function runAs(
  user: ServerUser | undefined,
  paths: readonly string[],
  file: string,
  args: readonly string[],
): Promise<Command> {
  if (!user) return { file, args, user };
  const reached = await Promise.all(paths.map((path) => canReach(path, user)));
  if (reached.every(Boolean)) return { file, args, user };
  const setpriv = await findCommand("setpriv");
  if (!setpriv)
    throw new Error(
      `user ${user.uid} may not open all parent folders of ${paths[reached.indexOf(false)]}, and setpriv (util-linux) is not installed; open these folders (chmod o+x), install util-linux, or set DATABASE_URL`,
    );
  const capability = "+dac_override";
  const options = [`--reuid=${user.uid}`, `--regid=${user.gid}`, "--clear-groups"];
  options.push(`--inh-caps=${capability}`, `--ambient-caps=${capability}`);
  // initdb finds its binaries with access(2), which ignores capabilities unless this bit is set (credentials(7)).
  options.push("--securebits=+no_setuid_fixup", "--no-new-privs");
  return { file: setpriv, args: [...options, file, ...args], user: undefined };
}
