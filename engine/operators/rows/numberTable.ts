import type { BoundValue } from "../../expressions/boundValue.ts";
import { findRows } from "../../joins/rowIndex.ts";
import { vectorSize } from "../../kernels/kernels.ts";
import type { Compilation, Vector } from "./compilation.ts";
import type { StoredRows } from "./storedColumn.ts";
import { writeOnce } from "./writeOnce.ts";

/** The numbers by which a table is indexed: entry `of - base + 1`, or entry 0 for null and outside the table. */
export interface TableIndex {
  readonly of: BoundValue;
  readonly base: number;
}

/** Numbers of the active rows. Entry `number + offset` of the table belongs to a row. */
interface TableRows extends StoredRows {
  readonly offset: number;
}

/** A table that is read by number. */
export interface NumberTable {
  /** Writes the entry of a `Uint8Array` for each active row. */
  readMask(to: number): void;
  /** Writes, or adds, `stride` times the entry of a `Uint32Array` for each active row. */
  readCodes(stride: number, to: number, isFirst: 0 | 1): void;
  /** Writes the entry of a `Float64Array` for each active row. */
  readDoubles(to: number): void;
}

/** Maximum bytes of the tables of a task that are copied to its arena, in total. */
const mostCopiedBytes = 2 ** 24;
/** A table is copied if it has at most this many bytes, or at most this many per row of the plan's table. */
const smallTableBytes = 2 ** 16;
const tableBytesPerRow = 8;

/**
 * Returns whether a table is copied to the arena of the task, where kernels read it. JavaScript reads other tables in
 * place, which takes longer per row.
 */
export function canCopyTable(sizeBytes: number, { source, workspace }: Compilation): boolean {
  const most = Math.max(smallTableBytes, source.tableRowCount * tableBytesPerRow);
  return sizeBytes <= most && workspace.tableBytes + sizeBytes <= mostCopiedBytes;
}

/** Numbers are added in 32 bits, so their range must be smaller. */
const largestPlace = 2 ** 31;

/** Compiles the numbers of an expression. Always `compileVector`, whose file imports this file. */
type VectorOf = (of: BoundValue, decimals: -1, compilation: Compilation) => Vector;

/**
 * Compiles a table that is read by number; see `compileNumbered`. Stored keys of a join index the table directly,
 * without being decoded.
 */
export function compileNumberTable(
  index: TableIndex,
  table: Uint8Array | Uint32Array | Float64Array,
  compilation: Compilation,
  vectorOf: VectorOf,
): NumberTable {
  const { source, workspace } = compilation;
  const { length } = table;
  const places = compilePlaces(index, length, compilation, vectorOf);
  const isCopied = canCopyTable(table.byteLength, compilation);
  const offset = isCopied ? workspace.table(table) : 0;
  const widened = workspace.reserve(vectorSize * 4);
  const column = index.of.kind === "column" ? index.of.column : undefined;

  /** Returns the stored numbers if each of them, plus an offset, is a place in the table. */
  const direct = (): TableRows | undefined => {
    const stored = column === undefined ? undefined : source.stored(column);
    if (stored?.kind !== "integers") return undefined;
    const { segment } = stored;
    if (segment.form !== "whole" || segment.decimals !== 0 || segment.scale !== 1) return undefined;
    const isWithin =
      segment.nullCount === 0 &&
      segment.minimum >= index.base &&
      segment.maximum - index.base + 1 < length;
    if (!isWithin) return undefined;
    return { ...stored.read(source.base + widened), offset: segment.bias - index.base + 1 };
  };
  const rows = (): TableRows => direct() ?? { address: places.read(), width: 4, offset: 0 };

  return {
    readMask: (to) => {
      const { kernels, arena, rowCount, base } = source;
      if (isCopied) {
        const { address, width, offset: first } = rows();
        kernels.lookup[width](address, rowCount, base + offset + first, to);
        return;
      }
      const from = places.read() / 4;
      for (let row = 0; row < rowCount; row++) arena.u8[to + row] = table[arena.u32[from + row]];
    },
    readCodes: (stride, to, isFirst) => {
      const { kernels, arena, rowCount, base } = source;
      if (isCopied) {
        const { address, width, offset: first } = rows();
        const at = base + offset + first * 4;
        kernels.numberLookup[width](address, rowCount, at, stride, to, isFirst);
        return;
      }
      const { u32 } = arena;
      const from = places.read() / 4;
      for (let row = 0, at = to / 4; row < rowCount; row++) {
        const before = isFirst ? 0 : u32[at + row];
        u32[at + row] = before + Math.imul(table[u32[from + row]], stride);
      }
    },
    readDoubles: (to) => {
      const { kernels, arena, rowCount, base } = source;
      if (isCopied) {
        const { address, width, offset: first } = rows();
        kernels.gather[width](address, rowCount, base + offset + first * 8, to);
        return;
      }
      const { f64, u32 } = arena;
      const from = places.read() / 4;
      for (let row = 0, at = to / 8; row < rowCount; row++) f64[at + row] = table[u32[from + row]];
    },
  };
}

