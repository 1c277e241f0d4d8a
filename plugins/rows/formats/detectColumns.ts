import { asciiDigits, splitNumber, type DataType } from "../../protocol/index.ts";
import { splitDate, type DateKind } from "../readDate.ts";
import { hasForm, isGrouped } from "../readNumber.ts";
import { readValue, type ValueForms } from "../readValue.ts";
import { remediesOf, type Remedy } from "../remedy.ts";
import type { RowBlock } from "../rowDriver.ts";
import { describeForm } from "./describeForm.ts";
import { hasSomeForm } from "./detectForms.ts";
import { isUsualColumn, usualValue, type UsualValue } from "./usualValue.ts";

/** A value that does not fit the type that most values of its column have. */
export interface Misfit {
  /** The place of the value, such as `line 17`. */
  readonly place: string;
  readonly value: string;
}

/** What was seen in the sampled values of a column. */
export interface SeenValues {
  /** Number of values, not counting nulls. */
  readonly valueCount: number;
  readonly nullCount: number;
  /** The form of the values, such as `dates as day/month/year` or `numbers with a decimal comma`. */
  readonly form: string;
  /** Number of values that do not have this form. */
  readonly misfitCount: number;
  /** The first values that do not have this form, at most three. */
  readonly misfits: readonly Misfit[];
}

/** The type of a column as detected from its values, with samples. */
export interface DetectedColumn {
  readonly type: DataType;
  /** `date` if no value has a time of day. Absent otherwise. */
  readonly subtype?: "date";
  /** The first distinct values, at most three, as strings. */
  readonly samples: readonly string[];
  readonly seen: SeenValues;
  /** The reason why the column is text although most of its values look like another type. */
  readonly doubt?: Doubt;
  /** What could be wrong about the type. */
  readonly caution?: Doubt;
}

/** What may be wrong about the type of a column, for people, and the settings that change this. */
export interface Doubt {
  readonly message: string;
  readonly remedies: readonly Remedy[];
}

/** Detects the types of columns from blocks of values. */
export interface Detector {
  readonly rowCount: number;
  add(block: RowBlock): void;
  columns(): readonly DetectedColumn[];
}

/** A column whose type is detected. */
export interface DetectorColumn {
  readonly id: string;
  readonly forms: ValueForms;
  /** The known type. Absent: the type is detected. */
  readonly type?: DataType;
  /** Whether strings may represent numbers, as in CSV. */
  readonly spellsNumbers: boolean;
}

/**
 * Creates a detector. A column is numeric if all its values are numbers, a datetime column if all its values are dates
 * or instants, and otherwise text. Strings with leading zeros or more than 15 digits do not count as numbers, because
 * they identify things and would lose digits.
 */
export function createDetector(columns: readonly DetectorColumn[]): Detector {
  const states = columns.map(createState);
  let rowCount = 0;
  return {
    get rowCount() {
      return rowCount;
    },
    add({ rows, placeOf }) {
      rows.forEach((row, rowIndex) => {
        for (let index = 0; index < states.length; index++)
          note(states[index]!, row[index], () => placeOf(rowIndex));
      });
      rowCount += rows.length;
    },
    columns: () => states.map(detected),
  };
}

/** The values that do not fit a type. */
interface Misfits {
  count: number;
  /** The first of them, with the reasons why they do not fit. */
  readonly first: (Misfit & { readonly reason: string })[];
  /** The distinct strings, at most four. */
  readonly texts: Set<string>;
}

/** The number of values of each kind so far, and the values that do not fit. */
interface State extends DetectorColumn {
  readonly textForms: ValueForms;
  /** Whether `usualValue` decides the strings of the column. */
  readonly isUsual: boolean;
  valueCount: number;
  nullCount: number;
  isTimed: boolean;
  /** Whether a number has separated thousands. */
  isGrouped: boolean;
  /** Whether a number is in parentheses. */
  isParenthesized: boolean;
  readonly kinds: Set<DateKind>;
  /** The number of values that look like numbers or dates in any form. */
  numberLikeCount: number;
  dateLikeCount: number;
  readonly notNumbers: Misfits;
  readonly notDates: Misfits;
  readonly notBooleans: Misfits;
  /** The first date whose order of numbers is not known or does not fit. */
  ordered?: string;
  /** The first dates that can be read only with the day first, or only with the month first. */
  dayFirst?: string;
  monthFirst?: string;
  readonly samples: string[];
  /** The number of values such as 20240131. */
  compactDateCount: number;
}

