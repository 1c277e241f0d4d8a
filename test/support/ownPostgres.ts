import { once } from "node:events";
import { chown, mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import pg from "pg";
import { openEmbeddedPostgres } from "../../core/catalog/index.ts";
import { createCertificate, type TestCertificate } from "./certificate.ts";
import { findTestServer } from "./findTestServer.ts";
import { killPostgres } from "./killPostgres.ts";
import { copyCatalog, silentLog } from "./testServer.ts";

/** A PostgreSQL server that belongs to one test, on a loopback port with TLS. The test may kill the server. */
export interface OwnPostgres {
  readonly port: number;
  readonly user: string;
  readonly password: string;
  /** Runs statements as the superuser. Resolves to the rows of the last statement. */
  run(statements: string): Promise<readonly (readonly unknown[])[]>;
  /** Uses another certificate for all further connections. */
  use(certificate: TestCertificate): Promise<void>;
  /** Kills the server and its child processes immediately. The server restarts automatically. */
  kill(): Promise<void>;
  /** Resolves when the server accepts statements. */
  ready(): Promise<void>;
  close(): Promise<void>;
}

/** Starts a server on a copy of an empty data folder. */
export async function openOwnPostgres(): Promise<OwnPostgres> {
  const { dataDir: template, user, password } = await findTestServer();
  const dataDir = await mkdtemp(join(tmpdir(), "manifold-own-"));
  const [certificateFile, keyFile] = ["certificate.pem", "key.pem"].map((name) =>
    join(dataDir, name),
  ) as [string, string];
  await copyCatalog(template, dataDir);
  const owner = await stat(join(dataDir, "catalog"));
  await chown(dataDir, owner.uid, owner.gid);
  const write = async ({ certificate, key }: TestCertificate) => {
    for (const [file, text] of [
      [certificateFile, certificate],
      [keyFile, key],
    ] as const) {
      await writeFile(file, text, { mode: 0o600 });
      await chown(file, owner.uid, owner.gid);
    }
  };
  await write(createCertificate({ name: "own" }));
  const port = await freePort();
  const postgres = await openEmbeddedPostgres({
    dataDir,
    log: silentLog,
    settings: {
      port: String(port),
      listen_addresses: "127.0.0.1",
      ssl: "on",
      ssl_cert_file: certificateFile,
      ssl_key_file: keyFile,
      fsync: "off",
      autovacuum: "off",
      jit: "off",
    },
  });
  const query = async (statements: string) => {
    const client = new pg.Client({ host: "127.0.0.1", port, user, password, database: "postgres" });
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
  const loadedAt = async () => String((await query("select pg_conf_load_time()::text"))[0]?.[0]);
  return {
    port,
    user,
    password,
    run: query,
    async use(certificate) {
      const before = await loadedAt();
      await write(certificate);
      await query("select pg_reload_conf()");
      while ((await loadedAt()) === before) await wait(10);
    },
    async kill() {
      await killPostgres(join(dataDir, "catalog"));
    },
    async ready() {
      for (;;)
        try {
          await query("select 1");
          return;
        } catch {
          await wait(20);
        }
    },
    async close() {
      await postgres.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, "close");
  return port;
}
