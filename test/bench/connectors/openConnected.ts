import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Capabilities, Plugin } from "../../../plugins/protocol/index.ts";
import { openStrata } from "../../../plugins/strata/index.ts";
import { createPlainHost, type PlainColumn, type PlainHost } from "../../support/plainHost.ts";
import type { ConnectedSource } from "./connectedSource.ts";

/** A host's query path over one table of a database, with the store as its scratch plugin. */
export interface Connected {
  readonly host: PlainHost;
  readonly scratch: Plugin;
  close(): Promise<void>;
}

/** Opens only the store, as the scratch plugin. */
export async function openScratch(): Promise<{ readonly scratch: Plugin; close(): Promise<void> }> {
  const dir = mkdtempSync(join(tmpdir(), "manifold-bench-scratch-"));
  const scratch = await openStrata({ dir, workers: 2, memoryBytes: 2 ** 32 });
  return {
    scratch,
    async close() {
      await scratch.close?.();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

/**
 * Creates the query path over a source. `reduce` removes capabilities of the source, so that the host has to do more.
 */
export async function openConnected(
  { plugin, credentials, datasetId }: ConnectedSource,
  columns: readonly PlainColumn[],
  reduce: (promised: Capabilities) => Capabilities = (promised) => promised,
): Promise<Connected> {
  const { scratch, close } = await openScratch();
  const bound: Plugin = {
    capabilities: reduce(plugin.capabilities),
    datasets: async () => [],
    query: ({ query, ...call }) =>
      plugin.query({ ...call, credentials, query: { ...query, id: datasetId } }),
  };
  const host = await createPlainHost({
    columns,
    rows: [],
    scratch,
    wrap: () => bound,
    limits: { timeoutMs: 600_000 },
  });
  return { host, scratch, close };
}
