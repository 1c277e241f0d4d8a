/**
 * Writes the workbooks of this folder, and what a reader must return for them. The parts are written by hand, so that
 * every form of XML occurs, and zipped by yazl. Run it after changing a case:
 * `node --conditions=manifold-source test/files/writeWorkbooks.ts`.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { buffer } from "node:stream/consumers";
import { join } from "node:path";
import { ZipFile } from "yazl";
import type { ExpectedTable } from "./fileCase.ts";

type Expected =
  | { readonly sheets: Readonly<Record<string, ExpectedTable>> }
  | { readonly refused: string };

interface Workbook {
  readonly title: string;
  readonly parts: Readonly<Record<string, string | Uint8Array>>;
  readonly expected: Expected;
  readonly settings?: Readonly<Record<string, string>>;
  /** Where the expected values come from. */
  readonly from?: string;
}

const main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const relations = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const packaged = "http://schemas.openxmlformats.org/package/2006/relationships";

/** A cell: a value with the style 0, a number with a style, the XML of a cell after its reference, or nothing. */
type Cell =
  | string
  | number
  | boolean
  | null
  | { readonly n: number; readonly s: number }
  | { readonly xml: string };

const styled = (n: number, s: number): Cell => ({ n, s });
const xml = (rest: string): Cell => ({ xml: rest });

function letterOf(index: number): string {
  const letter = String.fromCharCode(65 + (index % 26));
  return index < 26 ? letter : letterOf(Math.floor(index / 26) - 1) + letter;
}

const escaped = (text: string): string =>
  text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");

function cellXml(cell: Cell, reference: string): string {
  if (cell === null) return "";
  if (typeof cell === "string")
    return `<c r="${reference}" t="inlineStr"><is><t xml:space="preserve">${escaped(cell)}</t></is></c>`;
  if (typeof cell === "number") return `<c r="${reference}"><v>${cell}</v></c>`;
  if (typeof cell === "boolean") return `<c r="${reference}" t="b"><v>${cell ? 1 : 0}</v></c>`;
  if ("xml" in cell) return `<c r="${reference}"${cell.xml}`;
  return `<c r="${reference}" s="${cell.s}"><v>${cell.n}</v></c>`;
}

/** Returns the rows of a sheet, from row `first` on. An empty row is left out. */
function rowsXml(rows: readonly (readonly Cell[])[], first = 1): string {
  const lines = rows.map((row, index) => {
    const number = first + index;
    const cells = row.map((cell, column) => cellXml(cell, `${letterOf(column)}${number}`)).join("");
    return cells === "" ? "" : `<row r="${number}">${cells}</row>`;
  });
  return `<sheetData>${lines.join("")}</sheetData>`;
}

interface Book {
  /** The content of each worksheet, by name. */
  readonly sheets: Readonly<Record<string, string>>;
  /** The formats of the styles from 1 on: codes, or the ids of built-in formats. */
  readonly formats?: readonly (string | number)[];
  /** The content of the shared strings. */
  readonly shared?: string;
  /** The attributes of the workbook's properties. */
  readonly properties?: string;
  /** More attributes of each sheet in the directory, by name. */
  readonly attributes?: Readonly<Record<string, string>>;
}

function bookParts({
  sheets,
  formats = [],
  shared,
  properties = "",
  attributes = {},
}: Book): Record<string, string> {
  const names = Object.keys(sheets);
  const listed = names.map(
    (name, index) =>
      `<sheet name="${escaped(name)}" sheetId="${index + 1}"${attributes[name] ?? ""} r:id="rId${index + 1}"/>`,
  );
  const linked = names.map(
    (_, index) =>
      `<Relationship Id="rId${index + 1}" Type="${relations}/worksheet" Target="worksheets/sheet${index + 1}.xml"/>`,
  );
  const codes = formats.flatMap((format, index) =>
    typeof format === "string"
      ? [`<numFmt numFmtId="${164 + index}" formatCode="${escaped(format)}"/>`]
      : [],
  );
  const styles = formats.map(
    (format, index) => `<xf numFmtId="${typeof format === "string" ? 164 + index : format}"/>`,
  );
  return {
    "[Content_Types].xml": contentTypes([
      ["xl/workbook.xml", "sheet.main"],
      ["xl/styles.xml", "styles"],
      ...(shared === undefined ? [] : [["xl/sharedStrings.xml", "sharedStrings"] as const]),
      ...names.map((_, index) => [`xl/worksheets/sheet${index + 1}.xml`, "worksheet"] as const),
    ]),
    "_rels/.rels": `<Relationships xmlns="${packaged}"><Relationship Id="rId1" Type="${relations}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    "xl/workbook.xml": `<workbook xmlns="${main}" xmlns:r="${relations}"><workbookPr${properties}/><sheets>${listed.join("")}</sheets></workbook>`,
    "xl/_rels/workbook.xml.rels":
      `<Relationships xmlns="${packaged}">${linked.join("")}` +
      `<Relationship Id="rIdS" Type="${relations}/sharedStrings" Target="sharedStrings.xml"/>` +
      `<Relationship Id="rIdT" Type="${relations}/styles" Target="styles.xml"/></Relationships>`,
    "xl/styles.xml": `<styleSheet xmlns="${main}"><numFmts>${codes.join("")}</numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/>${styles.join("")}</cellXfs></styleSheet>`,
    ...(shared !== undefined && { "xl/sharedStrings.xml": `<sst xmlns="${main}">${shared}</sst>` }),
    ...Object.fromEntries(
      names.map((name, index) => [
        `xl/worksheets/sheet${index + 1}.xml`,
        `<worksheet xmlns="${main}" xmlns:r="${relations}">${sheets[name]}</worksheet>`,
      ]),
    ),
  };
}

/** Declares the types of parts, as Excel requires. */
function contentTypes(parts: readonly (readonly [path: string, kind: string])[]): string {
  const overrides = parts.map(
    ([path, kind]) =>
      `<Override PartName="/${path}" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.${kind}+xml"/>`,
  );
  return (
    '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">' +
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
    `<Default Extension="xml" ContentType="application/xml"/>${overrides.join("")}</Types>`
  );
}

/** Creates a workbook with one sheet, `Sheet1`. */
function oneSheet(
  title: string,
  rows: readonly (readonly Cell[])[] | string,
  expected: ExpectedTable | string,
  more: Partial<Omit<Book, "sheets"> & Pick<Workbook, "settings" | "from">> & {
    readonly after?: string;
  } = {},
): Workbook {
  const { settings, from, after = "", ...book } = more;
  const content = (typeof rows === "string" ? rows : rowsXml(rows)) + after;
  return {
    title,
    parts: bookParts({ sheets: { Sheet1: content }, ...book }),
    expected:
      typeof expected === "string" ? { refused: expected } : { sheets: { Sheet1: expected } },
    ...(settings && { settings }),
    ...(from !== undefined && { from }),
  };
}

/** Creates a workbook whose column `v` has one number per format. */
function oneFormat(
  title: string,
  format: string | number,
  numbers: readonly number[],
  kind: "number" | "currency" | "duration" | "date" | "datetime" | "text",
  values: readonly (string | number)[],
  more: { readonly notes?: string[]; readonly properties?: string; readonly from?: string } = {},
): Workbook {
  const { notes, ...book } = more;
  return oneSheet(
    title,
    [["v"], ...numbers.map((n) => [styled(n, 1)])],
    { columns: { v: kind }, rows: values.map((value) => [value]), ...(notes && { notes }) },
    { formats: [format], ...book },
  );
}

