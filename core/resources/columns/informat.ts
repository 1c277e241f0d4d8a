/** The order of year, month and day in a date. */
export type DateOrder = "YMD" | "DMY" | "MDY";

/**
 * The format of datetime cells that are not ISO strings: an order of the date parts, or a number of seconds (`X`) or
 * milliseconds (`x`) since 1970.
 */
export type DateForm = DateOrder | "X" | "x";

const orders: readonly (readonly [RegExp, DateOrder])[] = [
  [/^YYYY([-/. ])MM\1DD/, "YMD"],
  [/^DD([-/. ])MM\1YYYY/, "DMY"],
  [/^MM([-/. ])DD\1YYYY/, "MDY"],
];

const types = ["hierarchy", "numeric", "datetime", "spatial"];

/**
 * Parses the `informat` of a datetime column; undefined for a string without a date order. Ignores the time part, whose
 * format is detected from the values.
 */
export function readInformat(informat: unknown): DateForm | undefined {
  if (informat === "X" || informat === "x") return informat;
  return orders.find(([pattern]) => pattern.test(String(informat)))?.[1];
}

/** Returns the problem with an `informat`; undefined for a type name or a date format that pushes accept. */
export function checkInformat(informat: unknown): string | undefined {
  const text = String(informat);
  const type = /^array\[(.*)\]$/.exec(text)?.[1] ?? text;
  if (text === "" || types.includes(type) || readInformat(text) !== undefined) return undefined;
  return "be numeric, hierarchy, X or x (seconds or milliseconds since 1970), or begin with YYYY-MM-DD, DD-MM-YYYY or MM-DD-YYYY";
}

const starts = { YMD: "YYYY-MM-DD", DMY: "DD-MM-YYYY", MDY: "MM-DD-YYYY" } as const;

/**
 * Returns the `informat` of a datetime column whose values have the given order. With `isDate`, it has no time part.
 */
export function informatOf(order: DateOrder, isDate: boolean): string {
  return isDate ? starts[order] : `${starts[order]} HH:mm:ss.SSS`;
}
