import { type Principal, jsonType, type Connection } from "../../../core/base/contracts/index.ts";
import { createRowFilters } from "../../../core/identity/access/index.ts";
import {
  createCatalogMemory,
  createCipher,
  openCatalog,
  readHostSecret,
} from "../../../core/catalog/index.ts";
import { readConfig } from "../../../core/base/config.ts";
import { openConnections, openInProcess } from "../../../core/sources/connections/index.ts";
import { createQueries } from "../../../core/queries/index.ts";
import { openRecords, rememberedRecords } from "../../../core/resources/index.ts";
import { silentLog } from "../../support/catalog.ts";
import { spreadOf, type Spread } from "../spread.ts";

export interface Overhead {
  readonly overhead: Spread;
  readonly engine: Spread;
  readonly rowCount: number;
  /** Number of rows in the plugin's answer. */
  readonly pluginRowCount: number;
}

/**
 * Measures the query path outside the engine, from the text of the call to the text of the answer: the milliseconds of
 * one call minus the milliseconds in the engine, while nothing else runs. The path consists of a host's own parts,
 * without HTTP, the access check or the answer cache. If `isTrusted` is false, the store is treated as an untrusted
 * plugin, and its answers are checked.
 */
export async function measureOverhead(
  dataDir: string,
  datasetId: string,
  find: object,
  runCount: number,
  isTrusted = true,
): Promise<Overhead> {
  const config = readConfig({ dataDir });
  const inProcess = await openInProcess(config);
  const catalog = await openCatalog({ ...config, log: silentLog });
  try {
    let engineMs = 0;
    const plugins = new Map(
      [...inProcess.plugins].map(([slug, plugin]) => [
        slug,
        {
          ...plugin,
          query: async (call: Parameters<typeof plugin.query>[0]) => {
            const sentAt = performance.now();
            return plugin.query(call).finally(() => {
              engineMs += performance.now() - sentAt;
            });
          },
        },
      ]),
    );
    const records = openRecords({ catalog, cipher: createCipher(await readHostSecret(config)) });
    const memory = createCatalogMemory({ catalog });
    const remembered = rememberedRecords(records, memory);
    const connections = await openConnections({
      config,
      records: remembered,
      plugins: { plugins, close: async () => undefined },
    });
    const rowFilters = createRowFilters(catalog);
    let pluginRowCount = 0;
    const store: Connection = {
      ...connections.store,
      isTrusted,
      async query(...parameters) {
        const batch = await connections.store.query(...parameters);
        pluginRowCount = batch.rowCount;
        return batch;
      },
    };
    const queries = createQueries({
      records: remembered,
      connections: { ...connections, store },
      memory,
      rowFilters,
    });
    const [securable] = await records.find("securable", { id: datasetId });
    const userId = String(securable?.["owner_id"]);
    const { organization_id: organizationId } = await catalog
      .knex("organization_user")
      .where({ user_id: userId })
      .first<{ organization_id: string }>("organization_id");
    const principal: Principal = {
      authorizationId: userId,
      authorizationType: "api",
      userId,
      organizationId,
      organizationRole: "owner",
      name: "Owner",
      email: "owner@example.org",
    };
    const text = JSON.stringify(find);
    const { signal } = new AbortController();
    const overheads: number[] = [];
    const engines: number[] = [];
    let rowCount = 0;
    for (let run = -100; run < runCount; run++) {
      engineMs = 0;
      const startedAt = performance.now();
      const answer = await queries.write(JSON.parse(text), principal, signal, jsonType);
      let written = "";
      for await (const chunk of answer.chunks) written += String(chunk);
      const tookMs = performance.now() - startedAt;
      if (run < 0) rowCount = (JSON.parse(written) as { data: unknown[] }).data.length;
      else {
        overheads.push(tookMs - engineMs);
        engines.push(engineMs);
      }
    }
    return {
      overhead: spreadOf(overheads),
      engine: spreadOf(engines),
      rowCount,
      pluginRowCount,
    };
  } finally {
    await catalog.close();
    await inProcess.close();
  }
}
