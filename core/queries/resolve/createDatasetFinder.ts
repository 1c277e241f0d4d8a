import { findCopy } from "./findCopy.ts";
import { findOverride } from "./findOverride.ts";
import { statementOf } from "./statementOf.ts";
import {
  ApiError,
  type ConnectionOverride,
  type Connections,
  type Principal,
  type Records,
  type ResourceRow,
} from "../../base/index.ts";
import type { CatalogMemory } from "../../catalog/index.ts";
import type { Labels } from "../labels.ts";
import { inRole, readRole } from "../roles.ts";
import {
  aggregations,
  dataTypeOf,
  isDataType,
  type Column,
} from "../../../plugins/protocol/index.ts";
import type {
  QueriedColumn,
  QueriedDataset,
  ColumnLink,
  Freshness,
  FindRowFilters,
  FindDataset,
} from "../queriedDataset.ts";

export interface DatasetFinderOptions {
  readonly records: Records;
  readonly connections: Pick<Connections, "store" | "elsewhere" | "ofAccount">;
  readonly rowFilters: FindRowFilters;
  readonly principal: Principal;
  readonly labels?: Pick<Labels, "count">;
  /** Caches datasets between calls. */
  readonly memory?: CatalogMemory;
}

/**
 * Creates a finder for the datasets that the caller may read. The finder looks up each dataset once per call.
 * @throws {ApiError} RECORD_NOT_FOUND, with the same message for unknown ids and for other people's datasets;
 * MEMBER_INVALID for a dashboard
 */
export function createDatasetFinder(options: DatasetFinderOptions): FindDataset {
  const found = new Map<string, Promise<QueriedDataset>>();
  const find: FindDataset = async (id, path) => {
    const role = readRole(id);
    if (role) return inRole(await find(role.datasetId, path), role.via);
    const known = found.get(id) ?? remembered(options, id, path);
    found.set(id, known);
    const dataset = await known;
    dataset.connection.refuseExpired?.();
    return dataset;
  };
  return find;
}

async function remembered(
  options: DatasetFinderOptions,
  id: string,
  path: string,
): Promise<QueriedDataset> {
  const { memory, principal, records } = options;
  const read = () => load(options, id, path);
  if (!memory) return read();
  const name = `dataset ${memory.nameOf(principal)} ${id}`;
  const dataset = await memory
    .remember(name, read, sizeOfDataset, "structure")
    // The failed lookup may be another call's, whose error names a member of that call, so look the dataset up again.
    .catch(read);
  if (dataset.freshness.version === undefined || dataset.copy) return dataset;
  // The row count and the version are the only cached members that pushes change.
  const [securable] = await records.find("securable", { id });
  if (!securable) throw notFound(id);
  return { ...dataset, ...rowsOf(securable) };
}

function notFound(id: string): ApiError {
  return new ApiError("RECORD_NOT_FOUND", ["dataset", id.slice(0, 100)]);
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
  if (!securable) throw notFound(id);
  if (securable.type !== "dataset")
    throw new ApiError("MEMBER_INVALID", [
      path,
      `${id} is a ${String(securable.type)}, not a dataset`,
    ]);
  const live = securable.storage === "client";
  const rows = await records.find("column", { securable_id: securable.id });
  const labelCounts = await labels?.count(rows.map((row) => row.id));
  const withLabels = (column: QueriedColumn): QueriedColumn => {
    const labelCount = labelCounts?.get(column.id);
    return { ...column, ...(labelCount !== undefined && { labelCount }) };
  };
  const ordered = rows.toSorted((one, other) => Number(one.order) - Number(other.order));
  const hidden = principal.restriction?.hiddenColumns;
  /** Returns the columns of the dataset with the ids of its source, or of the store. */
  const columnsOf = (isLive: boolean) => {
    const columns = ordered.map((row) => withLabels(queriedColumn(row, isLive)));
    return {
      columns: new Map(
        columns.filter((column) => !hidden?.has(column.id)).map((column) => [column.id, column]),
      ),
      everyColumn: new Map(columns.map((column) => [column.id, column])),
    };
  };
  const own = columnsOf(live);
  const shared = {
    id: securable.id,
    links: await linksOf([...own.everyColumn.values()], securable.id, records),
    rowFilters: await rowFilters(principal, securable.id),
  };
  if (!live)
    return {
      ...shared,
      ...own,
      connection: connections.elsewhere?.get(securable.id) ?? connections.store,
      source: { id: securable.id, columns: sourceColumns(rows, false) },
      ...rowsOf(securable),
    };
  const statement = statementOf(securable, principal);
  const override = await findOverride(securable, records, principal);
  const findLive = async (): Promise<QueriedDataset> => ({
    ...shared,
    ...own,
    connection: await connections.ofAccount(String(securable.account_id), override),
    source: {
      id: statement ? securable.id : sourceId(String(securable.source_sheet), override),
      columns: sourceColumns(rows, true),
      ...(statement && { statement }),
    },
    freshness: await liveFreshness(securable, records),
  });
  const copy = override ? undefined : await findCopy(securable, rows, records);
  if (!copy) return findLive();
  return {
    ...shared,
    ...columnsOf(false),
    connection: {
      ...(connections.elsewhere?.get(copy.id) ?? connections.store),
      refuseExpired: copy.refuseExpired,
    },
    source: { id: copy.id, columns: sourceColumns(rows, false) },
    freshness: { version: copy.id, maxAgeMs: Infinity },
    rowCount: Number(securable.rows ?? 0),
    copy: { asOfMs: copy.asOfMs, findLive },
  };
}

