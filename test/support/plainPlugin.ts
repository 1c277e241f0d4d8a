import { randomUUID } from "node:crypto";
import {
  aggregations,
  cellsOfVector,
  levels,
  operators,
  PluginError,
  vectorOfCells,
  type Batch,
  type Capabilities,
  type Cell,
  type Column,
  type ColumnFilter,
  type Dataset,
  type Filter,
  type OutputFilter,
  type Level,
  type Operator,
  type Plugin,
  type Query,
  type QueryColumn,
  type Write,
} from "../../plugins/protocol/index.ts";

type PlainRow = Readonly<Record<string, Cell>>;

interface Table {
  columns: readonly Pick<Column, "id" | "type">[];
  rows: readonly PlainRow[];
}

/** A plugin in plain JavaScript, a row at a time: slow, and as near to the protocol's words as code can be. */
export interface PlainPlugin extends Plugin {
  /** Every query it was asked, in order. */
  readonly asked: Query[];
  /** Rows by dataset id; cells as on the wire. */
  rowsOf(id: string): readonly PlainRow[] | undefined;
  fill(id: string, columns: readonly Pick<Column, "id" | "type">[], rows: readonly (readonly Cell[])[]): void;
}

const types = ["numeric", "datetime", "hierarchy"] as const;

export const everyCapability: Capabilities = {
  projection: true,
  filters: { operators: Object.fromEntries(operators.map((operator) => [operator, types])), nested: true, levels: true },
  grouping: { aggregations, levels, timezones: true },
  levelsAnywhere: true,
  having: true,
  order: true,
  limit: true,
  write: true,
  temporary: true,
};

/** Makes a plugin that promises `capabilities` and fails with PLUGIN_BUG when it is asked anything beyond them. */
export function createPlainPlugin(capabilities: Capabilities = everyCapability): PlainPlugin {
  const tables = new Map<string, Table>();
  const asked: Query[] = [];
  const tableOf = (id: string): Table => {
    const table = tables.get(id);
    if (!table) throw new PluginError("PLUGIN_UNKNOWN_DATASET", [id]);
    return table;
  };
  return {
    capabilities,
    asked,
    rowsOf: (id) => tables.get(id)?.rows,
    fill(id, columns, rows) {
      const ids = columns.map((column) => column.id);
      tables.set(id, { columns, rows: rows.map((row) => toRow(ids, row)) });
    },
    async datasets() {
      return [...tables].map(([id, table]): Dataset => ({
        id,
        name: { en: id },
        columns: table.columns.map((column) => ({ ...column, name: { en: column.id } })),
      }));
    },
    async query({ query, signal }) {
      signal.throwIfAborted();
      asked.push(query);
      const table = tableOf(query.id);
      const beyond = beyondCapabilities(query, table, capabilities);
      if (beyond) throw new PluginError("PLUGIN_BUG", [`it was asked ${beyond}, which it does not promise`]);
      return capabilities.projection ? answer(query, table) : allColumns(table);
    },
    async write({ write }) {
      if (!capabilities.write) throw new PluginError("PLUGIN_NOT_OFFERED", ["write"]);
      const changed = changeTable(write, write.action === "create" ? undefined : tableOf(write.id), tables.has(write.id));
      if (changed) tables.set(write.id, changed);
      else tables.delete(write.id);
      return { rowCount: changed?.rows.length ?? 0, version: randomUUID() };
    },
  };
}

function changeTable(write: Write, table: Table | undefined, exists: boolean): Table | undefined {
  if (write.action === "drop") return undefined;
  if (write.action === "create") {
    if (exists) throw new PluginError("PLUGIN_CONFLICT", [write.id]);
    return { columns: write.columns, rows: [] };
  }
  if (!table) throw new PluginError("PLUGIN_UNKNOWN_DATASET", [write.id]);
  if (write.action === "alter")
    return { ...table, columns: [...table.columns.filter(({ id }) => !write.drop?.includes(id)), ...(write.add ?? [])] };
  const columns =
    write.action === "append" ? [...table.columns, ...(write.addColumns ?? [])] : (write.columns ?? table.columns);
  const { columnIds, batch } = write.rows;
  const unknown = columnIds.find((id) => !columns.some((column) => column.id === id));
  if (unknown) throw new PluginError("PLUGIN_UNKNOWN_COLUMN", [write.id, unknown]);
  const cells = batch.columns.map(cellsOfVector);
  const added = Array.from({ length: batch.rowCount }, (_, row) => toRow(columnIds, cells.map((column) => column[row] ?? null)));
  return { columns, rows: write.action === "append" ? [...table.rows, ...added] : added };
}

