import { rowGroupSize } from "../../column/segment/segment.ts";
import { fewGroups, fewScratchBytes, vectorSize } from "../../kernels/kernels.ts";
import type { StoredIntegers } from "../rows/storedColumn.ts";
import type { Compilation } from "../rows/compilation.ts";

/** The codes of a key in a row group: at most `count`, from `first` on. */
export interface FewCodes {
  readonly column: number;
  readonly first: number;
  readonly count: number;
  /**
   * Where each code after the first begins, as a stored whole number, ascending; absent where the codes are the stored
   * bytes.
   */
  readonly starts?: readonly number[];
  /** The part of the group number that a code contributes. */
  addend(code: number): number;
}

/**
 * Numbers of few groups, a byte a row of the vector; see `numberFew`. Rows that are not to be looked at are in no
 * group.
 */
export interface FewNumbers {
  readonly address: number;
  /** The group number of each from 0 on, less what is the same in the whole row group. */
  readonly groups: readonly number[];
  /** Which of them may have rows to look at, a bit each; -1 is all. */
  readonly present: number;
  /** Address of `fewScratchBytes`. */
  readonly scratch: number;
  /** Address of a pair of doubles a group. */
  readonly out: number;
}

interface FewNumbering {
  /**
   * Call for each row group, with the keys that differ between its rows; undefined stands for one whose codes are not
   * few. `groupCount` bounds the numbers that their cardinalities allow.
   */
  openRowGroup(keys: readonly (FewCodes | undefined)[], groupCount: number): void;
  /**
   * Groups of the row group; 0 where there are too many, or where so few rows are selected that a list of them costs
   * less.
   */
  readonly groupCount: number;
  /** Whether rows are numbered from stored bytes alone, in any number. */
  readonly isStored: boolean;
  /** Numbers the rows to look at; call where `groupCount` is above 0. */
  read(): FewNumbers;
}

/** At fewer than one selected row in so many, a list of rows costs less. */
const sparseShare = 6;

/** Compiles the numbering of few groups; `readWide` numbers the rows to look at in 32 bits. */
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

  /** A code is how many starts are at most the stored number. */
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

  /** Whether a list of the rows to look at costs more than a number for every row of the vector. */
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
