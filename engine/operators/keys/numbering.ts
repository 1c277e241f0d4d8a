import type { DayTimeSegment, Segment, StoredWidth } from "../../column/segment/segment.ts";
import { vectorSize } from "../../kernels/kernels.ts";
import type { BoundKey } from "../../plan/boundPlan.ts";
import { compileFewNumbering, type FewCodes, type FewNumbers } from "./fewNumbering.ts";
import { dayMs } from "../../time/calendar.ts";
import { neverMs } from "../../time/periodDayTable.ts";
import { numberPeriods } from "../../time/periodFloor.ts";
import { periodThresholds, type PeriodThresholds } from "../../time/periodThresholds.ts";
import { storedRange } from "../rows/storedRange.ts";
import type { StoredIntegers } from "../rows/storedColumn.ts";
import { compileCodes, compileVector, type Compilation } from "../rows/vectors.ts";

export type NumberedKey = Exclude<BoundKey, { kind: "value" | "computed" }>;

/** The group number of each row: the sum of each key's number times its stride. */
export interface Numbering {
  /** Call for each row group, before anything else. */
  openRowGroup(): void;
  /** The sum over keys with one value in the whole row group; the whole number when `isConstant`. */
  readonly constant: number;
  readonly isConstant: boolean;
  /** Returns the address of the rest of the numbers, 32 bits a row to look at. */
  read(): number;
  /** Describes numbers / stride as stored codes, when all rows are looked at and one key alone differs between them. */
  storedCodes(): StoredCodes | undefined;
  /** The same, with the address of the codes. */
  stored(): StoredNumbers | undefined;
  /** How many groups `few` numbers the rows to look at by; 0 where it cannot. */
  fewGroupCount(): number;
  /** Whether `few` reads stored bytes alone: then it takes all rows of a row group at once. */
  isFewStored(): boolean;
  /**
   * Numbers the rows to look at in a byte each, by the groups of the row group alone; call where `fewGroupCount` is
   * above 0.
   */
  few(): FewNumbers;
}

interface StoredCodes {
  readonly width: StoredWidth;
  readonly stride: number;
  /** The greatest of the row group. */
  readonly maximum: number;
}

export interface StoredNumbers extends StoredCodes {
  readonly address: number;
}

/**
 * One key: its number in a row group where all rows have the same, or its numbers written to, or added to, a vector.
 */
interface KeyNumbering {
  openRowGroup(): number | undefined;
  write(to: number, isFirst: 0 | 1): void;
  readonly column: number | undefined;
  /**
   * The codes of the key in the row group; undefined where they are neither stored bytes nor told by a few comparisons
   * of stored numbers.
   */
  few?(): FewCodes | undefined;
}

/** Period starts up to which a row group's instants are compared with each of them. */
const mostThresholds = 16;

/** Compiles the numbering of groups by keys; the first key varies fastest. */
export function compileNumbering(
  keys: readonly NumberedKey[],
  compilation: Compilation,
): Numbering {
  const { source, workspace } = compilation;
  const place = workspace.reserve(vectorSize * 4);
  let stride = 1;
  const compiled = keys.map((key) => {
    const numbering = compileKey(key, stride, compilation);
    const entry = { ...numbering, stride, cardinality: key.cardinality };
    stride *= key.cardinality;
    return entry;
  });
  let constant = 0;
  let varying: typeof compiled = [];
  let stamp = -1;
  let fewStamp = -1;
  const read = (): number => {
    const to = source.base + place;
    if (stamp === source.stamp) return to;
    stamp = source.stamp;
    if (varying.length === 0) source.arena.u32.fill(0, to / 4, to / 4 + source.rowCount);
    for (let index = 0; index < varying.length; index++)
      varying[index].write(to, index === 0 ? 1 : 0);
    return to;
  };
  const storedKey = () => {
    const [only] = varying;
    if (source.isSelected || varying.length !== 1 || only.column === undefined) return undefined;
    const { column, stride } = only;
    const codes = source.stored(column);
    if (codes?.kind !== "integers") return undefined;
    return { codes, width: codes.width, stride, maximum: codes.segment.maximum };
  };
  const few = compileFewNumbering(compilation, read);
  const openFew = (): void => {
    if (fewStamp === source.rowGroupStamp) return;
    fewStamp = source.rowGroupStamp;
    const last = varying.reduce((sum, key) => sum + (key.cardinality - 1) * key.stride, 0);
    few.openRowGroup(
      varying.map((key) => key.few?.()),
      last + 1,
    );
  };
  return {
    get constant() {
      return constant;
    },
    get isConstant() {
      return varying.length === 0;
    },
    openRowGroup: () => {
      constant = 0;
      varying = [];
      stamp = -1;
      for (const key of compiled) {
        const number = key.openRowGroup();
        if (number === undefined) varying.push(key);
        else constant += number * key.stride;
      }
    },
    read,
    storedCodes: storedKey,
    stored: () => {
      const key = storedKey();
      if (!key) return undefined;
      const { codes, ...stored } = key;
      return { ...stored, address: codes.address };
    },
    fewGroupCount: () => {
      openFew();
      return few.groupCount;
    },
    isFewStored: () => {
      openFew();
      return few.isStored;
    },
    few: () => {
      openFew();
      return few.read();
    },
  };
}

