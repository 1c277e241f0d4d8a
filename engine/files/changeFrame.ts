import type { TableChange } from "../table/table.ts";
import type { ColumnDefinition, Vector } from "../types.ts";

/** The head of a frame, as JSON; the bytes of the vectors follow in order, each of `rowCount` values. */
interface Head {
  readonly drop?: readonly string[];
  readonly add?: readonly ColumnDefinition[];
  readonly rowCount?: number;
  readonly vectors?: readonly {
    readonly name: string;
    readonly type: "number" | "datetime" | "text";
    readonly dictionary?: readonly string[];
  }[];
}

/** Encodes a change as the payload of a frame. Texts are codes into the frame's own dictionary, so a frame can be read by itself. */
export function encodeChange(change: TableChange): Uint8Array {
  const bodies: Uint8Array[] = [];
  const rows = change.rows;
  const vectors = rows?.batch.columns.map((vector, index) => {
    const { body, dictionary } = encodeVector(vector);
    bodies.push(body);
    return { name: rows.names[index], type: vector.type, ...(dictionary && { dictionary }) };
  });
  const head: Head = {
    ...(change.drop && { drop: change.drop }),
    ...(change.add && { add: change.add.map(({ name, type }) => ({ name, type })) }),
    ...(rows && vectors && { rowCount: rows.batch.rowCount, vectors }),
  };
  const headBytes = Buffer.from(JSON.stringify(head));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(headBytes.length);
  return Buffer.concat([length, headBytes, ...bodies]);
}

/** Decodes a payload whose checksum is right. */
export function decodeChange(payload: Uint8Array): TableChange {
  const bytes = Buffer.from(payload.buffer, payload.byteOffset, payload.byteLength);
  const headEnd = 4 + bytes.readUInt32LE(0);
  const head = JSON.parse(bytes.toString("utf8", 4, headEnd)) as Head;
  let position = headEnd;
  const { drop, add, rowCount, vectors } = head;
  if (rowCount === undefined || !vectors) return { ...(drop && { drop }), ...(add && { add }) };
  const columns = vectors.map(({ type, dictionary }): Vector => {
    const size = rowCount * (type === "text" ? 4 : 8);
    const copy = new Uint8Array(size);
    copy.set(bytes.subarray(position, position + size));
    position += size;
    if (type === "text")
      return { type, codes: new Int32Array(copy.buffer), dictionary: dictionary ?? [] };
    return { type, values: new Float64Array(copy.buffer) };
  });
  return {
    ...(drop && { drop }),
    ...(add && { add }),
    rows: { names: vectors.map(({ name }) => name), batch: { rowCount, columns } },
  };
}

function encodeVector(vector: Vector): {
  readonly body: Uint8Array;
  readonly dictionary?: readonly string[];
} {
  if (vector.type !== "text") return { body: bytesOf(vector.values) };
  const places = new Int32Array(vector.dictionary.length).fill(-1);
  const dictionary: string[] = [];
  const codes = vector.codes.map((code) => {
    if (code < 0) return -1;
    if (places[code] < 0) places[code] = dictionary.push(vector.dictionary[code]) - 1;
    return places[code];
  });
  return { body: bytesOf(codes), dictionary };
}

function bytesOf(array: Float64Array | Int32Array): Uint8Array {
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
}