/** The table that most cases about structure contain. */
const ab: ExpectedTable = {
  columns: { a: "number", b: "text" },
  rows: [
    [1, "x"],
    [2, "y"],
  ],
};
const abRows: readonly (readonly Cell[])[] = [
  ["a", "b"],
  [1, "x"],
  [2, "y"],
];
/** Rows of column names and values as shared strings of these indexes. */
const sharedRows = (...indexes: readonly number[]): Cell[][] =>
  indexes.map((index) => [xml(` t="s"><v>${index}</v></c>`)]);

const iso = "ISO 8601 and the calendar of ECMA-376, part 1, 18.17.4.1";
const types = "ECMA-376, part 1, 18.18.11";
const builtIns = "ECMA-376, part 1, 18.8.30";

const dates: Readonly<Record<string, Workbook>> = {
  "dates1900.xlsx": oneFormat(
    "dates count from 1900 and skip the day that never existed",
    14,
    [1, 59, 61, 45322],
    "date",
    ["1900-01-01", "1900-02-28", "1900-03-01", "2024-01-31"],
    { from: iso },
  ),
  "dates1904.xlsx": oneFormat(
    "dates count from 1904 in a workbook that says so",
    14,
    [0, 1, 60, 43860],
    "date",
    ["1904-01-01", "1904-01-02", "1904-03-01", "2024-01-31"],
    { properties: ' date1904="1"', from: iso },
  ),
  "dates1904On.xlsx": oneFormat(
    "the calendar of 1904 may be switched on with the word true",
    14,
    [43860],
    "date",
    ["2024-01-31"],
    { properties: ' date1904="true"', from: iso },
  ),
  "dates1904Off.xlsx": oneFormat(
    "the calendar of 1904 may be switched off",
    14,
    [45322],
    "date",
    ["2024-01-31"],
    { properties: ' date1904="false"', from: iso },
  ),
  "isoCalendar.xlsx": oneFormat(
    "a workbook without the compatible calendar has no missing day",
    14,
    [59, 60, 61],
    "date",
    ["1900-02-27", "1900-02-28", "1900-03-01"],
    { properties: ' dateCompatibility="0"', from: iso },
  ),
  "missingDay.xlsx": oneFormat(
    "a column with February 29 of 1900 is text, as Excel shows it",
    14,
    [59, 60, 61],
    "text",
    ["1900-02-28", "1900-02-29", "1900-03-01"],
    { notes: ["row 3 contains the missing date 1900-02-29"], from: iso },
  ),
  "missingDayTimed.xlsx": oneFormat(
    "February 29 of 1900 keeps its time of day",
    "yyyy-mm-dd hh:mm",
    [60.25, 61.5],
    "text",
    ["1900-02-29T06:00:00", "1900-03-01T12:00:00.000Z"],
    { from: iso },
  ),
  "dayZero.xlsx": oneFormat(
    "a zero with the format of a date is not a date",
    14,
    [0, 45322],
    "text",
    ["1900-01-00", "2024-01-31"],
    { notes: ["row 2 contains the missing date 1900-01-00"], from: iso },
  ),
  "negativeDate.xlsx": oneFormat(
    "a negative number with the format of a date is not a date",
    14,
    [-1, 45322],
    "text",
    ["-1", "2024-01-31"],
    { from: iso },
  ),
  "lateDate.xlsx": oneFormat(
    "dates end with the year 9999",
    14,
    [2958465, 2958466],
    "text",
    ["9999-12-31", "2958466"],
    { from: iso },
  ),
  "datetimes.xlsx": oneFormat(
    "datetimes are rounded to milliseconds",
    22,
    [45322.39583333333, 45322.5, 45322.00001157407],
    "datetime",
    ["2024-01-31T09:30:00Z", "2024-01-31T12:00:00Z", "2024-01-31T00:00:01Z"],
    { from: iso },
  ),
  "isoCells.xlsx": oneSheet(
    "cells of the type d contain ISO dates",
    [
      ["d", "t", "c"],
      [
        xml(' t="d"><v>2024-01-31</v></c>'),
        xml(' t="d"><v>2024-01-31T09:30:00</v></c>'),
        xml(' t="d"><v>T09:30:00</v></c>'),
      ],
    ],
    {
      columns: { d: "date", t: "datetime", c: "text" },
      rows: [["2024-01-31", "2024-01-31T09:30:00Z", "09:30:00"]],
    },
    { from: types },
  ),
  "dateHeaders.xlsx": oneSheet(
    "a date in the header becomes an ISO date",
    [
      [styled(45292, 1), styled(45323, 1), "n"],
      [1, 2, 3],
    ],
    { columns: { "2024-01-01": "number", "2024-02-01": "number", n: "number" }, rows: [[1, 2, 3]] },
    { formats: ["mmm yyyy"], from: iso },
  ),
  "numberHeaders.xlsx": oneSheet(
    "numbers and booleans may be names of columns",
    [
      ["Year", 2000, 2001, true],
      ["sales", 1, 2, 3],
    ],
    {
      columns: { Year: "text", "2000": "number", "2001": "number", true: "number" },
      rows: [["sales", 1, 2, 3]],
    },
  ),
  "timeZone.xlsx": oneSheet(
    "datetimes are in the time zone of the settings, but dates are not",
    [
      ["d", "t"],
      [styled(45322, 1), styled(45322.5, 2)],
      [styled(45473, 1), styled(45474, 2)],
    ],
    {
      columns: { d: "date", t: "datetime" },
      rows: [
        ["2024-01-31", "2024-01-31T11:00:00Z"],
        ["2024-06-30", "2024-06-30T22:00:00Z"],
      ],
    },
    { formats: [14, 22], settings: { time_zone: "Europe/Paris" }, from: "Python zoneinfo" },
  ),
};

const clocks: Readonly<Record<string, Workbook>> = {
  "timesOfDay.xlsx": oneFormat(
    "times of day are text",
    20,
    [0, 0.5, 0.39583333333333331, 0.99998842592592596],
    "text",
    ["00:00:00", "12:00:00", "09:30:00", "23:59:59"],
  ),
  "timesOfDay1904.xlsx": oneFormat(
    "times of day do not depend on the calendar",
    "hh:mm",
    [0.25, 0.5],
    "text",
    ["06:00:00", "12:00:00"],
    { properties: ' date1904="1"' },
  ),
  "milliseconds.xlsx": oneFormat(
    "times of day keep their milliseconds",
    "mm:ss.0",
    [0.4375057870370371],
    "text",
    ["10:30:00.500"],
  ),
  "halfDays.xlsx": oneFormat(
    "a time with AM or PM is a time of day",
    "[$-409]h:mm\\ AM/PM;@",
    [0.75],
    "text",
    ["18:00:00"],
  ),
  "dayInTime.xlsx": oneFormat(
    "a time of day that contains a day is a datetime with a note",
    20,
    [45322.5],
    "datetime",
    ["2024-01-31T12:00:00Z"],
    { notes: ['"v": row 2 shows a time of day, but contains 2024-01-31T12:00:00'] },
  ),
  "elapsed.xlsx": oneFormat(
    "elapsed hours are numbers of hours",
    "[h]:mm",
    [1.5, 1.75, 10.25, 0.5],
    "duration",
    [36, 42, 246, 12],
    { notes: ['"v": cells that show elapsed time are read as hours'] },
  ),
  "elapsedSeconds.xlsx": oneFormat(
    "elapsed hours with seconds are numbers of hours",
    "[h]:mm:ss",
    [1.5, 0.000011574074074074073],
    "duration",
    [36, 1 / 3600],
  ),
  "elapsedBuiltIn.xlsx": oneFormat(
    "the built-in format 46 shows elapsed hours",
    46,
    [1.25],
    "duration",
    [30],
    { from: builtIns },
  ),
  "elapsedMinutes.xlsx": oneFormat(
    "elapsed minutes are numbers of hours",
    "[mm]:ss",
    [0.0625],
    "duration",
    [1.5],
  ),
  "elapsedOneSecond.xlsx": oneFormat(
    "elapsed seconds are numbers of hours",
    "[ss]",
    [0.5],
    "duration",
    [12],
  ),
  "elapsedNegative.xlsx": oneFormat(
    "elapsed time may be negative",
    "[h]:mm",
    [-0.5],
    "duration",
    [-12],
    { properties: ' date1904="1"' },
  ),
  "elapsedMixed.xlsx": oneSheet(
    "a note names a plain number among elapsed times",
    [["v"], [styled(1.5, 1)], [7]],
    {
      columns: { v: "number" },
      rows: [[36], [7]],
      notes: ["read as hours, but row 3 contains a plain number"],
    },
    { formats: ["[h]:mm"] },
  ),
  "elapsedDeclared.xlsx": oneSheet(
    "a declared duration is in hours",
    [["v"], [styled(1.5, 1)]],
    { columns: { v: "duration" }, rows: [[36]], notes: ["read as hours"] },
    { formats: ["[h]:mm"], settings: { columns: '{"v":"duration"}' } },
  ),
};

