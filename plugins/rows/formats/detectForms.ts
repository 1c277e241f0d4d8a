import { splitDate, type DateOrder } from "../readDate.ts";
import { splitNumber, type NumberText } from "../../protocol/index.ts";
import { hasForm, type Thousands } from "../readNumber.ts";
import type { ValueForms } from "../readValue.ts";
import type { FileNote } from "./fileNote.ts";
import type { Settings } from "./settings.ts";

/** The forms of a column's strings, as detected from the first rows of its file. */
export interface DetectedForms {
  readonly forms: Pick<ValueForms, "decimalComma" | "thousands" | "unit" | "dates">;
  /** The decimal sign that the numbers of the column show. Absent if they show none, or could have either. */
  readonly decimal?: "point" | "comma";
  /** Whether a number has a unit, separated thousands, a decimal comma or parentheses. */
  readonly isMarked: boolean;
  /** What could be wrong about the forms. */
  readonly caution?: Pick<FileNote, "message" | "remedies">;
}

export interface DetectFormsOptions {
  readonly settings: Pick<Settings, "forms" | "detectsDates">;
  /**
   * The separator of the file. In a file whose cells are separated by commas, a comma is not a decimal sign. Absent:
   * the format has none.
   */
  readonly separator?: string;
}

/** A decimal sign with a thousands separator. */
interface Marks {
  readonly decimalComma: boolean;
  readonly thousands: Thousands;
}

/** All pairs of marks. Of pairs that fit equally many values, the first is chosen. */
const allMarks: readonly Marks[] = [false, true].flatMap((decimalComma) =>
  (["none", decimalComma ? "point" : "comma", "space", "apostrophe"] as const).map((thousands) => ({
    decimalComma,
    thousands,
  })),
);

/** How often a unit occurs in a column, and whether a value shows that it is a currency and not a part of a name. */
interface UnitCount {
  count: number;
  isShown: boolean;
}

/** What the values of a column show. */
interface Evidence {
  readonly valueCount: number;
  readonly numberCount: number;
  /** Whether a number is more than digits and a decimal point. */
  readonly isMarked: boolean;
  /** The number of values that fit each pair of marks. */
  readonly fits: readonly number[];
  readonly units: ReadonlyMap<string, UnitCount>;
  /** The number of dates that consist of three numbers, and how many of them fit each order. */
  readonly dateCount: number;
  readonly orders: Readonly<Record<DateOrder, number>>;
}

/** The decimal sign that the values of a column show; `either` if both are possible. */
type Decimal = "point" | "comma" | "either";

/**
 * Detects the forms of numbers and dates in each column, from the strings of its first rows. The decimal sign is the
 * one that fits most values. If both fit, the other columns and the separator of the file decide. The order of dates is
 * detected only if exactly one order fits all of them. O(values).
 */
export function detectForms(
  columns: readonly (readonly (string | null)[])[],
  { settings, separator }: DetectFormsOptions,
): readonly DetectedForms[] {
  const { forms, detectsDates } = settings;
  const marks = allMarks.filter(
    ({ decimalComma, thousands }) =>
      (forms.decimalComma === undefined || forms.decimalComma === decimalComma) &&
      (forms.thousands === undefined || forms.thousands === thousands),
  );
  const found = columns.map((values) => collectEvidence(values, marks, forms.nulls));
  const decimals = found.map((evidence) => decimalOf(evidence, marks));
  const [hasPoint, hasComma] = [decimals.includes("point"), decimals.includes("comma")];
  const isPointFile = !hasComma && (hasPoint || separator === ",");
  const usual: Decimal | undefined = isPointFile
    ? "point"
    : hasComma && !hasPoint
      ? "comma"
      : undefined;
  return found.map((evidence, index) => {
    const own = decimals[index];
    const decimal = own === undefined || own === "either" ? usual : own;
    const chosen = marksOf(evidence, marks, decimal);
    const unit = unitOf(evidence);
    const dates = detectsDates ? orderOf(evidence) : undefined;
    const isPlain = chosen.thousands === "none" && !chosen.decimalComma;
    const isDoubtful =
      isPlain && own === "either" && decimal === undefined && fitsOf(evidence, marks, chosen) > 0;
    return {
      forms: {
        ...(!isPlain && chosen),
        ...(unit !== undefined && { unit }),
        ...(dates && { dates }),
      },
      ...(own !== undefined && own !== "either" && { decimal: own }),
      isMarked: evidence.isMarked,
      ...(isDoubtful && { caution: eitherCaution }),
    };
  });
}

const eitherCaution: Pick<FileNote, "message" | "remedies"> = {
  message:
    "the point in its numbers is read as a decimal sign; if it separates thousands, set decimal to comma",
  remedies: [{ setting: "decimal", value: "comma" }],
};
/** Longer strings are neither numbers nor dates. */
const longestValue = 60;
const isoDate = /^\d{4}-\d\d-\d\d/;
/** Numbers without marks, which fit all forms. */
const bareNumber = /^[+-]?\d+$/;
/** Numbers without marks of people. A sign before digits often begins the number of a telephone. */
const plainNumber = /^\+|^-?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;