/**
 * Returns the columns that the source has, without derived columns. Their order is that of the source, because a basic
 * plugin always returns all columns in this order.
 */
export function sourceColumns(rows: readonly ResourceRow<"column">[], live: boolean): Column[] {
  const place = ({ source_order, order }: ResourceRow<"column">) => Number(source_order ?? order);
  return rows
    .filter(({ expression, missing_since }) => !expression && !missing_since)
    .toSorted((one, other) => place(one) - place(other))
    .map((row) => sourceColumn(queriedColumn(row, live)));
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
  const datasetOf = new Map(others.map((row) => [row.id, row.securable_id]));
  return links.flatMap((link) => {
    const otherDatasetId = datasetOf.get(link.otherId);
    const isOther = typeof otherDatasetId === "string" && otherDatasetId !== datasetId;
    return isOther ? [{ ...link, otherDatasetId }] : [];
  });
}

/** Returns the number of seconds for which answers are cached, from the dataset or else from its connection. */
async function liveFreshness(
  securable: ResourceRow<"securable">,
  records: Records,
): Promise<Freshness> {
  const own = securable.cache;
  if (own > 0) return { maxAgeMs: own * 1000 };
  const [account] = await records.find("account", { id: securable.account_id });
  return { maxAgeMs: (account?.cache ?? 0) * 1000 };
}

/** The members of a stored dataset that a push changes. */
type RowMembers = Required<Pick<QueriedDataset, "freshness" | "rowCount">>;

/** The row members of records that the catalog's memory returns again. */
const known = new WeakMap<ResourceRow<"securable">, RowMembers>();

/** Returns the members of a stored dataset that a push changes. */
function rowsOf(securable: ResourceRow<"securable">): RowMembers {
  const found = known.get(securable);
  if (found) return found;
  const { shared_storage_version: version, updated_at: changedAt, rows } = securable;
  const members = {
    freshness: { version: JSON.stringify([version, changedAt, rows]), maxAgeMs: Infinity },
    rowCount: Number(rows ?? 0),
  };
  known.set(securable, members);
  return members;
}

/** Returns `schema.table` with overridden parts replaced. Parts with dots or quotes are quoted. */
function sourceId(id: string, override: ConnectionOverride | undefined): string {
  const { schema, table } = override ?? {};
  if (schema === undefined && table === undefined) return id;
  const [, ownSchema, ownTable = id] = /^("(?:[^"]|"")+"|[^".]+)\.(.+)$/s.exec(id) ?? [];
  const parts = [
    schema === undefined ? ownSchema : partOf(schema),
    table === undefined ? ownTable : table,
  ];
  return parts.filter((part) => part !== undefined).join(".");
}

const partOf = (name: string): string =>
  /[."]/.test(name) ? `"${name.replaceAll('"', '""')}"` : name;

/** Returns a column as queries see it. The source of a live dataset has its own column ids. */
export function queriedColumn(row: ResourceRow<"column">, live: boolean): QueriedColumn {
  const { expression } = row;
  const derived = typeof expression === "string" && expression !== "";
  const aggregation = aggregations.find((each) => each === row.aggregation_type);
  return {
    id: row.id,
    pluginId: live ? String(row.source_name) : row.id,
    name: nameOf(row),
    type: dataTypeOf(row.type),
    subtype: typeof row.subtype === "string" ? row.subtype : undefined,
    ...(live && row.narrowed && { narrowed: row.narrowed }),
    ...(derived && { expression }),
    ...(row.colors_enabled === false && { hasNoColors: true }),
    ...(aggregation && { aggregation }),
    unserved: unservedOf(row, derived),
  };
}

function unservedOf(
  { type, missing_since }: ResourceRow<"column">,
  isDerived: boolean,
): string | undefined {
  if (isDerived) return "a derived column";
  if (missing_since instanceof Date)
    return `a column that its source no longer has (since ${missing_since.toISOString()})`;
  return isDataType(type) ? undefined : `a column of type ${type}`;
}

function nameOf(row: ResourceRow<"column">): string {
  const names = row.name;
  const first = typeof names === "object" && names !== null ? Object.values(names)[0] : undefined;
  return typeof first === "string" ? first : String(row.source_name ?? "");
}

function sourceColumn(column: QueriedColumn): Column {
  const { pluginId, name, type, subtype, narrowed } = column;
  return {
    id: pluginId,
    name: { en: name },
    type,
    ...(subtype === "date" && { subtype }),
    ...(narrowed && { narrowed }),
  };
}