function createState(column: DetectorColumn): State {
  const misfits = (): Misfits => ({ count: 0, first: [], texts: new Set() });
  return {
    ...column,
    textForms: column.forms.nulls ? { nulls: column.forms.nulls } : {},
    isUsual: column.type === undefined && column.spellsNumbers && isUsualColumn(column.forms),
    valueCount: 0,
    nullCount: 0,
    isTimed: false,
    isGrouped: false,
    isParenthesized: false,
    kinds: new Set(),
    numberLikeCount: 0,
    dateLikeCount: 0,
    notNumbers: misfits(),
    notDates: misfits(),
    notBooleans: misfits(),
    samples: [],
    compactDateCount: 0,
  };
}

const mostSamples = 3;
const mostMisfits = 3;
const longestSample = 40;

function note(state: State, value: unknown, place: () => string): void {
  const { forms, spellsNumbers } = state;
  const usual = state.isUsual && typeof value === "string" ? usualValue(value) : undefined;
  if (usual !== undefined) {
    noteUsual(state, usual, String(value), place);
    return;
  }
  // A quoted empty string is read as null in columns of numbers and dates, so it does not affect the type.
  const isBlank = typeof value === "string" && value.trim() === "";
  const text = isBlank ? null : readValue(value, "hierarchy", state.textForms);
  if (typeof text !== "string") {
    state.nullCount++;
    return;
  }
  addSample(state, text);
  state.valueCount++;
  if (compactDate.test(text)) state.compactDateCount++;
  const isText = typeof value === "string";
  // Most values are decided by their first characters.
  const isIso = isText && isoDate.test(value);
  const doubt = isIso
    ? "is not a number"
    : isText && !spellsNumbers && forms.reading !== "duration" && state.type === undefined
      ? "is a string"
      : numberDoubt(value, state);
  if (doubt !== undefined) addMisfit(state.notNumbers, { place, value: text, reason: doubt });
  else if (isText) {
    state.isGrouped ||= isGrouped(value, forms);
    state.isParenthesized ||= value.includes("(");
  }
  // Typed formats mark identifiers such as "01234" as strings.
  const mayBeNumber = isText && !isIso && (spellsNumbers || !identifier.test(value));
  if (doubt === undefined || (mayBeNumber && looksLikeNumber(value))) state.numberLikeCount++;
  if (isText && forms.format === undefined && plainNumber.test(value))
    addMisfit(state.notDates, { place, value: text, reason: "is not a date" });
  else noteDate(state, value, text, place);
  if (forms.reading === "boolean" && readValue(value, "hierarchy", forms) === undefined)
    addMisfit(state.notBooleans, { place, value: text, reason: "is not true or false" });
}

const compactDate = /^(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])$/;
const compactLength = "YYYYMMDD".length;

/** Notes a value as the rest of `note` does. */
function noteUsual(state: State, usual: UsualValue, value: string, place: () => string): void {
  addSample(state, value);
  state.valueCount++;
  if (usual === "number") {
    state.numberLikeCount++;
    if (value.length === compactLength && compactDate.test(value)) state.compactDateCount++;
  } else addMisfit(state.notNumbers, { place, value, reason: "is not a number" });
  if (usual === "day" || usual === "instant") {
    state.dateLikeCount++;
    state.kinds.add("iso");
    state.isTimed ||= usual === "instant";
  } else addMisfit(state.notDates, { place, value, reason: "is not a date" });
}

function addSample({ samples }: State, text: string): void {
  if (samples.length >= mostSamples) return;
  const sample = text.slice(0, longestSample).toWellFormed();
  if (!samples.includes(sample)) samples.push(sample);
}

const identifier = /^(?:0\d|\d{16,}$)/;
const isoDate = /^\d{4}-\d\d-\d\d/;
const plainNumber = /^[+-]?\d+(?:\.\d+)?$/;

function noteDate(state: State, value: unknown, text: string, place: () => string): void {
  const { forms } = state;
  const split =
    typeof value === "string" && forms.format === undefined ? splitDate(value) : undefined;
  const instant = split
    ? split.at(forms.dates, forms.timeZone)
    : readValue(value, "datetime", forms);
  if (typeof instant === "number") {
    state.dateLikeCount++;
    if (split) state.kinds.add(split.kind);
    state.isTimed ||= split ? split.isTimed : instant % 86_400_000 !== 0;
    return;
  }
  addMisfit(state.notDates, { place, value: text, reason: "is not a date" });
  if (split?.kind !== "numbers") return;
  state.dateLikeCount++;
  state.ordered ??= `${place()}, ${quoted(text)}`;
  const isDayFirst = split.at("DMY", undefined) !== undefined;
  const isMonthFirst = split.at("MDY", undefined) !== undefined;
  if (isDayFirst && !isMonthFirst) state.dayFirst ??= `${place()}, ${quoted(text)}`;
  if (isMonthFirst && !isDayFirst) state.monthFirst ??= `${place()}, ${quoted(text)}`;
}

