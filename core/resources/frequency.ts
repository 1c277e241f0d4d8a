/** The units of a recurrence. */
export const frequencyUnits = ["minute", "hour", "day", "week", "month", "quarter", "year"];

function isFrequency(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const { unit, quantity } = value as Readonly<Record<string, unknown>>;
  return (
    typeof unit === "string" &&
    frequencyUnits.includes(unit) &&
    Number.isInteger(quantity) &&
    Number(quantity) > 0 &&
    Number(quantity) <= 100_000
  );
}

/**
 * Reads `{unit, quantity}`, the same as JSON text, or a unit alone (one of it): the documentation of the field has
 * a text on create and an object after. Undefined for anything else.
 */
export function parseFrequency(value: unknown): Record<string, unknown> | undefined {
  let given = value;
  if (typeof value === "string") {
    if (frequencyUnits.includes(value)) return { unit: value, quantity: 1 };
    try {
      given = JSON.parse(value);
    } catch {
      return undefined;
    }
  }
  if (!isFrequency(given)) return undefined;
  const { unit, quantity } = given as Record<string, unknown>;
  return { unit, quantity };
}
