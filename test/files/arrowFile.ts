import { zstdCompressSync } from "node:zlib";
import {
  compressionRegistry,
  CompressionType,
  Field,
  makeData,
  RecordBatch,
  RecordBatchFileWriter,
  RecordBatchStreamWriter,
  Schema,
  Struct,
  type Data,
} from "apache-arrow";
import { packLz4Frame } from "./packLz4Frame.ts";

export interface ArrowFileOptions {
  /** Absent: a file with a footer. */
  readonly form?: "stream";
  /** Absent: buffers are not compressed. */
  readonly codec?: CompressionType;
  /** The size that compressed buffers declare. Absent: their unpacked size. */
  readonly declaredBytes?: bigint;
}

/** Writes an Arrow file with one record batch. */
export function arrowFile(
  columns: Readonly<Record<string, Data>>,
  { form, codec, declaredBytes }: ArrowFileOptions = {},
): Uint8Array {
  const children = Object.values(columns);
  const fields = Object.entries(columns).map(([name, { type }]) => new Field(name, type, true));
  const length = children[0]?.length ?? 0;
  const struct = makeData({ type: new Struct(fields), length, nullCount: 0, children });
  const packed = new Map<Uint8Array, bigint>();
  const encoding = (pack: (bytes: Uint8Array) => Uint8Array) => ({
    encode(bytes: Uint8Array) {
      const buffer = pack(bytes);
      packed.set(buffer, declaredBytes ?? BigInt(bytes.length));
      return buffer;
    },
  });
  compressionRegistry.set(CompressionType.LZ4_FRAME, encoding(packLz4Frame));
  compressionRegistry.set(
    CompressionType.ZSTD,
    encoding((bytes) => zstdCompressSync(bytes)),
  );
  const options = codec === undefined ? {} : { compressionType: codec };
  const writer =
    form === "stream" ? new RecordBatchStreamWriter(options) : new RecordBatchFileWriter(options);
  writer.write(new RecordBatch(new Schema(fields), struct));
  writer.finish();
  const bytes = Buffer.from(writer.toUint8Array(true));
  // apache-arrow writes the packed size before a buffer, where the format has the unpacked size.
  for (const [buffer, sizeBytes] of packed) {
    const at = bytes.indexOf(buffer);
    if (at >= 0) bytes.writeBigInt64LE(sizeBytes, at - 8);
  }
  return bytes;
}
