import type { AnswerCell } from "../../queries/index.ts";
import { carryOut, type Operation } from "./operations.ts";
import { readNumbers, type NumberReading, type ShownNumber } from "./readNumbers.ts";

/** The facts that the numbers in a text are checked against. */
export interface Ground {
  readonly data: readonly (readonly AnswerCell[])[];
  /** The operations that the model claims to have used. The host computes their results itself. */
  readonly operations: readonly Operation[];
  /** Names that contain digits, such as names of columns. */
  readonly names: readonly string[];
  /** ISO dates in the filters of the query. The text may mention them to name the period. */
  readonly dates: readonly string[];
  readonly locale?: string | undefined;
}

/** Text in which every number is a cell of the answer, or the result of a listed operation. */
export interface Grounded {
  readonly text: string;
  /** How many numbers were struck out of the text. */
  readonly struckCount: number;
}

/** Takes the place of a number that no fact supports. */
const struck = "[?]";

/** Maximum difference between a rounded number in the text and its cell, as a fraction of the cell. */
const roundingShare = 0.05;
const mostDates = 400;

/**
 * Strikes out every number in a text that is neither a cell of the answer nor the result of a listed operation. Digits
 * of text cells and date cells are kept if they are written in a usual form. A number may be rounded, or shown in
 * thousands, millions or percent. Numbers written as words are not checked.
 */
export function ground(text: string, { data, operations, names, dates, locale }: Ground): Grounded {
  const cells = data.flat();
  const values = [
    ...cells.filter((cell) => typeof cell === "number"),
    ...operations.map((each) => carryOut(each, data)).filter((result) => result !== undefined),
  ];
  const texts = cells.flatMap((cell) => {
    if (typeof cell === "string") return [cell];
    return typeof cell === "object" && cell ? [cell.id, ...Object.values(cell.name)] : [];
  });
  const instants = [...new Set([...texts, ...dates])].filter((each) => isoDate.test(each));
  const dated = instants.slice(0, mostDates).flatMap((each) => formsOf(each, locale));
  const isKept = placesOf(text, [...texts, ...names, ...dated]);
  let grounded = "";
  let end = 0;
  let struckCount = 0;
  const isGrounded = ({ readings }: ShownNumber) =>
    readings.some((reading) => values.some((value) => fits(reading, value)));
  for (const shown of shownNumbers(text, isGrounded)) {
    const { from, to } = shown;
    if (isKept(from, to) || isGrounded(shown)) continue;
    grounded += `${text.slice(end, from)}${struck}`;
    end = to;
    struckCount++;
  }
  return { text: grounded + text.slice(end), struckCount };
}

const spaced = /(?<![\p{N}.,]|\p{N} )\p{Nd}{1,3}(?: \p{Nd}{3})+(?![\p{N}])/gu;

/**
 * Finds the numbers in a text. `179 386` with a plain space is read as one number if a fact supports it, and otherwise
 * as two.
 */
function shownNumbers(
  text: string,
  isGrounded: (shown: ShownNumber) => boolean,
): readonly ShownNumber[] {
  const apart = readNumbers(text);
  // The replacement has the same length, so that positions in `joined` and `text` match.
  const joined = text.replaceAll(spaced, (digits) => digits.replaceAll(" ", "\u00a0"));
  if (joined === text) return apart;
  const known = new Set(apart.map(({ from, to }) => `${from}-${to}`));
  const whole = readNumbers(joined).filter(
    (each) => !known.has(`${each.from}-${each.to}`) && isGrounded(each),
  );
  const rest = apart.filter(({ from, to }) =>
    whole.every((each) => to <= each.from || from >= each.to),
  );
  return [...rest, ...whole].toSorted((one, other) => one.from - other.from);
}

const isoDate = /^[-+]?\d{4,6}-\d\d(?:-\d\d(?:T[\d:.]+Z?)?)?$/;

/** Returns whether a number equals a value when the value is rounded to as many decimals as the text shows. */
function fits(
  { value, decimals, scale, isPercent, isNegative }: NumberReading,
  cell: number,
): boolean {
  const forms = isPercent ? [cell, cell * 100] : [cell / scale];
  return forms.some((form) => {
    if (isNegative && form > 0) return false;
    const distance = Math.abs(Math.abs(form) - value);
    const isExact = distance <= Math.abs(form) * 1e-9;
    // A half may be rounded either way, because sums such as 0.05 + 43,819,192.05 are not exact doubles.
    const most = 0.5 * 10 ** -decimals * (1 + 1e-9) + Math.abs(form) * 4 * Number.EPSILON;
    return isExact || (distance <= most && distance <= Math.abs(form) * roundingShare);
  });
}

/**
 * Returns the usual ways to write a date: as an ISO date, and as a day, month, quarter or year, in English and in the
 * locale's language.
 */
function formsOf(instant: string, locale: string | undefined): readonly string[] {
  const date = new Date(instant);
  if (Number.isNaN(date.getTime())) return [];
  const [year = "", month = ""] = instant.split("-");
  const quarter = `Q${Math.ceil(Number(month) / 3)}`;
  const own = [instant.slice(0, 10), instant.slice(0, 16), `${year}-${month}`, year];
  const styles: readonly Intl.DateTimeFormatOptions[] = [
    { dateStyle: "long" },
    { dateStyle: "medium" },
    { day: "numeric", month: "long" },
    { day: "numeric", month: "short" },
  ];
  const written = [...new Set(["en", ...(locale === undefined ? [] : [locale])])].flatMap((each) =>
    styles.map((style) => date.toLocaleString(each, { ...style, timeZone: "UTC" })),
  );
  return [...own, `${quarter} ${year}`, `${year} ${quarter}`, quarter, ...written];
}

/**
 * Finds the strings to keep in a text. Returns a function that tells whether a range is inside one of these strings.
 */
function placesOf(text: string, kept: readonly string[]): (from: number, to: number) => boolean {
  const lower = text.toLowerCase();
  const places: (readonly [from: number, to: number])[] = [];
  for (const each of new Set(kept.map((name) => name.toLowerCase()))) {
    if (!/\p{N}/u.test(each)) continue;
    for (let from = lower.indexOf(each); from >= 0; from = lower.indexOf(each, from + 1)) {
      const to = from + each.length;
      // The string must not be part of a longer number or word.
      const isApart = !/[\p{L}\p{N}.,]$/u.test(lower.slice(0, from)) || from === 0;
      const goesOn = /^(?:[\p{L}\p{N}]|[.,]\p{N})/u.test(lower.slice(to));
      if (isApart && !goesOn) places.push([from, to]);
    }
  }
  return (from, to) => places.some(([start, end]) => start <= from && to <= end);
}
