import { binRange, readColumns, type ChartCell } from "../../../charts/index.ts";
import { testOfRange } from "../../../embed/index.ts";
import { readerLocale, readerZone } from "../../language/index.ts";
import type { AnsweredItem } from "../../pictures/index.ts";
import type { Filter } from "../../questions/index.ts";

/** One group of a row of an answer: what it is called, the filters that only it passes, and those that others pass. */
export interface MarkGroup {
  readonly columnId: string;
  /** The value or the period, as the picture writes it. */
  readonly label: string;
  readonly isPeriod: boolean;
  readonly filters: readonly Filter[];
  /** Each of these passes some of the other groups, and together they pass all of them. */
  readonly others: readonly Filter[];
}

/** Milliseconds of the datetime levels that have a fixed length, by level: hour, minute, second. */
const lengthsMs: Readonly<Record<number, number>> = { 6: 3_600_000, 7: 60_000, 8: 1_000 };

/** Returns the groups to which a row of an answer belongs. Empty if a group has no column or no filter. */
export function markGroups(answered: AnsweredItem, rowIndex: number): readonly MarkGroup[] {
  const { fields, rows, query } = answered;
  const row = rows[rowIndex];
  const { dimensions } = query;
  if (!row || !Array.isArray(dimensions)) return [];
  const columns = readColumns({ fields, localeId: readerLocale, timezoneId: readerZone });
  const groups = columns.slice(0, dimensions.length).map((column, at): MarkGroup | undefined => {
    const { columnId, level } = column.field;
    if (columnId === undefined) return undefined;
    const cell = row[at] ?? null;
    const tests = testsOf(column, cell);
    if (!tests) return undefined;
    const withId = (test: Test): Filter => ({ id: columnId, ...test });
    return {
      columnId,
      label: column.text(cell),
      isPeriod: level !== undefined,
      filters: tests.only.map(withId),
      others: tests.others.map(withId),
    };
  });
  return groups.every((group) => group !== undefined) ? groups : [];
}

type Test = Omit<Filter, "id">;
type Column = ReturnType<typeof readColumns>[number];

function testsOf(
  column: Column,
  cell: ChartCell,
): { readonly only: readonly Test[]; readonly others: readonly Test[] } | undefined {
  if (cell === null) return { only: [{ test: "? is null" }], others: [{ test: "? is not null" }] };
  const { field, isDatetime } = column;
  if (isDatetime) {
    const only = periodTest(column, cell);
    if (!only || !Array.isArray(only.value)) return undefined;
    const [from, to] = only.value as readonly string[];
    return {
      only: [only],
      others: [{ test: "? < ?", value: from }, { test: "? > ?", value: to }, { test: "? is null" }],
    };
  }
  const range = field.bins === undefined ? undefined : binRange(cell);
  if (range) {
    const isClosed = typeof cell === "string" && cell.endsWith("]");
    const [from, to] = range;
    return {
      only: [
        { test: "? >= ?", value: from },
        { test: isClosed ? "? <= ?" : "? < ?", value: to },
      ],
      others: [
        { test: "? < ?", value: from },
        { test: isClosed ? "? > ?" : "? >= ?", value: to },
        { test: "? is null" },
      ],
    };
  }
  const value = typeof cell === "object" ? cell.id : cell;
  return {
    only: [{ test: "? in ?", value: [value] }],
    others: [{ test: "? not in ?", value: [value] }],
  };
}

/** Returns the test for the dates of a period, both ends included; undefined for levels that are not on one clock. */
function periodTest(column: Column, cell: ChartCell): Test | undefined {
  const { level = 9, subtype } = column.field;
  const wallMs = column.wallMs(cell);
  if (wallMs === null || typeof cell !== "string") return undefined;
  const isDay = subtype === "date";
  if (level <= 5) {
    const from = dayOf(wallMs);
    const to = dayOf(nextPeriod(wallMs, level) - 86_400_000);
    const range = { key: "custom", customRange: { from, to } } as const;
    return testOfRange(range, { isDay, timezoneId: isDay ? "UTC" : readerZone });
  }
  const from = Date.parse(cell);
  const to = from + (lengthsMs[level] ?? 1) - 1;
  return { test: "? between ?", value: [from, to].map((ms) => new Date(ms).toISOString()) };
}

const dayOf = (wallMs: number) => new Date(wallMs).toISOString().slice(0, 10);

/** Returns the start of the period after a year, quarter, month, week or day, on the same clock. */
function nextPeriod(startMs: number, level: number): number {
  const start = new Date(startMs);
  const months = { 1: 12, 2: 3, 3: 1 }[level];
  if (months !== undefined) return start.setUTCMonth(start.getUTCMonth() + months);
  return startMs + (level === 4 ? 7 : 1) * 86_400_000;
}