/** Format codes, the number that they format, and what it is. */
const codes: readonly (readonly [
  name: string,
  title: string,
  code: string | number,
  n: number,
  kind: "number" | "currency" | "duration" | "date" | "datetime" | "text",
  value: number | string,
])[] = [
  ["general", "General is a number", "General", 45322, "number", 45322],
  [
    "localeDate",
    "a format with a locale shows a date",
    "[$-409]d\\-mmm\\-yyyy;@",
    45322,
    "date",
    "2024-01-31",
  ],
  [
    "longDate",
    "the system's long date is a date",
    "[$-F800]dddd\\,\\ mmmm\\ dd\\,\\ yyyy",
    45322,
    "date",
    "2024-01-31",
  ],
  [
    "systemTime",
    "the system's time is a time of day",
    "[$-F400]h:mm:ss\\ AM/PM",
    0.5,
    "text",
    "12:00:00",
  ],
  ["redNumber", "the colour Red is not a date", "[Red]0.00", 5, "number", 5],
  [
    "redNegative",
    "a colour in the second section is not a date",
    "0.00;[Red]\\-0.00",
    5,
    "number",
    5,
  ],
  ["condition", "a condition is not a date", "[>100]0.0;[<=100]0", 5, "number", 5],
  ["colouredDate", "a coloured date is a date", "[Red]dd/mm/yyyy", 45322, "date", "2024-01-31"],
  ["quotedLetters", "letters in quotes do not make a date", '0 "days, hms"', 5, "number", 5],
  ["escapedLetters", "escaped letters do not make a date", "0\\d\\h", 5, "number", 5],
  ["spaceOfLetter", "the width of a letter does not make a date", "0_d_h", 5, "number", 5],
  ["filledLetter", "a repeated letter does not make a date", "*d0", 5, "number", 5],
  ["scientific", "an exponent is not a year", "0.00E+00", 5, "number", 5],
  ["fraction", "a fraction is a number", "# ?/?", 0.5, "number", 0.5],
  ["percent", "a percentage is a fraction of one", "0.0%", 0.125, "number", 0.125],
  ["euro", "a euro sign shows a currency", '#,##0.00\\ "€"', 5, "currency", 5],
  [
    "bracketCurrency",
    "a currency in brackets is a currency",
    "[$CHF]\\ #,##0.00",
    5,
    "currency",
    5,
  ],
  ["localCurrency", "a currency with a locale is a currency", "[$kr-41D]#,##0", 5, "currency", 5],
  ["dollar", "a dollar sign shows a currency", "$#,##0_);($#,##0)", 5, "currency", 5],
  [
    "accounting",
    "an accounting format with a sign is a currency",
    '_-* #,##0.00\\ [$€-407]_-;\\-* #,##0.00\\ [$€-407]_-;_-* "-"??\\ [$€-407]_-;_-@_-',
    5,
    "currency",
    5,
  ],
  [
    "accountingPlain",
    "an accounting format without a sign is a number",
    "_(* #,##0_);_(* \\(#,##0\\);_(* \\-??_);_(@_)",
    5,
    "number",
    5,
  ],
  ["monthOnly", "a month is a date", "mmmm", 45322, "date", "2024-01-31"],
  ["monthNumber", "the number of a month is a date", "mm", 45322, "date", "2024-01-31"],
  ["yearOnly", "a year is a date", "yyyy", 45322, "date", "2024-01-31"],
  ["weekday", "a weekday is a date", "dddd", 45322, "date", "2024-01-31"],
  [
    "japaneseEra",
    "a Japanese era is a date",
    '[$-411]ggge"年"m"月"d"日"',
    45322,
    "date",
    "2024-01-31",
  ],
  ["buddhistYear", "a Buddhist year is a date", "d/m/bbbb", 45322, "date", "2024-01-31"],
  [
    "chineseDate",
    "Chinese characters in quotes do not hide a date",
    'yyyy"年"m"月"d"日"',
    45322,
    "date",
    "2024-01-31",
  ],
  [
    "upperCase",
    "the letters of a format may be upper case",
    "DD/MM/YYYY",
    45322,
    "date",
    "2024-01-31",
  ],
  ["minutes", "minutes and seconds are a time of day", "mm:ss", 0.5, "text", "12:00:00"],
  [
    "literalFirst",
    "a first section without a placeholder does not decide",
    '"-";yyyy-mm-dd',
    45322,
    "date",
    "2024-01-31",
  ],
  ["hidden", "a format that hides numbers is a number", ";;;", 5, "number", 5],
  ["textFormat", "a number in a cell with the format of text is a number", "@", 5, "number", 5],
  ["unclosedQuote", "a quote that is not closed extends to the end", '0 "d', 5, "number", 5],
  ["builtIn17", "the built-in format 17 shows dates", 17, 45322, "date", "2024-01-31"],
  [
    "builtIn22",
    "the built-in format 22 shows datetimes",
    22,
    45322.5,
    "datetime",
    "2024-01-31T12:00:00Z",
  ],
  ["builtIn27", "the built-in format 27 of East Asia shows dates", 27, 45322, "date", "2024-01-31"],
  ["builtIn32", "the built-in format 32 of East Asia shows times", 32, 0.5, "text", "12:00:00"],
  [
    "builtIn34",
    "the built-in format 34 of East Asia shows dates, or times in Chinese",
    34,
    45322,
    "date",
    "2024-01-31",
  ],
  ["builtIn44", "the built-in format 44 shows currencies", 44, 5, "currency", 5],
  ["builtIn58", "the built-in format 58 of East Asia shows dates", 58, 45322, "date", "2024-01-31"],
  ["builtIn9", "the built-in format 9 shows percentages", 9, 0.5, "number", 0.5],
  ["builtIn11", "the built-in format 11 shows exponents", 11, 5, "number", 5],
  ["builtIn37", "the built-in format 37 shows numbers", 37, 5, "number", 5],
  ["builtIn79", "the built-in format 79 of Thailand shows elapsed time", 79, 1.5, "duration", 36],
];

const formats: Readonly<Record<string, Workbook>> = Object.fromEntries(
  codes.map(([name, title, code, n, kind, value]) => [
    `format/${name}.xlsx`,
    oneFormat(title, code, [n], kind, [value], {
      from: typeof code === "number" ? builtIns : "ECMA-376, part 1, 18.8.31",
    }),
  ]),
);

