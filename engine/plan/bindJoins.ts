import { Dictionary } from "../column/texts/dictionary.ts";
import { EngineError } from "../errors.ts";
import type { BoundColumnValue } from "../expressions/bindExpression.ts";
import { codeByCode, numberByCode } from "../expressions/numberByCode.ts";
import type { BoundText } from "../expressions/boundValue.ts";
import { columnText } from "../expressions/columnText.ts";
import type { JoinColumn } from "../joins/joinColumn.ts";
import { mapCodesByRow, mapNumbersByRow } from "../joins/mapByRow.ts";
import { indexRows } from "../joins/rowIndex.ts";
import { matchCodes, rowsByText, type JoinTexts } from "../joins/rowsByText.ts";
import type { Memory } from "../memory/memory.ts";
import type { Snapshot } from "../table/snapshot.ts";
import type { Join } from "../types.ts";
import { wholeColumn, type JoinedColumn } from "./joinedColumn.ts";
import type { JoinedColumns, PlanSource } from "./planSource.ts";

/** The rows that pass the filter of a join, as columns by the names that the plan reads. */
export type FilteredRows = ReadonlyMap<string, JoinedColumn>;

/**
 * Binds joins. The values of a joined column become a lookup table, indexed by the code or number of the column that
 * refers to it. Lookup tables are cached until the version of a column changes. The first use takes O(joined rows +
 * strings). `filtered` contains the rows of each join that has a filter, by the name of the join.
 * @throws {EngineError} JOIN_AMBIGUOUS, COLUMN_UNKNOWN, COLUMN_TYPE, QUERY_PLAN
 */
export function bindJoins(
  joins: readonly Join[],
  snapshots: ReadonlyMap<string, Snapshot>,
  source: PlanSource,
  memory: Memory,
  filtered: ReadonlyMap<string, FilteredRows>,
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
        `the join ${join.name} starts from ${from}, which must be an earlier join`,
      ]);
    if (join.filter && !filtered.has(join.name))
      throw new EngineError("QUERY_PLAN", [`the rows of the join ${join.name} are not filtered`]);
    byName.set(join.name, { join, snapshot });
  }
  return (name, joinName) => {
    const found = byName.get(joinName);
    if (!found) throw new EngineError("QUERY_PLAN", [`there is no join ${joinName}`]);
    const { join, snapshot } = found;
    const left = source.column(join.left.name, join.left.join);
    const columnOf = (wanted: string): JoinedColumn => {
      const column = snapshot.columns.get(wanted);
      if (!column) throw new EngineError("COLUMN_UNKNOWN", [snapshot.table, wanted]);
      if (!join.filter) return wholeColumn(column, memory);
      const passing = filtered.get(joinName)?.get(wanted);
      if (!passing) throw new EngineError("COLUMN_UNKNOWN", [snapshot.table, wanted]);
      return passing;
    };
    const key = columnOf(join.right);
    if (left.type !== key.definition.type)
      throw new EngineError("COLUMN_TYPE", [join.right, key.definition.type, left.type]);
    const target = columnOf(name);
    return left.type === "text"
      ? followText(left.of, key, target, describe(snapshot, key))
      : followNumber(left.of, key, target, describe(snapshot, key));
  };
}

const describe = (snapshot: Snapshot, { definition }: JoinedColumn): JoinColumn => ({
  table: snapshot.table,
  name: definition.name,
  type: definition.type,
});

/** Rows of the joined table by code, cached by the joined column and the strings on the left. */
const rowsOfTexts = new WeakMap<JoinedColumn, WeakMap<WeakKey, Int32Array>>();

function followText(
  left: BoundText,
  key: JoinedColumn,
  target: JoinedColumn,
  described: JoinColumn,
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
    rows = rowsByText(matchedCodes(known, right, joined), right, key.codes(), described);
    byTexts.set(joined, rows);
  }
  const { type } = target.definition;
  if (type === "text") {
    const mapped = mappedCodes(rows, target);
    const code = codeByCode(left.code, mapped);
    return { type, of: columnText(target.dictionary, target.textCount, code) };
  }
  return { type, of: numberByCode(left.code, mappedNumbers(rows, target)) };
}

interface Matched {
  readonly rightCount: number;
  readonly codes: Int32Array;
}

/**
 * Codes of equal strings in two dictionaries. They are cached for later filters, because they do not depend on which
 * rows pass a filter.
 */
const matchedTexts = new WeakMap<Dictionary, WeakMap<WeakKey, Matched>>();

function matchedCodes(left: JoinTexts, right: JoinTexts, joined: WeakKey): Int32Array {
  const byTexts = kept(matchedTexts, right.dictionary, () => new WeakMap<WeakKey, Matched>());
  const known = byTexts.get(joined);
  if (known?.rightCount === right.textCount && known.codes.length === left.textCount + 1)
    return known.codes;
  const codes = matchCodes(left, right);
  byTexts.set(joined, { rightCount: right.textCount, codes });
  return codes;
}

function followNumber(
  left: Extract<BoundColumnValue, { type: "number" | "datetime" }>["of"],
  key: JoinedColumn,
  target: JoinedColumn,
  described: JoinColumn,
): BoundColumnValue {
  const index = kept(indices, key, () => indexRows(key.numbers(), described));
  const of = { kind: "rowOf" as const, of: left, index };
  const { type } = target.definition;
  if (type === "text") {
    const codes = Uint32Array.from(target.codes());
    const code = { kind: "byNumber", of, base: 0, codes } as const;
    return { type, of: columnText(target.dictionary, target.textCount, code) };
  }
  return { type, of: { kind: "byNumber", of, base: 0, values: target.numbers() } };
}

/** Lookup tables of a column, cached by the list of rows from which they were created. */
const codeTables = new WeakMap<JoinedColumn, WeakMap<Int32Array, Uint32Array>>();
const numberTables = new WeakMap<JoinedColumn, WeakMap<Int32Array, Float64Array>>();
const indices = new WeakMap<JoinedColumn, ReturnType<typeof indexRows>>();

function mappedCodes(rows: Int32Array, column: JoinedColumn): Uint32Array {
  const tables = kept(codeTables, column, () => new WeakMap<Int32Array, Uint32Array>());
  return kept(tables, rows, () =>
    mapCodesByRow(rows, column.codes(), new Uint32Array(new SharedArrayBuffer(rows.length * 4))),
  );
}

function mappedNumbers(rows: Int32Array, column: JoinedColumn): Float64Array {
  const tables = kept(numberTables, column, () => new WeakMap<Int32Array, Float64Array>());
  return kept(tables, rows, () =>
    mapNumbersByRow(
      rows,
      column.numbers(),
      new Float64Array(new SharedArrayBuffer(rows.length * 8)),
    ),
  );
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
