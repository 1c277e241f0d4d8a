import { words } from "./words.ts";

/** A duration as the API returns it. */
export interface Duration {
  readonly unit: string;
  readonly quantity: number;
}

/** Writes a duration in the reader's language, such as `10 minutes`. */
export function writeDuration({ unit, quantity }: Duration): string {
  const names: Readonly<Record<string, readonly string[]>> = words.durationUnits;
  const [one = unit, many = one] = names[unit] ?? [];
  return `${quantity} ${quantity === 1 ? one : many}`;
}

/**
 * Returns a duration in the form of the API, such as `10 minutes`, from one in the reader's language or in that form.
 * Text that is neither stays as it is, because the host then says what is wrong.
 */
export function readDuration(text: string): string {
  const given = text.trim();
  const [, quantity, name = ""] = /^(\d+)\s*(\p{L}+)$/u.exec(given) ?? [];
  if (quantity === undefined) return given;
  const said = name.toLocaleLowerCase();
  const unit = Object.entries(words.durationUnits).find(([, names]) =>
    names.some((each) => each.toLocaleLowerCase() === said),
  )?.[0];
  return unit === undefined ? given : `${quantity} ${unit}${quantity === "1" ? "" : "s"}`;
}
