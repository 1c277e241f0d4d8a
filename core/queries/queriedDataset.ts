import type { Principal } from "../access/principal.ts";
import type { Connection, Connections } from "../connections/connection.ts";
import { ApiError } from "../errors.ts";
import type { Records, Row } from "../resources/records.ts";
import type { Column, DataType, Dataset } from "../../plugins/protocol/index.ts";

/** A column that a query may name, with its id in the catalog and in the plugin. */
export interface QueriedColumn {
  readonly id: string;
  readonly pluginId: string;
  readonly name: string;
  readonly type: DataType;
  readonly subtype: string | undefined;
  /** Why a query cannot name it yet. */
  readonly unserved: string | undefined;
}

/** A dataset that the caller may read, and the connection that answers for it. */
export interface QueriedDataset {
  readonly id: string;
  readonly connection: Connection;
  /** The dataset as the plugin knows it: its id, and its columns in their order. */
  readonly source: Pick<Dataset, "id" | "columns">;
  /** By catalog id. */
  readonly columns: ReadonlyMap<string, QueriedColumn>;
}

export type FindDataset = (id: string, path: string) => Promise<QueriedDataset>;

/**
 * Makes a finder of datasets for one call: each is looked up once, with the caller's right to read it.
 * @throws {ApiError} RECORD_NOT_FOUND with the same text for unknown ids and those of others, MEMBER_INVALID for a dashboard
 */
export function createDatasetFinder(
  records: Records,
  connections: Connections,
  principal: Principal,
): FindDataset {
  const found = new Map<string, Promise<QueriedDataset>>();
  return (id, path) => {
    const known = found.get(id) ?? load(records, connections, principal, id, path);
    found.set(id, known);
    return known;
  };
}

async function load(
  records: Records,
  connections: Connections,
  principal: Principal,
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
  const rows = await records.find("column", { securable_id: id });
  const columns = rows
    .toSorted((one, other) => Number(one["order"]) - Number(other["order"]))
    .map((row) => queriedColumn(row, live));
  return {
    id,
    connection: live
      ? await connections.ofAccount(String(securable["account_id"]))
      : connections.store,
    source: {
      id: live ? String(securable["source_sheet"]) : id,
      columns: columns.filter((column) => column.unserved !== "a derived column").map(sourceColumn),
    },
    columns: new Map(columns.map((column) => [column.id, column])),
  };
}

function queriedColumn(row: Row, live: boolean): QueriedColumn {
  const type = String(row["type"]);
  const known = type === "numeric" || type === "datetime" || type === "hierarchy";
  const derived = typeof row["expression"] === "string" && row["expression"] !== "";
  return {
    id: row.id,
    pluginId: live ? String(row["source_name"]) : row.id,
    name: nameOf(row),
    type: known ? type : "hierarchy",
    subtype: typeof row["subtype"] === "string" ? row["subtype"] : undefined,
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