const texts: Readonly<Record<string, Workbook>> = {
  "sharedStrings.xlsx": oneSheet(
    "shared strings are read by index",
    sharedRows(0, 2, 1, 2),
    { columns: { name: "text" }, rows: [["b"], ["a"], ["b"]] },
    { shared: "<si><t>name</t></si><si><t>a</t></si><si><t>b</t></si>" },
  ),
  "richText.xlsx": oneSheet(
    "the runs of rich text are joined",
    sharedRows(0, 1),
    { columns: { name: "text" }, rows: [["red and  black"]] },
    {
      shared:
        '<si><t>name</t></si><si><r><rPr><color rgb="FFFF0000"/></rPr><t>red</t></r><r><t xml:space="preserve"> and </t></r><r><t xml:space="preserve"> black</t></r></si>',
    },
  ),
  "phoneticRuns.xlsx": oneSheet(
    "phonetic hints are not part of a string",
    sharedRows(0, 1),
    { columns: { name: "text" }, rows: [["東京"]] },
    {
      shared:
        '<si><t>name</t></si><si><t>東京</t><rPh sb="0" eb="2"><t>トウキョウ</t></rPh><phoneticPr fontId="1"/></si>',
    },
  ),
  "inlinePhonetic.xlsx": oneSheet(
    "phonetic hints are not part of an inline string",
    [
      ["name"],
      [xml(' t="inlineStr"><is><t>東京</t><rPh sb="0" eb="2"><t>トウキョウ</t></rPh></is></c>')],
    ],
    { columns: { name: "text" }, rows: [["東京"]] },
  ),
  "inlineAndValue.xlsx": oneSheet(
    "an inline string counts, not a value next to it",
    [["name"], [xml(' t="inlineStr"><v>9</v><is><t>x</t></is></c>')]],
    { columns: { name: "text" }, rows: [["x"]] },
  ),
  "inlineRich.xlsx": oneSheet(
    "an inline string may have runs",
    [["name"], [xml(' t="inlineStr"><is><r><t>a</t></r><r><t>b</t></r></is></c>')]],
    { columns: { name: "text" }, rows: [["ab"]] },
  ),
  "escapes.xlsx": oneSheet(
    "escapes are decoded in shared, inline and formula strings",
    [
      ["a", "b", "c"],
      [
        xml(' t="s"><v>0</v></c>'),
        xml(' t="inlineStr"><is><t>x_x000D_y</t></is></c>'),
        xml(' t="str"><f>"z"</f><v>_x0041_</v></c>'),
      ],
    ],
    { columns: { a: "text", b: "text", c: "text" }, rows: [["a\r\nb _x000D_", "x\ry", "A"]] },
    { shared: "<si><t>a_x000D_\nb _x005F_x000D_</t></si>", from: "ECMA-376, part 1, 22.9.2.19" },
  ),
  "entities.xlsx": oneSheet(
    "the entities of XML are decoded",
    sharedRows(0, 1),
    { columns: { name: "text" }, rows: [['<a & "b"> é🦄']] },
    { shared: "<si><t>name</t></si><si><t>&lt;a &amp; &quot;b&quot;&gt; &#233;&#x1F984;</t></si>" },
  ),
  "characterData.xlsx": oneSheet(
    "character data is text",
    sharedRows(0, 1),
    { columns: { name: "text" }, rows: [["a < b"]] },
    { shared: "<si><t>name</t></si><si><t><![CDATA[a < b]]></t></si>" },
  ),
  "emptyStrings.xlsx": oneSheet(
    "an empty string is not null",
    [
      ["a", "b", "n"],
      [xml(' t="s"><v>0</v></c>'), xml(' t="inlineStr"><is><t/></is></c>'), 1],
      [null, xml(' t="s"/>'), 2],
    ],
    {
      columns: { a: "text", b: "text", n: "number" },
      rows: [
        ["", "", 1],
        [null, null, 2],
      ],
    },
    { shared: "<si/>" },
  ),
  "spaces.xlsx": oneSheet("spaces around strings are kept", [["a"], ["  x "], [" "]], {
    columns: { a: "text" },
    rows: [["  x "], [" "]],
  }),
  "lineBreaks.xlsx": oneSheet("line breaks in a cell are kept", [["a b"], ["x\ny"]], {
    columns: { "a b": "text" },
    rows: [["x\ny"]],
  }),
  "textNumbers.xlsx": oneSheet(
    "a number that is stored as text stays text",
    [["zip"], ["01000"], ["2000"]],
    { columns: { zip: "text" }, rows: [["01000"], ["2000"]] },
  ),
  "textDigits.xlsx": oneSheet(
    "strings of digits stay text, because workbooks have numbers of their own",
    [
      ["id", "version", "outline", "code", "phone"],
      ["2000", "1.10", "1.", "5E3", "+49 123 456"],
      ["3000", "1.2", "2.", "1E10", "+49 654 321"],
    ],
    {
      columns: { id: "text", version: "text", outline: "text", code: "text", phone: "text" },
      rows: [
        ["2000", "1.10", "1.", "5E3", "+49 123 456"],
        ["3000", "1.2", "2.", "1E10", "+49 654 321"],
      ],
      notes: ['"id": it is text: 2 of 2 values are strings'],
    },
  ),
  "textAmounts.xlsx": oneSheet(
    "strings with currencies, percentages or a decimal comma are numbers, with a note",
    [
      ["price", "share", "length", "either"],
      ["1.234,50 €", "12%", "1,5", "1,234"],
      ["2,00 €", "50%", "2,75", "5,678"],
      [null, null, 3, null],
    ],
    {
      columns: { price: "number", share: "number", length: "number", either: "number" },
      rows: [
        [1234.5, 0.12, 1.5, 1.234],
        [2, 0.5, 2.75, 5.678],
        [null, null, 3, null],
      ],
      notes: [
        '"price": read as numbers in € with a decimal comma and points between thousands',
        '"share": read as percentages, 12% as 0.12',
        '"length": read as numbers with a decimal comma',
        '"either": read as numbers with a decimal comma',
      ],
    },
  ),
  "textSigns.xlsx": oneSheet(
    "strings with signs around a currency are numbers, and names that look like amounts are not",
    [
      ["debit", "paid", "rank", "day"],
      ["(7,00) €", "CHF 1'250.–", "TOP10", "31 января 2024 г."],
      ["8,50 €", "CHF -5.50", "TOP20", "1 марта 2024 г."],
    ],
    {
      columns: { debit: "number", paid: "number", rank: "text", day: "date" },
      rows: [
        [-7, 1250, "TOP10", "2024-01-31"],
        [8.5, -5.5, "TOP20", "2024-03-01"],
      ],
    },
  ),
  "blanksInHeader.xlsx": oneSheet(
    "blanks around names of columns are ignored",
    [
      [" a ", "b "],
      [1, 2],
    ],
    {
      columns: { a: "number", b: "number" },
      rows: [[1, 2]],
    },
  ),
  "labelledTotal.xlsx": oneSheet(
    "a note names a last row that looks like a total",
    [
      ["item", "amount"],
      ["pen", 5],
      ["ink", 7],
      ["Summe:", 12],
    ],
    {
      columns: { item: "text", amount: "number" },
      rows: [
        ["pen", 5],
        ["ink", 7],
        ["Summe:", 12],
      ],
      notes: ['row 4 looks like a total of the rows above ("Summe:")'],
    },
  ),
  "hiddenRows.xlsx": oneSheet(
    "rows that the workbook hides are read, and a note names the first",
    '<sheetData><row r="1"><c r="A1" t="str"><v>a</v></c></row><row r="2"><c r="A2"><v>1</v></c></row>' +
      '<row r="3" hidden="1"><c r="A3"><v>2</v></c></row><row r="4" hidden="1"><c r="A4"><v>3</v></c></row></sheetData>',
    {
      columns: { a: "number" },
      rows: [[1], [2], [3]],
      notes: ["row 3 and 1 more are hidden in the workbook, but read like other rows"],
    },
  ),
  "secondTable.xlsx": oneSheet(
    "a note names a second table below the first, and the range of the first",
    '<sheetData><row r="1"><c r="A1" t="str"><v>a</v></c><c r="B1" t="str"><v>b</v></c></row>' +
      '<row r="2"><c r="A2"><v>1</v></c><c r="B2"><v>2</v></c></row><row r="3"><c r="A3"><v>3</v></c><c r="B3"><v>4</v></c></row>' +
      '<row r="6"><c r="A6" t="str"><v>x</v></c><c r="B6" t="str"><v>y</v></c></row>' +
      '<row r="7"><c r="A7" t="str"><v>p</v></c><c r="B7"><v>5</v></c></row></sheetData>',
    {
      columns: { a: "text", b: "text" },
      rows: [
        ["1", "2"],
        ["3", "4"],
        ["x", "y"],
        ["p", "5"],
      ],
      notes: [
        "row 6 looks like the header of a second table; to read only the first, set range to A1:B3",
      ],
    },
  ),
  "textAmbiguous.xlsx": oneSheet(
    "strings whose comma may be a decimal sign stay text",
    [["amount"], ["1,234"], ["5,678"]],
    {
      columns: { amount: "text" },
      rows: [["1,234"], ["5,678"]],
      notes: ["set decimal to comma or point"],
    },
  ),
  "textDates.xlsx": oneSheet(
    "strings whose dates allow only one order are dates, next to cells with dates",
    [
      ["day", "either"],
      ["25/1/2024", "1/2/2024"],
      ["1/2/2024", "3/4/2024"],
      [styled(45_352, 1), null],
    ],
    {
      columns: { day: "date", either: "text" },
      rows: [
        ["2024-01-25", "1/2/2024"],
        ["2024-02-01", "3/4/2024"],
        ["2024-03-01", null],
      ],
      notes: ['"day": read as dates as', '"either": it is text: the order of day and month'],
    },
    { formats: ["yyyy-mm-dd"] },
  ),
  "paddedNumbers.xlsx": oneFormat(
    "a note says that a number shows leading zeros",
    "00000",
    [1000],
    "number",
    [1000],
    { notes: ['"v": row 2 shows leading zeros'] },
  ),
  "longNumbers.xlsx": oneSheet(
    "whole numbers beyond 2^53 keep their digits as text",
    [["id"], [xml("><v>9007199254740993</v></c>")], [xml("><v>9007199254740992</v></c>")]],
    {
      columns: { id: "text" },
      rows: [["9007199254740993"], ["9007199254740992"]],
      notes: ["row 2 contains a whole number beyond 2^53"],
    },
  ),
  "doubles.xlsx": oneSheet(
    "numbers are doubles",
    [
      ["a"],
      [xml("><v>0.30000000000000004</v></c>")],
      [xml("><v>1.7976931348623157E+308</v></c>")],
      [xml("><v>-5e-324</v></c>")],
      [xml("><v> 7 </v></c>")],
    ],
    {
      columns: { a: "number" },
      rows: [[0.30000000000000004], [1.7976931348623157e308], [-5e-324], [7]],
    },
    { from: "IEEE 754" },
  ),
  "booleans.xlsx": oneSheet("booleans are the text true and false", [["a"], [true], [false]], {
    columns: { a: "text" },
    rows: [["true"], ["false"]],
  }),
  "errorValues.xlsx": oneSheet(
    "error values are text with a note",
    [
      ["a", "b"],
      [1, 1],
      [2, 1],
      [xml(' t="e"><v>#DIV/0!</v></c>'), 1],
    ],
    {
      columns: { a: "text", b: "number" },
      rows: [
        ["1", 1],
        ["2", 1],
        ["#DIV/0!", 1],
      ],
      notes: ['"a": row 4 contains the error #DIV/0!; to read it as null, add #DIV/0! to nulls'],
    },
  ),
  "errorNulls.xlsx": oneSheet(
    "error values are null if the settings say so",
    [["a"], [1], [xml(' t="e"><v>#DIV/0!</v></c>')], [xml(' t="e"><v>#N/A</v></c>')]],
    { columns: { a: "number" }, rows: [[1], [null], [null]] },
    { settings: { nulls: "#DIV/0!,#N/A" } },
  ),
  "errorDeclared.xlsx": oneSheet(
    "an error value in a declared number is refused by its row",
    [["a"], [xml(' t="e"><v>#REF!</v></c>')]],
    {
      columns: { a: "number" },
      refused:
        'row 2: "a" must be a number, not "#REF!"; correct the source, add this string to nulls, or change the column\'s type to text and synchronize the dataset\'s metadata',
    },
    { settings: { columns: '{"a":"number"}' } },
  ),
};

