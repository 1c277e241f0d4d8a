import type {
  AccountOverride,
  ConnectionOverride,
  Principal,
  RowFilter,
  Connection,
  Connections,
  Records,
  Row,
} from "../contracts/index.ts";
import type { CatalogMemory } from "../catalog/index.ts";
import { ApiError } from "../errors.ts";
import type { Labels } from "./present/findLabels.ts";
import type { Column, DataType, Dataset } from "../../plugins/protocol/index.ts";

/** A column that a query may name, with its id in the catalog and in the plugin. */
export interface QueriedColumn {
  readonly id: string;
  readonly pluginId: string;
  readonly name: string;
  readonly type: DataType;
  readonly subtype: string | undefined;
  /** The text of a derived column. */
  readonly expression?: string;
  /** Of another dataset than the one that is asked: `pluginId` is what the query calls it. */
  readonly isJoined?: true;
  /** Values with a label or a colour; absent for none. */
  readonly labelCount?: number;
  /** Why a query cannot name it as a column of the source. */
  readonly unserved: string | undefined;
}

/** A dataset that the caller may read, and the connection that answers for it. */
export interface QueriedDataset {
  readonly id: string;
  readonly connection: Connection;
  /** The dataset as the plugin knows it: its id, and its columns in their order. */
  readonly source: Pick<Dataset, "id" | "columns">;
  /** Those that the caller may name, by catalog id. */
  readonly columns: ReadonlyMap<string, QueriedColumn>;
  /** Those that row-level filters may test: hidden ones too. */
  readonly everyColumn: ReadonlyMap<string, QueriedColumn>;
  /** Those of its columns with columns of other datasets, whether the caller may see these or not. */
  readonly links: readonly ColumnLink[];
  /** What limits the caller's rows; `secure` compiles it. */
  readonly rowFilters: readonly RowFilter[];
  readonly freshness: Freshness;
}

/** A link of a column with one of another dataset, whichever of the two it was made from. */
export interface ColumnLink {
  readonly columnId: string;
  readonly otherId: string;
  readonly otherDatasetId: string;
}

/** How long answers over a dataset hold. */
export interface Freshness {
  /** Of rows in the store: differs after every change. Absent for those of a live source. */
  readonly version?: string;
  /** Milliseconds; 0 for not at all, Infinity where the version tells of every change. */
  readonly maxAgeMs: number;
}

/** Answers the row-level filters that bind a caller on a dataset, wherever they were set. */
export type FindRowFilters = (
  principal: Principal,
  datasetId: string,
) => Promise<readonly RowFilter[]>;

export interface DatasetFinderOptions {
  readonly records: Records;
  readonly connections: Pick<Connections, "store" | "ofAccount">;
  readonly rowFilters: FindRowFilters;
  readonly principal: Principal;
  readonly labels?: Pick<Labels, "count">;
  /** Keeps datasets from call to call. */
  readonly memory?: CatalogMemory;
}

export type FindDataset = (id: string, path: string) => Promise<QueriedDataset>;

/**
 * Makes a finder of datasets for one call: each is looked up once, with the caller's right to read it.
 * @throws {ApiError} RECORD_NOT_FOUND with the same text for unknown ids and those of others, MEMBER_INVALID for a dashboard
 */
export function createDatasetFinder(options: DatasetFinderOptions): FindDataset {
  const found = new Map<string, Promise<QueriedDataset>>();
  return async (id, path) => {
    const known = found.get(id) ?? remembered(options, id, path);
    found.set(id, known);
    const dataset = await known;
    dataset.connection.refuseExpired?.();
    return dataset;
  };
}

async function remembered(
  options: DatasetFinderOptions,
  id: string,
  path: string,
): Promise<QueriedDataset> {
  const { memory, principal } = options;
  const read = () => load(options, id, path);
  if (!memory) return read();
  const name = `dataset ${memory.nameOf(principal)} ${id}`;
  // Another call's failure names the member of that call.
  return memory.remember(name, read, sizeOfDataset).catch(read);
}

function sizeOfDataset({ everyColumn, links }: QueriedDataset): number {
  return 2000 + 1000 * everyColumn.size + 200 * links.length;
}

async function load(
  { records, connections, rowFilters, principal, labels }: DatasetFinderOptions,
  id: string,
  path: string,
): Promise<QueriedDataset> {
  const securable = (await records.visible("securable", [id], "read", principal)).get(id);
  if (!securable) throw new ApiError("RECORD_NOT_FOUND", ["dataset", id.slice(0, 100)]);
  if (securable["type"] !== "dataset")
    throw new ApiError("MEMBER_INVALID", [
      path,
      `${id} is a ${String(securable["type"])}, not a dataset`,
    ]);
  const live = securable["storage"] === "client";
  const rows = await records.find("column", { securable_id: securable.id });
  const labelCounts = await labels?.count(rows.map((row) => row.id));
  const columns = rows
    .toSorted((one, other) => Number(one["order"]) - Number(other["order"]))
    .map((row) => {
      const labelCount = labelCounts?.get(row.id);
      return { ...queriedColumn(row, live), ...(labelCount !== undefined && { labelCount }) };
    });
  const hidden = principal.restriction?.hiddenColumns;
  const override = live ? await overrideOf(securable, records, principal) : undefined;
  return {
    id: securable.id,
    connection: live
      ? await connections.ofAccount(String(securable["account_id"]), override)
      : connections.store,
    source: {
      id: live ? sourceId(String(securable["source_sheet"]), override) : securable.id,
      columns: columns.filter((column) => column.expression === undefined).map(sourceColumn),
    },
    columns: new Map(
      columns.filter((column) => !hidden?.has(column.id)).map((column) => [column.id, column]),
    ),
    everyColumn: new Map(columns.map((column) => [column.id, column])),
    links: await linksOf(columns, securable.id, records),
    rowFilters: await rowFilters(principal, securable.id),
    freshness: live ? await liveFreshness(securable, records) : storedFreshness(securable),
  };
}

