import { ApiError, asMap, isObject, isUuid, type Members, UnparsedJson } from "../../base/index.ts";
import type { DecodedRows, EncodedRows, Multilingual } from "../../../plugins/protocol/index.ts";
import { decodedPush } from "./decodedPush.ts";
import { pushedRows, type PushedRows } from "./pushedRows.ts";

/** Maximum number of rows per push. */
export const pushRowLimit = 10_000;

/** A push with a checked shape but unchecked cells. */
export interface Push {
  readonly type: "create" | "append" | "replace";
  /** Id of the dataset; absent for `create`, present for all other types. */
  readonly securableId: string | undefined;
  readonly rows: PushedRows;
  /** Source names of the columns, one per cell of a row. */
  readonly header: readonly string[] | undefined;
  readonly name: Multilingual | undefined;
  readonly updateMetadata: boolean;
}

/** Decodes rows outside the main thread; undefined for rows that must be parsed here. */
export type DecodeRows = (rows: EncodedRows) => Promise<DecodedRows | undefined>;

export interface RowReading {
  /** Decodes rows that the body left as JSON. If absent, they are parsed. */
  readonly decode?: DecodeRows | undefined;
  /**
   * Whether the digest of the push is needed.
   * @default false
   */
  readonly hasDigest?: boolean;
}

/** The members of a push other than its rows. */
export interface PushHead extends Omit<Push, "rows"> {
  /** The rows, unchecked. */
  readonly data: unknown;
  /** The settings for reading a file, unchecked. */
  readonly file: unknown;
}

/**
 * Parses the `properties` of a push, except its rows. Unknown members have already been rejected.
 * @throws {ApiError} MEMBER_MISSING, MEMBER_INVALID
 */
export function parsePushHead(properties: unknown): PushHead {
  const members = readObject<"options" | "type" | "securable_id" | "data">(
    properties,
    "properties",
  );
  if (!members)
    throw new ApiError("MEMBER_MISSING", ["properties", "{type, securable_id, data, options}"]);
  const options =
    readObject<"header" | "update_metadata" | "name" | "file">(
      members.options,
      "properties.options",
    ) ?? {};
  const type = members.type ?? "append";
  if (type !== "create" && type !== "append" && type !== "replace")
    throw new ApiError("MEMBER_INVALID", [
      "properties.type",
      "it must be create, append or replace",
    ]);
  const header = readHeader(options.header);
  const updateMetadata = options.update_metadata ?? false;
  if (typeof updateMetadata !== "boolean")
    throw new ApiError("MEMBER_INVALID", [
      "properties.options.update_metadata",
      "it must be true or false",
    ]);
  const securableId = readSecurableId(members.securable_id, type);
  const name = readName(options.name);
  const { data } = members;
  return { type, securableId, header, name, updateMetadata, data, file: options.file };
}

/**
 * Parses the `properties` of a push. Unknown members have already been rejected.
 * @throws {ApiError} MEMBER_MISSING, MEMBER_INVALID, DATA_TOO_MANY_ROWS
 */
export async function parsePush(properties: unknown, reading: RowReading = {}): Promise<Push> {
  const { data, file, ...head } = parsePushHead(properties);
  if (file !== undefined && file !== null)
    throw new ApiError("MEMBER_INVALID", [
      "properties.options.file",
      "it describes a file, but the call has no part file",
    ]);
  const { type, securableId, header, name, updateMetadata } = head;
  const prefix = JSON.stringify([type, securableId, header, name, updateMetadata]);
  const rows = await readRows(data, header, { ...reading, digestPrefix: prefix });
  return { ...head, rows };
}

export function readObject<Name extends string = never>(
  given: unknown,
  path: string,
): Members<Name> | undefined {
  const value = asMap(given);
  if (value === undefined || value === null) return undefined;
  if (!isObject<Name>(value)) throw new ApiError("MEMBER_INVALID", [path, "it must be an object"]);
  return value;
}

