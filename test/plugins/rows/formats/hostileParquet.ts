/** The contents of a Parquet file, in which the caller can set false lengths. Types: INT32 1, INT64 2, BYTE_ARRAY 6. */
export interface HostileParquet {
  readonly type?: number;
  /** One of: REQUIRED 0, OPTIONAL 1, REPEATED 2. */
  readonly repetition?: number;
  /** One of: UNCOMPRESSED 0, SNAPPY 1, GZIP 2, BROTLI 4, ZSTD 6. */
  readonly codec?: number;
  readonly rowCount: number;
  /**
   * Number of values that the column chunk declares.
   * @default the number of rows
   */
  readonly valueCount?: number;
  readonly pages: readonly Uint8Array[];
  /** Replaces the schema. The root must be the first element. */
  readonly schema?: readonly Value[];
  /** Replaces the size of the column chunk in the footer. */
  readonly chunkBytes?: number;
  readonly chunkStart?: number;
  /** Number of row groups, all of which refer to the same column chunk. */
  readonly groupCount?: number;
}

const magic = Buffer.from("PAR1");

export function hostileParquet(file: HostileParquet): Uint8Array {
  const { type = 2, repetition = 0, codec = 0, rowCount, pages, groupCount = 1 } = file;
  const body = Buffer.concat([magic, ...pages]);
  const valueCount = file.valueCount ?? rowCount;
  const schema = file.schema ?? [
    struct([4, text("schema")], [5, i32(1)]),
    struct([1, i32(type)], [3, i32(repetition)], [4, text("a")]),
  ];
  const meta = struct(
    [1, i32(type)],
    [2, list([i32(0)])],
    [3, list([text("a")])],
    [4, i32(codec)],
    [5, i64(valueCount)],
    [6, i64(100)],
    [7, i64(file.chunkBytes ?? body.length - 4)],
    [9, i64(file.chunkStart ?? 4)],
  );
  const column = struct([2, i64(4)], [3, meta]);
  const group = struct([1, list([column])], [2, i64(100)], [3, i64(rowCount)]);
  const footer = struct(
    [1, i32(1)],
    [2, list(schema)],
    [3, i64(rowCount * groupCount)],
    [4, list(Array.from({ length: groupCount }, () => group))],
  );
  return withFooter(body, footer.bytes);
}

export function withFooter(body: Uint8Array, footer: Uint8Array): Uint8Array {
  const size = Buffer.alloc(4);
  size.writeUInt32LE(footer.length);
  return Buffer.concat([body, footer, size, magic]);
}

export interface PageOptions {
  readonly bytes: Uint8Array;
  readonly valueCount: number;
  /** One of: PLAIN 0, RLE 3, DELTA_BINARY_PACKED 5, DELTA_BYTE_ARRAY 7, RLE_DICTIONARY 8. */
  readonly encoding?: number;
  /** The decompressed size that the page declares. */
  readonly unpackedBytes?: number;
}

export function dataPage({ bytes, valueCount, encoding = 8, unpackedBytes }: PageOptions) {
  const head = struct([1, i32(valueCount)], [2, i32(encoding)], [3, i32(3)], [4, i32(3)]);
  return page(0, bytes, unpackedBytes ?? bytes.length, [5, head]);
}

export function dictionaryPage({ bytes, valueCount, unpackedBytes }: PageOptions) {
  const head = struct([1, i32(valueCount)], [2, i32(0)]);
  return page(2, bytes, unpackedBytes ?? bytes.length, [7, head]);
}

function page(type: number, bytes: Uint8Array, unpackedBytes: number, head: Field): Uint8Array {
  const header = struct([1, i32(type)], [2, i32(unpackedBytes)], [3, i32(bytes.length)], head);
  return Buffer.concat([header.bytes, bytes]);
}

/** Encodes a run of `count` zeros, in the hybrid of runs and packed bits. */
export function run(count: number, bitWidth = 1): Uint8Array {
  return Buffer.concat([varint(2 * count), Buffer.alloc((bitWidth + 7) >> 3)]);
}

/** Encodes levels or dictionary codes, preceded by their length. */
export function withLength(bytes: Uint8Array): Uint8Array {
  const size = Buffer.alloc(4);
  size.writeUInt32LE(bytes.length);
  return Buffer.concat([size, bytes]);
}

export function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  bytes.push(rest);
  return Buffer.from(bytes);
}

/** A typed value in Thrift's compact protocol. */
export interface Value {
  readonly type: number;
  readonly bytes: Buffer;
}
type Field = readonly [id: number, value: Value];

const zigzag = (value: number): Buffer => varint(value < 0 ? -2 * value - 1 : 2 * value);
export const i32 = (value: number): Value => ({ type: 5, bytes: zigzag(value) });
export const i64 = (value: number): Value => ({ type: 6, bytes: zigzag(value) });
export const text = (value: string): Value => ({
  type: 8,
  bytes: Buffer.concat([varint(Buffer.byteLength(value)), Buffer.from(value)]),
});

/** Encodes a list. `declaredCount` is the number of elements that the list claims to have. */
export function list(values: readonly Value[], declaredCount = values.length): Value {
  const type = values[0]?.type ?? 12;
  const head = Buffer.concat([Buffer.from([0xf0 | type]), varint(declaredCount)]);
  return { type: 9, bytes: Buffer.concat([head, ...values.map(({ bytes }) => bytes)]) };
}

export function struct(...fields: readonly Field[]): Value {
  let last = 0;
  const parts = fields.flatMap(([id, { type, bytes }]) => {
    const head = Buffer.from([((id - last) << 4) | type]);
    last = id;
    return [head, bytes];
  });
  return { type: 12, bytes: Buffer.concat([...parts, Buffer.from([0])]) };
}
