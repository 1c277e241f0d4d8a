import { PluginError, type Credentials, type DataType } from "../../protocol/index.ts";
import type { Encoding } from "./decodeText.ts";
import type { ValueForms } from "../readValue.ts";

/** The type that an account declares for a column. */
export interface DeclaredType {
  readonly type: DataType;
  readonly subtype?: "date";
}

/** An account's settings for reading its files. */
export interface Settings {
  /** The separator. Absent: it is detected in each file. */
  readonly separator?: string;
  readonly encoding: Encoding;
  readonly hasHeader: boolean;
  readonly forms: ValueForms;
  /** The declared types by column name. They apply to all files. */
  readonly types: ReadonlyMap<string, DeclaredType>;
  /** Whether types are detected from all rows of a file instead of a sample. */
  readonly isWholeSample: boolean;
}

const separators = new Map([
  ["comma", ","],
  ["semicolon", ";"],
  ["tab", "\t"],
  ["pipe", "|"],
]);
const encodings: readonly Encoding[] = ["utf-8", "utf-16", "latin1"];
const declaredTypes: Readonly<Record<string, DeclaredType>> = {
  text: { type: "hierarchy" },
  number: { type: "numeric" },
  date: { type: "datetime", subtype: "date" },
  datetime: { type: "datetime" },
};

/**
 * Parses the properties of an account.
 * @throws {PluginError} PLUGIN_INVALID that names the invalid property
 */
export function readSettings({ properties }: Pick<Credentials, "properties">): Settings {
  const one = <Value extends string>(
    id: string,
    allowed: readonly Value[],
    usual: NoInfer<Value>,
  ): Value => {
    const given = properties[id] ?? usual;
    const value = allowed.find((each) => each === given);
    if (value === undefined) throw invalid(`${id} must be one of ${allowed.join(", ")}`);
    return value;
  };
  const separator = separators.get(one("separator", [...separators.keys(), "found"], "found"));
  const dates = one("dates", ["ISO", "DMY", "MDY"], "ISO");
  const nulls = properties["nulls"]?.split(",").map((text) => text.trim());
  return {
    ...(separator !== undefined && { separator }),
    encoding: one("encoding", encodings, "utf-8"),
    hasHeader: one("header", ["true", "false"], "true") === "true",
    forms: {
      decimalComma: one("decimal", ["point", "comma"], "point") === "comma",
      ...((dates === "DMY" || dates === "MDY") && { dates }),
      ...(nulls && { nulls: new Set(nulls) }),
    },
    types: readTypes(properties["columns"]),
    isWholeSample: one("sample", ["start", "whole"], "start") === "whole",
  };
}

function readTypes(text: string | undefined): ReadonlyMap<string, DeclaredType> {
  if (text === undefined) return new Map();
  const entries = Object.entries(parsedObject(text));
  return new Map(
    entries.map(([name, given]) => {
      const type = typeof given === "string" ? declaredTypes[given] : undefined;
      if (!type)
        throw invalid(
          `the type of ${JSON.stringify(name.slice(0, 100))} in columns must be one of ${Object.keys(declaredTypes).join(", ")}`,
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
    'columns must be a JSON object of types by column name, such as {"price": "number", "day": "date"}',
  );
}

function invalid(detail: string): PluginError {
  return new PluginError("PLUGIN_INVALID", [detail]);
}
