const shortForm = /^(-?\d)(?:\.(\d+))?e\+(\d+)$/;

/**
 * Returns a whole number as a double if the double keeps the digits: its exact value, or the shortest decimal that
 * identifies it, is the given number. Undefined if two different numbers could become the same double.
 */
export function exactNumber(whole: bigint): number | undefined {
  const number = Number(whole);
  if (Number.isSafeInteger(number)) return number;
  if (!Number.isFinite(number)) return undefined;
  return BigInt(number) === whole || shortest(number) === String(whole) ? number : undefined;
}

/** Returns the shortest digits that identify a double, with zeros instead of an exponent. */
function shortest(number: number): string {
  const text = String(number);
  const [, first = "", decimals = "", exponent = "0"] = shortForm.exec(text) ?? [];
  return first === "" ? text : first + decimals.padEnd(Number(exponent), "0");
}
