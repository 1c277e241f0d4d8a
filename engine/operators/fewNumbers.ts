import { rowGroupSize } from "../column/segment.ts";
import { fewGroups, fewScratchBytes, fewTurnRows } from "../kernels/kernels.ts";
import type { Compilation } from "./vectors.ts";

/** The bytes that are stored of a key in a row group: `count` at most, from `first` on. */
export interface FewCodes {
  readonly column: number;
  readonly first: number;
  readonly count: number;
  /** What a stored byte adds to the group number. */
  addend(code: number): number;
}

/** Numbers of few groups, a byte a row of the vector; see `numberFew`. Rows that are not to be looked at are in no group. */
export interface FewNumbers {
  readonly address: number;
  /** The least number. */
  readonly first: number;
  /** The group number of each from `first` on, less what is the same in the whole row group. */
  readonly groups: readonly number[];
  /** Address of `fewScratchBytes`. */
  readonly scratch: number;
  /** Address of a pair of doubles a group. */
  readonly out: number;
}

interface FewNumbering {
  /**
   * Call for each row group, with the keys that differ between its rows; undefined stands for one whose codes are not few.
   * `groupCount` bounds the numbers that their cardinalities allow.
   */
  openGroup(keys: readonly (FewCodes | undefined)[], groupCount: number): void;
  /** Whether rows that are all looked at are numbered from stored bytes alone, however many of the row group. */
  readonly isStored: boolean;
  /** Numbers the rows to look at; undefined where there are too many groups, or where so few rows are selected that a list of them costs less. */
  read(): FewNumbers | undefined;
}

/** Where fewer than one of so many rows is selected, a list of rows costs less. */
const sparseShare = 6;

/** Compiles the numbering of few groups; `readWide` numbers the rows to look at in 32 bits. */
export function compileFewNumbering(
  { source, workspace }: Compilation,
  readWide: () => number,
): FewNumbering {
  const place = workspace.reserve(rowGroupSize);
  const scratch = workspace.reserve(fewScratchBytes);
  const out = workspace.reserve(fewGroups * 16);
  let open: readonly FewCodes[] = [];
  let groups: readonly number[] = [];
  let isNarrowed = false;
  let stamp = -1;
  let address = 0;
  let firstNumber = 0;

  /** The only key, where its stored bytes can be the numbers: all rows of whole turns, and no byte that stands for none of `fewGroups`. */
  const plainKey = () => {
    const [only] = open;
    const isPlain =
      open.length === 1 &&
      !source.isSelected &&
      source.vectorRowCount % fewTurnRows === 0 &&
      only.first + only.count <= fewGroups;
    const values = isPlain ? source.segment(only.column).values : undefined;
    return values && { ...only, values };
  };

  const number = (): void => {
    const { kernels, vectorRowCount } = source;
    let stride = 1;
    for (const [index, { column, first, count }] of open.entries()) {
      const { values } = source.segment(column);
      if (!values) throw new RangeError(`column ${column} has no stored codes`);
      const codes = source.address(column, values);
      kernels.numberFew(codes, vectorRowCount, first, stride, address, index === 0 ? 1 : 0);
      stride *= count;
    }
    if (source.isSelected) kernels.leaveOut(source.mask, vectorRowCount, address);
  };

  return {
    get isStored() {
      return open.length > 0;
    },
    openGroup: (keys, groupCount) => {
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
      const { base, isSelected, mask, rowCount, vectorRowCount } = source;
      if (isNarrowed ? isSelected : open.length === 0) return undefined;
      if (stamp !== source.stamp) {
        if (isSelected && (mask < 0 || rowCount * sparseShare < vectorRowCount)) return undefined;
        const plain = plainKey();
        firstNumber = plain?.first ?? 0;
        address = plain ? source.address(plain.column, plain.values) : base + place;
        if (isNarrowed) source.kernels.narrowFew(readWide(), vectorRowCount, address);
        else if (!plain) number();
        stamp = source.stamp;
      }
      return { address, first: firstNumber, groups, scratch: base + scratch, out: base + out };
    },
  };
}
