import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openCatalog, type Catalog } from "../../core/catalog/index.ts";
import { openEmptyDatabase, silentLog } from "../support/catalog.ts";
import { openClickhouseStore } from "../support/clickhouseStore.ts";
import { startHostProcess, type HostProcess } from "../support/hostProcess.ts";
import { testSecret } from "../support/openTestHost.ts";
import { newestKeptPackage, openKeptPackage } from "./openKeptPackage.ts";

/**
 * Host processes of the newest kept package and of this tree. They share one catalog and one store. Before the first
 * release, all hosts run this tree.
 */
export interface TwoVersions {
  /** The shared catalog, which the hosts migrate. */
  readonly catalog: Catalog;
  start(version: "former" | "current"): Promise<HostProcess>;
  /** Sends SIGTERM to a host. Resolves to its exit status. */
  stop(host: HostProcess): ReturnType<HostProcess["end"]>;
  close(): Promise<void>;
}

/** Opens an empty catalog and an empty ClickHouse store, which hosts of both versions can use. */
export async function openTwoVersions(): Promise<TwoVersions> {
  const folder = mkdtempSync(join(tmpdir(), "manifold-versions-"));
  const kept =
    newestKeptPackage === undefined ? undefined : await openKeptPackage(newestKeptPackage);
  const database = await openEmptyDatabase();
  const { databaseUrl } = database;
  const store = await openClickhouseStore();
  const catalog = await openCatalog({
    databaseUrl,
    dataDir: folder,
    log: silentLog,
    keepsSchema: true,
  });
  const running = new Set<HostProcess>();
  const settings = {
    // The hosts run as in production: with production hashes, and without the condition `manifold-source`.
    NODE_OPTIONS: "",
    DATABASE_URL: databaseUrl,
    MANIFOLD_SECRET: testSecret,
    MANIFOLD_STORE: store.settings.store,
    MANIFOLD_CLICKHOUSE_URL: store.settings.clickhouseUrl,
    MANIFOLD_CLICKHOUSE_DATABASE: store.settings.clickhouseDatabase,
    MANIFOLD_EGRESS_ALLOW: "127.0.0.1",
    MANIFOLD_FAILURES_PER_MINUTE: "1000",
    MANIFOLD_WORKERS: "1",
  };
  return {
    catalog,
    async start(version) {
      const main = version === "former" ? kept?.main : undefined;
      const host = await startHostProcess(join(folder, version), settings, main);
      running.add(host);
      return host;
    },
    stop(host) {
      running.delete(host);
      return host.end("SIGTERM");
    },
    async close() {
      for (const host of running) await host.end("SIGKILL");
      await catalog.close();
      await store.close();
      await database.close();
      kept?.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
