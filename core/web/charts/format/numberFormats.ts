import { formatLocale, type FormatLocaleObject } from "d3-format";
import { cleanText } from "../text/cleanText.ts";

const locales = new Map<string, FormatLocaleObject>();

/** Returns D3's number formats with the separators of a locale. */
function localeOf(localeId: string): FormatLocaleObject {
  const known = locales.get(localeId);
  if (known) return known;
  const parts = new Intl.NumberFormat(localeId, { useGrouping: true }).formatToParts(-1234567.8);
  const partOf = (type: string, otherwise: string) =>
    parts.find((part) => part.type === type)?.value ?? otherwise;
  const locale = formatLocale({
    decimal: partOf("decimal", "."),
    thousands: partOf("group", ","),
    grouping: [3],
    currency: ["", ""],
    minus: "−",
  });
  locales.set(localeId, locale);
  return locale;
}

/** Returns the symbol of a currency code. Other strings are shortened and returned. */
function currencySign(currency: string, localeId: string): string {
  if (!/^[A-Z]{3}$/.test(currency)) return cleanText(currency).slice(0, 8);
  const parts = new Intl.NumberFormat(localeId, { style: "currency", currency }).formatToParts(1);
  return parts.find(({ type }) => type === "currency")?.value ?? currency;
}

/** The number format of a column, and its currency. */
export interface NumberStyle {
  /** A D3 number format. If the format is empty or invalid, the number of digits depends on the value. */
  readonly format?: string | undefined;
  readonly currency?: string | undefined;
}

/** A function that formats a number as text. */
export type FormatNumber = (value: number) => string;

/**
 * Returns the function that formats full numbers in the column's format and with the symbols of the locale. The letter
 * `a` in a format (`,.2af`) is ignored, because its meaning is not documented anywhere.
 */
export function numberFormat({ format, currency }: NumberStyle, localeId: string): FormatNumber {
  const write = bounded(bySpecifier(format, localeId) ?? plainNumber(localeId));
  if (currency === undefined || format?.includes("%")) return write;
  const sign = currencySign(currency, localeId);
  return (value) => (value < 0 ? `−${sign}${write(-value)}` : `${sign}${write(value)}`);
}

/** Maximum number of characters. Longer numbers are written with a power of ten. */
const longest = 32;

function bounded(write: FormatNumber): FormatNumber {
  return (value) => {
    if (!Number.isFinite(value)) return "–";
    const written = write(value);
    return written.length > longest ? value.toExponential(3).replace("-", "−") : written;
  };
}

/** Returns whether a string is a valid number format. */
export function isNumberFormat(format: string): boolean {
  return bySpecifier(format, "en") !== undefined;
}

function bySpecifier(format: string | undefined, localeId: string): FormatNumber | undefined {
  if (format === undefined || format === "") return undefined;
  try {
    const write = localeOf(localeId).format(format.replace(/a(?=[a-z%]$)/i, ""));
    // A format may request a width of millions of characters.
    return write(0).length > 40 ? undefined : write;
  } catch {
    // Stored dashboards may contain any string as a format.
    return undefined;
  }
}

function plainNumber(localeId: string): FormatNumber {
  const whole = new Intl.NumberFormat(localeId, { maximumFractionDigits: 0 });
  const parted = new Intl.NumberFormat(localeId, { maximumSignificantDigits: 4 });
  return (value) =>
    signed((Number.isInteger(value) || Math.abs(value) >= 1000 ? whole : parted).format(value));
}

/** Replaces the hyphen with a minus sign, which is as wide as a digit. */
function signed(written: string): string {
  return written.replace("-", "−");
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
    return Number.isNaN(count) ? 0 : Math.max(0, Math.min(20, count));
  };
  const isPercent = format?.endsWith("%") === true;
  const isShort = largest >= 10_000 && !isPercent;
  const unit = isShort ? 1000 ** Math.floor(Math.log10(largest) / 3 + 1e-9) : isPercent ? 0.01 : 1;
  const written = new Intl.NumberFormat(localeId, {
    ...(isShort && { notation: "compact" as const }),
    ...(isPercent && { style: "percent" as const }),
    maximumFractionDigits: digits(unit),
    minimumFractionDigits: isShort ? 0 : digits(unit),
  });
  const sign = currency === undefined || isPercent ? "" : currencySign(currency, localeId);
  return (value) => {
    const full = written.format(Math.abs(value));
    const text = full.length > longest ? Math.abs(value).toExponential(1) : full;
    return value < 0 ? `−${sign}${text}` : `${sign}${text}`;
  };
}
