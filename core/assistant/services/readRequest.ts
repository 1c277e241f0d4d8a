import {
  type ApiCall,
  ApiError,
  isList,
  isObject,
  isUuid,
  kindOf,
  type Members,
} from "../../base/index.ts";
import { isLocale } from "../../queries/index.ts";
import type { AssistantParts } from "../assistantParts.ts";
import type { KnownDataset } from "../meaning/readDatasets.ts";

const questionLength = 4_000;
const mostDatasets = 10;
/** Maximum number of columns and formulas that all datasets of a question have together. */
const mostColumns = 400;

/** Returns the members of a request, from `properties` or directly from the body, where some clients send them. */
export function membersOf<Name extends string = never>({ body }: ApiCall): Members<Name> {
  const { properties = body } = body;
  if (isObject<Name>(properties)) return properties;
  throw new ApiError("MEMBER_INVALID", [
    "properties",
    `must be an object, not ${kindOf(properties)}`,
  ]);
}

/**
 * Returns the text of a question.
 * @throws {ApiError} MEMBER_MISSING, MEMBER_INVALID
 */
export function questionOf(value: unknown, path: string): string {
  if (value === undefined || value === null)
    throw new ApiError("MEMBER_MISSING", [path, "the question as a string"]);
  if (typeof value !== "string" || value.trim() === "" || value.length > questionLength)
    throw new ApiError("MEMBER_INVALID", [
      path,
      `must be a string of 1 to ${questionLength} characters`,
    ]);
  return value;
}

/**
 * Returns the language of a request.
 * @throws {ApiError} MEMBER_INVALID
 */
export function localeOf(value: unknown): { readonly localeId?: string } {
  if (value === undefined || value === null || value === "") return {};
  if (typeof value === "string" && isLocale(value)) return { localeId: value.replaceAll("_", "-") };
  throw new ApiError("MEMBER_INVALID", [
    "properties.locale_id",
    "must be a language such as nl or pt-BR",
  ]);
}

/**
 * Returns the time zone of a request.
 * @throws {ApiError} MEMBER_INVALID
 */
export function timezoneOf(value: unknown): { readonly timezoneId?: string } {
  if (value === undefined || value === null) return {};
  if (typeof value === "string") return { timezoneId: value };
  throw new ApiError("MEMBER_INVALID", [
    "properties.timezone_id",
    "must be a time zone such as Europe/Brussels",
  ]);
}

/**
 * Parses the ids of datasets, which may be a single id, a list, or a list of records.
 * @throws {ApiError} MEMBER_INVALID
 */
export function idsOf(value: unknown, path: string): readonly string[] {
  if (value === undefined || value === null) return [];
  const entries = isList(value) ? value : [value];
  if (entries.length > mostDatasets)
    throw new ApiError("MEMBER_INVALID", [path, `must have at most ${mostDatasets} datasets`]);
  return entries.map((entry) => {
    const id = isObject<"id" | "dataset_id">(entry) ? (entry.id ?? entry.dataset_id) : entry;
    if (isUuid(id)) return id.toLowerCase();
    throw new ApiError("MEMBER_INVALID", [path, "must contain ids of datasets"]);
  });
}

/**
 * Returns the datasets of a question. Without ids, returns the first datasets that the caller may read.
 * @throws {ApiError} RECORD_NOT_FOUND for an id that the caller may not read
 */
export async function datasetsOf(
  ids: readonly string[],
  call: ApiCall,
  { readDatasets }: Pick<AssistantParts, "readDatasets">,
  language?: string,
): Promise<readonly KnownDataset[]> {
  const wanted = [...new Set(ids)];
  const found = await readDatasets(
    { ...(wanted.length > 0 && { ids: wanted }), limit: mostDatasets, language },
    call,
  );
  const missing = wanted.find((id) => !found.some((dataset) => dataset.id === id));
  if (missing !== undefined) throw new ApiError("RECORD_NOT_FOUND", ["dataset", missing]);
  let count = 0;
  return found.filter(({ columns, formulas }, index) => {
    count += columns.length + formulas.length;
    return count <= mostColumns || index === 0;
  });
}
