import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { accelerate, type Accelerated } from "../../../../core/sources/acceleration/index.ts";
import { createPrincipals, createRowFilters } from "../../../../core/identity/access/index.ts";
import { createCatalogMemory } from "../../../../core/catalog/index.ts";
import { readConfig } from "../../../../core/base/config.ts";
import { connect } from "../../../../core/sources/connections/connect.ts";
import { openConnections, openInProcess } from "../../../../core/sources/connections/index.ts";
import type {
  Connection,
  Connections,
  Principal,
  Records,
  RowFilter,
  WrittenValues,
} from "../../../../core/base/contracts/index.ts";
import { openOutbox } from "../../../../core/catalog/outbox/index.ts";
import { createQueries, type Queries } from "../../../../core/queries/index.ts";
import { createSynchronizer } from "../../../../core/sources/synchronization/index.ts";
import { openRecords } from "../../../../core/resources/index.ts";
import { open as openPostgres } from "../../../../connectors/postgres/index.ts";
import type { Plugin } from "../../../../plugins/protocol/index.ts";
import { openTestCatalog, silentLog, type TestCatalog } from "../../../support/catalog.ts";
import { openReach } from "../../../support/openReach.ts";
import { openPostgresDatabase, type PostgresDatabase } from "../../../support/postgresDatabase.ts";

/** A dataset over a table, with the ids of its columns by name. */
export interface AcceleratedDataset {
  readonly id: string;
  readonly columns: Readonly<Record<string, string>>;
}

/** The parts of a host that accelerations need, with a real PostgreSQL as the source. */
export interface AcceleratedHost {
  readonly catalog: TestCatalog;
  readonly records: Records;
  readonly source: PostgresDatabase;
  readonly queries: Queries;
  readonly connections: Connections;
  readonly owner: Principal;
  /** Replaces the connection to the source; undefined restores the original connection. */
  wrap(change: ((connection: Connection) => Connection) | undefined): void;
  /** Replaces the connection to the store; undefined restores the original connection. */
  wrapStore(change: ((store: Connection) => Connection) | undefined): void;
  /** Creates a dataset over a table, which is named `schema.table`. */
  dataset(table: string, plugin?: Plugin): Promise<AcceleratedDataset>;
  /** Associates a dataset with a new acceleration as the API does, but without creating a schedule. */
  associate(dataset: AcceleratedDataset, values: WrittenValues<"acceleration">): Promise<string>;
  load(dataset: AcceleratedDataset, signal?: AbortSignal, mostRows?: number): Promise<Accelerated>;
  copyOf(dataset: AcceleratedDataset): Promise<Readonly<Record<string, unknown>> | undefined>;
  /** Lists the ids of the datasets in the store. */
  stored(): Promise<readonly string[]>;
  /** Drops unused datasets immediately, without the grace period for running queries. */
  dropUnused(): Promise<void>;
  /** Clears the cached records, so that queries look them up again. */
  forget(): void;
  /** Returns the principal of an owner's token with row filters. */
  limited(filters: readonly RowFilter[]): Principal;
  close(): Promise<void>;
}

export async function openAccelerated(workers = 1): Promise<AcceleratedHost> {
  const closes: (() => Promise<unknown>)[] = [];
  const close = async () => {
    for (let step = closes.pop(); step; step = closes.pop()) await step();
  };
  try {
    return await openParts(workers, closes, close);
  } catch (failure) {
    await close();
    throw failure;
  }
}

