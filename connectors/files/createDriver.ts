import {
  PluginError,
  type Call,
  type Credentials,
  type QueryCall,
  type Reach,
} from "../../plugins/protocol/index.ts";
import type { OpenTable, RowDriver, RowTable } from "../../plugins/rows/index.ts";
import { credentialsKey, parseTableId, tableId } from "../../plugins/sql/index.ts";
import type { ByteSource, FoundData, TableName } from "./byteSource.ts";
import { describeTable, type DescribedTable } from "./describeTable.ts";
import type { FileTable, OpenTables, ReadOptions } from "./fileTable.ts";
import { findLocalFiles } from "./findLocalFiles.ts";
import { findS3Files } from "./findS3Files.ts";
import { findWebFile } from "./findWebFile.ts";
import type { Format } from "./formats.ts";
import { openArrow } from "./openArrow.ts";
import { openDelimited } from "./openDelimited.ts";
import { openJson } from "./openJson.ts";
import { openParquet } from "./openParquet.ts";
import { openXlsx } from "./openXlsx.ts";
import { readSettings } from "./settings.ts";
import { createWebClient, type WebClient, type WebClientOptions } from "./webClient.ts";

const openers: Readonly<Record<Format["kind"], OpenTables>> = {
  delimited: openDelimited,
  json: openJson,
  jsonLines: openJson,
  parquet: openParquet,
  arrow: openArrow,
  xlsx: openXlsx,
};

/** Descriptions that are kept, each for one version of a file. */
const mostDescribed = 1000;
/** Files that are described side by side. */
const describedAtOnce = 4;

export interface DriverOptions extends WebClientOptions {
  readonly reach: Reach;
}

/** Creates the driver of files. One serves the credentials of all accounts. */
export function createDriver({ reach, ...options }: DriverOptions): RowDriver {
  const find = finderOf(reach, createWebClient(options));
  const described = new Map<string, readonly RowTable[]>();

  /** Describes the tables of a file, or says what was said of this version of it. */
  const describe = async (file: FoundData, call: Call): Promise<readonly RowTable[]> => {
    const { schema, name, version } = file;
    const key = `${credentialsKey(call.credentials)} ${JSON.stringify([schema, name, version])}`;
    const known = version === undefined ? undefined : described.get(key);
    if (known) return known;
    const found = await withTables(file, call, undefined, async (tables, options, readBytes) => {
      const all: RowTable[] = [];
      for (const table of tables)
        all.push(rowTable(file, table.sheet, await describeTable(table, options, readBytes)));
      return all;
    });
    if (described.size >= mostDescribed) described.clear();
    if (version !== undefined) described.set(key, found);
    return found;
  };
  return {
    async tables(call) {
      const files = await find(call);
      const [only] = files;
      if (only && files.length === 1) return describe(only, call);
      const tables: RowTable[] = [];
      for (let from = 0; from < files.length; from += describedAtOnce) {
        const some = files.slice(from, from + describedAtOnce);
        // A file that cannot be read does not hide the others of its folder; its note says why.
        const found = some.map((file) =>
          describe(file, call).catch((failure: unknown) => [unread(file, failure, call)]),
        );
        tables.push(...(await Promise.all(found)).flat());
      }
      return tables;
    },
    open: (call, id) => openTable(call, id, find, describe),
    authorize: async (call) => {
      readSettings(call.credentials);
      await find(call);
      const { host = "", properties } = call.credentials;
      const address = /^s3:/i.test(host) ? (properties["endpoint"] ?? "https:") : host;
      if (!/^https?:/i.test(address)) return undefined;
      return { encryption: /^https:/i.test(address) ? "verified" : "clear" };
    },
    release: async (credentials: Credentials) => {
      const key = credentialsKey(credentials);
      for (const each of described.keys()) if (each.startsWith(key)) described.delete(each);
    },
    close: async () => options.requester.close(),
  };
}

/** Finds the files of an account: all, or the ones with a wanted table. */
type Find = (call: Call, wanted?: TableName) => Promise<readonly FoundData[]>;

function finderOf(reach: Reach, client: WebClient): Find {
  return async ({ credentials, signal }, wanted) => {
    const { host = "" } = credentials;
    if (/^https?:/i.test(host)) return findWebFile(credentials, client, signal);
    if (/^s3:/i.test(host)) return findS3Files(credentials, client, signal, wanted);
    return findLocalFiles(credentials, reach);
  };
}

type Describe = (file: FoundData, call: Call) => Promise<readonly RowTable[]>;

