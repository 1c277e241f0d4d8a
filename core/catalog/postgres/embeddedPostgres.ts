import { chmod, chown, mkdir, mkdtemp, realpath, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { platform } from "node:process";
import type { Log } from "../log.ts";
import { findBinaries } from "./binaries.ts";
import { takeHostLock } from "./hostLock.ts";
import { initialize } from "./initialize.ts";
import { clearLeftover } from "./leftover.ts";
import { chooseServerUser, runAs, type ServerUser } from "./runAs.ts";
import { keepRunning, type KeptServer } from "./keepRunning.ts";
import { withLittleRoom } from "./room.ts";
import { startServer, type ServerProcess } from "./serverProcess.ts";
import { waitUntilReady, type ServerAddress } from "./waitUntilReady.ts";
import { watchdog } from "./watchdog.ts";

/** A running PostgreSQL that belongs to this process. */
export interface EmbeddedPostgres {
  readonly address: ServerAddress;
  /** Stops the server and waits until it has exited. */
  close(): Promise<void>;
}

export interface EmbeddedPostgresOptions {
  readonly dataDir: string;
  readonly log: Log;
  /** PostgreSQL settings that override the default ones. */
  readonly settings?: Readonly<Record<string, string>>;
  /**
   * Returns the path of a packed cluster for a new data folder; undefined if initdb has to create an empty cluster.
   * @default none
   */
  readonly template?: () => string | undefined;
}

const role = "manifold";
const leftoverMs = 10_000;
/**
 * Milliseconds within which a server stops after its watchdog was killed. Killing the watchdog closes the server's
 * standard input.
 */
const strayMs = 2_000;
const defaults = {
  shared_buffers: "32MB",
  max_connections: "40",
  fsync: "on",
  random_page_cost: "1.1",
  log_min_messages: "error",
};

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const bound = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof bound === "object" && bound ? bound.port : 5432;
}

/**
 * Creates a folder with a short path for the Unix socket, whose path can have at most 107 bytes. Only the server's user
 * can access the folder.
 */
async function makeSocketFolder(user: ServerUser | undefined): Promise<string> {
  const parent = Buffer.byteLength(tmpdir()) < 70 ? tmpdir() : "/tmp";
  const folder = await mkdtemp(join(parent, "manifold-"));
  await closeToOthers(folder, user);
  return folder;
}

async function closeToOthers(folder: string, user: ServerUser | undefined): Promise<void> {
  await chmod(folder, 0o700);
  if (user) await chown(folder, user.uid, user.gid);
}

/**
 * Creates the socket's folder again after it was removed together with the server, because the address must stay
 * unchanged.
 * @throws {Error} if another user has created a folder of this name in the meantime
 */
async function makeSocketFolderAgain(folder: string, user: ServerUser | undefined): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { mode: 0o700 });
  await closeToOthers(folder, user);
}

/**
 * Starts the PostgreSQL in `<dataDir>/catalog`, which the first call creates. It listens on a private Unix socket
 * (Windows: loopback) and stops when this process ends, for whatever reason. If the server stops earlier, it is
 * restarted at the same address. The server does not keep this process alive.
 * @throws {Error} if another process uses the folder, or the server does not start
 */
export async function openEmbeddedPostgres(
  options: EmbeddedPostgresOptions,
): Promise<EmbeddedPostgres> {
  const { log } = options;
  const made = await mkdir(options.dataDir, { recursive: true, mode: 0o700 });
  const dataDir = await realpath(options.dataDir);
  const lock = await takeHostLock(join(dataDir, "catalog-lock"));
  let socketFolder: string | undefined;
  let server: KeptServer | undefined;
  const close = async () => {
    await server?.stop();
    if (socketFolder) await rm(socketFolder, { recursive: true, force: true });
    await lock.release();
  };
  try {
    const { initdb, postgres } = await findBinaries();
    const user = await chooseServerUser([join(dataDir, "catalog"), dataDir]);
    if (user && made) await chown(dataDir, user.uid, user.gid);
    const { template = () => undefined } = options;
    const { folder, password } = await initialize({ dataDir, user, initdb, role, template });

    const isWindows = platform === "win32";
    socketFolder = isWindows ? undefined : await makeSocketFolder(user);
    const host = socketFolder ?? "127.0.0.1";
    const port = Number(options.settings?.["port"] ?? (isWindows ? await freePort() : 5432));
    const settings = {
      ...defaults,
      listen_addresses: isWindows ? host : "",
      unix_socket_directories: socketFolder ?? "",
      ...options.settings,
    };
    const args = ["-D", folder, "-p", String(port)];
    for (const [name, value] of Object.entries(settings)) args.push("-c", `${name}=${value}`);
    const watched = ["-c", watchdog, "manifold", host, postgres, ...args];
    const address: ServerAddress = { host, port, user: role, password, ssl: false };
    const start = async (): Promise<ServerProcess> => {
      const started = startServer(
        isWindows
          ? { file: postgres, args, user: undefined }
          : await runAs(user, [folder, postgres], "/bin/sh", watched),
      );
      try {
        await waitUntilReady(address, started.reason);
        return started;
      } catch (failure) {
        await started.stop();
        throw failure;
      }
    };
    await clearLeftover(folder, leftoverMs, log);
    const first = await start();
    const startAgain = async () => {
      await clearLeftover(folder, strayMs, log);
      if (socketFolder) await makeSocketFolderAgain(socketFolder, user);
      return start();
    };
    server = keepRunning(first, startAgain, log);
    log.info({ folder }, "the embedded PostgreSQL is ready");
    return { address, close };
  } catch (failure) {
    await close();
    throw await withLittleRoom(failure, dataDir);
  }
}
