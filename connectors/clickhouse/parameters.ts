/**
 * Writes query parameters in the text form that ClickHouse expects: a parameter is a field of tab-separated values, and
 * strings inside lists are in quotes. Both forms are escaped with backslashes (the formats `Escaped` and `Quoted` in
 * its documentation).
 */

const escapes: Readonly<Record<string, string>> = {
  "\\": "\\\\",
  "'": "\\'",
  "\0": "\\0",
  "\b": "\\b",
  "\t": "\\t",
  "\n": "\\n",
  "\f": "\\f",
  "\r": "\\r",
};
// oxlint-disable-next-line no-control-regex -- the characters that have to be escaped
const special = /[\\'\0\b\t\n\f\r]/g;

/** Maximum bytes of a parameter. The server rejects fields of 128 KiB or more, and escaping can double the size. */
const mostParameterBytes = 64 * 1024;

/** Escapes a string for a parameter of type String. */
export function textParameter(text: string): string {
  return text.replace(special, (character) => escapes[character]!);
}

/** Writes a number for a parameter of type Float64 or Int64; -0 becomes 0. */
export function numberParameter(value: number): string {
  return String(value + 0);
}

/** Writes a list for a parameter of type Array. */
export function listParameter(values: readonly (string | number)[]): string {
  const entries = values.map((value) =>
    typeof value === "number" ? numberParameter(value) : `'${textParameter(value)}'`,
  );
  return `[${entries.join(",")}]`;
}

/** Splits a list into parts, each of which fits into a parameter. */
export function parameterParts(
  values: readonly (string | number)[],
): readonly (readonly (string | number)[])[] {
  const parts: (string | number)[][] = [];
  let size = Infinity;
  for (const value of values) {
    const bytes = typeof value === "number" ? 25 : Buffer.byteLength(value) + 3;
    if (size + bytes > mostParameterBytes) {
      parts.push([]);
      size = 0;
    }
    parts.at(-1)!.push(value);
    size += bytes;
  }
  return parts;
}
