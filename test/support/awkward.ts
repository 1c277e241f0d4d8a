import { millisecondsOf, type Cell, type DataType } from "../../plugins/protocol/index.ts";
import type { Random } from "./random.ts";

/** A kind of values. The tests of a connector choose a native type that can store this kind. */
export type AwkwardKind = "text" | "whole" | "big" | "decimal" | "double" | "datetime" | "date";

export interface AwkwardColumn {
  readonly id: string;
  readonly kind: AwkwardKind;
}

/** A table of values that databases treat differently. */
export interface AwkwardTable {
  readonly name: string;
  readonly columns: readonly AwkwardColumn[];
  /**
   * Cells as they are sent to a database. `big` and `decimal` are strings with all digits. `double` may be the string
   * NaN, Infinity or -Infinity. Datetimes are ISO strings in UTC with six decimals. Dates have ten characters.
   */
  readonly rows: readonly (readonly (string | number | null)[])[];
}

/** The values that an engine supports. */
export interface AwkwardLimits {
  /** Whether strings may contain U+0000. */
  readonly nul?: boolean;
  /** Whether NaN and infinities are supported. */
  readonly nan?: boolean;
  /** The first and last year of a datetime. */
  readonly years: readonly [from: number, to: number];
}

export const awkwardColumns: readonly AwkwardColumn[] = [
  { id: "word", kind: "text" },
  { id: "Few texts.", kind: "text" },
  { id: '"; drop table x; --', kind: "text" },
  { id: "whole", kind: "whole" },
  { id: "big 🦄", kind: "big" },
  { id: "decimal", kind: "decimal" },
  { id: "double'", kind: "double" },
  { id: "at", kind: "datetime" },
  { id: "day", kind: "date" },
];

/**
 * Strings that systems treat differently because of case, accents, padding, folding beyond ASCII, code point order,
 * LIKE wildcards, quotes and more.
 */
const awkwardTexts: readonly string[] = [
  "",
  " ",
  "a",
  "A",
  "a ",
  " a",
  "á",
  "a\u0301",
  "ab",
  "aB",
  "K",
  "k",
  "\u212a",
  "s",
  "\u017f",
  "ß",
  "ẞ",
  "ss",
  "SS",
  "i",
  "I",
  "İ",
  "ı",
  "σ",
  "ς",
  "Σ",
  "\ufb05",
  "\ufb06",
  "%",
  "_",
  "a%b",
  "a_b",
  "\\",
  "[a-z]",
  "*",
  ".",
  "^a$",
  "a\nb",
  "'",
  '"',
  "it's",
  "'; drop table x; --",
  '"; drop table x; --',
  "null",
  "NULL",
  "true",
  "0",
  "日本",
  "\ufffd",
  "\uffee",
  "𝒳",
  "🦄🇧🇪",
  "\u00a0",
  "\u200b",
  "\u{1e921}",
  "\u{1e943}",
  "ǆ",
  "ǅ",
  "Ǆ",
];
const fewTexts = ["a", "A", "b", "ß", "SS", "", "é"];
const bigs = [
  "0",
  "1",
  "4503599627370497",
  "9007199254740991",
  "9007199254740992",
  "9007199254740993",
  "9007199254740995",
  "9223372036854775807",
];
const decimals = [
  "0",
  "0.1",
  "0.2",
  "0.3000000000",
  "1.0000000001",
  "12345678901234567.8901234567",
  "12345678901234567.8901234568",
  "9007199254740993.5000000000",
  "99999999999999999999.9999999999",
];
/** Multiples of a quarter, so that all sums are exact. */
const doubles = [0, -0, 0.25, 0.5, -0.75, 1, 3, 7.25, -7, 1024.5, 2 ** 31];
const notFinite = ["NaN", "Infinity", "-Infinity"];
/**
 * Instants at clock changes in four time zones, at midnight and at the ends of years, and instants with more digits
 * than milliseconds.
 */
