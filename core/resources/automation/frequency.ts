import { isObject } from "../../base/index.ts";
import { recurrenceUnits, type RecurrenceUnit } from "./nextDue.ts";

/** Maximum `quantity` of a recurrence. */
export const mostUnits = 100_000;

export interface Frequency {
  readonly unit: RecurrenceUnit;
  readonly quantity: number;
}

function isFrequency(value: unknown): value is Frequency {
  if (!isObject(value)) return false;
  const { unit, quantity, ...others } = value;
  return (
    Object.keys(others).length === 0 &&
    recurrenceUnits.some((each) => each === unit) &&
    Number.isInteger(quantity) &&
    Number(quantity) > 0 &&
    Number(quantity) <= mostUnits
  );
}

const adverbOf = (unit: string): string => (unit === "day" ? "daily" : `${unit}ly`);

/**
 * Parses words such as `day`, `daily`, `1 day` and `2 weeks`, in upper or lower case. Returns undefined for any other
 * string.
 */
function parseWords(text: string): Frequency | undefined {
  const words = text.trim().toLowerCase();
  const [, digits, word = words] = /^(\d{1,6})\s+([a-z]+)$/.exec(words) ?? [];
  const unit = recurrenceUnits.find(
    (each) =>
      word === each || word === `${each}s` || (digits === undefined && word === adverbOf(each)),
  );
  return unit === undefined ? undefined : { unit, quantity: Number(digits ?? 1) };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Parses how often something recurs: `{unit, quantity}`, the same object as a JSON string, or words (`day`, `daily`, `2
 * weeks`). The API accepts these strings in a create, and always returns an object. Returns undefined for any other
 * value.
 */
export function parseFrequency(value: unknown): Frequency | undefined {
  let given = value;
  for (let depth = 0; typeof given === "string" && depth < 2; depth++)
    given = parseWords(given) ?? parseJson(given);
  if (!isFrequency(given)) return undefined;
  const { unit, quantity } = given;
  return { unit, quantity };
}