function addMisfit(
  misfits: Misfits,
  { place, value, reason }: { place(): string; readonly value: string; readonly reason: string },
): void {
  misfits.count++;
  if (misfits.first.length >= mostMisfits && misfits.texts.size > mostMisfits) return;
  const shown = value.slice(0, longestSample).toWellFormed();
  if (misfits.first.length < mostMisfits)
    misfits.first.push({ place: place(), value: shown, reason });
  if (misfits.texts.size <= mostMisfits) misfits.texts.add(shown);
}

function looksLikeNumber(text: string): boolean {
  const number = text.length <= 60 ? splitNumber(text.trim()) : undefined;
  return number !== undefined && hasSomeForm(number.digits);
}

/** Returns the reason why a value does not count as a number; undefined if it is a number. */
function numberDoubt(value: unknown, { forms, type }: State): string | undefined {
  if (typeof readValue(value, "numeric", forms) !== "number") return "is not a number";
  if (type !== undefined) return undefined;
  if (typeof value === "string") {
    const digits = asciiDigits(value.trim()).replace(/^[+\-(]|[-)]$/g, "");
    if (/^0\d/.test(digits)) return "has a leading zero";
    if (/^\d{16,}$/.test(digits)) return "has more than 15 digits";
    // Programs write a sign or a fraction: 1E+10 or 1.0E10.
    if (/^\d+E\d+$/.test(digits)) return "has an exponent without a sign, as in identifiers";
    if (/^\s*\+\d{8,}\s*$/.test(value)) return "looks like a telephone number";
  }
  if (typeof value === "bigint" && !Number.isSafeInteger(Number(value)))
    return "is a whole number beyond 2^53";
  return undefined;
}

function detected(state: State): DetectedColumn {
  const { valueCount, notNumbers, notDates, samples } = state;
  const isAll = (misfits: Misfits) => valueCount > 0 && misfits.count === 0;
  if (state.type === undefined && isAll(notNumbers))
    return {
      type: "numeric",
      samples,
      seen: seenAs(state, "numeric", notNumbers),
      ...(valueCount > 1 &&
        state.compactDateCount === valueCount && { caution: compactCaution(state) }),
    };
  const subtype = state.isTimed ? {} : ({ subtype: "date" } as const);
  if (state.type === undefined && isAll(notDates))
    return { type: "datetime", ...subtype, samples, seen: seenAs(state, "datetime", notDates) };
  if (state.type !== undefined) {
    const misfits = { numeric: notNumbers, datetime: notDates, hierarchy: state.notBooleans };
    const { type } = state;
    return { type, samples, seen: seenAs(state, type, misfits[type]) };
  }
  const isNumbers = 2 * state.numberLikeCount > valueCount;
  const isDates = 2 * state.dateLikeCount > valueCount;
  // A date such as 1.2.2024 may also look like a number.
  const isMoreDates = isDates && (!isNumbers || notDates.count <= notNumbers.count);
  if (!isMoreDates && !isNumbers)
    return { type: "hierarchy", samples, seen: seenAs(state, "hierarchy", state.notBooleans) };
  const reason = isMoreDates ? dateReason(state) : numberReason(state);
  return {
    type: "hierarchy",
    samples,
    seen: seenAs(state, isMoreDates ? "datetime" : "numeric", isMoreDates ? notDates : notNumbers),
    doubt: { ...reason, message: `it is text: ${reason.message}` },
  };
}

const compactCaution = ({ id }: State): Doubt => ({
  message:
    "its numbers may be dates without separators; to read them as dates, set its type to date with the format %Y%m%d " +
    "in columns",
  remedies: remediesOf("columns", [{ [id]: { type: "date", format: "%Y%m%d" } }]),
});

function seenAs(state: State, type: DataType, { count, first }: Misfits): SeenValues {
  const { valueCount, nullCount, forms, kinds, isTimed, isGrouped: grouped } = state;
  const { thousands: _, ...ungrouped } = forms;
  // If no value fits, the column has another form.
  if (type !== "hierarchy" && count === valueCount && state.type === undefined)
    return seenAs(state, "hierarchy", { count: 0, first: [], texts: new Set() });
  return {
    valueCount,
    nullCount,
    form: describeForm({
      type,
      forms: grouped ? forms : ungrouped,
      kinds,
      isTimed,
      isParenthesized: state.isParenthesized,
    }),
    misfitCount: count,
    misfits: first.map(({ place, value }) => ({ place, value })),
  };
}

