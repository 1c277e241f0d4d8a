import Type from "typebox";
import {
  ApiError,
  isUuid,
  memberNames,
  type Principal,
  type Records,
} from "../../../base/index.ts";
import { invalid, readEntries, readObject } from "./members.ts";

const columnCount = 10_000;

const Id = Type.String({ format: "uuid" });
const NamedColumn = Type.Object(
  { column_id: Id, securable_id: Type.Optional(Id) },
  { additionalProperties: false },
);

/** An entry of a token's `hidden_columns`. */
export const HiddenColumn = Type.Union([Id, NamedColumn], {
  description: "A column that a token does not see: its id, alone or in an object.",
});

/** Parses hidden columns: a list of column ids, or of objects with `column_id` and optionally `securable_id`. */
export function parseHiddenColumns(
  value: unknown,
  path = "properties.hidden_columns",
): ReadonlySet<string> {
  const ids = readEntries(value, path, columnCount).map((entry, index) => {
    const at = `${path}[${index}]`;
    const id =
      typeof entry === "string" ? entry : readObject(entry, at, memberNames(NamedColumn)).column_id;
    if (!isUuid(id)) throw invalid(at, "must be the id (a UUID) of a column");
    return id.toLowerCase();
  });
  return new Set(ids);
}

/**
 * Refuses columns that the token's issuer cannot see, because a misspelt id would hide no column.
 * @throws {ApiError} RECORD_NOT_FOUND
 */
export async function refuseUnknownColumns(
  ids: ReadonlySet<string>,
  records: Records,
  issuer: Principal,
): Promise<void> {
  const seen =
    ids.size === 0 ? new Map() : await records.visible("column", [...ids], "read", issuer);
  for (const id of ids) if (!seen.has(id)) throw new ApiError("RECORD_NOT_FOUND", ["column", id]);
}
