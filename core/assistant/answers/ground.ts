import type { AnswerCell } from "../../queries/index.ts";
import { carryOut, type Operation } from "./operations.ts";
import { readNumbers, type NumberReading, type ShownNumber } from "./readNumbers.ts";

/** The facts that a prose is held against. */
export interface Ground {
  readonly data: readonly (readonly AnswerCell[])[];
  /** The operations that the model lists; the host carries them out again. */
  readonly operations: readonly Operation[];
  /** Names with digits that are no numbers, such as those of columns. */
  readonly names: readonly string[];
  /** ISO dates in the filters of the query: its period may be named. */
  readonly dates: readonly string[];
  readonly locale?: string | undefined;
}

/** A prose in which every number is a cell or the result of a listed operation. */
export interface Grounded {
  readonly text: string;
  /** Numbers that were neither, and are struck out. */
  readonly struckCount: number;
}

/** The place of a number without a ground. */
const struck = "[?]";

/** A shown number may be rounded, but by no more than this part of the cell. */
const roundingShare = 0.05;
const mostDates = 400;

/**
 * Strikes out every number of a prose that is neither a cell of the answer nor the result of a listed operation. Texts
 * of cells and dates of cells, in the usual forms, keep their digits. A number may be shown rounded, in thousands,
 * millions and percent. Numbers in words are not seen.
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
 * Finds the numbers of a text. `179 386` with a plain blank is one number where that one is grounded, else two.
 */
function shownNumbers(
  text: string,
  isGrounded: (shown: ShownNumber) => boolean,
): readonly ShownNumber[] {
  const apart = readNumbers(text);
  // The same length, so that the places are those of the text.
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

/** Returns whether a shown number is a value, rounded to the decimals that are shown. */
function fits(
  { value, decimals, scale, isPercent, isNegative }: NumberReading,
  cell: number,
): boolean {
  const forms = isPercent ? [cell, cell * 100] : [cell / scale];
  return forms.some((form) => {
    if (isNegative && form > 0) return false;
    const distance = Math.abs(Math.abs(form) - value);
    const isExact = distance <= Math.abs(form) * 1e-9;
    // A half is written either way: 0.05 more than 43,819,192.05 is not exact as a double.
    const most = 0.5 * 10 ** -decimals * (1 + 1e-9) + Math.abs(form) * 4 * Number.EPSILON;
    return isExact || (distance <= most && distance <= Math.abs(form) * roundingShare);
  });
}

/** The ways in which a date is written: ISO, and by day, month, quarter and year in English and the locale. */
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

/** Finds the places of texts with digits in a prose, and returns whether a place is within one of them. */
function placesOf(text: string, kept: readonly string[]): (from: number, to: number) => boolean {
  const lower = text.toLowerCase();
  const places: (readonly [from: number, to: number])[] = [];
  for (const each of new Set(kept.map((name) => name.toLowerCase()))) {
    if (!/\p{N}/u.test(each)) continue;
    for (let from = lower.indexOf(each); from >= 0; from = lower.indexOf(each, from + 1)) {
      const to = from + each.length;
      // A part of a longer number or word is not it.
      const isApart = !/[\p{L}\p{N}.,]$/u.test(lower.slice(0, from)) || from === 0;
      const goesOn = /^(?:[\p{L}\p{N}]|[.,]\p{N})/u.test(lower.slice(to));
      if (isApart && !goesOn) places.push([from, to]);
    }
  }
  return (from, to) => places.some(([start, end]) => start <= from && to <= end);
}
