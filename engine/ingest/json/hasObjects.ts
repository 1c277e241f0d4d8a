const openList = 91;
const openObject = 123;

/** Returns whether the rows of a JSON array are objects, judging by the first row. */
export function hasObjects(bytes: Uint8Array): boolean {
  const start = skipBlanks(bytes, bytes[0] === 0xef ? 3 : 0);
  return bytes[start] === openList && bytes[skipBlanks(bytes, start + 1)] === openObject;
}

function skipBlanks(bytes: Uint8Array, from: number): number {
  let at = from;
  while (bytes[at] === 32 || bytes[at] === 10 || bytes[at] === 13 || bytes[at] === 9) at++;
  return at;
}
