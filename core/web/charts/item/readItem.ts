import {
  fieldTypes,
  type ChartItem,
  type Picker,
  type SlotField,
  type StoredText,
} from "./item.ts";
import { pickKeyOf } from "./pickedItem.ts";
import { readCalculation } from "./readCalculation.ts";
import type { Stored } from "./stored.ts";

/** Returns whether a value is an object and not an array. `Name` declares the members that are used. */
export function isObject<Name extends string = never>(value: unknown): value is Stored<Name> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns the value if it is an object, otherwise an empty object. `Name` declares the members that are used. */
export function objectOf<Name extends string = never>(value: unknown): Stored<Name> {
  return isObject<Name>(value) ? value : {};
}

/** Returns the value if it is an array, otherwise an empty array. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Returns the first non-empty string. */
function textOf(...values: readonly unknown[]): string | undefined {
  for (const value of values) if (typeof value === "string" && value !== "") return value;
  return undefined;
}

/** Returns the first finite number. */
function numberOf(...values: readonly unknown[]): number | undefined {
  for (const value of values) if (typeof value === "number" && Number.isFinite(value)) return value;
  return undefined;
}

/**
 * Reads an item in the form that dashboards store. References may be written as `columnId` and `datasetId`, or in the
 * older form `column` and `set`. Unknown members are ignored, and members of the wrong type count as missing.
 */
export function readItem(stored: unknown): ChartItem {
  const item = objectOf<"id" | "type" | "options" | "slots">(stored);
  const pickers = readPickers(item.options);
  return {
    ...(pickers.length > 0 && { pickers }),
    id: textOf(item.id) ?? "",
    type: textOf(item.type) ?? "",
    options: objectOf(item.options),
    fields: listOf(item.slots).flatMap((each) => {
      const slot = objectOf<"name" | "content">(each);
      const name = textOf(slot.name) ?? "";
      return listOf(slot.content).map((content) => readField(name, objectOf(content)));
    }),
  };
}

/** Maximum number of columns that a picker offers. */
const mostChoices = 50;

function readPickers(options: unknown): readonly Picker[] {
  const { interactivity } = objectOf<"interactivity">(options);
  const { measureDimensionPicker } = objectOf<"measureDimensionPicker">(interactivity);
  const slots = new Map<string, Picker>();
  for (const each of listOf(measureDimensionPicker)) {
    const picker = objectOf<"slot" | "values">(each);
    const slot = textOf(picker.slot);
    if (slot === undefined || slots.has(slot)) continue;
    const read = listOf(picker.values)
      .map((content) => readField(slot, objectOf(content)))
      .filter(
        ({ columnId, formulaId, formula }) => (columnId ?? formulaId ?? formula) !== undefined,
      );
    const choices = [...new Map(read.map((choice) => [pickKeyOf(choice), choice])).values()];
    if (choices.length > 0) slots.set(slot, { slot, choices: choices.slice(0, mostChoices) });
  }
  return [...slots.values()];
}

/** Reads an entry of a slot. */
export function readField(
  slot: string,
  content: Stored<
    | "aggregation"
    | "aggregationWeight"
    | "bins"
    | "formula"
    | "formulaId"
    | "type"
    | "id"
    | "subtype"
    | "label"
    | "datasetId"
    | "set"
    | "dataset_id"
    | "columnId"
    | "column"
    | "column_id"
    | "formula_id"
    | "format"
    | "currency"
    | "color"
    | "aggregationFunc"
    | "level"
    | "lowestLevel"
    | "periodOverPeriod"
    | "calculation"
    | "grandTotals"
  >,
): SlotField {
  const aggregation = objectOf<"type">(content.aggregation);
  const weight = objectOf<"columnId" | "column" | "datasetId" | "set">(content.aggregationWeight);
  const weightColumn = textOf(weight.columnId, weight.column);
  const weightDataset = textOf(weight.datasetId, weight.set);
  const bins = objectOf<"enabled" | "number">(content.bins);
  const totals = objectOf<"enabled">(content.grandTotals);
  const isFormula = content.formula !== undefined || content.formulaId !== undefined;
  const comparison = objectOf<"type" | "level" | "quantity" | "periodToDate" | "offsetDateColumn">(
    content.periodOverPeriod,
  );
  const weighted =
    weightColumn !== undefined && weightDataset !== undefined
      ? { columnId: weightColumn, datasetId: weightDataset }
      : undefined;
  const type = fieldTypes.find((each) => each === content.type);
  return {
    slot,
    type: type ?? (isFormula ? "numeric" : "hierarchy"),
    ...given("id", textOf(content.id)),
    ...given("subtype", textOf(content.subtype)),
    ...given("label", storedText(content.label)),
    ...given("datasetId", textOf(content.datasetId, content.set, content.dataset_id)),
    ...given("columnId", textOf(content.columnId, content.column, content.column_id)),
    ...given("formulaId", textOf(content.formulaId, content.formula_id)),
    ...given("formula", textOf(content.formula)),
    ...given("format", textOf(content.format)),
    ...given("currency", textOf(content.currency)),
    ...given("color", textOf(content.color)),
    ...given("aggregation", textOf(content.aggregationFunc, aggregation.type)),
    ...given("weight", weighted),
    ...given(
      "calculation",
      readCalculation({
        comparison,
        column: objectOf(comparison.offsetDateColumn),
        calculation: objectOf(content.calculation),
      }),
    ),
    ...given("level", numberOf(content.level)),
    ...given("lowestLevel", levelOf(content.lowestLevel)),
    ...given("hasTotals", totals.enabled === true ? true : undefined),
    ...given("bins", bins.enabled === true ? (numberOf(bins.number) ?? 10) : undefined),
  };
}

/** Returns a datetime level; undefined for 0, which stored columns use for "no limit". */
function levelOf(value: unknown): number | undefined {
  return typeof value === "number" && value >= 1 && value <= 9 ? value : undefined;
}

function storedText(value: unknown): StoredText | undefined {
  if (typeof value === "string") return value === "" ? undefined : value;
  const map = objectOf(value);
  return Object.keys(map).length > 0 ? map : undefined;
}

/** Returns an object with one member, or an empty object if the value is undefined. */
function given<Name extends string, Value>(
  name: Name,
  value: Value | undefined,
): { readonly [Key in Name]?: Value } {
  const member: { [Key in Name]?: Value } = {};
  if (value !== undefined) member[name] = value;
  return member;
}
