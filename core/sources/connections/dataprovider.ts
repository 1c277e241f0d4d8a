import {
  type ApiCall,
  ApiError,
  asMap,
  type Caller,
  type Connection,
  type Connections,
  type Handler,
  isObject,
  kindOf,
  type Records,
  type ResourceRow,
  type Members,
} from "../../base/index.ts";
import type { Knex } from "knex";
import type { Column, Dataset } from "../../../plugins/protocol/index.ts";
import { writeAudit } from "../../catalog/index.ts";
import { columnFormat } from "../../resources/index.ts";
import { type GivenStatement, holdsStatement, readStatement } from "./readStatement.ts";

export interface DataproviderOptions {
  readonly records: Records;
  readonly connections: Pick<Connections, "ofAccount" | "providers">;
}

/**
 * Creates the handlers of the resource `dataprovider`. `get` lists the datasets of a connection or, without a
 * connection, the providers that the caller may connect to. `create` creates live datasets from a connection, from its
 * tables or from one statement. Both actions require the right `use` on the connection's account. Creating a dataset
 * that already exists creates a second dataset.
 */
export function dataproviderHandlers({ records, connections }: DataproviderOptions): {
  readonly get: Handler;
  readonly create: Handler;
} {
  const offerOf = async (call: ApiCall, members: Members<"account_id">, path: string) => {
    const account = await usableAccount(records, call, members, path);
    const connection = await connections.ofAccount(account.id);
    return { account, connection, offered: await connection.datasets(callerOf(call)) };
  };
  const chooseOffered = async (members: Members<"account_id">, call: ApiCall) => {
    const wanted = wantedDatasets(members);
    const account = await usableAccount(records, call, members, "properties");
    const connection = await connections.ofAccount(account.id);
    // Listing thousands of tables takes long, so the first call asks only for the likely ids.
    const ids = wanted.length > mostAlone ? [] : wanted.map(likelyId);
    const likely = ids.length > 0 ? await connection.datasets(callerOf(call), ids) : [];
    const found = ids.flatMap((id) => likely.find((each) => each.id === id) ?? []);
    const offered =
      found.length === wanted.length ? undefined : await connection.datasets(callerOf(call));
    const chosen = new Set(
      wanted.map((each, index) =>
        refuseUnreadable(offered ? findOffered(offered, each) : found[index]!, each.path),
      ),
    );
    return { account, connection, chosen: [...chosen] };
  };
  const describeStatement = async (members: Members<"account_id">, call: ApiCall) => {
    const given = readStatement(members);
    const account = await usableAccount(records, call, members, "properties");
    const connection = await connections.ofAccount(account.id);
    if (!connection.describe)
      throw new ApiError("MEMBER_INVALID", [
        "properties.query",
        `connections of ${connection.name} do not support statements; choose from datasets`,
      ]);
    const { text, parameters } = given;
    const columns = await connection.describe({ text, parameters: given.samples }, callerOf(call));
    const statement = { text, parameters };
    const dataset: Offered = { id: "", name: given.name, columns: [...columns], statement };
    return { account, connection, chosen: [dataset] };
  };
  return {
    async get(call) {
      const members = membersOf(call.body, "find");
      const rows =
        members.account_id === undefined
          ? await connections.providers(call.principal, providerIn(members))
          : (await offerOf(call, members, "find")).offered.map(presentOffered);
      return { count: rows.length, rows, data: rows };
    },
    async create(call) {
      const members = membersOf(call.body, "properties");
      const action = members.action ?? "create";
      if (action !== "create")
        throw new ApiError("MEMBER_INVALID", ["properties.action", "must be create"]);
      const made = holdsStatement(members)
        ? await describeStatement(members, call)
        : await chooseOffered(members, call);
      const { account, connection, chosen } = made;
      const data = await records.transaction(async (transaction) => {
        const created: Record<string, unknown>[] = [];
        for (const dataset of chosen)
          created.push(
            await createDataset({ records, call, account, connection, transaction }, dataset),
          );
        return created;
      });
      return { count: data.length, data };
    },
  };
}