async function openTable(
  call: Call & Pick<QueryCall, "dataset">,
  id: string,
  find: Find,
  describe: Describe,
): Promise<OpenTable> {
  const unknown = () => new PluginError("PLUGIN_UNKNOWN_DATASET", [id]);
  const name = parseTableId(id);
  if (!name) throw unknown();
  const files = await find(call, name);
  const file = files.find(
    (each) =>
      each.schema === name.schema &&
      (each.name === name.name || name.name.startsWith(`${each.name}/`)),
  );
  if (!file) throw unknown();
  const known =
    call.dataset?.columns ?? (await describe(file, call)).find((each) => each.id === id)?.columns;
  if (!known) throw unknown();
  const sheet = name.name === file.name ? undefined : name.name.slice(file.name.length + 1);
  const { source, options } = await openSource(file, call);
  try {
    const tables = await named(file, () =>
      openers[options.format.kind]({ ...options, source, known }),
    );
    const table = tables.find((each) => each.sheet === sheet);
    if (!table) throw unknown();
    const typeOf = new Map(known.map((column) => [column.id, column]));
    return {
      columns: table.columns.map((column) => ({
        ...column,
        type: typeOf.get(column.id)?.type ?? column.type ?? "hierarchy",
      })),
      forms: options.settings.forms,
      rows: (wanted, filters, signal) => rowsOf(file, source, table.rows(wanted, filters, signal)),
      close: () => source.close(),
    };
  } catch (failure) {
    await source.close();
    throw failure;
  }
}

/** Adds the name of the file to failures, and fails at the end when it is another file now. */
async function* rowsOf<Block>(
  file: FoundData,
  source: ByteSource,
  blocks: AsyncIterable<Block>,
): AsyncGenerator<Block> {
  try {
    yield* blocks;
    await source.check();
  } catch (failure) {
    throw withName(failure, file);
  }
}

/** Opens a file, with a count of the bytes that are read from it. */
async function withTables<Result>(
  file: FoundData,
  call: Call,
  known: ReadOptions["known"],
  use: (
    tables: readonly FileTable[],
    options: ReadOptions,
    readBytes: () => number,
  ) => Promise<Result>,
): Promise<Result> {
  return named(file, async () => {
    const { source, options } = await openSource(file, call);
    let readBytes = 0;
    const counted: ByteSource = {
      ...source,
      async *stream(signal, from, to) {
        readBytes = 0;
        for await (const part of source.stream(signal, from, to)) {
          readBytes += part.length;
          yield part;
        }
      },
    };
    try {
      const all = { ...options, source: counted, ...(known && { known }) };
      const result = await use(await openers[options.format.kind](all), all, () => readBytes);
      await source.check();
      return result;
    } finally {
      await source.close();
    }
  });
}

async function openSource(
  file: FoundData,
  { credentials, signal }: Call,
): Promise<{ readonly source: ByteSource; readonly options: Omit<ReadOptions, "source"> }> {
  const settings = readSettings(credentials);
  const sampleBytes = settings.isWholeSample ? Infinity : file.sampleBytes;
  const options = { format: file.format, settings, sampleBytes, signal };
  return { source: await named(file, () => file.open(signal)), options };
}

async function named<Result>(file: FoundData, run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (failure) {
    throw withName(failure, file);
  }
}

function withName(failure: unknown, { schema, name }: FoundData): unknown {
  if (!(failure instanceof PluginError) || failure.code !== "PLUGIN_SOURCE_FAILED") return failure;
  const path = schema === "main" ? name : `${schema}/${name}`;
  if (failure.details[0]?.toString().startsWith(`${path}: `)) return failure;
  return new PluginError(failure.code, [`${path}: ${failure.details[0]}`], { cause: failure });
}

function rowTable(
  { schema, name }: FoundData,
  sheet: string | undefined,
  { columns, rows, notes }: DescribedTable,
): RowTable {
  const table = sheet === undefined ? name : `${name}/${sheet}`;
  return {
    id: tableId({ schema, name: table }),
    schema,
    table,
    kind: "file",
    columns: [...columns],
    ...(rows !== undefined && { rows }),
    notes: [...notes],
  };
}

/** A file that cannot be read, as a dataset without columns. */
function unread(file: FoundData, failure: unknown, { signal }: Call): RowTable {
  signal.throwIfAborted();
  if (!(failure instanceof PluginError)) throw failure;
  return rowTable(file, undefined, { columns: [], notes: [failure.message] });
}