function readSecurableId(value: unknown, type: Push["type"]): string | undefined {
  const at = "properties.securable_id";
  if (value === undefined || value === null) {
    if (type === "create") return undefined;
    throw new ApiError("MEMBER_MISSING", [
      at,
      `the dataset that receives the rows (type ${type}); use type create for a new dataset`,
    ]);
  }
  if (type === "create")
    throw new ApiError("MEMBER_INVALID", [
      at,
      "it must be left out, because create makes a new dataset; use append or replace for an existing one",
    ]);
  if (typeof value !== "string")
    throw new ApiError("MEMBER_INVALID", [at, "it must be the id of a dataset"]);
  // The store uses ids as the catalog writes them, in lower case.
  return isUuid(value) ? value.toLowerCase() : value;
}

interface RowOptions extends RowReading {
  /** What the digest of the push covers besides its rows. */
  readonly digestPrefix: string;
}

async function readRows(
  given: unknown,
  header: readonly string[] | undefined,
  options: RowOptions,
): Promise<PushedRows> {
  if (!(given instanceof UnparsedJson)) return checkRows(given, header, options);
  const { decode, hasDigest, digestPrefix } = options;
  const parse = async () => checkRows(await given.parse(), header, options);
  const { bytes } = given;
  if (!decode) return parse();
  const decoded = await decode({ bytes, ...(hasDigest && { digestPrefix }) });
  if (!decoded) return parse();
  refuseMany(decoded.rowCount);
  if (decoded.columns.length !== (header?.length ?? decoded.columns.length)) return parse();
  return decodedPush({ decoded, decode: (types) => decode({ bytes, types }), parse });
}

function refuseMany(rowCount: number): void {
  if (rowCount > pushRowLimit) throw new ApiError("DATA_TOO_MANY_ROWS", [rowCount, pushRowLimit]);
}

function checkRows(
  value: unknown,
  header: readonly string[] | undefined,
  { digestPrefix }: RowOptions,
): PushedRows {
  const at = "properties.data";
  if (value === undefined || value === null)
    throw new ApiError("MEMBER_MISSING", [at, "a list of rows"]);
  if (!Array.isArray(value))
    throw new ApiError("MEMBER_INVALID", [at, "it must be a list of rows, each a list of cells"]);
  refuseMany(value.length);
  const rows: readonly unknown[] = value;
  const first = rows[0];
  const width = header?.length ?? (Array.isArray(first) ? first.length : 0);
  rows.forEach((row, index) => {
    const number = `${at} row ${index + 1}, counted from 1,`;
    if (!Array.isArray(row))
      throw new ApiError("MEMBER_INVALID", [number, "a row must be a list of cells"]);
    if (row.length !== width || width === 0)
      throw new ApiError("MEMBER_INVALID", [
        number,
        `it has ${row.length} cells, but ${header ? "the header" : "the first row"} has ${width}; send null for missing cells`,
      ]);
  });
  return pushedRows(rows as readonly (readonly unknown[])[], digestPrefix);
}

function readHeader(value: unknown): readonly string[] | undefined {
  const at = "properties.options.header";
  if (value === undefined || value === null) return undefined;
  if (!Array.isArray(value))
    throw new ApiError("MEMBER_INVALID", [at, "it must be a list of column names"]);
  const seen = new Set<string>();
  const names: readonly unknown[] = value;
  for (const name of names) {
    if (typeof name !== "string" || name === "")
      throw new ApiError("MEMBER_INVALID", [at, "column names must be non-empty strings"]);
    if (seen.has(name))
      throw new ApiError("MEMBER_INVALID", [at, `the name ${name.slice(0, 100)} appears twice`]);
    seen.add(name);
  }
  if (seen.size === 0)
    throw new ApiError("MEMBER_INVALID", [at, "it must name at least one column"]);
  return [...seen];
}

function readName(value: unknown): Multilingual | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === "string") return { en: value };
  const names = readObject(value, "properties.options.name") ?? {};
  if (Object.values(names).some((name) => typeof name !== "string"))
    throw new ApiError("MEMBER_INVALID", [
      "properties.options.name",
      'it must be {"<language>": "<string>"}',
    ]);
  return names as Multilingual;
}
