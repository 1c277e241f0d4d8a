import { formatLocale, formatSpecifier, type FormatSpecifier } from "d3-format";
import { cleanText } from "../text/cleanText.ts";
import { numeralsOf } from "./localNumerals.ts";

/** The number format of a column, and its currency. */
export interface NumberStyle {
  /** A D3 number format. If the format is empty or invalid, the number of digits depends on the value. */
  readonly format?: string | undefined;
  /** An ISO 4217 code, or any other text that stands where the locale puts the symbol of a currency. */
  readonly currency?: string | undefined;
}

/** A function that formats a number as text. */
export type FormatNumber = (value: number) => string;

/**
 * Returns the function that formats full numbers. The column's D3 format determines the kind of number and its digits,
 * and the locale everything else: separators, groups, digits, and the places of signs and currencies. The letter `a` in
 * a format (`,.2af`) is ignored, because its meaning is not documented anywhere.
 */
export function numberFormat({ format, currency }: NumberStyle, localeId: string): FormatNumber {
  const specifier = specifierOf(format);
  if (!specifier) return bounded(plainNumber(currency, localeId), localeId);
  const isPercent = specifier.type === "%" || specifier.type === "p";
  const amount = isPercent ? undefined : currency;
  const options = optionsOf(specifier);
  const byD3 = withCurrency(d3Format(specifier, localeId), amount, localeId);
  if (!options) return bounded(byD3, localeId);
  const write = signed(intlFormat(options, amount, localeId), specifier.sign);
  const isWritten = writableBy(specifier);
  return bounded((value) => (isWritten(value) ? write(value) : byD3(value)), localeId);
}

/** Returns whether a string is a valid number format. */
export function isNumberFormat(format: string): boolean {
  return specifierOf(format) !== undefined;
}

/** Parses a D3 format. Undefined if it is empty, invalid, or much wider than a number. */
function specifierOf(format: string | undefined): FormatSpecifier | undefined {
  if (format === undefined || format === "") return undefined;
  try {
    const specifier = formatSpecifier(format.replace(/a(?=[a-z%]$)/i, ""));
    // A format may request a width of millions of characters.
    return (specifier.width ?? 0) > 40 || (specifier.precision ?? 0) > 40 ? undefined : specifier;
  } catch {
    // Stored dashboards may contain any string as a format.
    return undefined;
  }
}

const between = (low: number, value: number, high: number): number =>
  Math.max(low, Math.min(high, value));

/**
 * Returns the options of `Intl.NumberFormat` that correspond to a D3 format. Undefined for formats that `Intl` does not
 * have: padding, SI prefixes, exponents, other bases and characters.
 */
function optionsOf(specifier: FormatSpecifier): Intl.NumberFormatOptions | undefined {
  const { type, precision, trim, comma, width, symbol } = specifier;
  // D3 pads numbers to a width. `#` adds the prefix of another base.
  if (width !== undefined || symbol === "#") return undefined;
  const shared: Intl.NumberFormatOptions = comma || type === "n" ? {} : { useGrouping: false };
  const fraction = between(0, precision ?? 6, 20);
  const significant = between(1, precision ?? 6, 21);
  switch (type) {
    case "f":
    case "%":
      return {
        ...shared,
        ...(type === "%" && { style: "percent" }),
        minimumFractionDigits: trim ? 0 : fraction,
        maximumFractionDigits: fraction,
      };
    case "d":
      return { ...shared, maximumFractionDigits: 0 };
    case "r":
    case "p":
      return {
        ...shared,
        ...(type === "p" && { style: "percent" }),
        minimumSignificantDigits: trim ? 1 : significant,
        maximumSignificantDigits: significant,
      };
    case "g":
    case "n":
      return {
        ...shared,
        minimumSignificantDigits: trim ? 1 : significant,
        maximumSignificantDigits: significant,
      };
    case "":
      return { ...shared, maximumSignificantDigits: between(1, precision ?? 12, 21) };
    case "X":
    case "b":
    case "c":
    case "e":
    case "o":
    case "s":
    case "x":
      return undefined;
  }
}

/** Returns whether a value has no exponent in a D3 format, so that `Intl` writes it as D3 does. */
function writableBy({ type, precision }: FormatSpecifier): (value: number) => boolean {
  if (type !== "" && type !== "g" && type !== "n") return () => true;
  const limit = 10 ** between(1, precision ?? (type === "" ? 12 : 6), 21);
  return (value) => value === 0 || (Math.abs(value) >= 1e-6 && Math.abs(value) < limit);
}

const writers = new Map<string, Intl.NumberFormat>();

function writerOf(localeId: string, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = `${localeId} ${JSON.stringify(options)}`;
  const writer = writers.get(key) ?? new Intl.NumberFormat(localeId, options);
  writers.set(key, writer);
  return writer;
}

/**
 * Returns a function that formats numbers with `Intl`, and their currency. Numbers that are rounded to zero have no
 * sign.
 */
function intlFormat(
  options: Intl.NumberFormatOptions,
  currency: string | undefined,
  localeId: string,
): (value: number, sign?: "always") => string {
  const style = currency === undefined ? {} : currencyStyle(currency);
  return (value, sign) => {
    const all = { ...style, ...options, signDisplay: sign ?? ("negative" as const) };
    return withSymbol(writerOf(localeId, all), value, currency);
  };
}

