import { PluginError, type AccountProperty, type Credentials } from "../protocol/index.ts";
import type { Dialect } from "./dialect.ts";
import type { SqlColumn, SqlSession, SqlTable } from "./driver.ts";

/** How an account reads the columns of its database. */
export interface ColumnSettings {
  /** How integers that may exceed 2^53 are read. */
  readonly bigIntegers: NumberType;
  /** The types of single columns, by column name or by `<dataset id>.<column name>`. */
  readonly types: ReadonlyMap<string, NumberType>;
  /** The time zone of datetimes that are stored without one. */
  readonly zone: string;
  /** The time zone of the server, if it stores datetimes without a zone as instants. */
  readonly serverZone?: string;
}

const numberTypes = ["number", "text"] as const;
type NumberType = (typeof numberTypes)[number];

/** Properties of accounts whose dialect has `numberKind` and `isUnzoned`. */
export const columnProperties: readonly AccountProperty[] = [
  {
    id: "big_integers",
    destination: false,
    label: "Integers that may exceed 2^53",
    type: "select",
    options: numberTypes,
  },
  { id: "columns", destination: false, label: "Column types, as JSON", type: "text" },
  {
    id: "time_zone",
    destination: false,
    label: "Time zone of datetimes without one (UTC if empty)",
    type: "text",
  },
];

/**
 * Parses the settings of an account. Without settings, all numbers are read as numbers, and datetimes as UTC.
 * @throws {PluginError} PLUGIN_INVALID that names the property
 */
function readColumnSettings({ properties }: Pick<Credentials, "properties">): ColumnSettings {
  const given = properties["big_integers"] || "number";
  const bigIntegers = numberTypes.find((each) => each === given);
  if (!bigIntegers)
    throw invalid(`properties.big_integers must be one of ${numberTypes.join(", ")}`);
  return {
    bigIntegers,
    types: readTypes(properties["columns"]),
    zone: readZone(properties["time_zone"]),
  };
}

/**
 * Returns the settings of an account for a dialect. Other dialects may have properties with the same names and another
 * meaning, so their accounts have the default settings.
 * @throws {PluginError} PLUGIN_INVALID that names the property
 */
export function columnSettingsOf(
  credentials: Pick<Credentials, "properties">,
  { numberKind }: Pick<Dialect, "numberKind">,
  { clockZone = "UTC" }: Pick<SqlSession, "clockZone"> = {},
): ColumnSettings {
  const settings = readColumnSettings(numberKind ? credentials : { properties: {} });
  const serverZone = canonicalZone(clockZone) ?? clockZone;
  if (settings.zone === "UTC" || serverZone === "UTC") return settings;
  // The server has already read the datetimes on the clock that the account names.
  return settings.zone === serverZone ? { ...settings, zone: "UTC" } : { ...settings, serverZone };
}

function readTypes(text: string | undefined): ReadonlyMap<string, NumberType> {
  if (!text) return new Map();
  return new Map(
    Object.entries(parsedObject(text)).map(([name, given]: [string, unknown]) => {
      const type = numberTypes.find((each) => each === given);
      if (!type)
        throw invalid(
          `the type of ${JSON.stringify(name.slice(0, 100))} in properties.columns must be one of ${numberTypes.join(", ")}`,
        );
      return [name, type];
    }),
  );
}

function parsedObject(text: string): object {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  } catch {
    // An invalid value is reported below.
  }
  throw invalid(
    'properties.columns must be a JSON object of types by column name, such as {"id": "text"}, or by dataset and column, such as {"public.orders.id": "text"}',
  );
}

function readZone(text: string | undefined): string {
  if (!text) return "UTC";
  const zone = canonicalZone(text);
  if (zone !== undefined) return zone;
  throw invalid(
    `properties.time_zone must be an IANA time zone such as Europe/Brussels, not ${JSON.stringify(text.slice(0, 60))}`,
  );
}

/** Returns the canonical name of an IANA time zone. Undefined for other strings, such as `+02:00`. */
function canonicalZone(text: string): string | undefined {
  if (/^[+-]/.test(text)) return undefined;
  try {
    return new Intl.DateTimeFormat("en", { timeZone: text }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}

/**
 * Applies the settings of an account to the columns of a table with this dataset id. Adds notes about numbers that lose
 * digits or may lose them, and about settings that do not apply.
 */
export function withColumnSettings(
  table: SqlTable,
  id: string,
  { bigIntegers, types, ...clock }: ColumnSettings,
  dialect: Pick<Dialect, "numberKind" | "isUnzoned">,
): SqlTable {
  const inexact: string[] = [];
  const lossy: string[] = [];
  const notes: string[] = [];
  const columns = table.columns.map((column): SqlColumn => {
    const { name, type, nativeType } = column;
    const own = types.get(`${id}.${name}`) ?? types.get(name);
    const kind = type === "numeric" ? dialect.numberKind?.(column) : undefined;
    const isUnzoned = type === "datetime" && dialect.isUnzoned?.(column) === true;
    if (own === "text" && kind === undefined && type !== "hierarchy")
      notes.push(
        `properties.columns does not apply to ${quoted(name)}, because its type is ${nativeType}; only integers and decimals can be read as text`,
      );
    const isText =
      kind !== undefined && (own ?? (kind === "big" ? bigIntegers : "number")) === "text";
    if (isText) return { name, nativeType, type: "hierarchy" };
    const { largest = Number.NaN } = kind === "big" ? column : {};
    if (largest > 2 ** 53) lossy.push(name);
    else if ((kind === "big" || kind === "wide") && !(largest <= farBelow)) inexact.push(name);
    return isUnzoned && clock.zone !== "UTC" ? { ...column, clock } : column;
  });
  if (lossy.length > 0)
    notes.push(
      `numbers beyond 2^53 are rounded in ${listed(lossy)}, so that different numbers may become equal; ${keepDigits}`,
    );
  if (inexact.length > 0)
    notes.push(
      `numbers with more than 15 digits may be rounded in ${listed(inexact)}; only the types of the columns were checked, not their values; ${keepDigits}`,
    );
  return {
    ...table,
    columns,
    ...(notes.length > 0 && { notes: [...(table.notes ?? []), ...notes] }),
  };
}

/**
 * If the largest known value is at most this number, newer values are unlikely to exceed 2^53, and no note is needed.
 */
const farBelow = 2 ** 43;

const keepDigits =
  "to keep all digits, read the columns as text with properties.columns, or all large integers with properties.big_integers";

/** Maximum number of columns that a note lists. */
const mostShown = 10;

function listed(names: readonly string[]): string {
  const more = names.length > mostShown ? ` and ${names.length - mostShown} more` : "";
  return `${names.slice(0, mostShown).map(quoted).join(", ")}${more}`;
}

function quoted(name: string): string {
  return JSON.stringify(name.slice(0, 100));
}

function invalid(detail: string): PluginError {
  return new PluginError("PLUGIN_INVALID", [detail]);
}
