import { PluginError, splitNumber } from "../../protocol/index.ts";
import { CorrectableError } from "../correctableError.ts";
import { checkDateFormat } from "../dateFormat.ts";
import type { ValueForms } from "../readValue.ts";
import { declaredTypes, isDeclaredTypeName, type DeclaredType } from "./declaredTypes.ts";
import { parseRange, type CellRange } from "./parseRange.ts";
import { settingDefinitions, type SettingName } from "./settingDefinitions.ts";

/** Settings for reading files. */
export interface Settings {
  /** The separator. Absent: it is detected in each file. */
  readonly separator?: string;
  /** A label of the Encoding Standard, or `utf-16`. Absent: UTF-8 or UTF-16, whichever the file shows. */
  readonly encoding?: string;
  readonly hasHeader: boolean;
  /** Number of rows before the header, or before the first row of values. */
  readonly skippedRows: number;
  /** Name of the only sheet to read. Absent: all sheets. */
  readonly sheet?: string;
  readonly range?: CellRange;
  /** The forms that the settings state. `decimalComma` and `thousands` are absent if they may be detected. */
  readonly forms: ValueForms;
  /** Whether the order of dates is detected. */
  readonly detectsDates: boolean;
  /** The declared types by column name. They apply to all files. */
  readonly types: ReadonlyMap<string, DeclaredType>;
  /** Whether types are detected from all rows of a file instead of a sample. */
  readonly isWholeSample: boolean;
}

/** The separators that have names, by name. */
export const separators: ReadonlyMap<string, string> = new Map([
  ["comma", ","],
  ["semicolon", ";"],
  ["tab", "\t"],
  ["pipe", "|"],
]);
const mostSkippedRows = 10_000;

/** The values of settings by name, as strings or as JSON values. */
export type GivenSettings = Readonly<Record<string, unknown>>;

/**
 * Parses settings. Properties of accounts contain strings; uploads and descriptions of APIs may also contain JSON
 * values, such as `true`, `3`, an array for `nulls` and an object for `columns`. Other properties are ignored.
 * @throws {PluginError} PLUGIN_INVALID that names the invalid setting and the allowed values
 */
export function readSettings({ properties }: { readonly properties: GivenSettings }): Settings {
  const given = (name: SettingName): unknown => {
    const value = Object.hasOwn(properties, name) ? properties[name] : undefined;
    return value === null || value === "" ? undefined : value;
  };
  const separator = readSeparator(given("separator"));
  const encoding = readEncoding(given("encoding"));
  const sheet = readText("sheet", given("sheet"));
  const range = readRange(given("range"));
  const dates = readOption("dates", given("dates"), ["ISO", "YMD", "DMY", "MDY"] as const);
  const decimal = readOption("decimal", given("decimal"), ["point", "comma"] as const);
  const thousands = readOption(
    "thousands",
    given("thousands"),
    settingDefinitions.thousands.options,
  );
  const nulls = readNulls(given("nulls"));
  const timeZone = readTimeZone(given("time_zone"));
  const otherSign = decimal === "comma" ? "point" : "comma";
  if (thousands !== undefined && thousands === (decimal ?? "point"))
    throw new CorrectableError(
      "PLUGIN_INVALID",
      [
        `thousands must differ from the decimal sign, which is ${decimal ?? "point"}; set decimal to ${otherSign}`,
      ],
      { remedies: [{ setting: "decimal", value: otherSign }, { setting: "thousands" }] },
    );
  return {
    ...(separator !== undefined && { separator }),
    ...(encoding !== undefined && { encoding }),
    hasHeader: readBoolean("header", given("header")) ?? true,
    skippedRows: readCount("skip_rows", given("skip_rows"), mostSkippedRows) ?? 0,
    ...(sheet !== undefined && { sheet }),
    ...(range && { range }),
    forms: {
      ...(decimal !== undefined && { decimalComma: decimal === "comma" }),
      ...(thousands !== undefined && { thousands }),
      ...(dates !== undefined && dates !== "ISO" && { dates }),
      ...(nulls && { nulls }),
      ...(timeZone !== undefined && { timeZone }),
    },
    detectsDates: dates === undefined,
    types: readTypes(given("columns")),
    isWholeSample: readOption("sample", given("sample"), ["start", "whole"] as const) === "whole",
  };
}

function readOption<Value extends string>(
  name: SettingName,
  given: unknown,
  allowed: readonly Value[],
): Value | undefined {
  if (given === undefined) return undefined;
  const value = allowed.find((each) => each === given);
  if (value === undefined) throw invalid(name, `must be one of ${allowed.join(", ")}`, given);
  return value;
}

function readText(name: SettingName, given: unknown): string | undefined {
  if (given === undefined || typeof given === "string") return given;
  throw invalid(name, "must be a string", given);
}

function readBoolean(name: SettingName, given: unknown): boolean | undefined {
  if (given === undefined || typeof given === "boolean") return given;
  if (given === "true" || given === "false") return given === "true";
  throw invalid(name, "must be true or false", given);
}

function readCount(name: SettingName, given: unknown, most: number): number | undefined {
  if (given === undefined) return undefined;
  const isDigits = typeof given === "string" && /^\d{1,9}$/.test(given.trim());
  const count = typeof given === "number" || isDigits ? Number(given) : NaN;
  if (Number.isInteger(count) && count >= 0 && count <= most) return count;
  throw invalid(name, `must be a whole number from 0 to ${most.toLocaleString("en")}`, given);
}

