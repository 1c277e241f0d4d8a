const openList = 91;
const openObject = 123;
const comma = 44;

/**
 * Splits a JSON array of rows into arrays of about `partBytes` bytes each. The cuts are at places that look like the
 * end of a row: `],[` or `},{`, with or without white space. A place that looks like the end of a row may be inside a
 * string. The part before the cut then ends inside that string, and `encodeJson` rejects that part, because every
 * earlier part starts at a row. Therefore, if no part is rejected, all cuts are correct. Takes O(parts), and longer if
 * rows are long.
 */
export function splitRows(bytes: Uint8Array, partBytes: number): readonly Uint8Array[] {
  const start = skipBlanks(bytes, bytes[0] === 0xef ? 3 : 0);
  const open = firstRow(bytes);
  if (open !== openList && open !== openObject) return [bytes];
  const parts: Uint8Array[] = [];
  let from = start + 1;
  for (;;) {
    const end = findEnd(bytes, from + partBytes, open);
    if (end < 0) break;
    parts.push(wrap(bytes.subarray(from, end)));
    from = bytes.indexOf(comma, end) + 1;
  }
  if (parts.length === 0) return [bytes];
  // The last part includes the closing bracket and anything after it.
  parts.push(wrap(bytes.subarray(from), false));
  return parts;
}

/** Returns whether the rows of a JSON array are lists. */
export function hasLists(bytes: Uint8Array): boolean {
  return firstRow(bytes) === openList;
}

/** Returns whether the rows of a JSON array are objects. */
export function hasObjects(bytes: Uint8Array): boolean {
  return firstRow(bytes) === openObject;
}

/** Returns the first byte of the first row; 0 if there is no row. */
function firstRow(bytes: Uint8Array): number {
  const start = skipBlanks(bytes, bytes[0] === 0xef ? 3 : 0);
  return bytes[start] === openList ? bytes[skipBlanks(bytes, start + 1)] : 0;
}

/** Returns the first offset from `from` on at which a row seems to end; -1 if there is none. */
function findEnd(bytes: Uint8Array, from: number, open: number): number {
  for (let at = bytes.indexOf(open + 2, from); at >= 0; at = bytes.indexOf(open + 2, at + 1)) {
    const next = skipBlanks(bytes, at + 1);
    if (bytes[next] === comma && bytes[skipBlanks(bytes, next + 1)] === open) return at + 1;
  }
  return -1;
}

function skipBlanks(bytes: Uint8Array, from: number): number {
  let at = from;
  while (bytes[at] === 32 || bytes[at] === 10 || bytes[at] === 13 || bytes[at] === 9) at++;
  return at;
}

function wrap(rows: Uint8Array, isClosed = true): Uint8Array {
  const part = new Uint8Array(rows.length + (isClosed ? 2 : 1));
  part[0] = openList;
  part.set(rows, 1);
  if (isClosed) part[rows.length + 1] = openList + 2;
  return part;
}
