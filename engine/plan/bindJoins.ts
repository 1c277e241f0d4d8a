import { decodeCodes, decodeNumbers } from "../column/decodeSegment.ts";
import { Dictionary } from "../column/dictionary.ts";
import { EngineError } from "../errors.ts";
import { codeByCode, numberByCode, type BoundColumnValue } from "../expressions/bindExpression.ts";
import type { BoundText } from "../expressions/boundValue.ts";
import { columnText } from "../expressions/columnText.ts";
import type { JoinColumn } from "../joins/joinColumn.ts";
import { mapCodesByRow, mapNumbersByRow } from "../joins/mapByRow.ts";
import { indexRows } from "../joins/rowIndex.ts";
import { rowsByText } from "../joins/rowsByText.ts";
import type { Memory } from "../memory/memory.ts";
import { segmentsOf } from "../table/readColumn.ts";
import type { ColumnSnapshot, Snapshot } from "../table/snapshot.ts";
import type { Join } from "../types.ts";
import type { JoinedColumns, PlanSource } from "./planSource.ts";

/**
 * Binds joins: what a joined column holds becomes a table by the code, or by the number, of the column that it is joined by.
 * Tables are kept as long as the versions of the columns that they are made of. Cost, the first time: O(joined rows + texts).
 * @throws {EngineError} JOIN_AMBIGUOUS, COLUMN_UNKNOWN, COLUMN_TYPE, QUERY_PLAN
 */
export function bindJoins(
  joins: readonly Join[],
  snapshots: ReadonlyMap<string, Snapshot>,
  source: PlanSource,
  memory: Memory,
): JoinedColumns {
  const byName = new Map<string, { readonly join: Join; readonly snapshot: Snapshot }>();
  for (const join of joins) {
    const snapshot = snapshots.get(join.table);
    if (!snapshot) throw new EngineError("TABLE_UNKNOWN", [join.table]);
    if (byName.has(join.name))
      throw new EngineError("QUERY_PLAN", [`two joins are named ${join.name}`]);
    const { join: from } = join.left;
    if (from !== undefined && !byName.has(from))
      throw new EngineError("QUERY_PLAN", [
        `the join ${join.name} starts from ${from}, which is no join before it`,
      ]);
    byName.set(join.name, { join, snapshot });
  }
  return (name, joinName) => {
    const found = byName.get(joinName);
    if (!found) throw new EngineError("QUERY_PLAN", [`there is no join ${joinName}`]);
    const { join, snapshot } = found;
    const left = source.column(join.left.name, join.left.join);
    const key = columnOf(snapshot, join.right);
    if (left.type !== key.definition.type)
      throw new EngineError("COLUMN_TYPE", [join.right, key.definition.type, left.type]);
    const target = columnOf(snapshot, name);
    return left.type === "text"
      ? followText(left.of, key, target, describe(snapshot, key), memory)
      : followNumber(left.of, key, target, describe(snapshot, key), memory);
  };
}

function columnOf(snapshot: Snapshot, name: string): ColumnSnapshot {
  const column = snapshot.columns.get(name);
  if (!column) throw new EngineError("COLUMN_UNKNOWN", [snapshot.table, name]);
  return column;
}

const describe = (snapshot: Snapshot, { definition }: ColumnSnapshot): JoinColumn => ({
  table: snapshot.table,
  name: definition.name,
  type: definition.type,
});

/** Rows of the joined table by code, kept by the joined column and the texts that they are found by. */
const rowsOfTexts = new WeakMap<ColumnSnapshot, WeakMap<WeakKey, Int32Array>>();