function callerOf({ principal, signal }: ApiCall): Caller {
  const { userId, name, email } = principal;
  return { signal, user: { id: userId, name, email } };
}

function membersOf(
  body: ApiCall["body"],
  member: "find" | "properties",
): Members<"account_id" | "action"> {
  const value = asMap(body[member]);
  if (!isObject<"account_id" | "action">(value))
    throw new ApiError("MEMBER_MISSING", [member, "an object with account_id"]);
  return value;
}

/** Returns the provider whose properties are requested; undefined if all providers are requested. */
function providerIn({ provider }: Members): string | undefined {
  if (provider === undefined || provider === null) return undefined;
  if (typeof provider === "string") return provider;
  throw new ApiError("MEMBER_INVALID", [
    "find.provider",
    `must be a string, not ${kindOf(provider)}; leave it out to list all providers`,
  ]);
}

async function usableAccount(
  records: Records,
  call: ApiCall,
  members: Members<"account_id">,
  path: string,
): Promise<ResourceRow<"account">> {
  const id = members.account_id;
  if (typeof id !== "string" || id === "")
    throw new ApiError("MEMBER_MISSING", [`${path}.account_id`, "the id of a connection"]);
  const visible = await records.visible("account", [id], "use", call.principal);
  const account = visible.get(id) ?? [...visible.values()][0];
  if (!account)
    throw new ApiError("RECORD_NOT_FOUND", ["account", JSON.stringify(id.slice(0, 100))]);
  const { provider } = members;
  if (provider !== undefined && provider !== null && provider !== account.provider)
    throw new ApiError("MEMBER_INVALID", [
      `${path}.provider`,
      `the connection belongs to the provider ${JSON.stringify(account.provider)}; send this provider, or leave it out`,
    ]);
  return account;
}

/** A requested dataset, given by its id or by the name of a table, with or without a schema. */
interface Wanted {
  readonly table: string;
  readonly schema?: string;
  readonly path: string;
}

/** Returns the entries of `datasets` or of `tables`. */
function wantedDatasets({ datasets, tables }: Members): readonly Wanted[] {
  const isList = Array.isArray(datasets);
  const list: unknown = isList ? datasets : tables;
  const member = isList ? "properties.datasets" : "properties.tables";
  if (!Array.isArray(list) || list.length === 0)
    throw new ApiError("MEMBER_MISSING", [
      "properties.datasets",
      "a list of dataset ids, or tables as a list of {schema, table}, or query with a single statement",
    ]);
  return list.map((entry: unknown, index) => {
    const path = `${member}[${index}]`;
    const { table, schema }: Members = isObject(entry) ? entry : { table: entry };
    if (typeof table !== "string" || table === "")
      throw new ApiError("MEMBER_INVALID", [path, "it must contain at least one dataset"]);
    if (schema !== undefined && schema !== null && typeof schema !== "string")
      throw new ApiError("MEMBER_INVALID", [
        `${path}.schema`,
        `must be a string, not ${kindOf(schema)}; leave it out if the name of the table is unique`,
      ]);
    return typeof schema === "string" && schema !== "" ? { table, schema, path } : { table, path };
  });
}

/** Maximum number of datasets that are described one by one instead of with all others. */
const mostAlone = 20;

/** Returns the id that a requested dataset probably has, because database plugins build ids from schema and table. */
function likelyId({ table, schema }: Wanted): string {
  return schema === undefined ? table : `${schema}.${table}`;
}

/** Finds a dataset by its id, or by its schema and table. A table without a schema must have a unique name. */
function findOffered(offered: readonly Dataset[], { table, schema, path }: Wanted): Dataset {
  const whole = offered.find((dataset) => dataset.id === table);
  if (whole) return whole;
  const named = offered.filter(
    (dataset) =>
      tableOf(dataset) === table && (schema === undefined || schemaOf(dataset) === schema),
  );
  const [found] = named;
  if (found && named.length === 1) return found;
  const requested = schema === undefined ? table : `${schema}.${table}`;
  const seen = named.length > 1 ? named : offered;
  const shown = seen.slice(0, 20).map((dataset) => JSON.stringify(dataset.id.slice(0, 100)));
  const more = seen.length > shown.length ? ` and ${seen.length - shown.length} more` : "";
  throw new ApiError("MEMBER_INVALID", [
    path,
    `the connection offers ${named.length > 1 ? "more than one" : "no"} ${JSON.stringify(requested.slice(0, 100))}; it offers: ${shown.join(", ")}${more}`,
  ]);
}

