import { ApiError, isObject, nearestName } from "../../../base/index.ts";
import { readObject } from "../parsePush.ts";

/** The settings with which a file is read, as `options.file` contains them. */
export type FileSettings = Readonly<Record<string, unknown>>;

/** The kinds of values that settings have in the API. */
const forms = {
  text: "a string",
  flag: "true or false",
  count: "a whole number from 0 on",
  list: "a list of strings",
  types: "an object of types by column name",
} as const;

/** The settings that the API knows, each with the form of its value. The readers check the values themselves. */
const known: Readonly<Record<string, keyof typeof forms>> = {
  format: "text",
  separator: "text",
  encoding: "text",
  header: "flag",
  decimal: "text",
  nulls: "list",
  dates: "text",
  sheet: "text",
  sample: "text",
  columns: "types",
};

const at = "properties.options.file";

/**
 * Parses the settings for reading a file; undefined if there are none.
 * @throws {ApiError} MEMBER_UNKNOWN, MEMBER_INVALID
 */
export function parseFileSettings(given: unknown): FileSettings | undefined {
  const settings = readObject(given, at);
  if (!settings) return undefined;
  for (const [name, value] of Object.entries(settings)) {
    const form = Object.hasOwn(known, name) ? known[name] : undefined;
    if (form === undefined) {
      const names = Object.keys(known);
      const meant = nearestName(name, names);
      const all = names.join(", ");
      throw new ApiError("MEMBER_UNKNOWN", [
        `${at}.${name.slice(0, 100)}`,
        meant === undefined ? all : `${all} (did you mean ${meant}?)`,
      ]);
    }
    if (value !== null && !hasForm(value, form))
      throw new ApiError("MEMBER_INVALID", [`${at}.${name}`, `it must be ${forms[form]}`]);
  }
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== null));
}

function hasForm(value: unknown, form: keyof typeof forms): boolean {
  switch (form) {
    case "text":
      return typeof value === "string";
    case "flag":
      return typeof value === "boolean";
    case "count":
      return Number.isSafeInteger(value) && Number(value) >= 0;
    case "list":
      // In the properties of accounts, which the readers share, commas separate the strings.
      return (
        Array.isArray(value) &&
        value.every((each) => typeof each === "string" && !each.includes(","))
      );
    case "types":
      return isObject(value) && !Array.isArray(value);
    default: {
      const other: never = form;
      return other;
    }
  }
}

/** Returns settings in the form of the properties of an account, which the readers of files parse. */
export function propertiesOf(settings: FileSettings): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(settings)
      .filter(([name]) => name !== "format" && name !== "sheet")
      .map(([name, value]) => [name, propertyOf(value)]),
  );
}

function propertyOf(value: unknown): string {
  if (Array.isArray(value)) return value.join(",");
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