function compileKey(key: NumberedKey, stride: number, compilation: Compilation): KeyNumbering {
  switch (key.kind) {
    case "text":
      return compileText(key, stride, compilation);
    case "whole":
      return compileWhole(key, stride, compilation);
    case "period":
      return compilePeriod(key, stride, compilation);
  }
}

function compileText(
  { code }: Extract<BoundKey, { kind: "text" }>,
  stride: number,
  compilation: Compilation,
): KeyNumbering {
  const { source, workspace } = compilation;
  if (code.kind !== "byCode") {
    const vector = compileCodes(code, compilation);
    return {
      column: undefined,
      openRowGroup: () => (code.kind === "code" ? code.code : undefined),
      write: (to, isFirst) =>
        source.kernels.number[4](vector.read(), source.rowCount, 0, stride, to, isFirst),
    };
  }
  const { column, codes } = code;
  const table = codes && workspace.table(codes);
  return {
    column: codes ? undefined : column,
    few: () => {
      const { values, nullCount, minimum, maximum } = source.segment(column);
      if (values?.width !== 1) return undefined;
      const first = nullCount > 0 ? 0 : minimum;
      const addend = (code: number) => (codes ? codes[code] : code) * stride;
      return { column, first, count: maximum - first + 1, addend };
    },
    openRowGroup: () => {
      const { form, nullCount, minimum, maximum } = source.segment(column);
      const only = form === "null" ? 0 : nullCount === 0 && minimum === maximum ? minimum : -1;
      if (only < 0) return undefined;
      return codes ? codes[only] : only;
    },
    write: (to, isFirst) => {
      const stored = source.stored(column);
      if (stored?.kind !== "integers") return;
      if (table === undefined) stored.number(0, stride, to, isFirst);
      else stored.numberByTable(source.base + table, stride, to, isFirst);
    },
  };
}

function compileWhole(
  { of, base, decimals, step = 1 }: Extract<BoundKey, { kind: "whole" }>,
  stride: number,
  compilation: Compilation,
): KeyNumbering {
  const { source, workspace } = compilation;
  const stepPlace = step === 1 ? 0 : workspace.reserve(vectorSize * 8);
  const vector = compileVector(of, decimals, compilation);
  const column = of.kind === "column" ? of.column : undefined;
  const numberOf = (value: number) => Math.round(value * 10 ** decimals) - base + 1;
  /** The stored numbers of the row group, where they differ from the key's by `offset` alone. */
  const storedNumbers = () => {
    const stored = column === undefined ? undefined : source.stored(column);
    if (stored?.kind !== "integers") return undefined;
    const { segment } = stored;
    return segment.form === "whole" && segment.scale === 1 && segment.decimals === decimals
      ? { stored, offset: segment.bias - base + 1 }
      : undefined;
  };
  return {
    column: undefined,
    few: () => {
      const numbers = storedNumbers();
      if (column === undefined || numbers?.stored.width !== 1) return undefined;
      const { stored, offset } = numbers;
      const { nullCount, minimum, maximum } = stored.segment;
      const first = nullCount > 0 ? 0 : numberOf(minimum) - offset;
      const addend = (code: number) => (code === 0 ? 0 : code + offset) * stride;
      return { column, first, count: numberOf(maximum) - offset - first + 1, addend };
    },
    openRowGroup: () => {
      if (column === undefined) return undefined;
      const { form, nullCount, minimum, maximum } = source.segment(column);
      if (form === "null") return 0;
      return nullCount === 0 && minimum === maximum ? numberOf(minimum) : undefined;
    },
    write: (to, isFirst) => {
      const { kernels, rowCount } = source;
      const numbers = storedNumbers();
      if (numbers) {
        const { stored, offset } = numbers;
        stored.number(offset, stride, to, isFirst);
      } else if (step === 1)
        kernels.numberWhole(vector.read(), rowCount, base, stride, to, isFirst);
      else {
        const steps = source.base + stepPlace;
        kernels.countSteps(vector.read(), rowCount, base, step, steps);
        kernels.numberWhole(steps, rowCount, 0, stride, to, isFirst);
      }
    },
  };
}

