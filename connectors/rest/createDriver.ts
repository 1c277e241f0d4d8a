import { readFile, stat } from "node:fs/promises";
import {
  PluginError,
  type Call,
  type Column,
  type Credentials,
  type Filter,
  type Reach,
} from "../../plugins/protocol/index.ts";
import {
  openReader,
  openReaderPool,
  unreadable,
  type OpenTable,
  type Reader,
  type RowDriver,
} from "../../plugins/rows/index.ts";
import { columnForms } from "../../plugins/rows/formats/index.ts";
import { credentialsKey, findFile } from "../../plugins/sql/index.ts";
import { narrowingOf } from "./capabilities.ts";
import { createClient, webUrl, type ApiClientOptions } from "./createClient.ts";
import { readDescription, settingsOf, type Api, type ApiDataset } from "./description.ts";
import type { PageItem, PageRequest } from "./pageMessages.ts";
import { pushedParameters } from "./pushedParameters.ts";
import { readPages } from "./readPages.ts";

export interface DriverOptions extends ApiClientOptions {
  readonly reach: Reach;
  /** Deadline of a call in milliseconds. It is also the longest time for which a call waits for a rate limit. */
  readonly timeoutMs?: number;
}

const longestFile = 2 ** 20;
/** Memory limit of a process that parses pages, in resident bytes. */
const memoryBytes = 2 ** 30;
const mostReaders = 4;

/** Creates the driver for APIs. One driver serves all accounts; each call passes its account's credentials. */
export function createDriver({ reach, timeoutMs, ...options }: DriverOptions): RowDriver {
  const { now = Date.now } = options;
  const client = createClient(options);
  const readers = openReaderPool<Reader<PageRequest, PageItem>>({
    source: "APIs",
    open: () => openReader({ module: new URL("./pageReader", import.meta.url), memoryBytes }),
    most: mostReaders,
    idleMs: 30_000,
    waitMs: 30_000,
  });
  const parserOf = ({ credentials, tenant, signal }: Call) =>
    async function* (request: PageRequest): AsyncGenerator<PageItem> {
      const owner = tenant?.organization ?? credentialsKey(credentials);
      const parse = (reader: Reader<PageRequest, PageItem>) =>
        Array.fromAsync(reader.call(request, { signal }));
      try {
        yield* await readers.use(owner, signal, parse);
      } catch (thrown) {
        throw unreadable(thrown);
      }
    };
  const apiOf = ({ credentials }: Call): Promise<Api> => readApi(credentials, reach);
  return {
    async tables(call) {
      const { datasets } = await apiOf(call);
      return Object.entries(datasets).map(([id, dataset]) => ({
        id,
        schema: "main",
        table: id,
        kind: "endpoint",
        columns: columnsOf(dataset),
      }));
    },
    async open(call, id): Promise<OpenTable> {
      const api = await apiOf(call);
      const dataset = Object.hasOwn(api.datasets, id) ? api.datasets[id] : undefined;
      if (!dataset) throw new PluginError("PLUGIN_UNKNOWN_DATASET", [id]);
      const settings = settingsOf(dataset);
      const columns = columnsOf(dataset).map((column) => ({
        ...column,
        forms: columnForms(column, settings),
      }));
      const { credentials } = call;
      return {
        columns,
        forms: settings.forms,
        rows(wanted, filters: readonly Filter[], signal) {
          const names = wanted.map((index) => columns[index]!.id);
          const parameters = pushedParameters(filters, dataset);
          const base = baseOf(credentials);
          // Scheduled work has no deadline for a whole answer.
          const isBounded = timeoutMs !== undefined && call.tenant?.isBackground !== true;
          const untilMs = isBounded ? now() + timeoutMs : undefined;
          const get = (url: URL) => client.get(api, credentials, url, { signal, untilMs });
          const parse = parserOf({ ...call, signal });
          return readPages({ base, dataset, limits: api.limits, names, parameters, get, parse });
        },
        close: async () => undefined,
      };
    },
    async authorize(call) {
      const api = await apiOf(call);
      const [dataset] = Object.values(api.datasets);
      if (!dataset) return undefined;
      // The first page shows whether the address and the credentials are valid.
      const limits = { ...api.limits, retries: 0 };
      const get = (url: URL) =>
        client.get({ ...api, limits }, call.credentials, url, { signal: call.signal });
      const names = Object.keys(dataset.columns);
      const pages = readPages({
        base: baseOf(call.credentials),
        dataset,
        limits,
        names,
        parameters: [],
        get,
        parse: parserOf(call),
      });
      for await (const _ of pages) break;
      // The token server also receives the secret.
      const { authentication } = api;
      const urls = [
        baseOf(call.credentials),
        ...(authentication.type === "oauth2" ? [webUrl(authentication.tokenUrl, "api")] : []),
      ];
      return { encryption: urls.every(isEncrypted) ? "verified" : "clear" };
    },
    release: async (credentials: Credentials) => client.release(credentials),
    async close() {
      options.requester.close();
      await readers.close();
    },
  };
}

const isEncrypted = ({ protocol }: URL): boolean => protocol === "https:";

function columnsOf(dataset: ApiDataset): Column[] {
  const { columns, filters = [] } = dataset;
  const { types } = settingsOf(dataset);
  return Object.keys(columns).map((id) => {
    const { type, subtype } = types.get(id)!;
    return {
      id,
      name: { en: id },
      type,
      ...(subtype && { subtype }),
      narrowed: narrowingOf(filters.filter((filter) => filter.column === id)),
    };
  });
}

function baseOf({ host = "" }: Credentials): URL {
  const base = webUrl(host, "host");
  if (base.search) throw new PluginError("PLUGIN_INVALID", ["host must be a URL without a query"]);
  if (!base.pathname.endsWith("/")) base.pathname += "/";
  return base;
}

/** Reads the description of an API, which is either the property itself or a file in an allowed folder. */
async function readApi({ properties, host }: Credentials, reach: Reach): Promise<Api> {
  baseOf({ properties, ...(host !== undefined && { host }) });
  const text = properties["api"]?.trim() ?? "";
  if (text.startsWith("{")) return readDescription(text);
  try {
    const found = await findFile({ host: text }, reach);
    if (found.isFolder || (await stat(found.path)).size > longestFile)
      throw new Error("the file does not exist");
    return readDescription(await readFile(found.path, "utf8"));
  } catch (cause) {
    if (cause instanceof PluginError && String(cause.details[0]).startsWith("api")) throw cause;
    throw new PluginError(
      "PLUGIN_INVALID",
      [
        "api must be JSON that begins with {, or a file of at most 1 MiB in one of the folders of MANIFOLD_FILE_FOLDERS",
      ],
      { cause },
    );
  }
}