function collectEvidence(
  values: readonly (string | null)[],
  marks: readonly Marks[],
  nulls: ReadonlySet<string> | undefined,
): Evidence {
  const fits = marks.map(() => 0);
  const units = new Map<string, UnitCount>();
  const orders = { YMD: 0, DMY: 0, MDY: 0 };
  let [valueCount, numberCount, bareCount, dateCount] = [0, 0, 0, 0];
  let isMarked = false;
  for (const value of values) {
    if (value === null || value.trim() === "" || nulls?.has(value)) continue;
    valueCount++;
    if (value.length > longestValue || !/\p{Nd}/u.test(value) || isoDate.test(value)) continue;
    if (bareNumber.test(value)) {
      bareCount++;
      continue;
    }
    const number = splitNumber(value.trim());
    if (number) {
      const before = numberCount;
      for (const [index, { decimalComma, thousands }] of marks.entries())
        if (hasForm(number.digits, decimalComma, thousands)) {
          fits[index]!++;
          numberCount = before + 1;
        }
      isMarked ||= numberCount > before && !plainNumber.test(value);
      if (numberCount > before && number.unit !== undefined) countUnit(units, number);
    }
    const date = splitDate(value);
    if (date?.kind !== "numbers") continue;
    const fitting = orderNames.filter(
      (order) => mayHaveOrder(value, order) && date.at(order, undefined) !== undefined,
    );
    if (fitting.length > 0) dateCount++;
    for (const order of fitting) orders[order]++;
  }
  return {
    valueCount,
    numberCount: numberCount + bareCount,
    isMarked,
    fits: fits.map((count) => count + bareCount),
    units,
    dateCount,
    orders,
  };
}

const orderNames = ["DMY", "MDY", "YMD"] as const satisfies readonly DateOrder[];

/** Returns whether people write dates in this order. Years of two digits come first only before hyphens. */
function mayHaveOrder(text: string, order: DateOrder): boolean {
  return order !== "YMD" || /^\s*\d\d-/.test(text);
}

function fitsOf({ fits }: Evidence, marks: readonly Marks[], wanted: Partial<Marks>): number {
  let most = 0;
  for (const [index, { decimalComma, thousands }] of marks.entries())
    if (
      (wanted.decimalComma ?? decimalComma) === decimalComma &&
      (wanted.thousands ?? thousands) === thousands
    )
      most = Math.max(most, fits[index]!);
  return most;
}

/** Returns the decimal sign that a column shows; undefined if its values have no marks, or are not numbers. */
function decimalOf(evidence: Evidence, marks: readonly Marks[]): Decimal | undefined {
  if (2 * evidence.numberCount <= evidence.valueCount) return undefined;
  const point = fitsOf(evidence, marks, { decimalComma: false });
  const comma = fitsOf(evidence, marks, { decimalComma: true });
  if (point !== comma) return point > comma ? "point" : "comma";
  const isBare =
    fitsOf(evidence, marks, { decimalComma: false, thousands: "none" }) === point &&
    fitsOf(evidence, marks, { decimalComma: true, thousands: "none" }) === point;
  return isBare ? undefined : "either";
}

/**
 * Returns the marks that fit most values. If the decimal sign is known and no thousands are separated, later numbers
 * may have the usual separator. If it is not known, numbers have a decimal point, and neither sign separates thousands.
 */
function marksOf(evidence: Evidence, marks: readonly Marks[], decimal: Decimal | undefined): Marks {
  const decimalComma = decimal === "comma";
  const usual = decimalComma ? "point" : "comma";
  const possible = marks.filter(
    (each) =>
      each.decimalComma === decimalComma && (decimal !== undefined || each.thousands !== usual),
  );
  const most = Math.max(...possible.map((each) => fitsOf(evidence, marks, each)));
  const fitting = possible.filter((each) => fitsOf(evidence, marks, each) === most);
  const [first = marks[0]] = fitting;
  return fitting.find(({ thousands }) => thousands === usual) ?? first ?? plainMarks;
}

const plainMarks: Marks = { decimalComma: false, thousands: "none" };

/** Returns whether digits with marks are a number with some pair of marks. */
export function hasSomeForm(digits: string): boolean {
  return allMarks.some(({ decimalComma, thousands }) => hasForm(digits, decimalComma, thousands));
}

/** Currencies of letters that also occur in names, such as `TOP 10`, `RM 12`, `Fr 5` and `6 Ft`. */
const ambiguous = new Set(["R", "RM", "TL", "Fr", "SFr", "Ft", "S/", "Bs", "р"]).union(
  new Set(["ALL", "TOP", "CUP", "MOP", "MAD", "BOB", "SOS", "COP", "PEN", "GEL", "BAM", "DOP"]),
);

/**
 * Counts the unit of a number. A code is a currency only if a blank separates it from the number, or if the number has
 * marks: `TOP10` and `EUR5` could be names.
 */
function countUnit(
  units: Map<string, UnitCount>,
  { unit = "", digits, isSpaced }: Pick<NumberText, "unit" | "digits" | "isSpaced">,
): void {
  const found = units.get(unit) ?? {
    count: 0,
    isShown: !/^[A-Z]{3}$/.test(unit) && !ambiguous.has(unit),
  };
  found.count++;
  found.isShown ||= /\D/.test(digits) || (isSpaced === true && !ambiguous.has(unit));
  units.set(unit, found);
}

/**
 * Returns the unit of most numbers. A percentage counts only if most numbers are percentages, and letters only if a
 * value shows that they are a currency.
 */
function unitOf({ units, numberCount }: Evidence): string | undefined {
  const [most] = [...units].toSorted((one, other) => other[1].count - one[1].count);
  if (!most) return undefined;
  const [unit, { count, isShown }] = most;
  return isShown && (unit !== "%" || 2 * count > numberCount) ? unit : undefined;
}

/** Returns the only order that fits all dates, or otherwise the order of most of them if all orders have exceptions. */
function orderOf({ orders, dateCount }: Evidence): DateOrder | undefined {
  if (dateCount === 0) return undefined;
  const fitting = orderNames.filter((order) => orders[order] === dateCount);
  if (fitting.length > 0) return fitting.length === 1 ? fitting[0] : undefined;
  const [first = "DMY", second = "MDY"] = orderNames.toSorted(
    (one, other) => orders[other] - orders[one],
  );
  return orders[first] > orders[second] ? first : undefined;
}