function compilePeriod(
  { of, floor, days }: Extract<BoundKey, { kind: "period" }>,
  stride: number,
  compilation: Compilation,
): KeyNumbering {
  const { source, workspace } = compilation;
  const vector = compileVector(of, -1, compilation);
  const column = of.kind === "column" ? of.column : undefined;
  const thresholdPlace = workspace.reserve(mostThresholds * 8);
  const startPlace = workspace.reserve(mostThresholds * 4);
  const dayTable = days && workspace.table(days.table);
  const plain = days && plainNumbers(days.table);
  const plainTable = plain && workspace.table(plain);
  const dayPlace = workspace.reserve(vectorSize * 4);
  const timePlace = workspace.reserve(vectorSize * 4);
  const scratch = new Int32Array(vectorSize);
  let thresholds: PeriodThresholds | undefined;
  /** Whether the starts lie as stored whole numbers at `startPlace`. */
  let isWhole = false;

  const writeDays = (
    segment: DayTimeSegment,
    stored: StoredIntegers,
    table: number,
    firstDay: number,
    to: number,
    isFirst: 0 | 1,
  ): void => {
    const { kernels, rowCount, base } = source;
    const shift = segment.bias - firstDay + 1;
    if (plainTable !== undefined && segment.nullCount === 0) {
      stored.numberByTable(base + plainTable + shift * 4, stride, to, isFirst);
      return;
    }
    stored.widen(base + dayPlace);
    const timesAt = base + timePlace;
    const times = plainTable === undefined ? stored.timesOf(segment) : undefined;
    if (times) {
      times.widen(timesAt);
      scaleTimes(source.arena.u32, timesAt / 4, rowCount, segment.timeScale);
    } else source.arena.u32.fill(0, timesAt / 4, timesAt / 4 + rowCount);
    kernels.numberDayTime(
      base + dayPlace,
      timesAt,
      rowCount,
      base + table + shift * 12,
      stride,
      to,
      isFirst,
    );
  };

  return {
    column: undefined,
    few: () => {
      if (column === undefined || !thresholds) return undefined;
      const segment = source.segment(column);
      const stored = storedStarts(segment, thresholds.starts);
      if (!stored) return undefined;
      const { first } = thresholds;
      const hasNulls = segment.nullCount > 0;
      // A null is stored as 0, below whatever else is stored.
      const starts = hasNulls ? [1, ...stored] : stored;
      const addend = (code: number) =>
        (hasNulls && code === 0 ? 0 : first + code - (hasNulls ? 1 : 0)) * stride;
      return { column, first: 0, count: starts.length + 1, starts, addend };
    },
    openRowGroup: () => {
      thresholds = undefined;
      isWhole = false;
      if (column === undefined) return undefined;
      const { form, nullCount, minimum, maximum } = source.segment(column);
      if (form === "null") return 0;
      thresholds = periodThresholds(floor, minimum, maximum, mostThresholds);
      if (!thresholds) return undefined;
      if (thresholds.starts.length === 0 && nullCount === 0) return thresholds.first;
      source.arena.f64.set(thresholds.starts, (source.base + thresholdPlace) / 8);
      isWhole = form === "whole";
      if (isWhole)
        source.arena.u32.set(
          storedStarts(source.segment(column), thresholds.starts) ?? [],
          (source.base + startPlace) / 4,
        );
      return undefined;
    },
    write: (to, isFirst) => {
      const { kernels, rowCount, base } = source;
      const stored = column === undefined ? undefined : source.stored(column);
      const integers = stored?.kind === "integers" ? stored : undefined;
      if (integers?.segment.form === "dayTime" && days && dayTable !== undefined)
        writeDays(integers.segment, integers, dayTable, days.firstDay, to, isFirst);
      else if (thresholds && isWhole && integers) {
        const starts = { address: base + startPlace, count: thresholds.starts.length };
        integers.numberByStarts(starts, thresholds.first, stride, to, isFirst);
      } else if (thresholds)
        kernels.numberThresholds(
          vector.read(),
          rowCount,
          base + thresholdPlace,
          thresholds.starts.length,
          thresholds.first,
          stride,
          to,
          isFirst,
        );
      else {
        const { f64, u32 } = source.arena;
        const from = vector.read() / 8;
        numberPeriods(floor, f64.subarray(from, from + rowCount), rowCount, scratch);
        const at = to / 4;
        if (isFirst) for (let row = 0; row < rowCount; row++) u32[at + row] = scratch[row] * stride;
        else for (let row = 0; row < rowCount; row++) u32[at + row] += scratch[row] * stride;
      }
    },
  };
}

/**
 * The least stored number of an instant at or after each start. Undefined where instants are stored as floats, or as
 * days and some start is within a day.
 */
function storedStarts(segment: Segment, starts: Float64Array): readonly number[] | undefined {
  if (segment.form === "whole")
    return Array.from(starts, (low) => storedRange(segment, { low, high: Infinity }).low);
  if (segment.form !== "dayTime" || starts.some((start) => start % dayMs !== 0)) return undefined;
  return Array.from(starts, (start) => start / dayMs - segment.bias);
}

/** One number a day, when no period starts within a day; else undefined. */
function plainNumbers(table: Uint32Array): Uint32Array | undefined {
  const numbers = new Uint32Array(table.length / 3);
  for (let day = 0; day < numbers.length; day++) {
    if (day > 0 && table[day * 3 + 1] !== neverMs) return undefined;
    numbers[day] = table[day * 3];
  }
  return numbers;
}

function scaleTimes(
  u32: Uint32Array<ArrayBufferLike>,
  at: number,
  rowCount: number,
  scale: number,
): void {
  if (scale === 1) return;
  for (let row = 0; row < rowCount; row++) u32[at + row] *= scale;
}
