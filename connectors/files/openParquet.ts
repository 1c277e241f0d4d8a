import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from "node:zlib";
import {
  parquetMetadataAsync,
  parquetScan,
  type AsyncBuffer,
  type Compressors,
  type FileMetaData,
  type ParquetParsers,
} from "hyparquet";
import { PluginError } from "../../plugins/protocol/index.ts";
import { mayPass } from "./mayPass.ts";
import type { FileTable, OpenTables } from "./fileTable.ts";
import { parquetColumn, withRawDecimals, type ParquetColumn } from "./parquetColumn.ts";
import { readAs } from "./readAs.ts";

/** Bytes of one row group's asked columns, unpacked. */
const mostGroupBytes = 2 ** 29;
/** Bytes at the end of a file that are read first: most footers. A longer one is read again. */
const footerBytes = 2 ** 16;
/** Rows that are handed on at a time. */
const blockRows = 20_000;

const floorDivided = (value: bigint, by: bigint): number => {
  const rest = value % by;
  return Number((value - (rest < 0n ? rest + by : rest)) / by);
};

/** Cuts to milliseconds downwards, before 1970 too, and leaves JSON as text. */
const parsers: Partial<ParquetParsers> = {
  timestampFromMicroseconds: (micros) => new Date(floorDivided(micros, 1000n)),
  timestampFromNanoseconds: (nanos) => new Date(floorDivided(nanos, 1_000_000n)),
  jsonFromBytes: (bytes) => bytes && new TextDecoder().decode(bytes),
};

type Unpack = (packed: Uint8Array, options: { maxOutputLength: number }) => Uint8Array;

/** A page never unpacks to more than it says. */
const unpack =
  (run: Unpack) =>
  (packed: Uint8Array, sizeBytes: number): Uint8Array =>
    new Uint8Array(run(packed, { maxOutputLength: Math.max(1, sizeBytes) }));

/** Codecs of Node, beside those of hyparquet. */
const compressors: Compressors = {
  GZIP: unpack(gunzipSync),
  BROTLI: unpack(brotliDecompressSync),
  ZSTD: unpack(zstdDecompressSync),
};

/** Opens a Parquet file: its footer says columns and types; row groups that cannot pass filters are not read. */
export const openParquet: OpenTables = async ({ source, signal }) => {
  const file: AsyncBuffer = {
    byteLength: source.sizeBytes,
    slice: async (from, to = source.sizeBytes) => bufferOf(await source.read(from, to, signal)),
  };
  const metadata = await readAs("Parquet", () =>
    parquetMetadataAsync(file, { parsers, initialFetchSize: footerBytes }),
  );
  const [root, ...elements] = metadata.schema;
  const all: ParquetColumn[] = [];
  for (let index = 0, left = root?.num_children ?? 0; left > 0; left--) {
    all.push(parquetColumn(elements[index]!));
    for (let open = 1; open > 0; index++) open += (elements[index]?.num_children ?? 0) - 1;
  }
  const columns = all.filter(({ left }) => left === undefined);
  const raw: FileMetaData = { ...metadata, schema: metadata.schema.map(withRawDecimals) };
  const table: FileTable = {
    columns: columns.map(({ id, type, subtype }) => ({ id, type, ...(subtype && { subtype }) })),
    textsSpellNumbers: false,
    rowCount: Number(metadata.num_rows),
    notes: all.flatMap(({ id, left }) =>
      left === undefined ? [] : [`the column ${JSON.stringify(id)} is left out: it is ${left}`],
    ),
    async *rows(wanted, filters, until) {
      const asked = wanted.map((index) => columns[index]!);
      let groupStart = 0;
      for (const group of metadata.row_groups) {
        const groupRows = Number(group.num_rows);
        const rowStart = groupStart;
        groupStart += groupRows;
        if (!mayPass(group, filters)) continue;
        until.throwIfAborted();
        const read = await readAs("Parquet", () =>
          readGroup({ file, raw, group, asked, rowStart }),
        );
        for (let from = 0; from < groupRows; from += blockRows) {
          const to = Math.min(from + blockRows, groupRows);
          const rows: unknown[][] = [];
          for (let row = from; row < to; row++)
            rows.push(asked.map(({ valueOf }, index) => valueOf(read[index]![row])));
          yield { rows, placeOf: (index) => `row ${rowStart + from + index + 1}` };
        }
      }
    },
  };
  return [table];
};

interface GroupOptions {
  readonly file: AsyncBuffer;
  readonly raw: FileMetaData;
  readonly group: FileMetaData["row_groups"][number];
  readonly asked: readonly ParquetColumn[];
  readonly rowStart: number;
}

/** Reads the asked columns of a row group. */
async function readGroup({
  file,
  raw,
  group,
  asked,
  rowStart,
}: GroupOptions): Promise<readonly ArrayLike<unknown>[]> {
  const ids = new Set(asked.map(({ id }) => id));
  const sizeBytes = group.columns.reduce((sum, { meta_data: meta }) => {
    const isAsked = meta && ids.has(meta.path_in_schema[0] ?? "");
    return sum + (isAsked ? Number(meta.total_uncompressed_size) : 0);
  }, 0);
  if (sizeBytes > mostGroupBytes)
    throw new PluginError("PLUGIN_SOURCE_FAILED", [
      `a row group has ${Math.ceil(sizeBytes / 2 ** 20)} MiB of the columns asked for, more than ${mostGroupBytes / 2 ** 20}; ask for fewer, or write smaller row groups`,
    ]);
  const rowEnd = rowStart + Number(group.num_rows);
  const scan = await parquetScan({
    file,
    metadata: raw,
    columns: [...ids],
    rowStart,
    rowEnd,
    compressors,
    parsers,
    utf8: false,
    geoparquet: false,
    useOffsetIndex: false,
  });
  return Promise.all(
    asked.map(async ({ id }) => {
      const values = await scan.readColumn({ column: id, rowStart, rowEnd });
      if (values.length === rowEnd - rowStart) return values;
      throw new Error(`the column ${id} has ${values.length} values, not ${rowEnd - rowStart}`);
    }),
  );
}

function bufferOf(bytes: Uint8Array): ArrayBuffer {
  return new Uint8Array(bytes).buffer;
}
