import { answerPlainly, type PlainTable } from "../../../plugins/conformance/index.ts";
import type { Cell, Filter } from "../../../plugins/protocol/index.ts";
import type { TestQuery, Test } from "./testQuery.ts";

const filterOf = ({ columnId, operator, value }: Test): Filter => ({
  column_id: columnId,
  expression: operator,
  ...(value && { value: [...value] }),
});

/** Returns the rows that pass all tests, evaluated one row at a time. */
export function keepRows({ columns, rows }: PlainTable, tests: readonly Test[]): PlainTable {
  // A `not in` test with an empty list passes all rows in the protocol, but no rows in a filter of a token.
  if (tests.some(({ value }) => value?.length === 0)) return { columns, rows: [] };
  const ids = columns.map(({ id }) => ({ column_id: id }));
  const filters = tests.map(filterOf);
  const query = { id: "", columns: ids, filters, options: { pushdown: false } };
  const kept = answerPlainly(query, { columns, rows });
  return {
    columns,
    rows: kept.map((cells) =>
      Object.fromEntries(columns.map(({ id }, index) => [id, cells[index] ?? null])),
    ),
  };
}

/**
 * Evaluates a query with the reference. Returns the rows in no particular order, with cells in the order of an answer.
 */
export function answerBy({ columns, tests, isRaw }: TestQuery, table: PlainTable): Cell[][] {
  const groups = columns.filter(({ aggregation }) => !aggregation);
  const measures = columns.filter(({ aggregation }) => aggregation);
  return answerPlainly(
    {
      id: "",
      columns: [...groups, ...measures].map(({ id, aggregation }) => ({
        column_id: id,
        ...(aggregation && !isRaw && { aggregation }),
      })),
      filters: tests.map(filterOf),
      options: { pushdown: !isRaw },
    },
    table,
  );
}

/** Returns whether two cells are equal. Sums of doubles may differ in their last bits. */
function isClose(one: Cell, other: Cell): boolean {
  if (typeof one !== "number" || typeof other !== "number") return one === other;
  return Math.abs(one - other) <= 1e-9 * Math.max(1, Math.abs(one), Math.abs(other));
}

const keyOf = (cells: readonly Cell[]): string =>
  JSON.stringify(
    cells.map((cell) => (typeof cell === "number" ? Number(cell.toPrecision(9)) : cell)),
  );

/**
 * Returns the rows of one list that the other list lacks. A row is returned as many times as it is missing. Numbers may
 * differ as much as sums of doubles do.
 */
export function rowsBeyond(rows: readonly Cell[][], allowed: readonly Cell[][]): Cell[][] {
  const left = new Map<string, Cell[][]>();
  for (const row of allowed) {
    const key = keyOf(row);
    const same = left.get(key);
    if (same) same.push(row);
    else left.set(key, [row]);
  }
  const beyond = rows.filter((row) => {
    const same = left.get(keyOf(row));
    return same?.pop() === undefined;
  });
  // Numbers that are almost equal may be rounded to different keys.
  const rest = [...left.values()].flat();
  return beyond.filter((row) => {
    const at = rest.findIndex((other) =>
      row.every((cell, index) => isClose(cell, other[index] ?? null)),
    );
    if (at >= 0) rest.splice(at, 1);
    return at < 0;
  });
}
