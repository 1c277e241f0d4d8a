/** Codes that CLDR names but ISO 3166 does not assign: reserved codes, groupings and pseudo-regions. */
const unassigned = new Set([
  "AC",
  "CP",
  "CQ",
  "DG",
  "EA",
  "EU",
  "EZ",
  "IC",
  "QO",
  "TA",
  "UN",
  "XA",
  "XB",
  "XK",
  "ZZ",
]);

const letters = Array.from({ length: 26 }, (_, index) => String.fromCharCode(65 + index));

/**
 * Returns the assigned codes of ISO 3166-1. Finds them by looking up the name of every pair of letters. Skips withdrawn
 * codes, whose canonical code is a different one.
 */
export function countryCodes(): string[] {
  const names = new Intl.DisplayNames("en", { type: "region", fallback: "none" });
  return letters
    .flatMap((first) => letters.map((second) => first + second))
    .filter((code) => names.of(code) && new Intl.Locale(`und-${code}`).region === code)
    .filter((code) => !unassigned.has(code));
}