const instants = [
  "2024-03-31T00:59:59.999999Z",
  "2024-03-31T01:00:00.000000Z",
  "2024-03-31T01:30:00.123999Z",
  "2024-10-27T00:30:00.000000Z",
  "2024-10-27T01:00:00.000000Z",
  "2024-10-27T01:30:00.000999Z",
  "2024-03-10T06:59:59.999000Z",
  "2024-03-10T07:00:00.000000Z",
  "2024-11-03T05:30:00.000000Z",
  "2024-11-03T06:30:00.000000Z",
  "2024-04-06T14:45:00.000000Z",
  "2024-04-06T15:00:00.000000Z",
  "2024-04-06T15:15:00.000000Z",
  "2024-10-05T15:29:59.999999Z",
  "2024-10-05T15:30:00.000000Z",
  "2018-02-18T01:30:00.000000Z",
  "2018-11-04T02:59:59.999999Z",
  "2018-11-04T03:00:00.000000Z",
  "2007-11-04T02:31:00.000000Z",
  "2007-11-04T02:30:59.999999Z",
  "2007-11-04T03:15:00.000000Z",
  "2023-12-31T23:59:59.999999Z",
  "2024-01-01T00:00:00.000000Z",
  "2024-02-29T12:00:00.500000Z",
  "2024-12-30T00:00:00.000000Z",
  "1970-01-01T00:00:00.000000Z",
  "1969-12-31T23:59:59.999500Z",
  "1960-07-02T11:22:33.444555Z",
  "1900-01-01T00:00:00.000000Z",
  "1583-01-01T00:00:00.000000Z",
  "1582-10-04T00:00:00.000000Z",
  "1001-05-05T05:05:05.050505Z",
  "2299-12-30T22:00:00.000000Z",
  "9999-12-30T23:59:59.999999Z",
];
export const awkwardZones = [
  "Europe/Brussels",
  "America/New_York",
  "Australia/Lord_Howe",
  "America/Sao_Paulo",
  "America/St_Johns",
  "Asia/Kolkata",
];

/** Returns a random table. A string column contains either all awkward strings or only a few. */
export function randomAwkwardTable(
  random: Random,
  { nan = false, years: [first, last] }: AwkwardLimits,
  rowCount = random.pick([0, 1, 7, 60, 60, 150, 150, 150]),
): AwkwardTable {
  const isHeld = (instant: string) => {
    const year = Number(instant.slice(0, 4));
    return year >= first && year <= last;
  };
  // Distant years add many clock changes to a statement. Tables with these years are therefore rare.
  const isNear = random.chance(0.75);
  const held = instants.filter(
    (each) => isHeld(each) && (!isNear || (each > "1950" && each < "2030")),
  );
  const cell = ({ id, kind }: AwkwardColumn): string | number | null => {
    if (random.chance(0.12)) return null;
    switch (kind) {
      case "text":
        return random.pick(id.startsWith("Few") ? fewTexts : awkwardTexts);
      case "whole":
        return random.below(9) - 4;
      case "big":
        return random.pick(bigs);
      case "decimal":
        return random.pick(decimals);
      case "double":
        return nan && random.chance(0.15) ? random.pick(notFinite) : random.pick(doubles);
      case "datetime":
        return random.pick(held);
      case "date":
        return random.pick(held).slice(0, 10);
    }
  };
  return {
    name: random.pick(["awkward", "a.b", 'with "quotes"', "emoji 🦄", "x; drop table x; --"]),
    columns: awkwardColumns,
    rows: Array.from({ length: rowCount }, () => awkwardColumns.map(cell)),
  };
}

/** Returns the logical type of a column of an awkward table. */
export function awkwardType({ kind }: AwkwardColumn): DataType {
  if (kind === "text") return "hierarchy";
  return kind === "datetime" || kind === "date" ? "datetime" : "numeric";
}

/** Returns the cell that represents a value of an awkward table in the protocol. */
export function awkwardCell(value: string | number | null, { kind }: AwkwardColumn): Cell {
  if (value === null || kind === "text") return value;
  if (kind === "datetime" || kind === "date") {
    const instant = millisecondsOf(String(value));
    return instant === undefined ? null : new Date(instant).toISOString();
  }
  const number = Number(value);
  return Number.isFinite(number) ? number + 0 : null;
}

/** Returns a random value for a filter on a column: a value that may occur in the column, or a value close to it. */
export function randomAwkwardValue(random: Random, { id, kind }: AwkwardColumn): string | number {
  switch (kind) {
    case "text":
      if (id.startsWith("big")) return random.pick([...bigs, "007", "+1", "18446744073709551616"]);
      return random.chance(0.05)
        ? random.pick(["a\0b", "\ud800", "\0", "a\udc00"])
        : random.pick(id.startsWith("Few") ? fewTexts : awkwardTexts);
    case "whole":
      return random.pick([random.below(9) - 4, 0.5, -1.5, 1e300, 2 ** 40]);
    case "big":
      return random.chance(0.2) ? random.pick([0.5, 1e19, 2 ** 53 + 2]) : Number(random.pick(bigs));
    case "decimal":
      return random.chance(0.2) ? random.pick([0.15, 1e25]) : Number(random.pick(decimals));
    case "double":
      return random.pick([...doubles, 0.1]);
    case "datetime":
      return `${random.pick(instants).slice(0, 23)}Z`;
    case "date":
      return `${random.pick(instants).slice(0, 10)}T00:00:00.000Z`;
  }
}
