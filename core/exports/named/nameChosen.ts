import {
  choiceOf,
  cleanText,
  localizedText,
  queryOf,
  readColumns,
  titleOf,
  type ChartCell,
  type ChartColumn,
  type ChartItem,
  type SlotField,
} from "../../web/charts/index.ts";
import { PluginError } from "../../../plugins/protocol/index.ts";
import { ApiError, isObject } from "../../base/index.ts";
import type { Dashboard } from "../readDashboard.ts";
import { nameFilter, type FilterNames } from "./nameFilter.ts";

/** The language and the time zone of names, and the query that finds the labels of values. */
export interface NameOptions {
  readonly localeId: string | undefined;
  readonly timezoneId: string | undefined;
  answer(query: object): Promise<{ readonly rows: readonly (readonly ChartCell[])[] }>;
}

/** Maximum number of labels that are looked up for a filter, and maximum length of a parameter's value. */
const mostLabels = 100;
const longestValue = 100;

/**
 * Returns what a reader chose in a dashboard or in one of its items, as lines of text without duplicates: the filters
 * that the request adds, and the values of parameters. A filter that applies to only one of several items begins with
 * the title of that item. Values have the labels that the caller may see.
 */
export async function nameChosen(
  dashboard: Dashboard,
  item: ChartItem | undefined,
  options: NameOptions,
): Promise<readonly string[]> {
  const { items, chosen } = dashboard;
  const { localeId = "en", timezoneId = "UTC" } = options;
  const concerned = item
    ? [item]
    : items.map((placed) => placed.item).filter((each) => queryOf(each) !== undefined);
  const byFilter = new Map<string, { readonly filter: object; readonly on: ChartItem[] }>();
  for (const each of concerned)
    for (const filter of chosen.items.get(each.id)?.where ?? []) {
      const key = JSON.stringify(filter);
      const found = byFilter.get(key) ?? { filter, on: [] };
      found.on.push(each);
      byFilter.set(key, found);
    }
  const lines = await Promise.all(
    [...byFilter.values()].map(async ({ filter, on: [first, ...others] }) => {
      const labels = await labelsOf(filter, dashboard, options);
      const named = nameFilter(filter, namesFor(dashboard, labels, { localeId, timezoneId }));
      if (concerned.length === 1 || others.length > 0 || !first) return named;
      const { fields } = queryOf(first) ?? { fields: [] };
      const title = titleOf(first, readColumns({ fields, localeId, timezoneId }), localeId);
      return title === "" ? named : `${title}: ${named}`;
    }),
  );
  const picked = concerned.flatMap((each) => {
    const { picks = {} } = chosen.items.get(each.id) ?? {};
    const fields = (each.pickers ?? []).flatMap(
      (picker) => choiceOf(picker, picks[picker.slot]) ?? [],
    );
    const names = readColumns({ fields, localeId, timezoneId }).map(({ name }) => name);
    const title = localizedText(each.options.title, localeId);
    return names.map((name) =>
      concerned.length === 1 || title === "" ? name : `${title}: ${name}`,
    );
  });
  const parameters = Object.entries(chosen.parameters ?? {}).map(
    ([name, value]) => `${name}: ${parameterText(value)}`,
  );
  return [...new Set([...lines, ...picked, ...parameters].map(cleanText))];
}

function parameterText(value: unknown): string {
  if (Array.isArray(value)) return value.map(parameterText).join(", ");
  return (typeof value === "string" ? value : JSON.stringify(value)).slice(0, longestValue);
}

/** Returns how the columns and values of filters are written. */
function namesFor(
  { columns, items }: Dashboard,
  labels: ReadonlyMap<string, string>,
  region: { readonly localeId: string; readonly timezoneId: string },
): FilterNames {
  const labelOf = (id: unknown) =>
    items.flatMap(({ item }) => item.fields).find(({ columnId }) => columnId === id)?.label;
  const read = (reference: unknown): ChartColumn | undefined => {
    if (!isObject<"column_id" | "level">(reference)) return undefined;
    const { column_id: id, level } = reference;
    const column = columns.find((each) => each.id === id);
    if (!column) return undefined;
    const { name, type, subtype, format, currency_id: currency } = column;
    const field: SlotField = {
      slot: "",
      type: type === "numeric" || type === "datetime" ? type : "hierarchy",
      label: localizedText(labelOf(id) ?? name, region.localeId),
      ...(typeof subtype === "string" && { subtype }),
      ...(typeof format === "string" && format !== "" && { format }),
      ...(typeof currency === "string" && { currency }),
      ...(typeof level === "number" && { level }),
    };
    return readColumns({ fields: [field], ...region })[0];
  };
  return {
    localeId: region.localeId,
    columnName: (parameter) =>
      isObject<"column_id">(parameter) && parameter.column_id !== undefined
        ? (read(parameter)?.name ?? "?")
        : undefined,
    valueText(column, value) {
      const read_ = read(column);
      const isCell = value === null || typeof value === "string" || typeof value === "number";
      if (!isCell) return JSON.stringify(value);
      return labels.get(String(value)) ?? (read_?.text(value) || String(value));
    },
  };
}

/**
 * Finds the labels of the values of a test on a column of categories, by id. Empty for other filters, and if the query
 * fails: the values are then written as they are stored, and the query of the item reports the failure.
 */
async function labelsOf(
  filter: object,
  { columns }: Dashboard,
  { localeId, answer }: NameOptions,
): Promise<ReadonlyMap<string, string>> {
  const tests = testsIn(filter).filter(({ parameters: [reference] }) => {
    const { column_id: id } = isObject<"column_id">(reference) ? reference : {};
    return columns.some((each) => each.id === id && each.type === "hierarchy");
  });
  const found = new Map<string, string>();
  for (const test of tests) {
    const [dimension] = test.parameters;
    try {
      const { rows } = await answer({
        dimensions: [dimension],
        measures: [],
        where: [test],
        limit: { by: mostLabels },
        options: { ...(localeId !== undefined && { locale_id: localeId }) },
      });
      for (const [cell] of rows)
        if (typeof cell === "object" && cell !== null)
          found.set(cell.id, localizedText(cell.name, localeId ?? "en") || cell.id);
    } catch (failure) {
      if (!(failure instanceof ApiError) && !(failure instanceof PluginError)) throw failure;
    }
  }
  return found;
}

interface LabelledTest {
  readonly expression: string;
  readonly parameters: readonly unknown[];
}

/** Returns the tests of a filter that select values by equality. */
function testsIn(filter: unknown): readonly LabelledTest[] {
  if (!isObject<"and" | "or" | "expression" | "parameters">(filter)) return [];
  const { and, or, expression, parameters } = filter;
  const parts = [and, or].flatMap((each) => (Array.isArray(each) ? each : []));
  const isEquality = expression === "? in ?" || expression === "? = ?";
  return [
    ...parts.flatMap(testsIn),
    ...(isEquality && Array.isArray(parameters) ? [{ expression, parameters }] : []),
  ];
}
