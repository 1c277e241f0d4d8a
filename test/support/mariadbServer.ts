import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { findProgram } from "./findProgram.ts";

/** The address of a MariaDB test server, with a user that has all rights. */
export interface MariadbServer {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
}

export interface OpenMariadbServer extends MariadbServer {
  /** Kills the server immediately, like a crash. */
  kill(): Promise<void>;
  /** Starts the server again with its data and port. */
  restart(): Promise<void>;
  /** Stops the server and removes its data. */
  close(): Promise<void>;
}

/** The command that installs the server's program, for messages. */
export const installMariadb = "apt-get install --no-install-recommends mariadb-server-core";

/**
 * Finds the program `mariadbd`. MARIADBD can contain its path; otherwise the usual folders are searched. Returns
 * undefined if the program is not found.
 */
export const findMariadb = (): string | undefined => findProgram("mariadbd");

/** Scripts that create the system tables. The time zone tables are missing, as on most servers. */
const systemTables = [
  "mysql_system_tables.sql",
  "mysql_performance_tables.sql",
  "mysql_system_tables_data.sql",
];

const user = "manifold";
const password = "mariadb-for-tests";

/**
 * A script that runs the server and stops it when the standard input closes, even if this process is killed. The data
 * is removed afterwards, so the server does not have to shut down cleanly.
 */
export const watchdog = `
exec 3<&0
"$@" </dev/null 3<&- &
server=$!
{ read -r _; kill -KILL "$server"; } <&3 2>/dev/null &
reader=$!
exec 3<&-
wait "$server"
kill "$reader" 2>/dev/null
`;

/** Opens a server on loopback with fresh data and small buffers. `settings` are command-line options. */
export async function openMariadbServer(
  settings: Readonly<Record<string, string>> = {},
): Promise<OpenMariadbServer> {
  const program = findMariadb();
  if (program === undefined) throw new Error(`mariadbd is not installed: ${installMariadb}`);
  const dataDir = await mkdtemp(join(tmpdir(), "mariadb-"));
  const port = await freePort();
  const initFile = join(dataDir, "users.sql");
  const options = Object.entries({
    datadir: dataDir,
    tmpdir: dataDir,
    ...(process.getuid?.() === 0 && { user: "root" }),
    "innodb-buffer-pool-size": "32M",
    "innodb-log-file-size": "8M",
    "innodb-data-file-path": "ibdata1:12M:autoextend",
    "innodb-temp-data-file-path": "ibtmp1:4M:autoextend",
    "innodb-autoextend-increment": "4",
    "innodb-flush-log-at-trx-commit": "2",
    "innodb-doublewrite": "OFF",
    "aria-pagecache-buffer-size": "8M",
    "performance-schema": "OFF",
    ...settings,
  }).map(([name, value]) => `--${name}=${value}`);
  try {
    makeSystemTables(program, options);
    await writeFile(
      initFile,
      `create user ${user}@'127.0.0.1' identified by '${password}';\n` +
        `grant all on *.* to ${user}@'127.0.0.1' with grant option;\n`,
    );
  } catch (failure) {
    await rm(dataDir, { recursive: true, force: true });
    throw failure;
  }
  const place = [
    ...options,
    `--port=${port}`,
    "--bind-address=127.0.0.1",
    `--socket=${join(dataDir, "s")}`,
    `--pid-file=${join(dataDir, "pid")}`,
    "--skip-name-resolve",
    "--max-connections=100",
  ];
  let running = await start(program, [...place, `--init-file=${initFile}`]);
  return {
    host: "127.0.0.1",
    port,
    user,
    password,
    kill: () => running.end(),
    async restart() {
      await running.end();
      running = await start(program, place);
    },
    async close() {
      await running.end();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

function makeSystemTables(program: string, options: readonly string[]): void {
  const share = join(dirname(dirname(program)), "share/mysql");
  const scripts = systemTables.map((name) => readFileSync(join(share, name), "utf8"));
  const head = "create database if not exists mysql;\nuse mysql;\nset @auth_root_socket=null;\n";
  const { status, stderr } = spawnSync(
    program,
    ["--no-defaults", "--bootstrap", "--silent-startup", "--skip-log-bin", ...options],
    { input: head + scripts.join("\n"), encoding: "utf8" },
  );
  if (status !== 0) throw new Error(`could not create the system tables of MariaDB: ${stderr}`);
}

interface Running {
  end(): Promise<void>;
}

async function start(program: string, options: readonly string[]): Promise<Running> {
  const child = spawn("sh", ["-c", watchdog, "sh", program, "--no-defaults", ...options], {
    stdio: ["pipe", "ignore", "pipe"],
  });
  const exit = once(child, "exit");
  const ready = Promise.withResolvers<void>();
  let log = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    log = (log + text).slice(-4_000);
    if (log.includes("ready for connections")) ready.resolve();
  });
  // A killed server does not read its standard input.
  child.stdin.on("error", () => undefined);
  void exit.then(() => ready.reject(new Error(`MariaDB exited before it was ready: ${log}`)));
  await ready.promise;
  for (const handle of [child, child.stdin, child.stderr] as { unref?: () => void }[])
    handle.unref?.();
  return {
    async end() {
      child.stdin.destroy();
      if (child.exitCode === null && child.signalCode === null) {
        child.ref();
        await exit;
      }
    },
  };
}

export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, "close");
  return port;
}
