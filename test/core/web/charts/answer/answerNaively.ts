import type { ChartCell, ItemQuery } from "../../../../../core/web/charts/index.ts";

type Value = number | string | null;
/** A row of a dataset, by column. */
export type DataRow = Readonly<Record<string, Value>>;

interface Reference {
  readonly dataset_id?: string;
  readonly column_id?: string;
  readonly level?: number;
  readonly aggregation?: string | { readonly type: string };
  readonly order?: string;
}

interface Test {
  readonly expression: string;
  readonly parameters: readonly [Reference, unknown];
}

const lengths: Readonly<Record<number, number>> = { 1: 4, 3: 7, 5: 10 };
const rests: Readonly<Record<number, string>> = { 1: "-01-01", 3: "-01", 5: "" };

/** Answers a query over one dataset in the most obvious way, as docs/QUERIES.md describes it. */
export function answerNaively(rows: readonly DataRow[], query: ItemQuery): ChartCell[][] {
  const isText = (column: string | undefined) => column === "city" || column === "kind";
  return valuesOf(rows, query).map((row) =>
    row.map((value, cell): ChartCell => {
      const dimension = listed(query.dimensions)[cell];
      const isNamed = typeof value === "string" && isText(dimension?.column_id);
      return isNamed ? { id: value, name: { en: value } } : value;
    }),
  );
}

const listed = (list: readonly object[] | undefined): readonly Reference[] => list ?? [];

function valuesOf(all: readonly DataRow[], query: ItemQuery): Value[][] {
  const rows = sourceOf(all, query).filter((row) =>
    (query.where ?? []).every((test) => passes(row, test as Test)),
  );
  const dimensions = listed(query.dimensions);
  const measures = listed(query.measures);
  const isRaw = query.options?.rollup_data === false;
  const groups = new Map<string, DataRow[]>();
  if (dimensions.length === 0 && !isRaw) groups.set("[]", []);
  for (const [index, row] of rows.entries()) {
    const key = JSON.stringify([
      ...dimensions.map((dimension) => valueIn(row, dimension)),
      ...(isRaw ? [index] : []),
    ]);
    groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  const answers = [...groups.values()].map((group) => [
    ...dimensions.map((dimension) => valueIn(group[0] ?? {}, dimension)),
    ...measures.map((measure) =>
      isRaw ? valueIn(group[0] ?? {}, measure) : aggregated(group, measure),
    ),
  ]);
  const [order] = listed(query.order);
  const columns = [...dimensions, ...measures];
  const by = columns.findIndex(
    (column) =>
      order !== undefined &&
      order.column_id === column.column_id &&
      typeOf(order) === typeOf(column) &&
      (order.level ?? column.level) === column.level,
  );
  answers.sort((one, other) => {
    if (order) {
      const sign = order.order === "desc" ? -1 : 1;
      const found = compared(one[by] ?? null, other[by] ?? null, sign);
      if (found !== 0) return found;
    }
    for (let cell = 0; cell < (isRaw ? columns : dimensions).length; cell++) {
      const found = compared(one[cell] ?? null, other[cell] ?? null, 1);
      if (found !== 0) return found;
    }
    return 0;
  });
  const { offset = 0, by: most = Infinity } = query.limit ?? {};
  return answers.slice(offset, offset + most);
}

function sourceOf(all: readonly DataRow[], { from }: ItemQuery): readonly DataRow[] {
  if (from === undefined) return all;
  const { query, columns } = from as { readonly query: ItemQuery; readonly columns: string[] };
  return valuesOf(all, query).map((row) =>
    Object.fromEntries(columns.map((name, cell) => [name, row[cell] ?? null])),
  );
}

/** Nulls are last in both directions. */
function compared(one: Value, other: Value, sign: number): number {
  if (one === null || other === null) return Number(one === null) - Number(other === null);
  return one === other ? 0 : one < other ? -sign : sign;
}

function passes(row: DataRow, { expression, parameters: [column, operand] }: Test): boolean {
  const value = valueIn(row, column);
  const isListed = Array.isArray(operand) && operand.map(dateless).includes(dateless(value));
  switch (expression) {
    case "? in ?":
      return isListed;
    case "? not in ?":
      return !isListed;
    case "? > ?":
      return typeof value === "number" && value > Number(operand);
    default:
      throw new Error(`unknown test ${expression}`);
  }
}

const dateless = (value: unknown) => (typeof value === "string" ? value.replace("Z", "") : value);

function valueIn(row: DataRow, { column_id: column = "", level }: Reference): Value {
  const value = row[column] ?? null;
  if (level === undefined || typeof value !== "string") return value;
  return `${value.slice(0, lengths[level])}${rests[level]}T00:00:00.000Z`;
}

function typeOf({ aggregation }: Reference): string | undefined {
  return typeof aggregation === "object" ? aggregation.type : aggregation;
}

function aggregated(group: readonly DataRow[], measure: Reference): Value {
  if (measure.column_id === "*") return group.length;
  const known = group.map((row) => valueIn(row, measure)).filter((value) => value !== null);
  const numbers = known.map(Number).toSorted((one, other) => one - other);
  const sum = numbers.reduce((total, value) => total + value, 0);
  const middle = numbers.length / 2;
  switch (typeOf(measure)) {
    case "count":
      return known.length;
    case "distinctcount":
      return new Set(known).size;
    case "sum":
      return known.length === 0 ? null : sum;
    case "min":
      return numbers[0] ?? null;
    case "max":
      return numbers.at(-1) ?? null;
    case "average":
      return known.length === 0 ? null : sum / known.length;
    case "median":
      return known.length === 0
        ? null
        : ((numbers[Math.ceil(middle) - 1] ?? 0) + (numbers[Math.floor(middle)] ?? 0)) / 2;
    case undefined:
    default:
      throw new Error(`unknown aggregation ${typeOf(measure)}`);
  }
}