function toRow(ids: readonly string[], cells: readonly Cell[]): PlainRow {
  return Object.fromEntries(ids.map((id, index) => [id, cells[index] ?? null]));
}

/** What `query` asks and `promised` does not hold. */
function beyondCapabilities(query: Query, table: Table, promised: Capabilities): string | undefined {
  const { columns, filters, having, order, limit, options } = query;
  if (!promised.projection && columns.some((column, index) => column.column_id !== table.columns[index]?.id || column.level || column.aggregation))
    return "a projection";
  if (filters.length > 0 && !promised.filters) return "filters";
  const beyondFilter = (filter: Filter): string | undefined => {
    if ("and" in filter || "or" in filter)
      return promised.filters?.nested ? ("and" in filter ? filter.and : filter.or).map(beyondFilter).find(Boolean) : "nested filters";
    const type = table.columns.find((column) => column.id === filter.column_id)?.type ?? "hierarchy";
    if (!promised.filters?.operators[filter.expression]?.includes(type)) return `${filter.expression} on ${type}`;
    if (filter.level && !promised.filters.levels) return "a filter on a level";
    const isLong = (filter.value?.length ?? 0) > (promised.filters.listLength ?? Infinity);
    return isLong && filter.expression.endsWith("in") ? "a long list" : undefined;
  };
  const inFilters = filters.map(beyondFilter).find(Boolean);
  if (inFilters) return inFilters;
  if (options.pushdown && !promised.grouping) return "groups";
  for (const { aggregation, level } of columns) {
    if (aggregation && !promised.grouping?.aggregations.includes(aggregation)) return aggregation;
    if (level && !promised.grouping?.levels.includes(level)) return level;
    if (level && (aggregation || !options.pushdown) && !promised.levelsAnywhere) return `${level} outside of groups`;
    if (level && options.timezone_id && !promised.grouping?.timezones) return options.timezone_id;
  }
  if (having && !promised.having) return "having";
  if (order && !promised.order) return "order";
  return limit && !promised.limit ? "a limit" : undefined;
}

function answer(query: Query, table: Table): Batch {
  const { columns, filters, having, order, limit, options } = query;
  const timezone = options.timezone_id ?? "UTC";
  const valueOf = (row: PlainRow, id: string, level?: Level): Cell => {
    if (!table.columns.some((column) => column.id === id)) throw new PluginError("PLUGIN_UNKNOWN_COLUMN", [query.id, id]);
    const value = row[id] ?? null;
    return level && typeof value === "string" ? truncate(value, level, timezone) : value;
  };
  const selected = table.rows.filter((row) =>
    filters.every((filter) => holds<ColumnFilter>(filter, (test) => passes(valueOf(row, test.column_id, test.level), test.expression, test.value))),
  );
  const keys = columns.filter((column) => !column.aggregation);
  const groups = new Map<string, PlainRow[]>();
  if (options.pushdown && keys.length === 0) groups.set("[]", []);
  selected.forEach((row, index) => {
    const key = options.pushdown ? JSON.stringify(keys.map((column) => valueOf(row, column.column_id, column.level))) : String(index);
    groups.set(key, [...(groups.get(key) ?? []), row]);
  });
  const fold = (rows: readonly PlainRow[], column: QueryColumn): Cell => {
    if (column.column_id === "*") return rows.length;
    const values = rows.map((row) => valueOf(row, column.column_id, column.level));
    return column.aggregation ? aggregate(values, column.aggregation) : (values[0] ?? null);
  };
  const rows = [...groups.values()]
    .map((group) => columns.map((column) => fold(group, column)))
    .filter((row) => (having ?? []).every((test) => holds<OutputFilter>(test, (leaf) => passes(row[leaf.column] ?? null, leaf.expression, leaf.value))));
  for (const { column, order: direction } of (order ?? []).toReversed())
    rows.sort((one, other) => compareNullsLast(one[column] ?? null, other[column] ?? null, direction));
  const page = limit ? rows.slice(limit.offset ?? 0, (limit.offset ?? 0) + limit.by) : rows;
  return {
    rowCount: page.length,
    columns: columns.map((column, index) => {
      const own = table.columns.find(({ id }) => id === column.column_id)?.type ?? "numeric";
      const isNumber = column.aggregation && column.aggregation !== "min" && column.aggregation !== "max";
      return vectorOfCells({ id: column.column_id, type: isNumber ? "numeric" : own }, page.map((row) => row[index] ?? null));
    }),
  };
}