const formulas: Readonly<Record<string, Workbook>> = {
  "formulas.xlsx": oneSheet(
    "a formula is read as its stored result",
    [
      ["a", "b", "c"],
      [
        xml("><f>1+1</f><v>2</v></c>"),
        xml(' t="str"><f>"x"&amp;"y"</f><v>xy</v></c>'),
        xml(' t="b"><f>1=1</f><v>1</v></c>'),
      ],
    ],
    { columns: { a: "number", b: "text", c: "text" }, rows: [[2, "xy", "true"]] },
  ),
  "emptyResult.xlsx": oneSheet(
    "the stored result of a formula may be an empty string",
    [
      ["a", "b"],
      [xml(' t="str"><f>""</f><v></v></c>'), 1],
    ],
    { columns: { a: "text", b: "number" }, rows: [["", 1]] },
  ),
  "sharedFormula.xlsx": oneSheet(
    "shared and array formulas are read as their stored results",
    [
      ["a", "b"],
      [
        xml('><f t="shared" ref="A2:A3" si="0">B2*2</f><v>2</v></c>'),
        xml('><f t="array" ref="B2">SUM(1)</f><v>1</v></c>'),
      ],
      [xml('><f t="shared" si="0"/><v>4</v></c>'), 2],
    ],
    {
      columns: { a: "number", b: "number" },
      rows: [
        [2, 1],
        [4, 2],
      ],
    },
  ),
  "withoutResult.xlsx": oneSheet(
    "a formula without a stored result is refused by its row",
    [
      ["a", "b"],
      [1, 2],
      [1, xml("><f>A3*2</f></c>")],
    ],
    "row 3 has a formula without a stored value in column B; save the file in a program that calculates formulas",
  ),
  "emptyValue.xlsx": oneSheet(
    "a formula with an empty value has no stored result",
    [
      ["a", "b"],
      [2, xml("><f>A2*2</f><v></v></c>")],
    ],
    "row 2 has a formula without a stored value in column B; save the file in a program that calculates formulas",
  ),
  "closedValue.xlsx": oneSheet(
    "a formula with a closed empty value has no stored result",
    [
      ["a", "b"],
      [2, xml("><f>A2*2</f><v/></c>")],
    ],
    "row 2 has a formula without a stored value in column B; save the file in a program that calculates formulas",
  ),
  "stringWithoutValue.xlsx": oneSheet(
    "a formula of a string without a value has no stored result",
    [["a"], [xml(' t="str"><f>A1</f></c>')]],
    "row 2 has a formula without a stored value in column A; save the file in a program that calculates formulas",
  ),
  "booleanWithoutValue.xlsx": oneSheet(
    "a formula of a boolean without a value has no stored result",
    [["a"], [xml(' t="b"><f>A1=1</f><v></v></c>')]],
    "row 2 has a formula without a stored value in column A; save the file in a program that calculates formulas",
  ),
};

