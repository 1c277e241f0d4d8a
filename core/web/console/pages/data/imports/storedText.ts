/** All digits of a number, because a rounded number would hide how the host read it. */
const numbers = new Intl.NumberFormat(undefined, { maximumFractionDigits: 20 });

/** Returns a value of a preview as text, as exactly as it would be stored; "" for a missing value. */
export function storedText(value: unknown, type: string): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "number") return numbers.format(value);
  const text = String(value);
  return type === "datetime" ? text.replace("T", " ").replace(/(?:\.000)?Z$/, " UTC") : text;
}
