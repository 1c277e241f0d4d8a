import {
  isOfDays,
  PluginError,
  type DataType,
  type Level,
  type Query,
  type QueryColumn,
} from "../protocol/index.ts";
import type { Dialect } from "./dialect.ts";
import type { SqlColumn, SqlTable } from "./driver.ts";
import { trusted, type Fragment } from "./fragment.ts";
import type { ColumnClock, OffsetSpan } from "./offsetSpans.ts";
import { createPeriodClock, type PeriodClock } from "./periodClock.ts";
import { createWallClock, type WallClock } from "./wallClock.ts";
import { instantOfReading, zonedLevel } from "./zonedLevel.ts";

/** An expression of a statement, and facts about its values. */
export interface SqlValue {
  readonly expression: Fragment;
  readonly type: DataType;
  /** Name of the value in messages. */
  readonly label: string;
  /** The column of the table, if the value is an unchanged column. Absent otherwise. */
  readonly column?: SqlColumn;
  /** The clock of a time zone, if the values are starts of periods as that clock shows them. Absent otherwise. */
  readonly clock?: PeriodClock;
  /** The unchanged readings of a column without zone. Absent for all other values. */
  readonly readings?: Readings;
}

/** The values of a column without zone, as its clock shows them. */
export interface Readings {
  readonly expression: Fragment;
  /** The clock of the column's zone. */
  readonly clock: WallClock;
}

/** Writes the columns of a table as parts of a statement. */
export interface ColumnScope {
  /**
   * Returns the expression of a column, truncated to its level or binned.
   * @throws {PluginError} PLUGIN_UNKNOWN_COLUMN, PLUGIN_INVALID, PLUGIN_NOT_OFFERED
   */
  valueOf(column: Pick<QueryColumn, "column_id" | "level" | "bin">): SqlValue;
  /** Returns the expression of a column for a query of plain rows that does not sort them. */
  plainOf(columnId: string): SqlValue;
  /** Returns the expression of a column as the database stores it: for a column without zone, readings of its clock. */
  storedOf(columnId: string): Pick<SqlValue, "expression" | "type">;
  /** Returns the expression of a numeric column for use in sums and averages. */
  wideOf(columnId: string): Fragment;
}

export interface ColumnScopeOptions {
  readonly query: Pick<Query, "id" | "options">;
  readonly table: Pick<SqlTable, "columns">;
  readonly dialect: Dialect;
  /**
   * For each column that `zonedColumns` lists, the offsets of the query's zone over the range of the column's values.
   */
  readonly spans?: ReadonlyMap<string, readonly OffsetSpan[]>;
}

export function createColumnScope({
  query,
  table,
  dialect,
  spans,
}: ColumnScopeOptions): ColumnScope {
  const zone = query.options.timezone_id ?? "UTC";
  const known = new Map<string, SqlValue>();
  const clocks = new Map<Level, PeriodClock>();
  const columnOf = (id: string): SqlColumn => {
    const column = table.columns.find(({ name }) => name === id);
    if (!column) throw new PluginError("PLUGIN_UNKNOWN_COLUMN", [query.id, id]);
    return column;
  };
  const plain = (id: string): SqlValue => {
    const before = known.get(id);
    if (before) return before;
    const column = columnOf(id);
    const quoted = trusted(dialect.quote(column.name));
    const expression = dialect.read(column, quoted);
    const value =
      column.clock && !dialect.readsZone
        ? unzoned(column, column.clock, expression)
        : { expression, type: column.type, label: id, column };
    known.set(id, value);
    return value;
  };
  const spansOf = (id: string, what: string): readonly OffsetSpan[] =>
    spans?.get(id) ?? notOffered(dialect, what);
  const unzoned = (column: SqlColumn, own: ColumnClock, reading: Fragment): SqlValue => {
    const { name, type } = column;
    const clock = createWallClock(own);
    return {
      // Filters and plain rows do not need the instants.
      get expression() {
        const all = spansOf(name, `datetimes in the time zone ${own.zone}`);
        return instantOfReading(reading, all, dialect);
      },
      type,
      label: name,
      column,
      readings: { expression: reading, clock },
    };
  };
  const levelOf = (value: SqlValue, level: Level): SqlValue => {
    const { type, label, readings } = value;
    if (type !== "datetime")
      throw new PluginError("PLUGIN_INVALID", [
        `${label} must be a datetime for the level ${level}`,
      ]);
    const column = { type, label };
    if (zone === "UTC" && !readings) {
      const truncated = dialect.truncate(value.expression, level);
      return { ...column, expression: truncated ?? notOffered(dialect, `the level ${level}`) };
    }
    const { expression } = readings ?? value;
    const own = spansOf(label, `levels in the time zone ${zone}`);
    const truncated =
      zonedLevel(expression, level, own, dialect) ?? notOffered(dialect, `the level ${level}`);
    if (zone === "UTC" || !isOfDays(level)) return { ...column, expression: truncated };
    const clock = clocks.get(level) ?? createPeriodClock(zone, level);
    clocks.set(level, clock);
    return { ...column, expression: truncated, clock };
  };
  return {
    valueOf({ column_id, level, bin }) {
      const value = plain(column_id);
      if (level !== undefined) return levelOf(value, level);
      if (!bin) return value;
      if (value.type !== "numeric")
        throw new PluginError("PLUGIN_INVALID", [`${column_id} must be numeric for bins`]);
      const { type, label } = value;
      const start = bin.origin === 0 ? dialect.bin(value.expression, bin.width) : undefined;
      return {
        type,
        label,
        expression: start ?? notOffered(dialect, `bins of the width ${bin.width}`),
      };
    },
    plainOf(id) {
      const value = plain(id);
      const { column, type, label, readings } = value;
      const own = column && dialect.readPlain?.(column, trusted(dialect.quote(column.name)));
      const expression = own ?? (readings ?? value).expression;
      return { expression, type, label, ...(column && { column }), ...(readings && { readings }) };
    },
    storedOf(id) {
      const value = plain(id);
      return { type: value.type, expression: (value.readings ?? value).expression };
    },
    wideOf(id) {
      const column = columnOf(id);
      const wide = dialect.readWide?.(column, trusted(dialect.quote(column.name)));
      return wide ?? plain(id).expression;
    },
  };
}

/**
 * Throws an error that makes the host fetch plain rows instead.
 * @throws {PluginError} PLUGIN_NOT_OFFERED
 */
export function notOffered({ name }: Dialect, what: string): never {
  throw new PluginError("PLUGIN_NOT_OFFERED", [`${what} on ${name}`]);
}
