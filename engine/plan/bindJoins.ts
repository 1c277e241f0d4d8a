import { Dictionary } from "../column/texts/dictionary.ts";
import { EngineError } from "../errors.ts";
import type { BoundColumnValue } from "../expressions/bindExpression.ts";
import { codeByCode, numberByCode } from "../expressions/numberByCode.ts";
import type { BoundCode, BoundText, BoundValue } from "../expressions/boundValue.ts";
import { columnText } from "../expressions/columnText.ts";
import type { JoinColumn } from "../joins/joinColumn.ts";
import { mapCodesByPlace, mapNumbersByPlace } from "../joins/mapByPlace.ts";
import { matchCodes, placesByText, type JoinTexts } from "../joins/placesByText.ts";
import { findRows, indexRows, type RowIndex } from "../joins/rowIndex.ts";
import type { Memory } from "../memory/memory.ts";
import type { Snapshot } from "../table/snapshot.ts";
import type { Join } from "../types.ts";
import { combineKeys, type KeyPair, type NumberedKey } from "./combineKeys.ts";
import { wholeColumn, type JoinedColumn } from "./joinedColumn.ts";
import type { JoinedColumns, PlanSource } from "./planSource.ts";

/** The rows that pass the filter of a join, as columns by the names that the plan reads. */
export type FilteredRows = ReadonlyMap<string, JoinedColumn>;

/**
 * Binds joins. The values of a joined column become a lookup table, indexed by the code or number of the column that
 * refers to it. Lookup tables are cached until the version of a column changes. The first use takes O(joined rows +
 * strings). `filtered` contains the rows of each join that has a filter or deleted rows, by the name of the join.
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
    for (const { join: from } of [join.left, ...(join.and ?? []).map(({ left }) => left)])
      if (from !== undefined && !byName.has(from))
        throw new EngineError("QUERY_PLAN", [
          `the join ${join.name} starts from ${from}, which must be an earlier join`,
        ]);
    if ((join.filter || snapshot.deleted) && !filtered.has(join.name))
      throw new EngineError("QUERY_PLAN", [
        `the rows of the join ${join.name} were not filtered first`,
      ]);
    byName.set(join.name, { join, snapshot });
  }
  return (name, joinName) => {
    const joined = byName.get(joinName);
    if (!joined) throw new EngineError("QUERY_PLAN", [`there is no join ${joinName}`]);
    const { join, snapshot } = joined;
    const columnOf = (wanted: string): JoinedColumn => {
      const column = snapshot.columns.get(wanted);
      if (!column) throw new EngineError("COLUMN_UNKNOWN", [snapshot.table, wanted]);
      if (!join.filter && !snapshot.deleted) return wholeColumn(column, memory);
      const passing = filtered.get(joinName)?.get(wanted);
      if (!passing) throw new EngineError("COLUMN_UNKNOWN", [snapshot.table, wanted]);
      return passing;
    };
    const pairOf = ({ left, right }: Pick<Join, "left" | "right">): KeyPair => {
      const value = source.column(left.name, left.join);
      const key = columnOf(right);
      if (value.type !== key.definition.type)
        throw new EngineError("COLUMN_TYPE", [right, key.definition.type, value.type]);
      return { left: value, key };
    };
    const others = (join.and ?? []).map(pairOf);
    const { left, key } = combineKeys(pairOf(join), others, numberOf);
    const described = { ...describe(snapshot, key), isCombined: others.length > 0 };
    const target = columnOf(name);
    const found =
      left.type === "text"
        ? findTexts(left.of, key, described)
        : findNumbers(left.of, key, described);
    return readTarget(found, target);
  };
}

/** Numbers of distinct values, by the place of the value in a table; NaN for place 0, which means no value. */
const numbersByPlace = new WeakMap<ArrayLike<number> & object, Float64Array>();

function numberOf(left: BoundColumnValue, { column, values }: NumberedKey): BoundValue {
  const numbersOf = (places: Int32Array | Uint32Array) =>
    kept(numbersByPlace, places, () => {
      const numbers = new Float64Array(new SharedArrayBuffer(places.length * 8));
      for (let index = 0; index < places.length; index++)
        numbers[index] = places[index] === 0 ? NaN : places[index] - 1;
      return numbers;
    });
  if (left.type === "text") {
    const right = {
      dictionary: column.dictionary ?? new Dictionary(),
      textCount: column.textCount,
    };
    return numberByCode(left.of.code, numbersOf(matchesOf(left.of, right)));
  }
  if (!values) throw new TypeError(`the values of ${column.definition.name} must be numbered`);
  const described = { table: "", name: column.definition.name, type: column.definition.type };
  const { places, numbers } = findNumbers(left.of, values, described);
  return numbers(numbersOf(places));
}

const describe = (snapshot: Snapshot, { definition }: JoinedColumn): JoinColumn => ({
  table: snapshot.table,
  name: definition.name,
  type: definition.type,
});

/**
 * The rows of a joined table that a table finds, as row numbers plus 1; 0 if none is found. `codes` and
 * `numbers` return what a plan reads, given a table with an entry for each entry of `places`.
 */
interface FoundRows {
  readonly places: Uint32Array;
  readonly codes: (table: Uint32Array) => BoundCode;
  readonly numbers: (table: Float64Array) => BoundValue;
}

function readTarget({ places, codes, numbers }: FoundRows, target: JoinedColumn): BoundColumnValue {
  const { type } = target.definition;
  if (type !== "text") return { type, of: numbers(mappedNumbers(places, target)) };
  const code = codes(mappedCodes(places, target));
  return { type, of: columnText(target.dictionary, target.textCount, code) };
}

