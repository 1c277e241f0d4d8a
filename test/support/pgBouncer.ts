import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findProgram } from "./findProgram.ts";
import { forwardSocket } from "./forwardSocket.ts";
import { freePort, watchdog } from "./mariadbServer.ts";
import type { SuiteOptions } from "./suite.ts";

/** The connection pooler PgBouncer in front of the test server. */
export interface PgBouncer {
  readonly host: string;
  readonly port: number;
  close(): Promise<void>;
}

export interface PgBouncerOptions {
  /** The folder of the test server's socket, and its port. */
  readonly server: { readonly host: string; readonly port: number };
  readonly users: Readonly<Record<string, string>>;
  /** Number of server connections for each combination of user and database. */
  readonly poolSize: number;
}

const install = "apt-get install --no-install-recommends pgbouncer";

/** Options for a suite that needs PgBouncer. Without the program, all tests are skipped and the report says why. */
export const needsPgBouncer: SuiteOptions =
  findProgram("pgbouncer") === undefined ? { missing: `PgBouncer (${install})` } : {};

/** Starts PgBouncer in transaction mode on loopback. PgBouncer stops with this process. */
export async function openPgBouncer({
  server,
  users,
  poolSize,
}: PgBouncerOptions): Promise<PgBouncer> {
  const program = findProgram("pgbouncer");
  if (program === undefined) throw new Error(`pgbouncer is not installed: ${install}`);
  const folder = await mkdtemp(join(tmpdir(), "pgbouncer-"));
  // PgBouncer refuses to run as root.
  await chmod(folder, 0o755);
  const forwarded = await forwardSocket(`${server.host}/.s.PGSQL.${server.port}`);
  const port = await freePort();
  const [config, userList] = [join(folder, "pgbouncer.ini"), join(folder, "users.txt")];
  const names = Object.entries(users).map(([name, password]) => `"${name}" "${password}"\n`);
  await writeFile(userList, names.join(""));
  await writeFile(
    config,
    `[databases]
* = host=${forwarded.host} port=${forwarded.port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${userList}
pool_mode = transaction
default_pool_size = ${poolSize}
server_tls_sslmode = disable
${process.getuid?.() === 0 ? "user = nobody\n" : ""}`,
  );
  const child = spawn("sh", ["-c", watchdog, "sh", program, config], {
    stdio: ["pipe", "ignore", "pipe"],
  });
  const exit = once(child, "exit");
  const ready = Promise.withResolvers<void>();
  let log = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    log = (log + text).slice(-4_000);
    if (log.includes("process up")) ready.resolve();
  });
  child.stdin.on("error", () => undefined);
  void exit.then(() => ready.reject(new Error(`PgBouncer exited before it was ready: ${log}`)));
  const close = async () => {
    child.stdin.destroy();
    if (child.exitCode === null && child.signalCode === null) await exit;
    await forwarded.close();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await ready.promise;
  } catch (failure) {
    await close();
    throw failure;
  }
  return { host: "127.0.0.1", port, close };
}
