import type { AccountProperty } from "../../protocol/index.ts";

/** A setting for reading files, as people see it. */
export interface SettingDefinition extends Omit<AccountProperty, "id" | "destination"> {
  /** The allowed values, as documented. */
  readonly values: string;
  /** The behaviour without the setting, as documented. */
  readonly usual: string;
}

/**
 * All settings for reading files. Properties of accounts, options of uploads, datasets of APIs, messages and
 * documentation use these names and values.
 */
export const settingDefinitions = {
  separator: {
    label: "Cell separator: comma, semicolon, tab, pipe, or one character",
    type: "text",
    values: "`comma`, `semicolon`, `tab`, `pipe`, or one character such as `^`",
    usual: "detected from the first rows and reported in a note",
  },
  encoding: {
    label: "Encoding, such as utf-8, utf-16 or windows-1252",
    type: "text",
    values:
      "any [label of the Encoding Standard](https://encoding.spec.whatwg.org/#names-and-labels), such as " +
      "`windows-1252`, `windows-1251`, `iso-8859-2`, `shift_jis`, `big5` or `gbk`",
    usual: "UTF-8, or UTF-16 if the first bytes show it; other files are refused",
  },
  header: {
    label: "First row contains column names",
    type: "boolean",
    values: "`false` if the first row contains values",
    usual: "`true`",
  },
  skip_rows: {
    label: "Rows to skip before the column names",
    type: "number",
    values: "number of rows before the header, at most 10,000. Blank rows and lines count too",
    usual: "`0`",
  },
  sheet: {
    label: "Sheet of a workbook",
    type: "text",
    values: "name of the only sheet to read",
    usual: "all sheets",
  },
  range: {
    label: "Cells of a sheet, such as A4:F200",
    type: "text",
    values:
      "cells to read, such as `A4:F200`, `A4:F` or `B:F`; the first row contains the column names",
    usual: "all cells",
  },
  decimal: {
    label: "Decimal sign",
    type: "select",
    options: ["point", "comma"],
    values: "`point` or `comma`",
    usual: "detected in each column of a CSV file or a sheet, otherwise `point`",
  },
  thousands: {
    label: "Thousands separator",
    type: "select",
    options: ["none", "comma", "point", "space", "apostrophe"],
    values: "`none`, `comma`, `point`, `space` or `apostrophe`",
    usual: "detected in each column of a CSV file or a sheet",
  },
  nulls: {
    label: "Strings that mean null, comma separated",
    type: "text",
    values: "strings that mean null, such as `NA,-`",
    usual: "only empty cells are null",
  },
  dates: {
    label: "Order of year, month and day in dates",
    type: "select",
    options: ["ISO", "YMD", "DMY", "MDY"],
    values:
      "`DMY`, `MDY` or `YMD`: dates such as 5/1/2024 are read in this order; `ISO`: they are read as text",
    usual: "detected in each column of CSV, JSON and sheets",
  },
  time_zone: {
    label: "Time zone of times without one, such as Europe/Paris",
    type: "text",
    values: "IANA name such as `Europe/Paris`. Dates without a time of day are not shifted",
    usual: "`UTC`",
  },
  sample: {
    label: "Rows used to detect types",
    type: "select",
    options: ["start", "whole"],
    values: "`whole`: types are detected from all rows, even in large files",
    usual: "the first 16 MiB of each file, or 2 MiB for a URL",
  },
  columns: {
    label: "Column types, as JSON",
    type: "text",
    values:
      'types by name, as JSON: `{"zip": "text", "day": {"type": "date", "format": "%d.%m.%y"}}`. [Declared ' +
      "types](#declared-types) lists them",
    usual: "detected",
  },
} as const satisfies Record<string, SettingDefinition>;

export type SettingName = keyof typeof settingDefinitions;

/** Returns whether a name is the name of a setting. */
export function isSettingName(name: string): name is SettingName {
  return Object.hasOwn(settingDefinitions, name);
}

/** The settings as properties of an account. None of them can send a secret to another destination. */
export const settingProperties: readonly AccountProperty[] = Object.entries<SettingDefinition>(
  settingDefinitions,
).map(([id, { label, type, options }]) => ({
  id,
  destination: false,
  label,
  type,
  ...(options && { options }),
}));