/** Rows of the joined table by code, cached by the joined column and the strings on the left. */
const placesOfTexts = new WeakMap<JoinedColumn, WeakMap<WeakKey, Uint32Array>>();

function findTexts(left: BoundText, key: JoinedColumn, described: JoinColumn): FoundRows {
  const byTexts = kept(placesOfTexts, key, () => new WeakMap<WeakKey, Uint32Array>());
  const joined = left.dictionary ?? left.texts;
  let places = byTexts.get(joined);
  if (places?.length !== left.textCount + 1) {
    const right = { dictionary: key.dictionary ?? new Dictionary(), textCount: key.textCount };
    places = placesByText(matchesOf(left, right), right, key.codes(), described);
    byTexts.set(joined, places);
  }
  return {
    places,
    codes: (table) => codeByCode(left.code, table),
    numbers: (table) => numberByCode(left.code, table),
  };
}

/** Returns the stored code in `right` of each string on the left, by its own stored code. */
function matchesOf(left: BoundText, right: JoinTexts): Int32Array {
  const { dictionary = new Dictionary(left.texts), textCount } = left;
  return matchedCodes({ dictionary, textCount }, right, left.dictionary ?? left.texts);
}

interface Matched {
  readonly rightCount: number;
  readonly codes: Int32Array;
}

/**
 * Codes of equal strings in two dictionaries. Queries with different filters share them, because they do not depend on
 * which rows pass a filter.
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

const indices = new WeakMap<JoinedColumn, RowIndex>();

/** Rows of a joined table, cached by the index of its key and the table of numbers that are looked up. */
const placesOfNumbers = new WeakMap<RowIndex, WeakMap<Float64Array, Uint32Array>>();

/** Rows by their own number plus 1, cached by the index of the key. */
const ownPlaces = new WeakMap<RowIndex, Uint32Array>();

/** A range index is read in one step if it is small or has at most this many entries per row. */
const rangePerRow = 2;

/**
 * Returns how many entries a small range index has. The limit is higher for whole tables, such as days with numbers
 * like 20260131, because they have one index per version. Tables of filtered rows are cached by filter, and there are
 * many.
 */
function smallRangeOf({ isWhole }: JoinedColumn, rowCount: number): number {
  return isWhole ? Math.max(1024, Math.min(2 ** 16, rowCount * 32)) : 1024;
}

/**
 * Finds the rows of numbers. A table of numbers, which an earlier join has found, is looked up once, so that a
 * snowflake takes one step per row. Otherwise, numbers close together index the table themselves, and other numbers are
 * replaced by their row first.
 */
function findNumbers(left: BoundValue, key: JoinedColumn, described: JoinColumn): FoundRows {
  const index = kept(indices, key, () => {
    const values = key.numbers();
    return indexRows(values, described, smallRangeOf(key, values.length));
  });
  if (left.kind === "byCode" || left.kind === "byNumber") {
    const { values } = left;
    const byNumbers = kept(placesOfNumbers, index, () => new WeakMap<Float64Array, Uint32Array>());
    const places = kept(byNumbers, values, () => {
      const found = new Uint32Array(values.length);
      findRows(index, values, found);
      return found;
    });
    if (left.kind === "byNumber") return byNumber(left.of, left.base, places);
    const { column } = left;
    return {
      places,
      codes: (codes) => ({ kind: "byCode", column, codes }),
      numbers: (numbers) => ({ kind: "byCode", column, values: numbers }),
    };
  }
  const { rowCount } = index;
  if (index.kind === "range") {
    const { base, places } = index;
    if (places.length <= Math.max(smallRangeOf(key, rowCount), rowCount * rangePerRow) + 1)
      return byNumber(left, base, places);
  }
  const places = kept(ownPlaces, index, () =>
    Uint32Array.from({ length: rowCount + 1 }).map((_, row) => row),
  );
  return byNumber({ kind: "rowOf", of: left, index }, 1, places);
}

const byNumber = (of: BoundValue, base: number, places: Uint32Array): FoundRows => ({
  places,
  codes: (codes) => ({ kind: "byNumber", of, base, codes }),
  numbers: (values) => ({ kind: "byNumber", of, base, values }),
});

/** Lookup tables of a column, cached by the list of rows from which they were created. */
const codeTables = new WeakMap<JoinedColumn, WeakMap<Uint32Array, Uint32Array>>();
const numberTables = new WeakMap<JoinedColumn, WeakMap<Uint32Array, Float64Array>>();

/** The lookup tables of joined columns. They exist as long as the versions of their columns. */
const joinedTables = new WeakSet<WeakKey>();

/** Returns whether a table is the lookup table of a joined column, and not a function of it. */
export function isJoinedTable(table: WeakKey): boolean {
  return joinedTables.has(table);
}

function mappedCodes(places: Uint32Array, column: JoinedColumn): Uint32Array {
  const tables = kept(codeTables, column, () => new WeakMap<Uint32Array, Uint32Array>());
  return kept(tables, places, () => {
    const table = new Uint32Array(new SharedArrayBuffer(places.length * 4));
    joinedTables.add(table);
    return mapCodesByPlace(places, column.codes(), table);
  });
}

function mappedNumbers(places: Uint32Array, column: JoinedColumn): Float64Array {
  const tables = kept(numberTables, column, () => new WeakMap<Uint32Array, Float64Array>());
  return kept(tables, places, () => {
    const table = new Float64Array(new SharedArrayBuffer(places.length * 8));
    joinedTables.add(table);
    return mapNumbersByPlace(places, column.numbers(), table);
  });
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
