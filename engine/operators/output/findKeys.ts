import { rowGroupSize } from "../../column/segment/segment.ts";
import { vectorSize } from "../../kernels/kernels.ts";
import type { BoundCell, BoundKeys, BoundPlan } from "../../plan/boundPlan.ts";
import { slotOf, wordsOf } from "../../plan/keySlots.ts";
import type { Compilation } from "../rows/compilation.ts";
import { compileCodes, compileVector } from "../rows/vectors.ts";
import { compileRowCollector, type RowCollector } from "./collectRows.ts";

/**
 * Compiles a collector of the rows whose key is one of `keys`. After the columns of the cells, a lane returns the
 * numbers of the rows in the table and the numbers of their keys.
 */
export function compileKeyFinder(
  keys: BoundKeys,
  plan: BoundPlan,
  cells: readonly BoundCell[],
  compilation: Compilation,
): RowCollector {
  const { source, workspace } = compilation;
  const { values, table, bounds } = keys;
  const collector = compileRowCollector(plan, cells, compilation);
  const readers = values.map((_, index) => {
    const cell = cells[index];
    if (cell.kind === "text") return { isText: true, vector: compileCodes(cell.code, compilation) };
    if (cell.kind === "number")
      return { isText: false, vector: compileVector(cell.of, -1, compilation) };
    throw new TypeError("a key consists of columns");
  });
  const columns = cells.slice(0, values.length).map((cell) => {
    const of = cell.kind === "text" ? cell.code : cell.kind === "number" ? cell.of : undefined;
    return of && "column" in of ? of.column : -1;
  });
  const mask = workspace.reserve(vectorSize);
  const read = values.map(() => new Float64Array(vectorSize));
  const words = read.map(wordsOf);
  let rowNumbers: number[] = [];
  let keyNumbers: number[] = [];

  /** Returns the number of a row's key; -1 if it is not wanted. */
  const find = (row: number): number => {
    for (let slot = slotOf(words, row, table.length); ; slot = (slot + 1) & (table.length - 1)) {
      const key = table[slot] - 1;
      if (key < 0) return -1;
      let isEqual = true;
      for (let column = 0; column < values.length && isEqual; column++)
        isEqual = values[column][key] === read[column][row];
      if (isEqual) return key;
    }
  };
  return {
    isFull: () => false,
    canSkip: () =>
      columns.some((column, index) => {
        const { minimum, maximum, nullCount, rowCount } = source.segment(column);
        if (nullCount === rowCount) return true;
        return maximum < bounds[index].minimum || minimum > bounds[index].maximum;
      }),
    add: () => {
      const { arena, base, rowCount, rowGroup, start, isSelected } = source;
      readers.forEach(({ isText, vector }, index) => {
        const at = vector.read();
        const to = read[index];
        if (isText) for (let row = 0; row < rowCount; row++) to[row] = arena.u32[at / 4 + row];
        // A stored -0 is the key 0.
        else for (let row = 0; row < rowCount; row++) to[row] = arena.f64[at / 8 + row] + 0;
      });
      const selection = isSelected
        ? new Uint16Array(arena.u8.buffer, source.selection, rowCount)
        : undefined;
      const firstRow = rowGroup * rowGroupSize + start;
      const to = base + mask;
      const before = rowNumbers.length;
      for (let row = 0; row < rowCount; row++) {
        const key = find(row);
        arena.u8[to + row] = key < 0 ? 0 : 1;
        if (key < 0) continue;
        rowNumbers.push(firstRow + (selection?.[row] ?? row));
        keyNumbers.push(key);
      }
      if (rowNumbers.length === before) return;
      source.narrow(to);
      collector.add();
    },
    take: (lane) => {
      const { rows, texts } = collector.take(lane);
      const found = [...rows, Float64Array.from(rowNumbers), Float64Array.from(keyNumbers)];
      rowNumbers = [];
      keyNumbers = [];
      return { rows: found, texts };
    },
  };
}