function dateReason(state: State): Doubt {
  const { ordered, dayFirst, monthFirst, forms, notDates, valueCount } = state;
  if (ordered === undefined) return misfitReason(notDates, valueCount, "a date");
  if (forms.dates === undefined && dayFirst !== undefined && monthFirst !== undefined)
    return {
      message: `some of its dates have the day first (${dayFirst}), and others the month (${monthFirst}); correct the source`,
      remedies: [],
    };
  if (forms.dates === undefined) {
    const [orders, reason] =
      dayFirst !== undefined
        ? [["DMY"], `DMY, the only order that fits ${dayFirst}`]
        : monthFirst !== undefined
          ? [["MDY"], `MDY, the only order that fits ${monthFirst}`]
          : [["DMY", "MDY"], "DMY or MDY"];
    return {
      message: `the order of day and month in its dates is not known (${ordered}); set dates to ${reason}`,
      remedies: remediesOf("dates", orders),
    };
  }
  const { message, remedies } = misfitReason(
    notDates,
    valueCount,
    `a date in the order ${forms.dates}`,
  );
  return {
    message: `${message}; correct the file, or set another order as dates`,
    remedies: [...remedies, { setting: "dates" }],
  };
}

function numberReason({ id, notNumbers, valueCount, forms, spellsNumbers }: State): Doubt {
  const [first] = notNumbers.first;
  const split = first && splitNumber(first.value.trim());
  if (first && split && first.reason === "is not a number") {
    const { digits } = split;
    const either = hasForm(digits, false, "comma") && hasForm(digits, true, "none");
    if (either && forms.decimalComma === undefined && forms.thousands === undefined)
      return {
        message:
          `the comma in its numbers may be a decimal sign or separate thousands (${first.place}, ` +
          `${quoted(first.value)}); set decimal to comma or point`,
        remedies: remediesOf("decimal", ["comma", "point"]),
      };
    if (forms.unit === "%" && split.unit === undefined)
      return misfitReason(notNumbers, valueCount, "a percentage");
    if (split.unit !== undefined && split.unit !== forms.unit)
      return misfitReason(
        notNumbers,
        valueCount,
        `a number ${forms.unit === undefined ? "without a sign" : `in ${forms.unit}`}`,
      );
    const sign = forms.decimalComma === true ? "comma" : "point";
    const { message, remedies } = misfitReason(
      notNumbers,
      valueCount,
      `a number with a decimal ${sign}`,
    );
    return {
      message: `${message}; set decimal and thousands`,
      remedies: [...remedies, { setting: "decimal" }, { setting: "thousands" }],
    };
  }
  const isStrings = first?.reason === "is a string" && !spellsNumbers;
  const reason = misfitReason(notNumbers, valueCount, "a number");
  if (!isStrings) return reason;
  return {
    message: `${reason.message}; set its type to number in columns`,
    remedies: [...reason.remedies, { setting: "columns", value: { [id]: "number" } }],
  };
}

/** Reasons other than "is not", as they are said of several values. */
const pluralReasons = new Map([
  ["has a leading zero", "have a leading zero"],
  ["has more than 15 digits", "have more than 15 digits"],
  ["is a whole number beyond 2^53", "are whole numbers beyond 2^53"],
  ["is a string", "are strings"],
  [
    "has an exponent without a sign, as in identifiers",
    "have an exponent without a sign, as in identifiers",
  ],
  ["looks like a telephone number", "look like telephone numbers"],
]);

/** Strings that often mean null. */
const nullLike = /^(?:n\/?a|null|nil|none|nan|#n\/a|\\n|missing|unknown|[-–—.?*]+)$/i;

/** Names the values that do not fit: their number, the first of them, and the setting that helps. */
function misfitReason({ count, first, texts }: Misfits, valueCount: number, wanted: string): Doubt {
  const reasons = new Set(first.map(({ reason }) => reason));
  const listed = first
    .map(({ place, value, reason }) =>
      reasons.size > 1 ? `${place} ${reason}: ${quoted(value)}` : `${place}: ${quoted(value)}`,
    )
    .join(", ");
  const [only = ""] = reasons;
  const plural = reasons.size > 1 ? undefined : pluralReasons.get(only);
  const usual = count === 1 ? `is not ${wanted}` : `are not ${wanted}`;
  const what = plural === undefined ? usual : count === 1 ? only : plural;
  const many = `${count.toLocaleString("en")} of ${valueCount.toLocaleString("en")} values ${what} (${listed}${count > first.length ? ", …" : ""})`;
  const areNulls =
    texts.size <= mostMisfits && [...texts].every((text) => nullLike.test(text.trim()));
  if (!areNulls) return { message: many, remedies: [] };
  return {
    message: `${many}; set nulls to ${[...texts].join(",")} to read them as null`,
    remedies: remediesOf("nulls", [[...texts]]),
  };
}

const quoted = (text: string): string =>
  JSON.stringify(text.slice(0, longestSample).toWellFormed());
