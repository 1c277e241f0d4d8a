/** How a locale writes plain numbers: its digits, separators and groups. */
export interface Numerals {
  /** The digits from 0 to 9. */
  readonly digits: readonly string[];
  readonly decimal: string;
  readonly group: string;
  /** The sizes of groups of digits from the right: 3, 2, 2 … in India. */
  readonly groupSizes: readonly number[];
}

const known = new Map<string, Numerals>();

/** Returns how a locale writes numbers, as `Intl` does. */
export function numeralsOf(localeId: string): Numerals {
  const cached = known.get(localeId);
  if (cached) return cached;
  const plain = new Intl.NumberFormat(localeId, { useGrouping: false });
  const parts = new Intl.NumberFormat(localeId).formatToParts(12_345_678_901.5);
  const textOf = (type: string) => parts.find((part) => part.type === type)?.value;
  const [last = 3, before = last] = parts
    .filter(({ type }) => type === "integer")
    .map(({ value }) => Array.from(value).length)
    .toReversed();
  const numerals: Numerals = {
    digits: Array.from({ length: 10 }, (_, digit) => plain.format(digit)),
    decimal: textOf("decimal") ?? ".",
    group: textOf("group") ?? "",
    groupSizes: [last, ...Array.from({ length: 20 }, () => before)],
  };
  known.set(localeId, numerals);
  return numerals;
}

/** Replaces the digits of a text with those of a locale, so that a picture does not mix two systems of digits. */
export function withLocalDigits(text: string, localeId: string): string {
  const { digits } = numeralsOf(localeId);
  return digits[0] === "0"
    ? text
    : text.replaceAll(/\d/g, (digit) => digits[Number(digit)] ?? digit);
}
