import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync } from "node:fs";
import { mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eventually } from "./eventually.ts";
import { findProgram } from "./findProgram.ts";
import { freePort, watchdog } from "./mariadbServer.ts";

/** A Firebird test server on loopback, with a user that has all rights. */
export interface FirebirdServer {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  /** The folder of the databases. The server opens no other database. */
  readonly folder: string;
  /** Kills the server immediately, like a crash. */
  kill(): Promise<void>;
  /** Starts the server again with its databases and port. */
  restart(): Promise<void>;
  /** Stops the server and removes its databases. */
  close(): Promise<void>;
}

/** The command that installs the server's programs, for messages. */
export const installFirebird =
  "apt-get install --no-install-recommends firebird3.0-server firebird3.0-utils";

const user = "SYSDBA";
const password = "firebird-for-tests";

/** Finds the folder with the server's plugins, such as /usr/lib/x86_64-linux-gnu/firebird/3.0. */
function findLibraries(): string | undefined {
  const architectures = existsSync("/usr/lib") ? readdirSync("/usr/lib") : [];
  return architectures
    .map((name) => `/usr/lib/${name}/firebird/3.0`)
    .find((folder) => existsSync(join(folder, "plugins")));
}

/** Returns whether the server's programs are installed. FIREBIRD and ISQL-FB can contain their paths. */
export function hasFirebird(): boolean {
  const programs = [findProgram("firebird"), findProgram("isql-fb"), findLibraries()];
  return programs.every((each) => each !== undefined);
}

/** Opens a server with fresh databases. */
export async function openFirebirdServer(): Promise<FirebirdServer> {
  const [program, isql, libraries] = [
    findProgram("firebird"),
    findProgram("isql-fb"),
    findLibraries(),
  ];
  if (!program || !isql || !libraries)
    throw new Error(`Firebird is not installed: ${installFirebird}`);
  const folder = await mkdtemp(join(tmpdir(), "firebird-"));
  const port = await freePort();
  const security = join(folder, "security3.fdb");
  const environment = {
    ...process.env,
    FIREBIRD: folder,
    FIREBIRD_LOCK: folder,
    FIREBIRD_TMP: folder,
  };
  const settings = {
    RemoteBindAddress: "127.0.0.1",
    RemoteServicePort: port,
    SecurityDatabase: security,
    DatabaseAccess: `Restrict ${folder}`,
    AuthServer: "Srp",
    UserManager: "Srp",
    UdfAccess: "None",
    DefaultDbCachePages: 512,
  };
  const start = async () => {
    const running = runServer(program, environment);
    await eventually(() => isListening(port), "the server listens");
    return running;
  };
  try {
    for (const name of ["intl", "plugins", "plugins.conf", "firebird.msg"])
      await symlink(join(libraries, name), join(folder, name));
    const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}\n`);
    await writeFile(join(folder, "firebird.conf"), lines.join(""));
    const own = `security.db = ${security}\n{\n  RemoteAccess = false\n}\n`;
    await writeFile(join(folder, "databases.conf"), own);
    const runScript = (...lines: readonly string[]) => {
      const { status, stderr, stdout } = spawnSync(isql, ["-user", user, "-bail", "-quiet"], {
        env: environment,
        input: lines.join("\n"),
        encoding: "utf8",
      });
      if (status !== 0) throw new Error(`no security database: ${stdout}${stderr}`);
      return stdout;
    };
    runScript(
      `create database '${security}' page_size 8192;`,
      `create user ${user} password '${password}' using plugin Srp;`,
      "commit;",
    );
    // The driver cannot log in if the salt of the password begins with a zero, because the server sends it without the
    // zero. Setting the password draws a new salt.
    const draw = () =>
      runScript(
        `connect '${security}';`,
        `alter user ${user} password '${password}' using plugin Srp;`,
        "commit;",
        "set list on;",
        "select plg$salt from plg$srp;",
      );
    const draws = Array.from({ length: 50 });
    if (!draws.some(() => /PLG\$SALT\s+[1-9A-F]/.test(draw())))
      throw new Error("no salt without a zero at its beginning in 50 draws");
  } catch (failure) {
    await rm(folder, { recursive: true, force: true });
    throw failure;
  }
  let running = await start();
  return {
    host: "127.0.0.1",
    port,
    user,
    password,
    folder,
    kill: () => running.end(),
    async restart() {
      await running.end();
      running = await start();
    },
    async close() {
      await running.end();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function runServer(program: string, env: NodeJS.ProcessEnv): { end(): Promise<void> } {
  const child = spawn("sh", ["-c", watchdog, "sh", program], {
    env,
    stdio: ["pipe", "ignore", "ignore"],
  });
  const exit = once(child, "exit");
  // A killed server does not read its standard input.
  child.stdin.on("error", () => undefined);
  for (const handle of [child, child.stdin] as { unref?: () => void }[]) handle.unref?.();
  return {
    async end() {
      child.stdin.destroy();
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.ref();
      await exit;
    },
  };
}

async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, "127.0.0.1");
  try {
    await once(socket, "connect");
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