function followText(
  left: BoundText,
  key: ColumnSnapshot,
  target: ColumnSnapshot,
  described: JoinColumn,
  memory: Memory,
): BoundColumnValue {
  const byTexts = kept(rowsOfTexts, key, () => new WeakMap<WeakKey, Int32Array>());
  const joined = left.dictionary ?? left.texts;
  let rows = byTexts.get(joined);
  if (rows?.length !== left.textCount + 1) {
    const known = {
      dictionary: left.dictionary ?? new Dictionary(left.texts),
      textCount: left.textCount,
    };
    const right = { dictionary: key.dictionary ?? new Dictionary(), textCount: key.textCount };
    rows = rowsByText(known, right, codesOf(memory, key), described);
    byTexts.set(joined, rows);
  }
  const { type } = target.definition;
  if (type === "text") {
    const mapped = mappedCodes(rows, target, memory);
    const code = codeByCode(left.code, mapped);
    return { type, of: columnText(target.dictionary, target.textCount, code) };
  }
  return { type, of: numberByCode(left.code, mappedNumbers(rows, target, memory)) };
}

function followNumber(
  left: Extract<BoundColumnValue, { type: "number" | "datetime" }>["of"],
  key: ColumnSnapshot,
  target: ColumnSnapshot,
  described: JoinColumn,
  memory: Memory,
): BoundColumnValue {
  const index = kept(indices, key, () => indexRows(numbersOf(memory, key), described));
  const of = { kind: "rowOf" as const, of: left, index };
  const { type } = target.definition;
  if (type === "text") {
    const codes = Uint32Array.from(codesOf(memory, target));
    const code = { kind: "byNumber", of, base: 0, codes } as const;
    return { type, of: columnText(target.dictionary, target.textCount, code) };
  }
  return { type, of: { kind: "byNumber", of, base: 0, values: numbersOf(memory, target) } };
}

/** A column's mapped tables, by the rows that they follow. */
const codeTables = new WeakMap<ColumnSnapshot, WeakMap<Int32Array, Uint32Array>>();
const numberTables = new WeakMap<ColumnSnapshot, WeakMap<Int32Array, Float64Array>>();
const indices = new WeakMap<ColumnSnapshot, ReturnType<typeof indexRows>>();
const columnCodes = new WeakMap<ColumnSnapshot, Int32Array>();
const columnNumbers = new WeakMap<ColumnSnapshot, Float64Array>();

function mappedCodes(rows: Int32Array, column: ColumnSnapshot, memory: Memory): Uint32Array {
  const tables = kept(codeTables, column, () => new WeakMap<Int32Array, Uint32Array>());
  return kept(tables, rows, () =>
    mapCodesByRow(
      rows,
      codesOf(memory, column),
      new Uint32Array(new SharedArrayBuffer(rows.length * 4)),
    ),
  );
}

function mappedNumbers(rows: Int32Array, column: ColumnSnapshot, memory: Memory): Float64Array {
  const tables = kept(numberTables, column, () => new WeakMap<Int32Array, Float64Array>());
  return kept(tables, rows, () =>
    mapNumbersByRow(
      rows,
      numbersOf(memory, column),
      new Float64Array(new SharedArrayBuffer(rows.length * 8)),
    ),
  );
}

/** All stored codes of a column, one a row. */
function codesOf(memory: Memory, column: ColumnSnapshot): Int32Array {
  return kept(columnCodes, column, () =>
    join(
      segmentsOf(memory, column).map((segment) => decodeCodes(memory, segment)),
      (length) => new Int32Array(length),
    ),
  );
}

/** All numbers of a column, one a row, NaN for null. */
function numbersOf(memory: Memory, column: ColumnSnapshot): Float64Array {
  return kept(columnNumbers, column, () =>
    join(
      segmentsOf(memory, column).map((segment) => decodeNumbers(memory, segment)),
      (length) => new Float64Array(new SharedArrayBuffer(length * 8)),
    ),
  );
}

/** Puts arrays behind one another. */
function join<Values extends Int32Array | Float64Array>(
  parts: readonly Values[],
  allocate: (length: number) => Values,
): Values {
  const joined = allocate(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}

function kept<Key extends WeakKey, Value>(
  map: WeakMap<Key, Value>,
  key: Key,
  make: () => Value,
): Value {
  let value = map.get(key);
  if (value === undefined) map.set(key, (value = make()));
  return value;
}