const titled: readonly (readonly Cell[])[] = [
  ["Sales report"],
  [],
  ["Region", "2023", "2024"],
  ["north", 1, 2],
  ["south", 3, 4],
];
const titledTable: ExpectedTable = {
  columns: { Region: "text", "2023": "number", "2024": "number" },
  rows: [
    ["north", 1, 2],
    ["south", 3, 4],
  ],
};
const hintOf = (row: number) => `row ${row} looks like the header; set skip_rows to ${row - 1}`;

const layouts: Readonly<Record<string, Workbook>> = {
  "plain.xlsx": oneSheet("the first row contains the names of the columns", abRows, ab),
  "lateStart.xlsx": oneSheet("empty rows above the header are skipped", rowsXml(abRows, 4), ab),
  "emptyRows.xlsx": oneSheet(
    "empty rows between rows are skipped",
    [["a", "b"], [], [1, "x"], [], [], [2, "y"]],
    ab,
  ),
  "styledRows.xlsx": oneSheet(
    "cells that have only a style are not values",
    [
      ["a", "b"],
      [1, "x"],
      [2, "y"],
      [xml(' s="1"/>'), xml(' s="1"/>'), xml(' s="1"/>')],
    ],
    ab,
    { formats: [14] },
  ),
  "emptyFirstColumn.xlsx": oneSheet(
    "an empty first column is called by its number",
    [
      [null, "b"],
      [null, 1],
    ],
    {
      columns: { "column 1": "text", b: "number" },
      rows: [[null, 1]],
      notes: ["column 1 has no name"],
    },
  ),
  "withoutReferences.xlsx": oneSheet(
    "rows and cells may lack references",
    '<sheetData><row><c t="str"><v>a</v></c><c t="str"><v>b</v></c></row><row><c><v>1</v></c><c t="str"><v>x</v></c></row><row><c><v>2</v></c><c t="str"><v>y</v></c></row></sheetData>',
    ab,
  ),
  "lowerCaseReferences.xlsx": oneSheet(
    "references may be lower case",
    '<sheetData><row r="1"><c r="a1" t="str"><v>a</v></c><c r="b1" t="str"><v>b</v></c></row><row r="2"><c r="a2"><v>1</v></c><c r="b2" t="str"><v>x</v></c></row><row r="3"><c r="a3"><v>2</v></c><c r="b3" t="str"><v>y</v></c></row></sheetData>',
    ab,
  ),
  "withoutHeader.xlsx": oneSheet(
    "without a header, columns are called by their letters",
    [
      [1, "x"],
      [2, "y"],
    ],
    { columns: { A: "number", B: "text" }, rows: ab.rows ?? [] },
    { settings: { header: "false" } },
  ),
  "title.xlsx": oneSheet(
    "a title above the header is refused, and the error names the header",
    titled,
    `row 3 has a value in column B, which has no name in row 1; ${hintOf(3)}`,
  ),
  "titleSkipped.xlsx": oneSheet("the rows above the header can be skipped", titled, titledTable, {
    settings: { skip_rows: "2" },
  }),
  "titleRange.xlsx": oneSheet("a range selects the table below a title", titled, titledTable, {
    settings: { range: "A3:C5" },
  }),
  "wideTitle.xlsx": oneSheet(
    "a note names the row that looks like the header below a wide title",
    [
      ["Sales", null, "page 1"],
      ["Region", "Year", "Sum"],
      ["north", 2023, 1],
      ["south", 2024, 2],
    ],
    { columns: { Sales: "text", "column 2": "text", "page 1": "text" }, notes: [hintOf(2)] },
  ),
  "titleDirectlyAbove.xlsx": oneSheet(
    "a title directly above the header can be skipped",
    [
      ["Sales", null, "page 1"],
      ["Region", "Year", "Sum"],
      ["north", 2023, 1],
    ],
    { columns: { Region: "text", Year: "number", Sum: "number" }, rows: [["north", 2023, 1]] },
    { settings: { skip_rows: "1" } },
  ),
  "titleOfYears.xlsx": oneSheet(
    "a note names a header of years",
    [
      ["Sales by year", null, "EUR"],
      ["Region", 2023, 2024],
      ["north", 1, 2],
      ["south", 3, 4],
    ],
    {
      columns: { "Sales by year": "text", "column 2": "number", EUR: "number" },
      notes: [hintOf(2)],
    },
  ),
  "rangeOfColumns.xlsx": oneSheet(
    "a range of columns leaves out the others",
    [
      ["a", "note", "b", "x"],
      [1, "?", "x", 0],
      [2, "!", "y", 0],
    ],
    {
      columns: { note: "text", b: "text" },
      rows: [
        ["?", "x"],
        ["!", "y"],
      ],
    },
    { settings: { range: "B:C" } },
  ),
  "rangeOfRows.xlsx": oneSheet(
    "a range ends before the totals",
    [
      ["a", "b"],
      [1, "x"],
      [2, "y"],
      ["total", "3"],
    ],
    ab,
    { settings: { range: "A1:B3" } },
  ),
  "rangeWider.xlsx": oneSheet(
    "a range that is wider than the header has columns without names",
    [
      ["a", "b"],
      [1, "x", 5],
      [2, "y", 6],
    ],
    {
      columns: { a: "number", b: "text", "column 3": "number" },
      rows: [
        [1, "x", 5],
        [2, "y", 6],
      ],
    },
    { settings: { range: "A1:C3" } },
  ),
  "beyondHeader.xlsx": oneSheet(
    "a value beyond the header is refused",
    [["a"], [1], [2, 3]],
    "row 3 has a value in column B, which has no name in row 1; name the column, or set range, such as A1:A",
  ),
  "formulaBeyondHeader.xlsx": oneSheet(
    "a formula beyond the header is refused",
    [["a"], [1, xml("><f>A2</f></c>")]],
    "row 2 has a value in column B, which has no name in row 1; name the column, or set range, such as A1:A",
  ),
  "mergedCells.xlsx": oneSheet(
    "a note lists merged cells, of which only the first has the value",
    [
      ["a", "b"],
      [1, "x"],
      [2, null],
    ],
    {
      columns: { a: "number", b: "text" },
      rows: [
        [1, "x"],
        [2, null],
      ],
      notes: ["merged cells: B2:B3;"],
    },
    { after: '<mergeCells count="1"><mergeCell ref="B2:B3"/></mergeCells>' },
  ),
  "mergedHeader.xlsx": oneSheet(
    "a merged header names only its first column",
    [
      ["a", null],
      [1, 2],
    ],
    {
      columns: { a: "number", "column 2": "number" },
      rows: [[1, 2]],
      notes: ["column 2 has no name"],
    },
    {
      settings: { range: "A1:B2" },
      after: '<mergeCells count="1"><mergeCell ref="A1:B1"/></mergeCells>',
    },
  ),
  "repeatedNames.xlsx": oneSheet(
    "repeated names get numbers",
    [
      ["a", "a"],
      [1, 2],
    ],
    { columns: { a: "number", "a (2)": "number" }, rows: [[1, 2]], notes: ["the header repeats"] },
  ),
  "twoCells.xlsx": oneSheet(
    "two cells in one place are refused",
    '<sheetData><row r="1"><c r="A1" t="str"><v>a</v></c></row><row r="2"><c r="A2"><v>1</v></c><c r="A2"><v>2</v></c></row></sheetData>',
    "row 2 has two cells in column A",
  ),
  "missingString.xlsx": oneSheet(
    "a reference to a missing string is refused",
    [["a"], [xml(' t="s"><v>7</v></c>')]],
    "row 2 has a reference to a missing string in column A",
  ),
  "notANumber.xlsx": oneSheet(
    "a cell that is not a number is refused",
    [["a"], [xml("><v>0x10</v></c>")]],
    'row 2 has "0x10" in column A, which must be a number',
  ),
  "rowOutside.xlsx": oneSheet(
    "a row beyond the rows of Excel is refused",
    '<sheetData><row r="1"><c r="A1" t="str"><v>a</v></c></row><row r="1048577"><c><v>1</v></c></row></sheetData>',
    "row 1 has a row after it that is outside the rows of Excel",
  ),
};

