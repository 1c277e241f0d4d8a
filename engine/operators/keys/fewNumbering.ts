import { rowGroupSize } from "../../column/segment/segment.ts";
import { fewGroups, fewScratchBytes, vectorSize } from "../../kernels/kernels.ts";
import type { StoredIntegers } from "../rows/storedColumn.ts";
import type { Compilation } from "../rows/compilation.ts";

/** The codes of a key in a row group. There are at most `count` codes, starting at `first`. */
export interface FewCodes {
  readonly column: number;
  readonly first: number;
  readonly count: number;
  /**
   * The stored whole number at which each code after the first starts, ascending. Absent if the codes are the stored
   * bytes.
   */
  readonly starts?: readonly number[];
  /** Returns the part of the group number that a code adds. */
  addend(code: number): number;
}

/**
 * Numbers of few groups, with one byte per row of the vector; see `numberFew`. Rows that are not active have no group.
 */
export interface FewNumbers {
  readonly address: number;
  /** The group number for each byte value, minus the part that is constant in the row group. */
  readonly groups: readonly number[];
  /** The groups that may have active rows, with one bit per group; -1 for all groups. */
  readonly present: number;
  /** Address of `fewScratchBytes` bytes of scratch. */
  readonly scratch: number;
  /** Address at which results are written: a pair of doubles per group. */
  readonly out: number;
}

interface FewNumbering {
  /**
   * Prepares for a row group. Call it for each row group, with the codes of the keys that differ between its rows;
   * undefined stands for a key with too many codes. `groupCount` is the maximum number of groups, given the
   * cardinalities of the keys.
   */
  openRowGroup(keys: readonly (FewCodes | undefined)[], groupCount: number): void;
  /**
   * Number of groups in the row group; 0 if it has too many groups, or if so few rows are selected that listing these
   * rows is faster.
   */
  readonly groupCount: number;
  /** Whether rows are numbered only from stored bytes, so that any number of rows can be numbered at once. */
  readonly isStored: boolean;
  /** Numbers the active rows. Call it if `groupCount` is above 0. */
  read(): FewNumbers;
}

/** If fewer than one in this many rows is selected, listing the selected rows is faster than numbering all rows. */
const sparseShare = 6;

/** Compiles the numbering of few groups. `readWide` numbers the active rows in 32 bits. */
export function compileFewNumbering(
  { source, workspace }: Compilation,
  readWide: () => number,
): FewNumbering {
  const place = workspace.reserve(rowGroupSize);
  const scratch = workspace.reserve(fewScratchBytes);
  const out = workspace.reserve(fewGroups * 16);
  const passed = workspace.reserve(vectorSize);
  let open: readonly FewCodes[] = [];
  let groups: readonly number[] = [];
  let isNarrowed = false;
  let stamp = -1;
  let present = -1;

  const storedCodes = (column: number): StoredIntegers => {
    const stored = source.stored(column);
    if (stored?.kind === "integers") return stored;
    throw new RangeError(`column ${column} has no stored codes`);
  };

  /** Writes the code of each stored value: how many period starts are less than or equal to it. */
  const numberStarts = (
    { address: from, width }: StoredIntegers,
    starts: readonly number[],
    stride: number,
    isFirst: 0 | 1,
  ): void => {
    const { kernels, vectorRowCount, base } = source;
    const numbers = base + place;
    const mask = base + passed;
    for (let row = 0; row < vectorRowCount; row += vectorSize) {
      const rowCount = Math.min(vectorSize, vectorRowCount - row);
      for (const [index, start] of starts.entries()) {
        kernels.range[width](from + row * width, rowCount, start, Infinity, mask);
        kernels.numberFew(mask, rowCount, 0, stride, numbers + row, index === 0 ? isFirst : 0);
      }
    }
  };

  const number = (): void => {
    const { kernels, vectorRowCount, base } = source;
    const numbers = base + place;
    let stride = 1;
    for (const [index, { column, first, count, starts }] of open.entries()) {
      const stored = storedCodes(column);
      const isFirst = index === 0 ? 1 : 0;
      if (starts) numberStarts(stored, starts, stride, isFirst);
      else kernels.numberFew(stored.address, vectorRowCount, first, stride, numbers, isFirst);
      stride *= count;
    }
    present = source.isSelected ? kernels.leaveOut(source.mask, vectorRowCount, numbers) : -1;
  };

  /** Returns whether listing the active rows is slower than numbering every row of the vector. */
  const isDense = (): boolean => {
    const { isSelected, mask, rowCount, vectorRowCount } = source;
    return !isSelected || (mask >= 0 && rowCount * sparseShare >= vectorRowCount);
  };

  return {
    get groupCount() {
      const canRead = isNarrowed ? !source.isSelected : open.length > 0 && isDense();
      return canRead ? groups.length : 0;
    },
    get isStored() {
      return open.length > 0;
    },
    openRowGroup: (keys, groupCount) => {
      stamp = -1;
      open = keys.filter((key) => key !== undefined);
      const openCount = open.reduce((product, { count }) => product * count, 1);
      if (open.length < keys.length || openCount > fewGroups) open = [];
      isNarrowed = open.length === 0 && groupCount <= fewGroups;
      groups = isNarrowed ? Array.from({ length: groupCount }, (_, group) => group) : [0];
      for (const { first, count, addend } of open) {
        const addends = Array.from({ length: count }, (_, index) => addend(first + index));
        groups = addends.flatMap((more) => groups.map((group) => group + more));
      }
    },
    read: () => {
      const { base, vectorRowCount } = source;
      if (stamp !== source.stamp) {
        present = -1;
        if (isNarrowed) source.kernels.narrowFew(readWide(), vectorRowCount, base + place);
        else number();
        stamp = source.stamp;
      }
      return {
        address: base + place,
        groups,
        present,
        scratch: base + scratch,
        out: base + out,
      };
    },
  };
}
