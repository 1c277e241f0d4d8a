import { instantInZone } from "../wallTime.ts";

/* Values as binary formats store them. Both Parquet and Arrow are read with these functions. */

/** Returns the nearest double to `unscaled` * 10^-scale. */
export function decimalOf(unscaled: bigint, scale: number): number {
  return Number(`${unscaled}e${-scale}`);
}

/** Writes `unscaled` * 10^-scale with all its digits, such as `-0.50`. */
export function textOfDecimal(unscaled: bigint, scale: number): string {
  if (scale <= 0) return String(unscaled * 10n ** BigInt(-scale));
  const digits = String(unscaled < 0n ? -unscaled : unscaled).padStart(scale + 1, "0");
  return `${unscaled < 0n ? "-" : ""}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}

/** Reads a big-endian two's complement integer. */
export function wholeOf(bytes: Uint8Array): bigint {
  const hex = Buffer.from(bytes).toString("hex");
  return hex === "" ? 0n : BigInt.asIntN(8 * bytes.length, BigInt(`0x${hex}`));
}

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
// oxlint-disable-next-line no-control-regex -- these characters show that bytes are not text
const control = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/;

/** Converts bytes without a type to text if they are UTF-8 without control characters, otherwise to hexadecimal. */
export function textOfBytes(read: unknown): unknown {
  if (!(read instanceof Uint8Array)) return read;
  try {
    const text = decoder.decode(read);
    if (!control.test(text)) return text;
  } catch {
    // The bytes are not text.
  }
  return Buffer.from(read).toString("hex");
}

/**
 * Writes a Date that shows the time of a wall clock, such as `2024-01-05T10:30:00.000`. The string has no offset, so it
 * is read in the time zone of its column. Other values stay as they are.
 */
export function textOfWall(read: unknown): unknown {
  if (!(read instanceof Date) || Number.isNaN(read.getTime())) return read;
  return read.toISOString().slice(0, -1);
}

/** Converts a Date that shows the time of a wall clock to the instant in `timeZone`. Invalid Dates stay as they are. */
export function instantOfWall(read: unknown, timeZone: string | undefined): unknown {
  if (!(read instanceof Date) || Number.isNaN(read.getTime())) return read;
  return new Date(instantInZone(read.getTime(), timeZone));
}

/** Writes a Date as a day, such as `2024-01-05`. An invalid Date becomes null. */
export function textOfDay(read: unknown): unknown {
  if (!(read instanceof Date)) return read;
  return Number.isNaN(read.getTime()) ? null : read.toISOString().replace(/T.*/, "");
}

/**
 * Writes a time of day, such as `10:30:00.500`. `units` are the units of 10^-digits seconds since midnight. Digits
 * after the milliseconds are written only if the time has them.
 */
export function textOfTime(units: bigint, digits: number): string {
  const perSecond = 10n ** BigInt(digits);
  const seconds = units / perSecond;
  const fraction = String(units % perSecond)
    .padStart(digits, "0")
    .padEnd(3, "0");
  const kept = fraction.replace(/(?<=^\d{3,})0+$/, "");
  const two = (part: bigint) => String(part).padStart(2, "0");
  return `${two(seconds / 3600n)}:${two((seconds / 60n) % 60n)}:${two(seconds % 60n)}.${kept}`;
}
