import {
  PluginError,
  splitNumber,
  type AppendRows,
  type Batch,
  type Capabilities,
  type Column,
  type QueryCall,
} from "../protocol/index.ts";
import { collectRows } from "../sql/index.ts";
import { CorrectableError } from "./correctableError.ts";
import { splitDate } from "./readDate.ts";
import { readValue, type ValueForms } from "./readValue.ts";
import { remediesOf, type Remedy } from "./remedy.ts";
import type { OpenTable } from "./rowDriver.ts";

/** The members of a call that reading a table needs. */
export type TableCall = Pick<QueryCall, "query" | "dataset" | "signal">;

export interface ReadTableOptions {
  /** Maximum size of an answer, in bytes. */
  readonly sizeBytes: number;
  /** Receives rows before the answer is complete. The answer then contains only the remaining rows. */
  readonly append?: AppendRows;
  /** Minimum bytes per part. */
  readonly partBytes?: number;
}

/**
 * Reads the columns of a query, converted to the types that the caller knows.
 * @throws {PluginError} PLUGIN_UNREADABLE for the first value that cannot be converted, with the place of that value;
 * PLUGIN_UNKNOWN_COLUMN; PLUGIN_INVALID for an answer that is too large
 */
export async function readTable(
  table: OpenTable,
  call: TableCall,
  options: ReadTableOptions,
): Promise<Batch> {
  const { query, dataset } = call;
  const wanted = query.columns.map(({ column_id }) =>
    columnOf(table, query.id, column_id, dataset),
  );
  return collectRows(typedRows(table, wanted, call), wanted, {
    dialect: { cellOf: (value) => value as number | string | null },
    ...options,
  });
}

/** A column that a query requests, in the type that the caller knows. */
export interface WantedColumn extends Pick<Column, "id" | "type"> {
  /** Index of the column among the columns of the source. */
  readonly index: number;
  /** The forms of the column's strings. Absent: the forms of the dataset. */
  readonly forms?: ValueForms;
}

/**
 * Finds a column of the query. Its type is the type that the caller knows; if the caller knows none, the type in the
 * source.
 * @throws {PluginError} PLUGIN_UNKNOWN_COLUMN
 */
export function columnOf(
  { columns }: Pick<OpenTable, "columns">,
  datasetId: string,
  id: string,
  known: QueryCall["dataset"],
): WantedColumn {
  const index = columns.findIndex((column) => column.id === id);
  const own = columns[index];
  if (!own) throw new PluginError("PLUGIN_UNKNOWN_COLUMN", [datasetId, id]);
  const type = known?.columns.find((column) => column.id === id)?.type ?? own.type;
  return { id, index, type, ...(own.forms && { forms: own.forms }) };
}

async function* typedRows(
  table: OpenTable,
  wanted: readonly WantedColumn[],
  { query, signal }: TableCall,
): AsyncGenerator<readonly (readonly unknown[])[]> {
  const indexes = wanted.map(({ index }) => index);
  for await (const { rows, placeOf } of table.rows(indexes, query.filters, signal)) {
    signal.throwIfAborted();
    yield rows.map((row, rowIndex) =>
      wanted.map(({ id, type, forms = table.forms }, index) => {
        const cell = readValue(row[index], type, forms);
        if (cell === undefined)
          throw wrongValue(
            { place: `${query.id}, ${placeOf(rowIndex)}`, id, type, forms },
            row[index],
          );
        return cell;
      }),
    );
  }
}

const wantedTypes = { numeric: "a number", datetime: "a date", hierarchy: "text" } as const;

/** A cell that cannot be converted. */
export interface WrongCell {
  /** The dataset and the row. */
  readonly place: string;
  readonly id: string;
  readonly type: Column["type"];
  readonly forms: ValueForms;
}

/** Returns the error of a value that cannot be converted. It names the settings that could help. */
export function wrongValue({ place, id, type, forms }: WrongCell, value: unknown): PluginError {
  const name = JSON.stringify(id.slice(0, 100));
  const [help, remedies] = helpFor({ id, type, forms }, value);
  return new CorrectableError(
    "PLUGIN_UNREADABLE",
    [
      `${place}: ${name} must be ${wantedForm(type, forms, value)}, not ${shown(value)}; ` +
        `correct the source, ${help}or change the column's type to text and synchronize the dataset's metadata`,
    ],
    { remedies: [...remedies, { setting: "columns", value: { [id]: "text" } }] },
  );
}

/** Describes the values of a column, for messages. */
function wantedForm(
  type: Column["type"],
  { reading, format, dates, decimalComma, unit }: ValueForms,
  value: unknown,
) {
  if (type === "numeric") {
    if (typeof value === "bigint")
      return "a number that keeps its digits, which whole numbers beyond 2^53 do only as text";
    if (reading === "duration") return "a duration such as 1:30:00";
    if (unit === "%") return "a percentage such as 12%";
    if (unit !== undefined) return `a number in ${unit}`;
    return decimalComma ? "a number with a decimal comma" : wantedTypes[type];
  }
  if (type === "hierarchy") return reading === "boolean" ? "true or false" : wantedTypes[type];
  return format === undefined
    ? dates === undefined
      ? wantedTypes[type]
      : `a date in the order ${dates}`
    : `a date in the format ${format}`;
}

/** Names the setting that makes a value readable, as part of a list, and returns its remedies. */
function helpFor(
  { id, type, forms }: Pick<WrongCell, "id" | "type" | "forms">,
  value: unknown,
): readonly [text: string, remedies: readonly Remedy[]] {
  if (typeof value !== "string") return ["", []];
  if (type === "datetime") {
    if (forms.format !== undefined) return ["set another format in columns, ", []];
    if (splitDate(value)?.kind === "numbers")
      return ["set dates to DMY, MDY or YMD, ", remediesOf("dates", ["DMY", "MDY", "YMD"])];
  }
  const number = type === "numeric" ? splitNumber(value.trim()) : undefined;
  if (number?.unit !== undefined && number.unit !== forms.unit)
    return [
      forms.unit === undefined ? `set the unit ${JSON.stringify(number.unit)} in columns, ` : "",
      forms.unit === undefined
        ? [{ setting: "columns", value: { [id]: { type: "number", unit: number.unit } } }]
        : [],
    ];
  if (number)
    return ["set decimal and thousands, ", [{ setting: "decimal" }, { setting: "thousands" }]];
  if (/\d/.test(value)) return ["", []];
  return ["add this string to nulls, ", remediesOf("nulls", [[value.slice(0, 100).trim()]])];
}

/** Formats a value from a source for a message, in at most about 60 characters. */
function shown(value: unknown): string {
  const text = typeof value === "bigint" ? String(value) : (JSON.stringify(value) ?? "nothing");
  return (text.length > 60 ? `${text.slice(0, 60)}…` : text).toWellFormed();
}

/**
 * Refuses clauses that the plugin's capabilities do not promise. Hosts never send them.
 * @throws {PluginError} PLUGIN_NOT_OFFERED
 */
export function refuseMore({ query }: Pick<QueryCall, "query">, capabilities: Capabilities): void {
  const { columns, derived, joins, having, order, groupLimit, limit, options } = query;
  const isMore =
    options.pushdown ||
    columns.some(({ aggregation, level, bin }) => aggregation ?? level ?? bin) ||
    [derived, joins, having, order].some((clause) => clause && clause.length > 0) ||
    groupLimit !== undefined ||
    (limit && !capabilities.limit);
  if (isMore)
    throw new PluginError("PLUGIN_NOT_OFFERED", [
      "anything but plain rows with the requested columns",
    ]);
}