/** Compiles the places of the active rows in a table with `limit` entries, 32 bits per row. */
function compilePlaces(
  { of, base }: TableIndex,
  limit: number,
  compilation: Compilation,
  vectorOf: VectorOf,
): Vector {
  const write =
    of.kind === "rowOf" && base === 1 && of.index.rowCount < limit
      ? compileFoundRows(of, compilation, vectorOf)
      : compileNumberPlaces({ of, base }, limit, compilation, vectorOf);
  return writeOnce(write, vectorSize * 4, compilation);
}

function compileNumberPlaces(
  { of, base }: TableIndex,
  limit: number,
  compilation: Compilation,
  vectorOf: VectorOf,
): (to: number) => void {
  const { source, workspace } = compilation;
  const vector = vectorOf(of, -1, compilation);
  const widened = workspace.reserve(vectorSize * 4);
  return (to) => {
    const { kernels, arena, rowCount } = source;
    const stored = of.kind === "column" ? source.stored(of.column) : undefined;
    if (of.kind === "column" && !stored) {
      arena.u32.fill(0, to / 4, to / 4 + rowCount);
      return;
    }
    if (stored?.kind === "integers" && stored.segment.form === "whole") {
      const { scale, bias, decimals, minimum, maximum } = stored.segment;
      const isNear = minimum - base > -largestPlace && maximum - base + 1 < largestPlace;
      if (decimals === 0 && isNear) {
        const { address, width } = stored.read(source.base + widened);
        kernels.place[width](address, rowCount, scale, bias - base + 1, limit, to);
        return;
      }
    }
    kernels.placeDoubles(vector.read(), rowCount, base, limit, to);
  };
}

/** Compiles the rows of a joined table, plus 1, with 32 bits per active row; 0 if no row is found. */
export function compileFoundRows(
  { of, index }: Extract<BoundValue, { kind: "rowOf" }>,
  compilation: Compilation,
  vectorOf: VectorOf,
): (to: number) => void {
  const { source, workspace } = compilation;
  const { places } = index;
  if (index.kind === "range") {
    const table = compileNumberTable({ of, base: index.base }, places, compilation, vectorOf);
    return (to) => table.readCodes(1, to, 1);
  }
  const { keys } = index;
  const vector = vectorOf(of, -1, compilation);
  if (canCopyTable(keys.byteLength + places.byteLength, compilation)) {
    const keysPlace = workspace.table(keys);
    const foundPlace = workspace.table(places);
    return (to) => {
      const { base, kernels, rowCount } = source;
      const mask = keys.length - 1;
      kernels.findRows(vector.read(), rowCount, base + keysPlace, base + foundPlace, mask, to);
    };
  }
  return (to) => {
    const from = vector.read() / 8;
    const { f64, u32 } = source.arena;
    const { rowCount } = source;
    const at = to / 4;
    findRows(index, f64.subarray(from, from + rowCount), u32.subarray(at, at + rowCount));
  };
}
