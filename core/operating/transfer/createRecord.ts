import type { Client } from "../../web/client/index.ts";
import type { Json } from "./json.ts";
import { carried, kinds } from "./kinds.ts";
import { isDerived, type TransferRecord } from "./record.ts";
import { recordOf } from "./readTenant.ts";
import type { WantedRecord } from "./readFolder.ts";
import { rewriteIds } from "./rewriteIds.ts";
import { TransferError } from "./transferError.ts";

/** A created record, with the parts that were created with it. */
export interface Made {
  readonly record: TransferRecord;
  readonly parts: readonly TransferRecord[];
  /** The secret of the record, which the API returns only once. */
  readonly secret?: string;
  /** Warnings of the host about the new record, for example that a plugin cannot be reached. */
  readonly warnings?: readonly string[];
}

type Row = Json & { readonly id: string; readonly columns: readonly Json[] };

function settableOf({ kind, properties }: WantedRecord): Json {
  const members = [...carried(kind)].filter(
    ([member, { on }]) => on.includes("create") && properties[member] !== undefined,
  );
  return Object.fromEntries(members.map(([member]) => [member, properties[member]]));
}

async function createDataset(client: Client, record: WantedRecord): Promise<Row> {
  const { source } = record;
  if (source && source.kind !== "pushed") {
    const chosen =
      source.kind === "plugin"
        ? { datasets: [source.dataset] }
        : { query: source.query, parameters: source.parameters, name: record.properties["name"] };
    const { data } = await client.create<{ readonly data: readonly Row[] }>("dataprovider", {
      account_id: source.account,
      ...chosen,
    });
    return data[0]!;
  }
  const properties = { ...settableOf(record), ...kinds.dataset.fixed };
  return { ...(await client.create<Row>("securable", properties)), columns: [] };
}

/**
 * Creates a record that is linked only to its parent. A pushed dataset is created without rows. The dataset
 * of a plugin is linked to the dataset that its account offers.
 * @throws {ClientError}
 * @throws {TransferError} for a column that a plugin does not offer
 */
export async function createRecord(
  client: Client,
  filed: WantedRecord,
  ids: ReadonlyMap<string, string>,
): Promise<Made> {
  const record = rewriteIds(filed, ids);
  const { kind, parent } = record;
  if (kind === "dataset") {
    const made = await createDataset(client, record);
    const columns = made.columns.map((column) => recordOf("column", column));
    return { record: recordOf(kind, made), parts: columns };
  }
  const { resource, fixed, parent: above } = kinds[kind];
  const row = await client.create(
    resource,
    { ...settableOf(record), ...fixed },
    above && parent !== undefined ? [{ role: above.role, id: parent }] : [],
  );
  const { secret, warnings } = row;
  return {
    record: recordOf(kind, above ? { ...row, [above.key]: parent } : row),
    parts: [],
    ...(typeof secret === "string" && { secret }),
    ...(Array.isArray(warnings) && { warnings: warnings.map(String) }),
  };
}

/**
 * Refuses a column that the source of the dataset does not offer.
 * @throws {TransferError} for a column with values in a dataset that was not pushed
 */
export function refuseUnoffered(column: WantedRecord, dataset: WantedRecord | undefined): void {
  const source = dataset?.source ?? { kind: "pushed" };
  if (column.kind !== "column" || isDerived(column) || source.kind === "pushed") return;
  const origin = source.kind === "plugin" ? source.dataset : "its statement";
  throw new TransferError(
    `${column.file}: the source does not offer the column ${JSON.stringify(column.properties["source_name"])} in ${origin}; remove the column from the file, or fix the source`,
  );
}
