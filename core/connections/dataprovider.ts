import type {
  ApiCall,
  Handler,
  Caller,
  Connection,
  Connections,
  Records,
  ResourceRow,
} from "../contracts/index.ts";
import type { Knex } from "knex";
import type { Column, Dataset } from "../../plugins/protocol/index.ts";
import { writeAudit } from "../audit/index.ts";
import { ApiError } from "../errors.ts";
import { columnFormat } from "../resources/index.ts";
import { asMap, isObject } from "../json/index.ts";

export interface DataproviderOptions {
  readonly records: Records;
  readonly connections: Pick<Connections, "ofAccount">;
}

type Members = Readonly<Record<string, unknown>>;

/**
 * Creates the handlers of the resource `dataprovider`: `get` lists what a connection offers, `create`
 * makes datasets of it that are asked live. Both need the right `use` on the connection's account; a
 * dataset that was made before is made once more.
 */
export function dataproviderHandlers({ records, connections }: DataproviderOptions): {
  readonly get: Handler;
  readonly create: Handler;
} {
  const offerOf = async (call: ApiCall, members: Members, path: string) => {
    const account = await usableAccount(records, call, members, path);
    const connection = await connections.ofAccount(account.id);
    return { account, connection, offered: await connection.datasets(callerOf(call)) };
  };
  return {
    async get(call) {
      const { offered } = await offerOf(call, membersOf(call.body, "find"), "find");
      const rows = offered.map(presentOffered);
      return { count: rows.length, rows, data: rows };
    },
    async create(call) {
      const members = membersOf(call.body, "properties");
      const action = members["action"] ?? "create";
      if (action !== "create")
        throw new ApiError("MEMBER_INVALID", ["properties.action", "there is only create"]);
      const wanted = wantedIds(members);
      const { account, connection, offered } = await offerOf(call, members, "properties");
      const chosen = wanted.map((id) => findOffered(offered, id));
      const data = await records.transaction(async (transaction) => {
        const made: Record<string, unknown>[] = [];
        for (const dataset of chosen)
          made.push(
            await createDataset({ records, call, account, connection, transaction }, dataset),
          );
        return made;
      });
      return { count: data.length, data };
    },
  };
}

function callerOf({ principal, signal }: ApiCall): Caller {
  const { userId, name, email } = principal;
  return { signal, user: { id: userId, name, email } };
}

function membersOf(body: Members, member: string): Members {
  const value = asMap(body[member]);
  if (!isObject(value)) throw new ApiError("MEMBER_MISSING", [member, "an object with account_id"]);
  return value;
}

async function usableAccount(
  records: Records,
  call: ApiCall,
  members: Members,
  path: string,
): Promise<ResourceRow<"account">> {
  const id = members["account_id"];
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
      `the connection is one of ${JSON.stringify(account.provider)}`,
    ]);
  return account;
}

/** The ids in `datasets`, or the names in `tables`; none of them twice. */
function wantedIds({ datasets, tables }: Members): string[] {
  const isList = Array.isArray(datasets);
  const list: unknown = isList ? datasets : tables;
  const path = isList ? "properties.datasets" : "properties.tables";
  if (!Array.isArray(list) || list.length === 0)
    throw new ApiError("MEMBER_MISSING", [
      "properties.datasets",
      "a list of dataset ids, or tables as a list of {schema, table}",
    ]);
  const ids = list.map((entry: unknown, index) => {
    const id = isObject(entry) ? entry["table"] : entry;
    if (typeof id === "string" && id !== "") return id;
    throw new ApiError("MEMBER_INVALID", [`${path}[${index}]`, "it names no dataset"]);
  });
  return [...new Set(ids)];
}

function findOffered(offered: readonly Dataset[], id: string): Dataset {
  const found = offered.find((dataset) => dataset.id === id);
  if (found) return found;
  const shown = offered.slice(0, 20).map((dataset) => JSON.stringify(dataset.id.slice(0, 100)));
  const more = offered.length > shown.length ? ` and ${offered.length - shown.length} more` : "";
  throw new ApiError("MEMBER_INVALID", [
    "properties.datasets",
    `the connection offers no ${JSON.stringify(id.slice(0, 100))}; there are: ${shown.join(", ")}${more}`,
  ]);
}

function presentOffered(dataset: Dataset): Record<string, unknown> {
  return {
    id: dataset.id,
    name: textOf(dataset),
    schema: schemaOf(dataset.id),
    table: dataset.id,
    type: "table",
    description: dataset.description ?? null,
    columns: dataset.columns,
  };
}

const textOf = ({ id, name }: Dataset): string => name["en"] ?? Object.values(name)[0] ?? id;

/** The part of an id before the dot, as database plugins build their ids. */
const schemaOf = (id: string): string | null => /^([^.]+)\../.exec(id)?.[1] ?? null;

interface Creation {
  readonly records: Records;
  readonly call: ApiCall;
  readonly account: ResourceRow<"account">;
  readonly connection: Connection;
  readonly transaction: Knex.Transaction;
}

async function createDataset(
  { records, call, account, connection, transaction }: Creation,
  dataset: Dataset,
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
      source_sheet: dataset.id,
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
  await writeAudit(records, call, { ...event, members: ["source_sheet"] }, transaction);
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
    name: column.name,
    type: column.type,
    subtype: column.subtype ?? null,
    narrowed: column.narrowed ?? null,
    ...columnFormat(column.type, column.subtype),
  };
}