const sheetOf = (rows: readonly (readonly Cell[])[]) => rowsXml(rows);
const [first, second] = [sheetOf(abRows), sheetOf([["n"], [7]])];
const seven: ExpectedTable = { columns: { n: "number" }, rows: [[7]] };
const nothing: ExpectedTable = { columns: {}, rows: [] };

const books: Readonly<Record<string, Workbook>> = {
  "twoSheets.xlsx": {
    title: "each sheet is a table",
    parts: bookParts({ sheets: { One: first, Two: second } }),
    expected: { sheets: { One: ab, Two: seven } },
  },
  "oddNames.xlsx": {
    title: "names of sheets may contain any characters",
    parts: bookParts({
      sheets: {
        'a & "b" <c>': first,
        "Umsätze 2024 €": second,
        "日本 🦄": second,
        " x'y ": second,
      },
    }),
    expected: {
      sheets: { 'a & "b" <c>': ab, "Umsätze 2024 €": seven, "日本 🦄": seven, " x'y ": seven },
    },
  },
  "hiddenSheets.xlsx": {
    title: "hidden sheets are listed with a note",
    parts: bookParts({
      sheets: { One: first, Two: second, Three: second },
      attributes: { Two: ' state="hidden"', Three: ' state="veryHidden"' },
    }),
    expected: {
      sheets: {
        One: { ...ab, silent: ["hidden"] },
        Two: { ...seven, notes: ["hidden"] },
        Three: { ...seven, notes: ["hidden"] },
      },
    },
  },
  "badSheet.xlsx": {
    title: "a sheet that cannot be read does not hide the others",
    parts: bookParts({ sheets: { Report: sheetOf(titled), Data: first } }),
    expected: {
      sheets: {
        Report: {
          columns: {},
          notes: [hintOf(3)],
          refused: `row 3 has a value in column B, which has no name in row 1; ${hintOf(3)}`,
        },
        Data: ab,
      },
    },
  },
  "damagedSheet.xlsx": {
    title: "a sheet of damaged XML does not hide the others",
    parts: {
      ...bookParts({ sheets: { Bad: first, Data: second } }),
      "xl/worksheets/sheet1.xml": "<worksheet><sheetData><row",
    },
    expected: {
      sheets: {
        Bad: {
          columns: {},
          notes: ["damaged or truncated XML"],
          refused: "it contains damaged or truncated XML",
        },
        Data: seven,
      },
    },
  },
  "missingPart.xlsx": {
    title: "a sheet whose part is missing does not hide the others",
    parts: Object.fromEntries(
      Object.entries(bookParts({ sheets: { Gone: first, Data: second } })).filter(
        ([path]) => !path.endsWith("sheet1.xml"),
      ),
    ),
    expected: {
      sheets: {
        Gone: {
          columns: {},
          notes: ["it has no part xl/worksheets/sheet1.xml"],
          refused: "it has no part xl/worksheets/sheet1.xml",
        },
        Data: seven,
      },
    },
  },
  "emptySheet.xlsx": {
    title: "an empty sheet has no columns",
    parts: bookParts({ sheets: { Empty: "<sheetData/>", Data: second } }),
    expected: { sheets: { Empty: nothing, Data: seven } },
  },
  "oneOfSheets.xlsx": {
    title: "the settings select one sheet",
    parts: bookParts({ sheets: { One: first, Two: second } }),
    expected: { sheets: { Two: seven } },
    settings: { sheet: "Two" },
  },
  "missingSheet.xlsx": {
    title: "a sheet that the workbook does not have is refused with the names that it has",
    parts: bookParts({ sheets: { One: first, Two: second } }),
    expected: { refused: 'it has no sheet "Three"; its sheets are "One", "Two"' },
    settings: { sheet: "Three" },
  },
  "oddPrefix.xlsx": {
    title: "relations are found by namespace, whatever their prefix",
    parts: {
      ...bookParts({ sheets: { Sheet1: first } }),
      "xl/workbook.xml": `<x:workbook xmlns:x="${main}" xmlns:ns="${relations}"><x:sheets><x:sheet name="Sheet1" sheetId="1" ns:id="rId1"/></x:sheets></x:workbook>`,
    },
    expected: { sheets: { Sheet1: ab } },
  },
  "localPrefix.xlsx": {
    title: "a prefix may be declared on the element that uses it",
    parts: {
      ...bookParts({ sheets: { Sheet1: first } }),
      "xl/workbook.xml": `<workbook xmlns="${main}"><sheets><sheet name="Sheet1" sheetId="1" q:id="rId1" xmlns:q="${relations}"/></sheets></workbook>`,
    },
    expected: { sheets: { Sheet1: ab } },
  },
  "foreignElements.xlsx": {
    title: "elements of other namespaces are not cells",
    parts: bookParts({
      sheets: {
        Sheet1: `${sheetOf(abRows)}<extLst><ext xmlns:o="urn:other"><o:row r="9"><o:c r="A9"><o:v>9</o:v></o:c></o:row></ext></extLst>`,
      },
    }),
    expected: { sheets: { Sheet1: ab } },
  },
  "prefixedSheet.xlsx": {
    title: "all elements of a sheet may have a prefix",
    parts: {
      ...bookParts({ sheets: { Sheet1: "" } }),
      "xl/worksheets/sheet1.xml": `<s:worksheet xmlns:s="${main}">${sheetOf(abRows).replaceAll(/<(\/?)(\w)/g, "<$1s:$2")}</s:worksheet>`,
    },
    expected: { sheets: { Sheet1: ab } },
  },
  "undeclaredPrefix.xlsx": {
    title: "a prefix that is not declared is refused",
    parts: {
      ...bookParts({ sheets: { Sheet1: first } }),
      "xl/workbook.xml": `<workbook xmlns="${main}"><sheets><sheet name="Sheet1" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    },
    expected: { refused: "it contains damaged or truncated XML" },
  },
  "strict.xlsx": {
    title: "a workbook in the strict form is read",
    parts: strictParts(
      bookParts({
        sheets: {
          Sheet1: sheetOf([
            ["d", "n"],
            [xml(' t="d"><v>2024-01-31</v></c>'), 1],
          ]),
        },
        properties: ' dateCompatibility="0"',
      }),
    ),
    expected: {
      sheets: { Sheet1: { columns: { d: "date", n: "number" }, rows: [["2024-01-31", 1]] } },
    },
    from: "ECMA-376, part 1",
  },
  "utf16.xlsx": {
    title: "a sheet may be in UTF-16",
    parts: {
      ...bookParts({ sheets: { Sheet1: "" } }),
      "xl/worksheets/sheet1.xml": Buffer.from(
        `\ufeff<worksheet xmlns="${main}">${first}</worksheet>`,
        "utf16le",
      ),
    },
    expected: { sheets: { Sheet1: ab } },
  },
  "notUtf8.xlsx": {
    title: "a sheet that is not Unicode is refused",
    parts: {
      ...bookParts({ sheets: { Sheet1: "" } }),
      "xl/worksheets/sheet1.xml": Buffer.from(
        `<worksheet xmlns="${main}"><sheetData><row><c t="str"><v>é</v></c></row></sheetData></worksheet>`,
        "latin1",
      ),
    },
    expected: { refused: "it contains damaged or truncated XML" },
  },
  "otherFolder.xlsx": {
    title: "the workbook may be in another folder",
    parts: movedParts(bookParts({ sheets: { Sheet1: first } })),
    expected: { sheets: { Sheet1: ab } },
  },
  "absoluteTargets.xlsx": {
    title: "targets may be absolute, or go up a folder",
    parts: mapParts(bookParts({ sheets: { One: first, Two: second } }), (content) =>
      content
        .replace('"worksheets/sheet1.xml"', '"/xl/worksheets/sheet1.xml"')
        .replace('"worksheets/sheet2.xml"', '"../xl/./worksheets/sheet2.xml"'),
    ),
    expected: { sheets: { One: ab, Two: seven } },
  },
  "chartSheet.xlsx": {
    title: "a sheet with only a chart is not a table",
    parts: mapParts(bookParts({ sheets: { One: first, Chart: second } }), (content) =>
      content.replace(
        `${relations}/worksheet" Target="worksheets/sheet2.xml"`,
        `${relations}/chartsheet" Target="chartsheets/sheet2.xml"`,
      ),
    ),
    expected: { sheets: { One: ab } },
  },
  "upperCaseParts.xlsx": {
    title: "names of parts are compared without case",
    parts: Object.fromEntries(
      Object.entries(bookParts({ sheets: { Sheet1: first } })).map(([path, content]) => [
        path.startsWith("xl/worksheets") ? path.toUpperCase() : path,
        content,
      ]),
    ),
    expected: { sheets: { Sheet1: ab } },
  },
  "withoutStyles.xlsx": {
    title: "a workbook needs neither styles nor shared strings",
    parts: Object.fromEntries(
      Object.entries(bookParts({ sheets: { Sheet1: first } })).filter(
        ([path]) => !path.endsWith("styles.xml"),
      ),
    ),
    expected: { sheets: { Sheet1: ab } },
  },
  "macros.xlsm": {
    title: "a workbook with macros is read without running them",
    parts: { ...bookParts({ sheets: { Sheet1: first } }), "xl/vbaProject.bin": "not run" },
    expected: { sheets: { Sheet1: ab } },
  },
  "sameNames.xlsx": {
    title: "two sheets with the same name are refused",
    parts: mapParts(bookParts({ sheets: { One: first, Two: second } }), (content) =>
      content.replace('name="Two"', 'name="ONE"'),
    ),
    expected: { refused: "several of its sheets have the same name" },
  },
  "sameParts.xlsx": {
    title: "two sheets with the same part are refused",
    parts: mapParts(bookParts({ sheets: { One: first, Two: second } }), (content) =>
      content.replace("worksheets/sheet2.xml", "worksheets/sheet1.xml"),
    ),
    expected: { refused: "several of its sheets refer to the same part" },
  },
  "withoutSheets.xlsx": {
    title: "a workbook without sheets is refused",
    parts: bookParts({ sheets: {} }),
    expected: { refused: "it has 0 sheets; it must have 1 to 200" },
  },
  "binary.xlsx": {
    title: "a binary workbook is refused by name",
    parts: { "xl/workbook.bin": "x" },
    expected: { refused: "it is a binary workbook of Excel (.xlsb); save it as .xlsx" },
  },
  "notAWorkbook.xlsx": {
    title: "another archive is refused",
    parts: { "a.txt": "x" },
    expected: { refused: "it is not a workbook of Excel 2007 or later; save it as .xlsx" },
  },
  "totalsRow.xlsx": withTable(
    "a note names the totals row of a table, which is read as other rows",
    'ref="A1:B4" totalsRowCount="1"',
    {
      notes: ['row 4 is the totals row of the table "Sales"; to leave it out, set range to A1:B3'],
    },
  ),
  "totalsRowHidden.xlsx": withTable("a table without a totals row has no note", 'ref="A1:B4"', {
    silent: ["totals row"],
  }),
  "totalsRowRange.xlsx": {
    ...withTable("a totals row outside the range has no note", 'ref="A1:B4" totalsRowCount="1"', {
      rows: [
        ["north", 10],
        ["south", 20],
      ],
      silent: ["totals row"],
    }),
    settings: { range: "A1:B3" },
  },
  "totalsRowDamaged.xlsx": withTable("a damaged table does not hide its sheet", '"', {
    silent: ["totals row"],
  }),
  "openDocument.xlsx": {
    title: "an OpenDocument spreadsheet is refused by name",
    parts: { mimetype: "application/vnd.oasis.opendocument.spreadsheet", "content.xml": "<x/>" },
    expected: { refused: "it is an OpenDocument spreadsheet (.ods); save it as .xlsx" },
  },
};

