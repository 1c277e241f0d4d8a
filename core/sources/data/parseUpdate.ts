import { ApiError, type Members } from "../../base/index.ts";
import {
  readHeader,
  readObject,
  readRows,
  readSecurableId,
  type Push,
  type RowReading,
} from "./parsePush.ts";
import type { MissingRows } from "./updateOptions.ts";

const modes: readonly unknown[] = ["insert", "ignore", "refuse"] satisfies MissingRows[];

/**
 * Parses the body of an update of rows. The dataset is named by `id`, as in other updates, or by
 * `properties.securable_id`, as in a push. Unknown members have already been rejected.
 * @throws {ApiError} MEMBER_MISSING, MEMBER_INVALID, DATA_TOO_MANY_ROWS
 */
export async function parseUpdate(
  { id, properties }: Members<"id" | "properties">,
  reading: RowReading = {},
): Promise<Push> {
  const members = readObject<"options" | "securable_id" | "data">(properties, "properties");
  if (!members)
    throw new ApiError("MEMBER_MISSING", ["properties", "{securable_id, data, options}"]);
  const options =
    readObject<"header" | "key" | "missing" | "delete">(members.options, "properties.options") ??
    {};
  const securableId = readSecurableId(members.securable_id ?? id, "update");
  if (typeof id === "string" && id.toLowerCase() !== securableId)
    throw new ApiError("MEMBER_INVALID", [
      "id",
      "it must be the same as properties.securable_id; send only one of them",
    ]);
  const key = readKey(options.key);
  const deletes = options.delete ?? false;
  if (typeof deletes !== "boolean")
    throw new ApiError("MEMBER_INVALID", ["properties.options.delete", "it must be true or false"]);
  const missing = readMissing(options.missing, deletes);
  const header = readHeader(options.header);
  const update = { key, missing, deletes };
  const head = JSON.stringify(["update", securableId, header, update]);
  const rows = await readRows(members.data, header, { ...reading, digestPrefix: head });
  return {
    type: "update",
    securableId,
    rows,
    header,
    name: undefined,
    updateMetadata: false,
    update,
  };
}

function readKey(value: unknown): readonly string[] {
  const at = "properties.options.key";
  if (value === undefined || value === null)
    throw new ApiError("MEMBER_MISSING", [
      at,
      'a list of the columns that identify a row, such as ["order_id"]; to add rows without a key, use create with type append',
    ]);
  const names: readonly unknown[] = Array.isArray(value) ? value : [];
  const isKey = names.length > 0 && names.every((name) => typeof name === "string" && name !== "");
  if (!isKey)
    throw new ApiError("MEMBER_INVALID", [
      at,
      "it must be a list of one or more names or ids of columns",
    ]);
  return names.map(String);
}

function readMissing(value: unknown, deletes: boolean): MissingRows {
  const at = "properties.options.missing";
  if (value === undefined || value === null) return deletes ? "ignore" : "insert";
  const mode = modes.find((each) => each === value);
  if (!isMode(mode))
    throw new ApiError("MEMBER_INVALID", [at, "it must be insert, ignore or refuse"]);
  if (deletes && mode === "insert")
    throw new ApiError("MEMBER_INVALID", [
      at,
      "it must be ignore or refuse if options.delete is true, because rows to delete cannot be inserted",
    ]);
  return mode;
}

function isMode(value: unknown): value is MissingRows {
  return modes.includes(value);
}
