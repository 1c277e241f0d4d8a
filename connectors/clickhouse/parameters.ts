/**
 * The texts of query parameters. ClickHouse reads them as fields of tab-separated values, in which a list is written
 * with quotes; both forms are escaped with backslashes (its documentation, `Escaped` and `Quoted` formats).
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

/** Most bytes of one parameter; the server refuses a field of 128 KiB, and an escaped byte takes two. */
const mostParameterBytes = 64 * 1024;

/** Escapes a text for a parameter of type String. */
export function textParameter(text: string): string {
  return text.replace(special, (character) => escapes[character]!);
}

/** Writes a number for a parameter of type Float64 or Int64. -0 is 0, which it equals. */
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

/** Cuts a list into parts that each fit into a parameter. */
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
