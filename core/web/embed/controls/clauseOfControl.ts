import {
  isDay,
  readColumns,
  cleanText,
  type ListCell,
  type DateRange,
  type ChartItem,
  type ControlValue,
} from "../../charts/index.ts";
import { filteredColumn, fitsField, type Clause } from "../selections/index.ts";
import { cellText } from "./cellText.ts";
import { comparisonText } from "./comparisonText.ts";
import { instantOf } from "./instantOf.ts";
import { rangeText } from "./rangeText.ts";

/** Maximum number of values in the label of a list. Longer labels are shortened. */
const mostLabelled = 3;

export interface ControlChoice {
  readonly item: ChartItem;
  readonly value: ControlValue;
  readonly localeId: string;
  readonly timezoneId: string;
  /** Names of values whose names are not the values themselves. */
  readonly nameOf?: ((value: ListCell) => string | undefined) | undefined;
}

/**
 * Returns the clause for what a reader chose in a control. Undefined if the item has no column, or if the column cannot
 * have the value.
 */
export function clauseOfControl(choice: ControlChoice): Clause | undefined {
  const { item, value } = choice;
  const [field] = item.fields;
  if (field?.columnId === undefined || field.datasetId === undefined) return undefined;
  const where = whereOf(choice, field);
  if (where.length === 0) return undefined;
  return { where, datasetIds: new Set([field.datasetId]), label: labelOf(choice, value) };
}

function whereOf(
  { value, timezoneId }: ControlChoice,
  field: ChartItem["fields"][number],
): readonly object[] {
  const column = filteredColumn(field);
  if ("values" in value)
    return value.values.length === 0 || !value.values.every((cell) => fitsField(field, cell))
      ? []
      : [{ expression: "? in ?", parameters: [column, value.values] }];
  if ("text" in value)
    return value.text.trim() === ""
      ? []
      : [{ expression: "? like ?", parameters: [column, value.text.trim()] }];
  if ("range" in value) {
    const { level: _, ...instants } = field;
    const zone = field.subtype === "date" ? "UTC" : timezoneId;
    return whereOfRange(filteredColumn(instants), value.range, zone);
  }
  const { from, to } = value;
  return [
    ...(from === undefined ? [] : [{ expression: "? >= ?", parameters: [column, from] }]),
    ...(to === undefined ? [] : [{ expression: "? <= ?", parameters: [column, to] }]),
  ];
}

function whereOfRange(column: object, range: DateRange, zone: string): readonly object[] {
  if (range.key !== "custom") {
    const { key, unit, quantity } = range;
    return [{ expression: key, parameters: [column, { unit, quantity }] }];
  }
  const { from, to } = range.customRange;
  return [
    ...(from === ""
      ? []
      : [{ expression: "? >= ?", parameters: [column, instantOf(from, 0, zone)] }]),
    ...(to === ""
      ? []
      : isDay(to)
        ? [{ expression: "? < ?", parameters: [column, instantOf(to, 1, zone)] }]
        : [{ expression: "? <= ?", parameters: [column, instantOf(to, 0, zone)] }]),
  ];
}

function labelOf(choice: ControlChoice, value: ControlValue): string {
  const { item, localeId, timezoneId, nameOf } = choice;
  if ("text" in value) return cleanText(value.text.trim());
  if ("range" in value) {
    const text = rangeText(value.range, localeId, timezoneId);
    return comparisonText(text, value, { localeId, timezoneId });
  }
  const [column] = readColumns({ fields: item.fields.slice(0, 1), localeId, timezoneId });
  if ("values" in value) {
    const names = value.values.map(
      (cell) => nameOf?.(cell) ?? (column ? cellText(column, cell, localeId) : String(cell)),
    );
    const rest = names.length - mostLabelled;
    return `${names.slice(0, mostLabelled).join("; ")}${rest > 0 ? ` + ${rest}` : ""}`;
  }
  const { from, to } = value;
  const end = (number: number | undefined) =>
    number === undefined ? "…" : (column?.text(number) ?? String(number));
  return `${end(from)} – ${end(to)}`;
}
