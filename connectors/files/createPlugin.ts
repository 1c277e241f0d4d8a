import {
  PluginError,
  type Call,
  type Column,
  type Credentials,
  type Plugin,
  type QueryCall,
  type Reach,
} from "../../plugins/protocol/index.ts";
import {
  readSettings,
  textOfNote,
  type FileNote,
  type FileReaders,
  type FoundData,
  type TableName,
} from "../../plugins/rows/formats/index.ts";
import { datasetOfTable, refuseMore, type RowTable } from "../../plugins/rows/index.ts";
import { credentialsKey, parseTableId, tableId } from "../../plugins/sql/index.ts";
import { capabilities } from "./capabilities.ts";
import { findLocalFiles } from "./findLocalFiles.ts";
import { findS3Files } from "./findS3Files.ts";
import { findWebFile } from "./findWebFile.ts";
import { createWebClient, type WebClient, type WebClientOptions } from "./webClient.ts";

/** Maximum number of cached descriptions, one per version of a file. */
const mostDescribed = 1000;
/**
 * Maximum number of files of one call that are described concurrently. An organization can always use at least this
 * number of readers.
 */
const describedAtOnce = 2;

export interface PluginOptions extends WebClientOptions {
  readonly reach: Reach;
  readonly readers: FileReaders;
  /** Maximum size of an answer, in bytes. */
  readonly sizeBytes: number;
}

/** Creates the plugin for files. The plugin itself finds the files, and separate processes read them. */
export function createPlugin({ reach, readers, sizeBytes, ...options }: PluginOptions): Plugin {
  const find = finderOf(reach, createWebClient(options));
  const described = new Map<string, readonly RowTable[]>();

  /** Returns the tables of a file. Descriptions and errors are cached per version of the file. */
  const describe = async (file: FoundData, call: Call): Promise<readonly RowTable[]> => {
    const { schema, name, version } = file;
    const key = `${credentialsKey(call.credentials)} ${JSON.stringify([schema, name, version])}`;
    const known = version === undefined ? undefined : described.get(key);
    if (known) return known;
    const tables = await named(file, () => readers.describe(file, call));
    const found = tables.map((table) => rowTable(file, table));
    if (described.size >= mostDescribed) described.clear();
    if (version !== undefined) described.set(key, found);
    return found;
  };

  const tablesOf = async (call: Call): Promise<readonly RowTable[]> => {
    const files = await find(call);
    const [only] = files;
    if (only && files.length === 1) return describe(only, call);
    const tables: RowTable[] = [];
    for (let from = 0; from < files.length; from += describedAtOnce) {
      const some = files.slice(from, from + describedAtOnce);
      // An unreadable file does not hide the other files in its folder. It is listed with a note that states the
      // reason.
      const found = some.map((file) =>
        describe(file, call).catch((failure: unknown) => [unread(file, failure, call)]),
      );
      tables.push(...(await Promise.all(found)).flat());
    }
    return tables;
  };

  const read = async (call: QueryCall, limitBytes: number, append: QueryCall["append"]) => {
    refuseMore(call, capabilities);
    const { id } = call.query;
    const { file, sheet } = await fileOf(call, id, find);
    const known =
      call.dataset?.columns ?? (await describe(file, call)).find((each) => each.id === id)?.columns;
    if (!known) throw new PluginError("PLUGIN_UNKNOWN_DATASET", [id]);
    return named(file, () =>
      readers.read({
        file,
        call,
        known,
        sizeBytes: limitBytes,
        ...(sheet !== undefined && { sheet }),
        ...(append && { append }),
      }),
    );
  };
  return {
    capabilities,
    datasets: async (call) => (await tablesOf(call)).map(datasetOfTable),
    query: async (call) => ({ ...(await read(call, sizeBytes, call.append)), applied: [] }),
    async scan({ take, ...call }) {
      const rest = await read(call, Infinity, take);
      if (rest.rowCount > 0) await take(rest);
    },
    async authorize(call) {
      readSettings(call.credentials);
      await find(call);
      const { host = "", properties } = call.credentials;
      const address = /^s3:/i.test(host) ? (properties["endpoint"] ?? "https:") : host;
      if (!/^https?:/i.test(address)) return undefined;
      return { encryption: /^https:/i.test(address) ? "verified" : "clear" };
    },
    async release(credentials: Credentials) {
      const key = credentialsKey(credentials);
      for (const each of described.keys()) if (each.startsWith(key)) described.delete(each);
    },
    async close() {
      options.requester.close();
      await readers.close();
    },
  };
}

/** Finds the files of an account: all of them, or only the files that contain a wanted table. */
type Find = (call: Call, wanted?: TableName) => Promise<readonly FoundData[]>;

function finderOf(reach: Reach, client: WebClient): Find {
  return async ({ credentials, signal }, wanted) => {
    const { host = "" } = credentials;
    if (/^https?:/i.test(host)) return findWebFile(credentials, client, signal);
    if (/^s3:/i.test(host)) return findS3Files(credentials, client, signal, wanted);
    return findLocalFiles(credentials, reach, wanted);
  };
}

/** Finds the file of a dataset and, in a workbook, the sheet. */
async function fileOf(
  call: Call,
  id: string,
  find: Find,
): Promise<{ readonly file: FoundData; readonly sheet: string | undefined }> {
  const name = parseTableId(id);
  const files = name ? await find(call, name) : [];
  const file = files.find(
    (each) =>
      each.schema === name?.schema &&
      (each.name === name.name || name.name.startsWith(`${each.name}/`)),
  );
  if (!name || !file) throw new PluginError("PLUGIN_UNKNOWN_DATASET", [id]);
  const sheet = name.name === file.name ? undefined : name.name.slice(file.name.length + 1);
  return { file, sheet };
}

async function named<Result>(file: FoundData, run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (failure) {
    throw withName(failure, file);
  }
}

const namedCodes: readonly string[] = ["PLUGIN_SOURCE_FAILED", "PLUGIN_UNREADABLE"];

function withName(failure: unknown, { schema, name }: FoundData): unknown {
  if (!(failure instanceof PluginError) || !namedCodes.includes(failure.code)) return failure;
  const path = schema === "main" ? name : `${schema}/${name}`;
  return new PluginError(failure.code, [`${path}: ${failure.details[0]}`], { cause: failure });
}

interface FoundTable {
  readonly sheet?: string;
  readonly columns: readonly Column[];
  readonly rows?: number;
  readonly notes: readonly FileNote[];
}

function rowTable(
  { schema, name }: FoundData,
  { sheet, columns, rows, notes }: FoundTable,
): RowTable {
  const table = sheet === undefined ? name : `${name}/${sheet}`;
  return {
    id: tableId({ schema, name: table }),
    schema,
    table,
    kind: "file",
    columns: [...columns],
    ...(rows !== undefined && { rows }),
    notes: notes.map(textOfNote),
  };
}

/** Returns a dataset without columns, which represents an unreadable file. */
function unread(file: FoundData, failure: unknown, { signal }: Call): RowTable {
  signal.throwIfAborted();
  if (!(failure instanceof PluginError)) throw failure;
  return rowTable(file, { columns: [], notes: [{ kind: "remark", message: failure.message }] });
}
