/** Whole numbers with fewer digits are below 2^53. */
const fewestDigits = 16;
const halfDigits = fewestDigits / 2;
/** A longer number is beyond the range of doubles, and slow to convert. */
const mostDigits = 400;
const [quote, point, zero, nine] = [34, 46, 48, 57];
const wholeNumber = /^(-?\d+)(?:\.0+)?$/;

/**
 * Parses JSON like `JSON.parse`, but keeps all digits: whole numbers beyond 2^53 become bigints, or strings of digits
 * if they have more than 400 digits. Numbers with an exponent or with decimals remain the nearest double. As fast as
 * `JSON.parse` for documents without such numbers.
 * @throws {SyntaxError} for invalid JSON
 */
export function parseExactJson(text: string): unknown {
  return hasLongNumber(text) ? JSON.parse(text, exactValue) : JSON.parse(text);
}

function exactValue(_: string, value: unknown, context?: { readonly source?: string }): unknown {
  if (typeof value !== "number" || Number.isSafeInteger(value)) return value;
  const digits = wholeNumber.exec(context?.source ?? "")?.[1];
  if (digits === undefined) return value;
  return digits.length > mostDigits ? digits : BigInt(digits);
}

/**
 * Returns whether a whole number may lie beyond 2^53: 17 digits, or 16 digits of which the first is 9, that do not
 * follow a decimal point or a quote. A run of 16 digits covers a multiple of 16, so only every 16th character is read.
 */
function hasLongNumber(text: string): boolean {
  for (let at = fewestDigits - 1; at < text.length; at += fewestDigits) {
    if (!isDigit(text, at)) continue;
    // A run of 16 digits also covers one of these positions.
    if (!isDigit(text, at - halfDigits) && !isDigit(text, at + halfDigits)) continue;
    let from = at;
    while (from > 0 && isDigit(text, from - 1)) from--;
    while (at + 1 < text.length && isDigit(text, at + 1)) at++;
    const count = at + 1 - from;
    const before = from === 0 ? 0 : text.charCodeAt(from - 1);
    const isLong =
      count > fewestDigits || (count === fewestDigits && text.charCodeAt(from) === nine);
    if (isLong && before !== point && before !== quote) return true;
    // The next position to read is after the run.
    at -= (at + 1) % fewestDigits;
  }
  return false;
}

function isDigit(text: string, index: number): boolean {
  const code = text.charCodeAt(index);
  return code >= zero && code <= nine;
}