async function openParts(
  workers: number,
  closes: (() => Promise<unknown>)[],
  close: () => Promise<void>,
): Promise<AcceleratedHost> {
  const dataDir = mkdtempSync(join(tmpdir(), "manifold-copies-"));
  closes.push(async () => rmSync(dataDir, { recursive: true, force: true }));
  const catalog = await openTestCatalog();
  closes.push(() => catalog.close());
  const source = await openPostgresDatabase();
  closes.push(() => source.close());
  const records = openRecords({ catalog, cipher: catalog.cipher });
  const config = readConfig({ dataDir, workers, warmUp: false });
  const plugins = await openInProcess(config);
  closes.push(() => plugins.close());
  const opened = await openConnections({ config, records, plugins });
  const postgres = await openPostgres({
    reach: openReach(),
    timeoutMs: 30_000,
    sizeBytes: 2 ** 28,
  });
  closes.push(
    () => opened.close(),
    async () => postgres.close?.(),
  );
  let wrap: ((connection: Connection) => Connection) | undefined;
  let wrapStore: ((store: Connection) => Connection) | undefined;
  const connected = connect({
    name: "postgresql",
    plugin: postgres,
    credentials: source.credentials,
    fingerprint: "source",
    isTrusted: true,
    timeoutMs: 30_000,
    sizeBytes: 2 ** 28,
  });
  const connections: Connections = {
    ...opened,
    get store() {
      return wrapStore ? wrapStore(opened.store) : opened.store;
    },
    ofAccount: async () => (wrap ? wrap(connected) : connected),
  };
  const knex = catalog.transactions;
  const outbox = openOutbox({ knex, records, connections, log: silentLog });
  closes.push(() => outbox.close());
  const memory = createCatalogMemory({ catalog });
  const queries = createQueries({
    records,
    connections,
    memory,
    rowFilters: createRowFilters(catalog),
    cacheBytes: 2 ** 24,
  });
  const synchronizer = createSynchronizer({ records, queries, knex, log: silentLog });
  closes.push(() => synchronizer.close());
  const principals = createPrincipals({ catalog, cipher: catalog.cipher });
  const [organization] = await records.find("organization", {});
  const organizationId =
    organization?.id ?? (await records.insert("organization", { name: { en: "tests" } })).id;
  const user = await records.insert("user", { name: "Ada", email: "ada@example.org" });
  await catalog.knex("organization_user").insert({
    organization_id: organizationId,
    user_id: user.id,
    flagOwn: true,
  });
  const owner = (await principals.ofUsers([user.id])).get(user.id)!;
  const account = await records.insert("account", {
    provider: "postgresql",
    active: true,
    user_id: user.id,
  } as never);
  const context = { records, outbox, principals, knex, log: silentLog, synchronizer };
  const load: AcceleratedHost["load"] = (
    { id },
    signal = new AbortController().signal,
    mostRows = 1e8,
  ) =>
    accelerate(id, signal, {
      ...context,
      connections,
      mostRows,
      onSwitched: () => memory.forget(),
    });
  return {
    catalog,
    records,
    source,
    queries,
    connections,
    owner,
    wrap(change) {
      wrap = change;
    },
    wrapStore(change) {
      wrapStore = change;
    },
    async dataset(table) {
      const signal = new AbortController().signal;
      const offered = await connected.datasets({ signal });
      const found = offered.find(({ id }) => id === table);
      if (!found) throw new Error(`there is no ${table} in ${offered.map(({ id }) => id).join()}`);
      const dataset = await records.insert("securable", {
        type: "dataset",
        name: { en: table },
        storage: "client",
        source_sheet: table,
        account_id: account.id,
        owner_id: user.id,
        modifier_id: user.id,
      });
      const columns = await records.insertMany(
        "column",
        found.columns.map(({ id, type, subtype, name, narrowed }, order) => ({
          securable_id: dataset.id,
          user_id: user.id,
          source_name: id,
          source_order: order,
          order,
          name,
          type,
          subtype: subtype ?? null,
          narrowed: narrowed ?? null,
        })),
      );
      return {
        id: dataset.id,
        columns: Object.fromEntries(columns.map((row) => [String(row.source_name), row.id])),
      };
    },
    async associate({ id }, values) {
      const made = await records.insert("acceleration", { ...values, user_id: user.id });
      await records.change("securable", id, { acceleration_id: made.id });
      const copies = await records.find("datasetcopy", { securable_id: id });
      if (copies.length === 0) await records.insert("datasetcopy", { securable_id: id });
      return made.id;
    },
    load,
    async copyOf({ id }) {
      return (await records.find("datasetcopy", { securable_id: id }))[0];
    },
    async stored() {
      const signal = new AbortController().signal;
      return (await opened.store.datasets({ signal })).map(({ id }) => id);
    },
    async dropUnused() {
      await knex("outbox").update({ due_at: knex.raw("now()") });
      await outbox.carryOut();
    },
    forget: () => memory.forget(),
    limited: (filters) => ({
      ...owner,
      authorizationType: "embed",
      restriction: {
        issuer: owner,
        role: "viewer",
        securables: new Map(filters.map(({ securable_id }) => [securable_id, "read" as const])),
        collections: new Map(),
        integrationId: undefined,
        filters,
        parameters: new Map(),
        hiddenColumns: new Set(),
        accountOverrides: new Map(),
        environment: null,
        metadata: undefined,
      },
    }),
    close,
  };
}
