import { ApiError, isList, isObject, isUuid, kindOf, type Members } from "../../base/index.ts";
import { isLocale } from "../../queries/index.ts";

/** An item to describe: its id, and the description that the caller sent as context. */
export interface GivenItem {
  readonly id: string;
  readonly description: Readonly<Record<string, string>> | undefined;
}

/**
 * A dataset to describe. If it contains no list of columns, all columns are described; the same applies to formulas.
 */
export interface GivenDataset extends GivenItem {
  readonly columns: readonly GivenItem[] | undefined;
  readonly formulas: readonly GivenItem[] | undefined;
}

export interface DescriptionsPayload {
  readonly datasets: readonly GivenDataset[];
  /** The languages of the descriptions. Undefined: the languages in which the datasets have names. */
  readonly languages: readonly string[] | undefined;
  /** Whether the descriptions are only returned, not stored. */
  readonly isDry: boolean;
}

const mostDatasets = 20;
const mostItems = 1_000;
const mostLanguages = 10;

/**
 * Parses the properties of a call of `generate_descriptions`.
 * @throws {ApiError} MEMBER_MISSING, MEMBER_INVALID, MEMBER_UNKNOWN
 */
export function parsePayload(properties: unknown): DescriptionsPayload {
  const members = objectOf(properties, "properties", ["datasets", "languages", "dry"]);
  if (members.datasets === undefined)
    throw new ApiError("MEMBER_MISSING", [
      "properties.datasets",
      "a list of {id, description, columns, formulas}",
    ]);
  const datasets = listOf(members.datasets, "properties.datasets", mostDatasets).map(
    (value, index) => {
      const path = `properties.datasets[${index}]`;
      const given = objectOf(value, path, ["id", "description", "columns", "formulas"]);
      return {
        ...itemOf(given, path),
        columns: itemsOf(given.columns, `${path}.columns`),
        formulas: itemsOf(given.formulas, `${path}.formulas`),
      };
    },
  );
  if (datasets.length === 0)
    throw new ApiError("MEMBER_INVALID", [
      "properties.datasets",
      "must not be empty; send at least one dataset",
    ]);
  refuseTwice(datasets, "properties.datasets");
  const { dry = true } = members;
  if (typeof dry !== "boolean")
    throw new ApiError("MEMBER_INVALID", [
      "properties.dry",
      `must be true (only return the descriptions) or false (also store them), not ${kindOf(dry)}`,
    ]);
  return { datasets, languages: languagesOf(members.languages), isDry: dry };
}

function languagesOf(value: unknown): readonly string[] | undefined {
  if (value === undefined || value === null) return undefined;
  const path = "properties.languages";
  const languages = listOf(value, path, mostLanguages);
  for (const [index, language] of languages.entries())
    if (typeof language !== "string" || !isLocale(language))
      throw new ApiError("MEMBER_INVALID", [
        `${path}[${index}]`,
        "must be a language such as en or pt-BR",
      ]);
  if (languages.length === 0)
    throw new ApiError("MEMBER_INVALID", [
      path,
      "must not be empty; leave it out or list at least one language",
    ]);
  return [...new Set(languages.map(String))];
}

function itemsOf(value: unknown, path: string): readonly GivenItem[] | undefined {
  if (value === undefined || value === null) return undefined;
  const items = listOf(value, path, mostItems).map((each, index) =>
    itemOf(objectOf(each, `${path}[${index}]`), `${path}[${index}]`),
  );
  refuseTwice(items, path);
  return items;
}

function itemOf(given: Members, path: string): GivenItem {
  const { id, description } = given;
  if (!isUuid(id))
    throw new ApiError("MEMBER_INVALID", [`${path}.id`, `must be a UUID, not ${kindOf(id)}`]);
  if (description === undefined || description === null)
    return { id: id.toLowerCase(), description: undefined };
  const texts: Record<string, string> = {};
  for (const [language, text] of Object.entries(objectOf(description, `${path}.description`))) {
    if (typeof text !== "string" || text.length > 4_000)
      throw new ApiError("MEMBER_INVALID", [
        `${path}.description.${language.slice(0, 20)}`,
        "must be a string of at most 4000 characters",
      ]);
    texts[language] = text;
  }
  return { id: id.toLowerCase(), description: texts };
}

function refuseTwice(items: readonly GivenItem[], path: string): void {
  const place = items.findIndex(
    ({ id }, index) => items.findIndex((each) => each.id === id) < index,
  );
  if (place >= 0)
    throw new ApiError("MEMBER_INVALID", [
      `${path}[${place}].id`,
      "must not be repeated; send it once",
    ]);
}

function listOf(value: unknown, path: string, most: number): readonly unknown[] {
  if (!isList(value))
    throw new ApiError("MEMBER_INVALID", [path, `must be a list, not ${kindOf(value)}`]);
  if (value.length > most)
    throw new ApiError("MEMBER_INVALID", [
      path,
      `must have at most ${most} entries; send several calls`,
    ]);
  return value;
}

/**
 * Returns an item as an object. Members such as its name are ignored, because clients send records back as they
 * received them.
 */
function objectOf<Name extends string = never>(
  value: unknown,
  path: string,
  known?: readonly Name[],
): Members<Name> {
  if (!isObject<Name>(value))
    throw new ApiError(value === undefined ? "MEMBER_MISSING" : "MEMBER_INVALID", [
      path,
      value === undefined ? "an object" : `must be an object, not ${kindOf(value)}`,
    ]);
  const unknown =
    path === "properties" &&
    Object.keys(value).find((each) => !known?.some((name) => name === each));
  if (unknown)
    throw new ApiError("MEMBER_UNKNOWN", [
      `${path}.${unknown.slice(0, 60)}`,
      known?.join(", ") ?? "",
    ]);
  return value;
}
