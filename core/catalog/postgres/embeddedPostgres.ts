import { spawn, type ChildProcess } from "node:child_process";
import { chmod, chown, mkdir, mkdtemp, realpath, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { platform } from "node:process";
import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import type { Log } from "../log.ts";
import { findBinaries } from "./binaries.ts";
import { takeHostLock } from "./hostLock.ts";
import { initialize } from "./initialize.ts";
import { clearLeftover } from "./leftover.ts";
import { chooseServerUser, runAs, type ServerUser } from "./runAs.ts";
import { watchdog } from "./watchdog.ts";

export interface ServerAddress {
  /** A folder with the Unix socket, or a loopback address on Windows. */
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
}

/** A running PostgreSQL that belongs to this process. */
export interface EmbeddedPostgres {
  readonly address: ServerAddress;
  /** Stops the server and waits for its end. */
  close(): Promise<void>;
}

export interface EmbeddedPostgresOptions {
  readonly dataDir: string;
  readonly log: Log;
  /** PostgreSQL settings over the built-in ones. */
  readonly settings?: Readonly<Record<string, string>>;
}

const role = "manifold";
const startMs = 60_000;
const leftoverMs = 10_000;
const defaults = { shared_buffers: "32MB", max_connections: "40", fsync: "on", log_min_messages: "error" };

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const bound = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof bound === "object" && bound ? bound.port : 5432;
}

/** The path of a Unix socket has at most 107 bytes: a short folder of its own, open to the server's user only. */
async function makeSocketFolder(user: ServerUser | undefined): Promise<string> {
  const parents = [tmpdir(), "/tmp"].filter((parent) => Buffer.byteLength(parent) < 70);
  const folder = await mkdtemp(join(parents[0] ?? "/tmp", "manifold-"));
  await chmod(folder, 0o700);
  if (user) await chown(folder, user.uid, user.gid);
  return folder;
}

async function waitUntilReady(address: ServerAddress, hasEnded: () => string | undefined): Promise<void> {
  for (const end = Date.now() + startMs; ; await pause(20)) {
    const client = new pg.Client({ ...address, database: "postgres", connectionTimeoutMillis: 5_000 });
    client.on("error", () => undefined);
    try {
      await client.connect();
      await client.end();
      return;
    } catch (cause) {
      await client.end().catch(() => undefined);
      const ended = hasEnded();
      if (ended !== undefined) throw new Error(`the embedded PostgreSQL did not start: ${ended}`, { cause });
      const { code = "" } = cause as { code?: string };
      const isStarting = ["ENOENT", "ECONNREFUSED", "57P03", "ECONNRESET"].includes(code);
      if (!isStarting || Date.now() > end)
        throw new Error("the embedded PostgreSQL does not answer", { cause });
    }
  }
}

function endOf(child: ChildProcess): { readonly ended: Promise<void>; reason(): string | undefined } {
  let reason: string | undefined;
  let complaints = "";
  child.stderr?.on("data", (text: Buffer) => (complaints = (complaints + text.toString()).slice(-2_000)));
  const ended = new Promise<void>((resolve) => {
    child.once("error", (failure) => {
      reason = failure.message;
      resolve();
    });
    child.once("exit", (code, signal) => {
      reason = `it ended with ${signal ?? code}: ${complaints.trim()}`;
      resolve();
    });
  });
  return { ended, reason: () => reason };
}

/**
 * Starts the PostgreSQL that lives in `<dataDir>/catalog`, made at the first call. It listens on a
 * private Unix socket (Windows: loopback), and dies with this process, however that ends. The
 * server does not keep the process alive.
 * @throws {Error} when another process uses the folder, or the server does not start
 */
export async function openEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { log } = options;
  await mkdir(options.dataDir, { recursive: true, mode: 0o700 });
  const dataDir = await realpath(options.dataDir);
  const lock = await takeHostLock(join(dataDir, "catalog-host"));
  let socketFolder: string | undefined;
  let stop = async () => {};
  const release = async () => {
    await stop();
    if (socketFolder) await rm(socketFolder, { recursive: true, force: true });
    await lock.release();
  };
  try {
    const binaries = await findBinaries();
    const user = await chooseServerUser([join(dataDir, "catalog"), dataDir]);
    const { folder, password } = await initialize({ dataDir, user, initdb: binaries.initdb, role });
    await clearLeftover(folder, leftoverMs, log);

    const isWindows = platform === "win32";
    socketFolder = isWindows ? undefined : await makeSocketFolder(user);
    const host = socketFolder ?? "127.0.0.1";
    const port = isWindows ? await freePort() : 5432;
    const settings = {
      ...defaults,
      listen_addresses: isWindows ? "127.0.0.1" : "",
      unix_socket_directories: socketFolder ?? "",
      ...options.settings,
    };
    const args = ["-D", folder, "-p", String(port)];
    for (const [name, value] of Object.entries(settings)) args.push("-c", `${name}=${value}`);
    const command = isWindows
      ? { file: binaries.postgres, args, user: undefined }
      : await runAs(user, [folder, binaries.postgres], "/bin/sh", [
          ...["-c", watchdog, "manifold", socketFolder ?? ""],
          ...[binaries.postgres, ...args],
        ]);
    const child = spawn(command.file, command.args, {
      ...command.user,
      cwd: "/",
      detached: !isWindows,
      stdio: ["pipe", "ignore", "pipe"],
    });
    const { ended, reason } = endOf(child);
    child.stdin?.on("error", () => undefined);
    for (const handle of [child, child.stdin, child.stderr] as { unref?: () => void }[]) handle.unref?.();
    stop = async () => {
      if (reason() === undefined) {
        child.ref();
        if (isWindows) child.kill("SIGINT");
        else child.stdin?.destroy();
        await ended;
      }
    };
    const address = { host, port, user: role, password };
    await waitUntilReady(address, reason);
    log.info({ folder }, "embedded PostgreSQL is ready");
    return { address, close: release };
  } catch (failure) {
    await release();
    throw failure;
  }
}