async function linksOf(
  columns: readonly QueriedColumn[],
  datasetId: string,
  records: Records,
): Promise<readonly ColumnLink[]> {
  const own = new Set(columns.map(({ id }) => id));
  const linked = await records.linked("column", "Joins", [...own]);
  const links = linked.flatMap(({ ownId, otherId }) => [
    ...(own.has(ownId) ? [{ columnId: ownId, otherId }] : []),
    ...(own.has(otherId) ? [{ columnId: otherId, otherId: ownId }] : []),
  ]);
  const ids = [...new Set(links.map(({ otherId }) => otherId))].filter((id) => !own.has(id));
  const others = ids.length === 0 ? [] : await records.find("column", { id: ids });
  const datasetOf = new Map(others.map((row) => [row.id, row["securable_id"]]));
  return links.flatMap((link) => {
    const otherDatasetId = datasetOf.get(link.otherId);
    const isOther = typeof otherDatasetId === "string" && otherDatasetId !== datasetId;
    return isOther ? [{ ...link, otherDatasetId }] : [];
  });
}

/** The seconds of the dataset, or else of its connection. */
async function liveFreshness(securable: Row, records: Records): Promise<Freshness> {
  const own = Number(securable["cache"] ?? 0);
  if (own > 0) return { maxAgeMs: own * 1000 };
  const [account] = await records.find("account", { id: securable["account_id"] });
  return { maxAgeMs: Number(account?.["cache"] ?? 0) * 1000 };
}

function storedFreshness(securable: Row): Freshness {
  const { shared_storage_version: version, updated_at: changedAt, rows } = securable;
  return { version: JSON.stringify([version, changedAt, rows]), maxAgeMs: Infinity };
}

/**
 * Refuses to replace members of a connection that the maker does not own: its stored secrets would go where its owner did
 * not send them. With a base_url the plugin's secret goes there as well, so the plugin has to be the maker's too.
 * @throws {ApiError} FORBIDDEN
 */
export async function refuseOverride(
  accountId: string,
  { base_url, datasets }: AccountOverride,
  records: Records,
  maker: Principal,
): Promise<void> {
  const owned = await records.visible("account", [accountId], "own", maker);
  const account = [...owned.values()][0];
  if (!account)
    throw new ApiError("FORBIDDEN", [
      `own the connection ${accountId}, whose members are replaced`,
    ]);
  const movesPlugin = [{ base_url }, ...Object.values(datasets ?? {})].some(
    (each) => each.base_url !== undefined,
  );
  if (!movesPlugin) return;
  const pluginId = String(account["plugin_id"]);
  if ((await records.visible("plugin", [pluginId], "own", maker)).size === 0)
    throw new ApiError("FORBIDDEN", [
      `own the plugin of the connection ${accountId}, whose secret would be sent to base_url`,
    ]);
}

/**
 * What is replaced of the connection of a dataset: by what the caller's user is set to, and over that by the caller's token.
 * @throws {ApiError} FORBIDDEN when who said so does not own the connection any more
 */
async function overrideOf(
  securable: Row,
  records: Records,
  { restriction, own }: Principal,
): Promise<ConnectionOverride | undefined> {
  const accountId = String(securable["account_id"]);
  let merged: ConnectionOverride | undefined;
  for (const layer of [own, restriction]) {
    const override = layer?.accountOverrides.get(accountId);
    if (!layer || !override) continue;
    if (!layer.maker)
      throw new ApiError("FORBIDDEN", [
        `own the connection ${accountId}, which nobody has who set account_overrides of the user`,
      ]);
    await refuseOverride(accountId, override, records, layer.maker);
    const { datasets, ...whole } = override;
    const ofDataset = datasets?.[securable.id];
    const properties = {
      ...merged?.properties,
      ...whole.properties,
      ...ofDataset?.properties,
    };
    merged = { ...merged, ...whole, ...ofDataset, properties };
  }
  return merged;
}

/** `schema.table` with what a token puts in their place. */
function sourceId(id: string, override: ConnectionOverride | undefined): string {
  const { schema, table } = override ?? {};
  if (schema === undefined && table === undefined) return id;
  const dot = id.indexOf(".");
  const parts = [schema ?? (dot < 0 ? undefined : id.slice(0, dot)), table ?? id.slice(dot + 1)];
  return parts.filter((part) => part !== undefined).join(".");
}

/** A column's record as queries see it; `live`: the plugin has names of its own. */
export function queriedColumn(row: Row, live: boolean): QueriedColumn {
  const type = String(row["type"]);
  const known = type === "numeric" || type === "datetime" || type === "hierarchy";
  const { expression } = row;
  const derived = typeof expression === "string" && expression !== "";
  return {
    id: row.id,
    pluginId: live ? String(row["source_name"]) : row.id,
    name: nameOf(row),
    type: known ? type : "hierarchy",
    subtype: typeof row["subtype"] === "string" ? row["subtype"] : undefined,
    ...(derived && { expression }),
    unserved: derived ? "a derived column" : known ? undefined : `a column of type ${type}`,
  };
}

function nameOf(row: Row): string {
  const names = row["name"];
  const first = typeof names === "object" && names !== null ? Object.values(names)[0] : undefined;
  return typeof first === "string" ? first : String(row["source_name"] ?? "");
}

function sourceColumn(column: QueriedColumn): Column {
  const { pluginId, name, type, subtype } = column;
  return subtype === "date"
    ? { id: pluginId, name: { en: name }, type, subtype }
    : { id: pluginId, name: { en: name }, type };
}