/** Creates a workbook with a table, whose last row contains totals. */
function withTable(
  title: string,
  attributes: string,
  expected: Omit<ExpectedTable, "columns">,
): Workbook {
  const rows = [
    ["region", "amount"],
    ["north", 10],
    ["south", 20],
    ["Total", 30],
  ];
  const { parts } = oneSheet(title, rows, "");
  return {
    title,
    parts: {
      ...parts,
      "xl/worksheets/_rels/sheet1.xml.rels": `<Relationships xmlns="${packaged}"><Relationship Id="rId1" Type="${relations}/table" Target="../tables/table1.xml"/></Relationships>`,
      "xl/tables/table1.xml": `<table xmlns="${main}" id="1" name="Sales" displayName="Sales" ${attributes}/>`,
    },
    expected: {
      sheets: {
        Sheet1: {
          columns: { region: "text", amount: "number" },
          rows: [
            ["north", 10],
            ["south", 20],
            ["Total", 30],
          ],
          ...expected,
        },
      },
    },
  };
}

function mapParts(
  parts: Readonly<Record<string, string>>,
  change: (content: string) => string,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(parts).map(([path, content]) => [path, change(content)]),
  );
}

function strictParts(parts: Readonly<Record<string, string>>): Record<string, string> {
  return mapParts(parts, (content) =>
    content
      .replaceAll(main, "http://purl.oclc.org/ooxml/spreadsheetml/main")
      .replaceAll(relations, "http://purl.oclc.org/ooxml/officeDocument/relationships"),
  );
}

function movedParts(parts: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(parts).map(([path, content]) => [
      path.replace(/^xl\//, "excel/book/"),
      content.replaceAll(/"(\/?)xl\//g, '"$1excel/book/'),
    ]),
  );
}

const folder = join(import.meta.dirname, "xlsx");
for (const [name, { parts, title, expected, settings, from }] of Object.entries({
  ...dates,
  ...clocks,
  ...formats,
  ...texts,
  ...formulas,
  ...layouts,
  ...books,
})) {
  const zip = new ZipFile();
  for (const [path, content] of Object.entries(parts))
    zip.addBuffer(Buffer.from(content), path, { mtime: new Date("2024-01-01T00:00:00Z") });
  zip.end();
  const path = join(folder, name);
  mkdirSync(join(path, ".."), { recursive: true });
  writeFileSync(path, await buffer(zip.outputStream));
  const described = {
    title,
    from: from ?? "docs/connectors/files.md, by hand",
    ...(settings && { settings }),
    ...expected,
  };
  writeFileSync(`${path}.expected`, `${JSON.stringify(described, undefined, 1)}\n`);
}