/** Adds the sign as a D3 format asks for it: a plus, a space or parentheses. */
function signed(
  write: (value: number, sign?: "always") => string,
  sign: FormatSpecifier["sign"],
): FormatNumber {
  if (sign === "+") return (value) => write(value, "always");
  if (sign === " ") return (value) => (value < 0 ? write(value) : ` ${write(value)}`);
  if (sign === "-") return (value) => write(value);
  return (value) => {
    const written = write(Math.abs(value));
    return write(value) === written ? written : `(${written})`;
  };
}

const isCode = (currency: string): boolean => /^[A-Z]{3}$/.test(currency);

/** Returns the style of a currency. Text that is not a code takes the place of a code or a symbol of a currency. */
function currencyStyle(currency: string): Intl.NumberFormatOptions {
  if (isCode(currency)) return { style: "currency", currency };
  // The code for tests is a word, and the symbol of the code for no currency is a symbol.
  const isWord = /^\p{L}|\p{L}$/u.test(currency);
  return { style: "currency", currency: isWord ? "XTS" : "XXX" };
}

/**
 * Formats a number, with text in place of the symbol if the currency is not a code. The minus sign is as wide as a
 * digit. Short amounts in Hebrew and Arabic begin with the direction of the minus sign; full amounts begin with that of
 * the language, and so do these, so that the symbol of the currency is on the same side of both.
 */
function withSymbol(
  writer: Intl.NumberFormat,
  value: number,
  currency: string | undefined,
): string {
  const isText = currency !== undefined && !isCode(currency);
  const written = isText
    ? joined(writer.formatToParts(value), { currency: cleanText(currency).slice(0, 8) })
    : writer.format(value);
  return written.replace("-", "−").replace(/^\u200e−\u200f/, "\u200f\u200e−");
}

function joined(
  parts: readonly Intl.NumberFormatPart[],
  replaced: Readonly<Partial<Record<Intl.NumberFormatPartTypes, string>>>,
): string {
  return parts.map(({ type, value }) => replaced[type] ?? value).join("");
}

/** Returns a function that formats numbers with D3, in the digits and with the separators of a locale. */
function d3Format(specifier: FormatSpecifier, localeId: string): FormatNumber {
  const { decimal, group, groupSizes, digits } = numeralsOf(localeId);
  return formatLocale({
    decimal,
    thousands: group,
    grouping: [...groupSizes],
    currency: ["", ""],
    numerals: [...digits],
    minus: "−",
  }).format(specifier.toString());
}

/** Puts numbers that another function formats where the locale puts the numbers of a currency. */
function withCurrency(
  write: FormatNumber,
  currency: string | undefined,
  localeId: string,
): FormatNumber {
  if (currency === undefined) return write;
  const writer = writerOf(localeId, { ...currencyStyle(currency), maximumFractionDigits: 0 });
  const text = cleanText(currency).slice(0, 8);
  return (value) =>
    joined(writer.formatToParts(value < 0 ? -1 : 1), {
      integer: write(Math.abs(value)),
      ...(!isCode(currency) && { currency: text }),
    }).replace("-", "−");
}

/** Maximum number of characters. Longer numbers are written with a power of ten. */
const longest = 36;

function bounded(write: FormatNumber, localeId: string): FormatNumber {
  return (value) => {
    if (!Number.isFinite(value)) return "–";
    const written = write(value);
    if (written.length <= longest) return written;
    return d3Format(formatSpecifier(".3e"), localeId)(value);
  };
}

function plainNumber(currency: string | undefined, localeId: string): FormatNumber {
  const whole = intlFormat({ maximumFractionDigits: 0 }, currency, localeId);
  const parted = intlFormat(
    currency === undefined ? { maximumSignificantDigits: 4 } : {},
    currency,
    localeId,
  );
  const isWhole = (value: number) =>
    Number.isInteger(value) || (currency === undefined && Math.abs(value) >= 1000);
  return (value) => (isWhole(value) ? whole : parted)(value);
}

/**
 * Returns the function that formats the ticks of an axis with as many digits as their step needs. Thousands are
 * abbreviated.
 */
export function tickFormat(
  ticks: readonly number[],
  { format, currency }: NumberStyle,
  localeId: string,
): FormatNumber {
  const largest = Math.max(0, ...ticks.map(Math.abs));
  const step = ticks.length > 1 ? Math.abs((ticks[1] ?? 0) - (ticks[0] ?? 0)) : largest || 1;
  const digits = (unit: number) => {
    const count = -Math.floor(Math.log10(step / unit) + 1e-9);
    return Number.isNaN(count) ? 0 : between(0, count, 20);
  };
  const isPercent = /[%p]$/.test(format ?? "");
  const isShort = largest >= 10_000 && !isPercent;
  const unit = isShort ? 1000 ** Math.floor(Math.log10(largest) / 3 + 1e-9) : isPercent ? 0.01 : 1;
  const write = intlFormat(
    {
      ...(isShort && { notation: "compact" }),
      ...(isPercent && { style: "percent" }),
      maximumFractionDigits: digits(unit),
      minimumFractionDigits: isShort ? 0 : digits(unit),
    },
    isPercent ? undefined : currency,
    localeId,
  );
  return (value) => {
    const written = write(value);
    return written.length > longest ? d3Format(formatSpecifier(".1e"), localeId)(value) : written;
  };
}