function allColumns(table: Table): Batch {
  return {
    rowCount: table.rows.length,
    columns: table.columns.map((column) => vectorOfCells(column, table.rows.map((row) => row[column.id] ?? null))),
  };
}

function holds<Leaf extends object>(
  test: Leaf | { readonly and: readonly unknown[] } | { readonly or: readonly unknown[] },
  leaf: (test: Leaf) => boolean,
): boolean {
  if ("and" in test) return test.and.every((member) => holds(member as Leaf, leaf));
  if ("or" in test) return test.or.some((member) => holds(member as Leaf, leaf));
  return leaf(test);
}

function passes(value: Cell, operator: Operator, list: readonly Cell[] = []): boolean {
  if (operator === "is null") return value === null;
  if (operator === "is not null") return value !== null;
  if (operator === "!=") return !passes(value, "=", list);
  if (operator.startsWith("not ")) return !passes(value, operator.slice(4) as Operator, list);
  if (operator === "in") return list.some((entry) => entry === value);
  const [wanted] = list;
  if (value === null || wanted === null || wanted === undefined) return false;
  if (operator === "=") return value === wanted;
  if (typeof value === "string" && typeof wanted === "string") {
    const [text, part] = [value.toLowerCase(), wanted.toLowerCase()];
    if (operator === "like") return text.includes(part);
    if (operator === "starts with") return text.startsWith(part);
    if (operator === "ends with") return text.endsWith(part);
  }
  const sign = compare(value, wanted);
  return { "<": sign < 0, "<=": sign <= 0, ">": sign > 0, ">=": sign >= 0 }[operator as "<"];
}

function aggregate(cells: readonly Cell[], aggregation: NonNullable<QueryColumn["aggregation"]>): Cell {
  const values = cells.filter((cell) => cell !== null);
  if (aggregation === "count") return values.length;
  if (aggregation === "distinctcount") return new Set(values).size;
  if (values.length === 0) return null;
  const sorted = values.toSorted(compare);
  if (aggregation === "min") return sorted[0] ?? null;
  if (aggregation === "max") return sorted.at(-1) ?? null;
  const sum = values.reduce((total: number, value) => total + Number(value), 0);
  return aggregation === "sum" ? sum : sum / values.length;
}

function compareNullsLast(one: Cell, other: Cell, direction: "asc" | "desc"): number {
  if (one === null || other === null) return Number(one === null) - Number(other === null);
  return direction === "asc" ? compare(one, other) : compare(other, one);
}

/** Numbers by value, texts by code point. */
function compare(one: string | number, other: string | number): number {
  if (typeof one === "number" && typeof other === "number") return one - other;
  return Buffer.compare(Buffer.from(String(one)), Buffer.from(String(other)));
}

function truncate(instant: string, level: Level, timezone: string): string {
  const at = Temporal.Instant.from(instant).toZonedDateTimeISO(timezone);
  return new Date(periodStart(at, level).epochMilliseconds).toISOString();
}

function periodStart(at: Temporal.ZonedDateTime, level: Level): Temporal.ZonedDateTime {
  switch (level) {
    case "year":
      return at.with({ month: 1, day: 1 }).startOfDay();
    case "quarter":
      return at.with({ day: 1 }).with({ month: Math.floor((at.month - 1) / 3) * 3 + 1 }).startOfDay();
    case "month":
      return at.with({ day: 1 }).startOfDay();
    case "week":
      return at.subtract({ days: at.dayOfWeek - 1 }).startOfDay();
    case "day":
      return at.startOfDay();
    default:
      return at.round({ smallestUnit: level, roundingMode: "floor" });
  }
}
