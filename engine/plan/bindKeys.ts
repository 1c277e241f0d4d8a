import { EngineError } from "../errors.ts";
import type { Snapshot } from "../table/snapshot.ts";
import type { BatchColumn } from "../types.ts";
import type { BoundKeys } from "./boundPlan.ts";
import { slotOf, wordsOf } from "./keySlots.ts";

/**
 * Binds keys to one version of a table. `columns` contains the columns of the keys, by name. Strings that the table
 * does not know get negative codes, which no row has. O(keys).
 * @throws {EngineError} BATCH_MALFORMED for a null in a key, and for two equal keys
 */
export function bindKeys(columns: ReadonlyMap<string, BatchColumn>, snapshot: Snapshot): BoundKeys {
  const values = [...columns].map(([name, column]) => keyValues(name, column, snapshot));
  const words = values.map(wordsOf);
  const [{ length }] = values;
  const size = 2 ** Math.ceil(Math.log2(Math.max(8, length * 3)));
  const table = new Int32Array(new SharedArrayBuffer(size * 4));
  for (let key = 0; key < length; key++) {
    let slot = slotOf(words, key, size);
    for (; table[slot] !== 0; slot = (slot + 1) & (size - 1)) {
      const other = table[slot] - 1;
      if (values.every((column) => column[other] === column[key]))
        throw new EngineError("BATCH_MALFORMED", [`the rows ${other} and ${key} have equal keys`]);
    }
    table[slot] = key + 1;
  }
  return { values, table, bounds: values.map(boundsOfValues) };
}

function keyValues(name: string, column: BatchColumn, snapshot: Snapshot): Float64Array {
  const isText = column.type === "text";
  const length = isText ? column.codes.length : column.values.length;
  const values = new Float64Array(new SharedArrayBuffer(length * 8));
  const known = snapshot.columns.get(name);
  const codes = new Map<number, number>();
  for (let row = 0; row < length; row++) {
    if (!isText) {
      values[row] = column.values[row] + 0;
      if (Number.isNaN(values[row])) throw nullKey(name, row);
      continue;
    }
    const code = column.codes[row];
    if (code < 0) throw nullKey(name, row);
    let stored = codes.get(code);
    if (stored === undefined) {
      const found = known?.dictionary?.codeOf(column.dictionary[code]);
      const isKnown = found !== undefined && found < (known?.textCount ?? 0);
      codes.set(code, (stored = isKnown ? found + 1 : -1 - code));
    }
    values[row] = stored;
  }
  return values;
}

const nullKey = (name: string, row: number) =>
  new EngineError("BATCH_MALFORMED", [`row ${row} has a null in the key column ${name}`]);

function boundsOfValues(values: Float64Array): BoundKeys["bounds"][number] {
  let minimum = Infinity;
  let maximum = -Infinity;
  for (const value of values) {
    if (value < minimum) minimum = value;
    if (value > maximum) maximum = value;
  }
  return { minimum, maximum };
}
