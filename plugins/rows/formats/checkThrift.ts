/** Maximum nesting depth of structs and lists in a Parquet footer. */
const mostDepth = 32;

/** Types of the compact protocol (github.com/apache/thrift, doc/specs/thrift-compact-protocol.md). */
const [stop, booleanTrue, booleanFalse, byte, i16, i32, i64, double, binary, list] = [
  0, 1, 2, 3, 4, 5, 6, 7, 8, 9,
];
const struct = 12;

/**
 * Checks a struct in Thrift's compact protocol and returns the position of its end. A library that trusts declared
 * lengths may then read the struct. O(bytes).
 * @throws {Error} for a list or string longer than the remaining bytes, for unknown types, and for deep nesting
 */
export function checkThrift(bytes: Uint8Array, from: number): number {
  let at = from;
  const next = (): number => {
    const value = bytes[at++];
    if (value === undefined) throw new Error("its metadata ends early");
    return value;
  };
  const varint = (): number => {
    let value = 0;
    for (let shift = 0; shift < 70; shift += 7) {
      const part = next();
      value += (part & 0x7f) * 2 ** shift;
      if (!(part & 0x80)) return value;
    }
    throw new Error("its metadata has a number of more than 10 bytes");
  };
  const skip = (sizeBytes: number): void => {
    if (sizeBytes > bytes.length - at)
      throw new Error(
        `its metadata declares ${sizeBytes} bytes but only ${bytes.length - at} follow`,
      );
    at += sizeBytes;
  };
  const element = (type: number, depth: number): void => {
    switch (type) {
      case booleanTrue:
      case booleanFalse:
        return;
      case byte:
        return skip(1);
      case i16:
      case i32:
      case i64:
        varint();
        return;
      case double:
        return skip(8);
      case binary:
        return skip(varint());
      case list:
        return elements(depth + 1);
      case struct:
        return fields(depth + 1);
      default:
        throw new Error(`its metadata has a value of the unknown type ${type}`);
    }
  };
  const elements = (depth: number): void => {
    const head = next();
    const type = head & 0x0f;
    const count = head >> 4 === 15 ? varint() : head >> 4;
    // Each element takes at least one byte, even a boolean.
    if (count > bytes.length - at)
      throw new Error(
        `its metadata declares ${count} entries but only ${bytes.length - at} bytes follow`,
      );
    if (depth > mostDepth) throw new Error("its metadata is nested too deeply");
    const isBoolean = type === booleanTrue || type === booleanFalse;
    for (let index = 0; index < count; index++) element(isBoolean ? byte : type, depth);
  };
  const fields = (depth: number): void => {
    if (depth > mostDepth) throw new Error("its metadata is nested too deeply");
    for (;;) {
      const head = next();
      if ((head & 0x0f) === stop) return;
      if (head >> 4 === 0) varint();
      element(head & 0x0f, depth);
    }
  };
  fields(0);
  return at;
}