function readSeparator(given: unknown): string | undefined {
  const text = readText("separator", given);
  // `found` is what accounts sent for a detected separator.
  if (text === undefined || text === "found") return undefined;
  const separator = separators.get(text) ?? text;
  if (separator.length === 1 && !/["\r\n\0]|\p{Cs}/u.test(separator)) return separator;
  throw invalid(
    "separator",
    `must be ${[...separators.keys()].join(", ")}, or one character other than a quote or a line end`,
    given,
  );
}

function readEncoding(given: unknown): string | undefined {
  const label = readText("encoding", given)?.trim().toLowerCase();
  // The order of the bytes of UTF-16 is determined from the file, unless the label states it.
  if (label === undefined || label === "utf-16") return label;
  try {
    return new TextDecoder(label).encoding;
  } catch {
    throw invalid(
      "encoding",
      "must be a label of the Encoding Standard, such as utf-8, utf-16, windows-1252, windows-1251, iso-8859-2, " +
        "shift_jis, euc-kr, big5 or gbk",
      given,
    );
  }
}

function readRange(given: unknown): CellRange | undefined {
  const text = readText("range", given);
  if (text === undefined) return undefined;
  const range = parseRange(text);
  if (range) return range;
  throw invalid(
    "range",
    "must be the first and the last cell, such as A4:F200, A4:F or A:F",
    given,
  );
}

function readNulls(given: unknown): ReadonlySet<string> | undefined {
  if (given === undefined) return undefined;
  if (typeof given === "string") return new Set(given.split(",").map((text) => text.trim()));
  if (
    Array.isArray(given) &&
    given.length <= 100 &&
    given.every((each) => typeof each === "string")
  )
    return new Set(given);
  throw invalid(
    "nulls",
    "must be strings that mean null, separated by commas, or an array of at most 100 strings",
    given,
  );
}

function readTimeZone(given: unknown): string | undefined {
  const text = readText("time_zone", given);
  if (text === undefined) return undefined;
  try {
    return new Intl.DateTimeFormat("en", { timeZone: text }).resolvedOptions().timeZone;
  } catch {
    throw invalid("time_zone", "must be the IANA name of a time zone, such as Europe/Paris", given);
  }
}

function readTypes(given: unknown): ReadonlyMap<string, DeclaredType> {
  if (given === undefined) return new Map();
  const entries = Object.entries(parsedObject(given));
  return new Map(
    entries.map(([name, column]) => [name, readType(JSON.stringify(name.slice(0, 100)), column)]),
  );
}

/**
 * Parses the declared type of a column: a name, or an object with `type` and optionally `format` or `unit`. `place`
 * names the column in messages.
 * @throws {PluginError} PLUGIN_INVALID
 */
export function readType(place: string, given: unknown): DeclaredType {
  const isObject = typeof given === "object" && given !== null && !Array.isArray(given);
  const members: Readonly<Record<string, unknown>> = isObject ? { ...given } : { type: given };
  const name = members["type"];
  const unknown = Object.keys(members).find((each) => !typeMembers.includes(each));
  if (unknown !== undefined)
    throw invalid(
      "columns",
      `has an unknown member for ${place}: ${shown(unknown)}. Members: ${typeMembers.join(", ")}`,
    );
  if (!isDeclaredTypeName(name))
    throw new PluginError("PLUGIN_INVALID", [
      `the type of ${place} in columns must be one of ${Object.keys(declaredTypes).join(", ")}, not ${shown(name)}`,
    ]);
  const declared: DeclaredType = declaredTypes[name];
  const unit = members["unit"] ?? undefined;
  if (unit !== undefined) {
    if (name !== "number")
      throw new PluginError("PLUGIN_INVALID", [
        `${place} in columns must not have a unit, because its type is ${name}; only number has units`,
      ]);
    const known = typeof unit === "string" ? splitNumber(`1 ${unit.trim()}`)?.unit : undefined;
    if (known === undefined)
      throw new PluginError("PLUGIN_INVALID", [
        `the unit of ${place} in columns must be % or a currency such as $, EUR or kr, not ${shown(unit)}`,
      ]);
    return { ...declared, forms: { unit: known } };
  }
  const format = members["format"];
  if (format === undefined || format === null) return declared;
  if (declared.type !== "datetime")
    throw new PluginError("PLUGIN_INVALID", [
      `${place} in columns must not have a format, because its type is ${name}; only date and datetime have formats`,
    ]);
  const reason = typeof format === "string" ? checkDateFormat(format) : "it is not a string";
  if (reason !== undefined || typeof format !== "string")
    throw new PluginError("PLUGIN_INVALID", [
      `the format of ${place} in columns must be directives such as %d.%m.%Y %H:%M, epoch seconds or epoch milliseconds: ${reason}`,
    ]);
  return { ...declared, forms: { format } };
}

const typeMembers: readonly string[] = ["type", "format", "unit"];

function parsedObject(given: unknown): object {
  try {
    const value: unknown = typeof given === "string" ? JSON.parse(given) : given;
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  } catch {
    // An invalid value is reported below.
  }
  throw invalid(
    "columns",
    'must be a JSON object of types by column name, such as {"price": "number", "day": "date"}',
  );
}

function invalid(name: SettingName, rule: string, given?: unknown): PluginError {
  const found = given === undefined ? "" : `, not ${shown(given)}`;
  return new CorrectableError("PLUGIN_INVALID", [`${name} ${rule}${found}`], {
    remedies: [{ setting: name }],
  });
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing";
  return (text.length > 60 ? `${text.slice(0, 60)}…` : text).toWellFormed();
}
