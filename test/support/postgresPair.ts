import { once } from "node:events";
import { chown, mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import pg from "pg";
import { findBinaries } from "../../core/catalog/postgres/binaries.ts";
import { chooseServerUser, runAs } from "../../core/catalog/postgres/runAs.ts";
import { startServer } from "../../core/catalog/postgres/serverProcess.ts";
import { watchdog } from "../../core/catalog/postgres/watchdog.ts";
import { findTestServer } from "./findTestServer.ts";
import { killPostgres } from "./killPostgres.ts";
import { copyCatalog } from "./testServer.ts";

const host = "127.0.0.1";

/** One of the two servers of a pair. */
export interface PairedPostgres {
  readonly host: string;
  readonly port: number;
  /** Runs statements as the superuser. Resolves to the rows of the last statement. */
  run(statements: string): Promise<readonly (readonly unknown[])[]>;
  /** Kills the server and its child processes immediately. The server does not restart. */
  kill(): Promise<void>;
}

/** A primary server, and a standby that receives every commit before the commit is acknowledged. */
export interface PostgresPair {
  readonly primary: PairedPostgres;
  readonly standby: PairedPostgres;
  /** Returns the address of the catalog. Its port forwards to one of the servers. */
  urlAt(port: number): string;
  close(): Promise<void>;
}

/** Starts two servers on copies of an empty catalog. The second server replicates the first. */
export async function openPostgresPair(): Promise<PostgresPair> {
  const { dataDir: template, user, password, template: database } = await findTestServer();
  const closes: (() => Promise<void>)[] = [];
  const close = async () => {
    for (let step = closes.pop(); step; step = closes.pop()) await step();
  };
  const open = async (settings: Readonly<Record<string, string>>, isStandby: boolean) => {
    const dataDir = await mkdtemp(join(tmpdir(), "manifold-pair-"));
    closes.push(() => rm(dataDir, { recursive: true, force: true }));
    // Replication works because two copies of an unused folder start at the same log position.
    await copyCatalog(template, dataDir);
    const folder = join(dataDir, "catalog");
    const owner = await stat(folder);
    await chown(dataDir, owner.uid, owner.gid);
    if (isStandby) {
      const signal = join(folder, "standby.signal");
      await writeFile(signal, "");
      await chown(signal, owner.uid, owner.gid);
    }
    const port = await freePort();
    const { postgres } = await findBinaries();
    const args = ["-D", folder, "-p", String(port)];
    for (const [name, value] of Object.entries({ ...shared, ...settings }))
      args.push("-c", `${name}=${value}`);
    const watched = ["-c", watchdog, "manifold", join(dataDir, "no-socket"), postgres, ...args];
    const serverUser = await chooseServerUser([folder]);
    const server = startServer(await runAs(serverUser, [folder, postgres], "/bin/sh", watched));
    closes.push(() => server.stop());
    const run = async (statements: string) => {
      const client = new pg.Client({ host, port, user, password, database });
      client.on("error", () => undefined);
      await client.connect();
      try {
        const answer: unknown = await client.query({ text: statements, rowMode: "array" });
        const last = Array.isArray(answer) ? answer.at(-1) : answer;
        return (last as { readonly rows: readonly (readonly unknown[])[] }).rows;
      } finally {
        await client.end();
      }
    };
    for (;;)
      try {
        await run("select 1");
        break;
      } catch (cause) {
        if (server.reason() !== undefined)
          throw new Error(`a server of the pair did not start: ${server.reason()}`, { cause });
        await wait(20);
      }
    const kill = async () => {
      await killPostgres(folder);
      await server.ended;
    };
    return { host, port, run, kill, folder };
  };
  try {
    const primary = await open({ synchronous_standby_names: "standby" }, false);
    const conninfo = `host=${host} port=${primary.port} user=${user} password=${password} application_name=standby`;
    const standby = await open({ primary_conninfo: conninfo }, true);
    const states = "select sync_state from pg_stat_replication where state = 'streaming'";
    while ((await primary.run(states))[0]?.[0] !== "sync") await wait(20);
    return {
      primary,
      standby,
      urlAt: (port) => `postgresql://${user}:${password}@${host}:${port}/${database}`,
      close,
    };
  } catch (failure) {
    await close();
    throw failure;
  }
}

/** Settings of both servers. The data does not have to survive a crash of the machine. */
const shared = {
  listen_addresses: host,
  unix_socket_directories: "",
  fsync: "off",
  wal_level: "replica",
  wal_keep_size: "256MB",
  shared_buffers: "32MB",
  max_connections: "60",
  autovacuum: "off",
  jit: "off",
  log_min_messages: "error",
};

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, host);
  await once(probe, "listening");
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, "close");
  return port;
}
