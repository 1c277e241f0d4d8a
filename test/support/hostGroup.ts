import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { openTestCatalog, type TestCatalog } from "./catalog.ts";
import { openClickhouseStore, type ClickhouseStore } from "./clickhouseStore.ts";
import { ownerKey, ownerToken, startHostProcess, type HostProcess } from "./hostProcess.ts";
import { testSecret } from "./openTestHost.ts";

/** The response of one host to a call. `status` is 0 if the connection broke. */
export interface Answered {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Host processes that share one catalog and one ClickHouse store. */
export interface HostGroup {
  readonly catalog: TestCatalog;
  readonly store: ClickhouseStore;
  readonly hosts: readonly HostProcess[];
  /** Sends a call to one host, without retries. */
  call(index: number, resource: string, members: object): Promise<Answered>;
  /**
   * Sends a push as a client behind a load balancer does: tries one host after another until a host responds. Resolves
   * to that response.
   */
  push(members: { readonly request_id: string; readonly properties: object }): Promise<Answered>;
  /** Kills a host as the kernel does when memory runs out. */
  kill(index: number): Promise<void>;
  restart(index: number): Promise<void>;
  close(): Promise<void>;
}

/** Milliseconds that a client waits before it tries the next host. */
const pauseMs = 100;

/** Starts `count` hosts. `settingsOf` returns additional environment variables of a host. */
export async function openHostGroup(
  count: number,
  settingsOf: (index: number) => Readonly<Record<string, string>> = () => ({}),
): Promise<HostGroup> {
  const catalog = await openTestCatalog();
  const store = await openClickhouseStore();
  const folders = Array.from({ length: count }, () =>
    mkdtempSync(join(tmpdir(), "manifold-group-")),
  );
  const start = (index: number) =>
    startHostProcess(folders[index]!, {
      DATABASE_URL: catalog.databaseUrl,
      MANIFOLD_SECRET: testSecret,
      MANIFOLD_WARM_UP: "off",
      MANIFOLD_WORKERS: "1",
      MANIFOLD_STORE: "clickhouse",
      MANIFOLD_CLICKHOUSE_URL: store.settings.clickhouseUrl,
      MANIFOLD_CLICKHOUSE_DATABASE: store.settings.clickhouseDatabase,
      ...settingsOf(index),
    });
  const hosts = await Promise.all(folders.map((_, index) => start(index)));
  const call = async (index: number, resource: string, members: object): Promise<Answered> => {
    try {
      const answer = await fetch(`${hosts[index]!.url}/0.1.0/${resource}`, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ key: ownerKey, token: ownerToken, version: "0.1.0", ...members }),
      });
      return { status: answer.status, body: Object(await answer.json()) };
    } catch {
      // The host was killed before its response was complete.
      return { status: 0, body: {} };
    }
  };
  let turn = 0;
  return {
    catalog,
    store,
    hosts,
    call,
    async push(members) {
      for (;;) {
        const answered = await call(turn++ % count, "data", { action: "create", ...members });
        if (answered.status !== 0 && answered.status !== 503) return answered;
        await wait(pauseMs);
      }
    },
    async kill(index) {
      await hosts[index]!.end("SIGKILL");
    },
    async restart(index) {
      hosts[index] = await start(index);
    },
    async close() {
      for (const host of hosts) await host.end("SIGKILL");
      await store.close();
      await catalog.close();
      for (const folder of folders) rmSync(folder, { recursive: true, force: true });
    },
  };
}