/** Refuses a dataset that the connection lists without columns, because every query of it would fail. */
function refuseUnreadable(dataset: Dataset, path: string): Dataset {
  if (dataset.columns.length > 0) return dataset;
  const reason = dataset.notes?.join("; ") ?? "the source describes no columns that can be read";
  throw new ApiError("MEMBER_INVALID", [
    path,
    `${JSON.stringify(dataset.id.slice(0, 100))} has no columns, so it cannot be queried: ${reason}`,
  ]);
}

function presentOffered(dataset: Dataset): Record<string, unknown> {
  return {
    id: dataset.id,
    name: textOf(dataset),
    schema: schemaOf(dataset),
    table: tableOf(dataset),
    type: dataset.kind ?? "table",
    description: dataset.description ?? null,
    columns: dataset.columns,
    ...(dataset.notes && { notes: dataset.notes }),
  };
}

const textOf = ({ id, name }: Dataset): string => name["en"] ?? Object.values(name)[0] ?? id;

const tableOf = ({ id, table }: Dataset): string => table ?? id;

/**
 * Returns the schema of a dataset. If it has none, returns the part of the id before the dot, because database plugins
 * build their ids from schema and table.
 */
const schemaOf = ({ id, schema }: Dataset): string | null =>
  schema ?? /^([^.]+)\../.exec(id)?.[1] ?? null;

/** A dataset that a connection lists, or a dataset with a statement. */
interface Offered extends Dataset {
  readonly statement?: Pick<GivenStatement, "text" | "parameters">;
}

interface Creation {
  readonly records: Records;
  readonly call: ApiCall;
  readonly account: ResourceRow<"account">;
  readonly connection: Connection;
  readonly transaction: Knex.Transaction;
}

async function createDataset(
  { records, call, account, connection, transaction }: Creation,
  dataset: Offered,
): Promise<Record<string, unknown>> {
  const { userId } = call.principal;
  const now = new Date();
  const securable = await records.insert(
    "securable",
    {
      type: "dataset",
      subtype: connection.name,
      name: dataset.name,
      description: dataset.description ?? null,
      storage: "client",
      uses_strata_experimental: false,
      source_dataset: account.id,
      source_sheet: dataset.statement ? null : dataset.id,
      source_query: dataset.statement?.text ?? null,
      source_parameters: dataset.statement ? [...dataset.statement.parameters] : null,
      rows: dataset.rows ?? null,
      account_id: account.id,
      owner_id: userId,
      modifier_id: userId,
      last_metadata_sync_at: now,
      last_metadata_sync_attempt_at: now,
    },
    transaction,
  );
  const columns = await records.insertMany(
    "column",
    dataset.columns.map((column, order) => ({
      ...columnValues(column, order),
      securable_id: securable.id,
      user_id: userId,
    })),
    transaction,
  );
  const event = { action: "create", resource: "securable", recordId: securable.id } as const;
  await writeAudit(
    records,
    call,
    { ...event, members: [dataset.statement ? "source_query" : "source_sheet"] },
    transaction,
  );
  const inOrder = [...columns].sort((a, b) => Number(a.order) - Number(b.order));
  return {
    ...records.present("securable", securable),
    columns: inOrder.map((column) => records.present("column", column)),
  };
}

function columnValues(column: Column, order: number): Record<string, unknown> {
  return {
    source_name: column.id,
    order,
    source_order: order,
    name: column.name,
    type: column.type,
    subtype: column.subtype ?? null,
    narrowed: column.narrowed ?? null,
    ...columnFormat(column.type, column.subtype, column.id),
  };
}
