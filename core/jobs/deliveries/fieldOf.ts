import { isObject, type Members } from "../../base/index.ts";
import { localizedText, type SlotField } from "../../web/charts/index.ts";
import type { MessageWords } from "./words/messageWords.ts";

/** A column or formula that a query names: its name, type and format. */
export interface NamedColumn {
  readonly name: unknown;
  readonly type?: string | null;
  readonly subtype?: string | null;
  readonly format?: string | null;
  readonly currency_id?: string | null;
}

/** Finds a column or formula by its id; undefined if it does not exist. */
export type ColumnOf = (id: string) => NamedColumn | undefined;

/** A part of a query that names a column, a formula or an expression. */
export type ColumnUse = Members<
  "column_id" | "formula_id" | "dataset_id" | "aggregation" | "level" | "expression" | "formula"
>;

/** Returns the id of the column or formula that a reference names, in lower case; "" for an expression. */
export const idOf = ({ column_id, formula_id }: ColumnUse): string =>
  String(column_id ?? formula_id ?? "").toLowerCase();

/** Returns the type of a reference's aggregation; undefined for a dimension. */
export function aggregationOf({ aggregation }: ColumnUse): string | undefined {
  const type = isObject<"type">(aggregation) ? aggregation.type : aggregation;
  return typeof type === "string" ? type : undefined;
}

const types = ["numeric", "hierarchy", "datetime"] as const;
/** The format of a number of rows. */
const countFormat = ",.0f";

/** Returns what formats the cells of a reference: the type, format, currency and level of its column. */
export function fieldOf(use: ColumnUse, columnOf: ColumnOf): SlotField {
  const aggregation = aggregationOf(use);
  const column = columnOf(idOf(use));
  const { column_id: columnId, formula_id: formulaId } = use;
  const isCount = columnId === "*";
  const isFormula = typeof formulaId === "string";
  const { subtype, currency_id: currency } = column ?? {};
  const format = isCount ? countFormat : column?.format;
  const level = Number(use.level ?? 0);
  const known = types.find((each) => each === column?.type);
  return {
    slot: "",
    type: known ?? (isCount || isFormula ? "numeric" : "hierarchy"),
    ...(subtype && { subtype }),
    ...(format && { format }),
    ...(currency && { currency }),
    ...(aggregation !== undefined && { aggregation }),
    ...(level > 0 && { level }),
  };
}

/** Names a reference in the reader's language, with its aggregation: `Average of Delay`. */
export function nameOfUse(
  use: ColumnUse,
  columnOf: ColumnOf,
  { locale, words }: { readonly locale: string; readonly words: MessageWords },
): string {
  const { column_id, formula_id, expression, formula } = use;
  if (column_id === "*") return words.rowCount;
  const id = column_id ?? formula_id;
  const name =
    id === undefined || id === null
      ? String(expression ?? formula ?? "")
      : localizedText(columnOf(idOf(use))?.name, locale) || String(id);
  const aggregation = aggregationOf(use);
  if (aggregation === undefined) return name;
  const named: Readonly<Partial<Record<string, (column: string) => string>>> = words.aggregations;
  const write = Object.hasOwn(named, aggregation) ? named[aggregation] : undefined;
  return write ? write(name) : `${aggregation} ${name}`;
}
