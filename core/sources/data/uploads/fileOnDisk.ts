import {
  PluginError,
  type Batch,
  type Call,
  type Column,
  type QueryCall,
} from "../../../../plugins/protocol/index.ts";
import {
  endingsText,
  formatNamed,
  formatOf,
  remediesIn,
  remediesOf,
  type FileNote,
  type FileReaders,
  type Format,
  type FoundData,
} from "../../../../plugins/rows/formats/index.ts";
import { ApiError, type Principal } from "../../../base/index.ts";
import type { ReadBatch } from "../countRows.ts";
import type { FileSettings } from "./fileSettings.ts";
import type { SpooledFile } from "./openSpool.ts";

/** Bytes from which types are detected. */
const sampleBytes = 16 * 2 ** 20;

/** Sheets of a workbook that a note proposes. */
const mostProposedSheets = 5;

type DescribedTable = Awaited<ReturnType<FileReaders["describe"]>>[number];

/** A table of an uploaded file: its columns, and how its rows are read. */
export interface UploadedTable {
  /** Name of the file. */
  readonly name: string;
  readonly columns: readonly Column[];
  /** What the reader saw in the sampled values of each column, in the order of `columns`. */
  readonly seen: DescribedTable["seen"];
  readonly notes: readonly FileNote[];
  /** Names of all sheets of a workbook; undefined for other formats. */
  readonly sheets: readonly string[] | undefined;
  /** The settings with which the file is read. */
  readonly settings: FileSettings;
  /**
   * Reads the rows, with the columns in the order of `columns`. `types` are the types of the columns.
   * @throws {ApiError} FILE_UNREADABLE with the place of a value that cannot be converted
   */
  read(types: readonly Column["type"][], signal: AbortSignal): AsyncIterable<ReadBatch>;
}

export interface UploadedFile {
  readonly name: string;
  readonly spooled: SpooledFile;
  readonly settings: FileSettings;
  readonly principal: Principal;
  readonly readers: FileReaders;
}

/**
 * Returns the format of a file: the format in the settings, or that of the file name's extension.
 * @throws {ApiError} MEMBER_INVALID
 */
export function formatOfFile(name: string, settings: FileSettings): Format {
  const given = settings.format;
  try {
    const format = typeof given === "string" ? formatNamed(given) : formatOf(name);
    if (format) return format;
  } catch (cause) {
    throw new ApiError(
      "MEMBER_INVALID",
      ["properties.options.file.format", `it must be one of ${endingsText}`],
      { cause },
    );
  }
  throw new ApiError("MEMBER_INVALID", [
    "file",
    `the name ${JSON.stringify(name.slice(0, 100))} must have one of the extensions ${endingsText}; or set properties.options.file.format`,
  ]);
}

/**
 * Describes the table of an uploaded file, in a reader process that only the caller's organization uses.
 * @throws {ApiError} MEMBER_INVALID for settings and sheets, FILE_UNREADABLE
 */
export async function describeFile(
  { name, spooled, settings, principal, readers }: UploadedFile,
  signal: AbortSignal,
): Promise<UploadedTable> {
  const format = formatOfFile(name, settings);
  const version = await spooled.version();
  const found: FoundData = {
    schema: "main",
    name,
    format,
    sampleBytes,
    version,
    settings,
    place: { kind: "local", path: spooled.path, version },
  };
  const callOf = (until: AbortSignal): Call => ({
    credentials: { properties: {} },
    tenant: { organization: principal.organizationId, user: principal.userId },
    signal: until,
  });
  const described = await named(name, () => readers.describe(found, callOf(signal)));
  const sheets = described.flatMap(({ sheet }) => sheet ?? []);
  const wanted = settings.sheet;
  const table = described.find(({ sheet }) => wanted === undefined || sheet === wanted);
  if (!table)
    throw new ApiError("MEMBER_INVALID", [
      "properties.options.file.sheet",
      sheets.length === 0
        ? "the file has no sheets; omit it"
        : `the file has the sheets ${sheets.map((each) => JSON.stringify(each.slice(0, 100))).join(", ")}`,
    ]);
  const { sheet } = table;
  const unread = sheets.filter((each) => each !== sheet);
  return {
    name,
    columns: table.columns,
    seen: table.seen,
    notes: [
      ...table.notes,
      ...(wanted === undefined && unread.length > 0
        ? [
            {
              kind: "remark",
              message: `only the sheet ${JSON.stringify(sheet)} is read; set sheet to read ${unread.map((each) => JSON.stringify(each)).join(", ")}`,
              remedies: remediesOf("sheet", unread.slice(0, mostProposedSheets)),
            } as const,
          ]
        : []),
    ],
    sheets: sheets.length > 0 ? sheets : undefined,
    settings: { ...table.found, ...settings, ...(sheet !== undefined && { sheet }) },
    async *read(types, until) {
      const columns = table.columns.map((column, index) => ({
        ...column,
        type: types[index] ?? column.type,
      }));
      const query: QueryCall["query"] = {
        id: name,
        columns: columns.map(({ id }) => ({ column_id: id })),
        filters: [],
        options: { pushdown: false },
      };
      const dataset = { id: name, columns };
      yield* handOver(until, (append, signal) =>
        named(name, () =>
          readers.read({
            file: found,
            call: { ...callOf(signal), query, dataset },
            known: columns,
            sizeBytes: Infinity,
            ...(sheet !== undefined && { sheet }),
            append,
          }),
        ),
      );
    },
  };
}

/**
 * Yields the batches that `run` passes to its function, and then the batch that it returns. One batch waits while the
 * previous batch is processed. A consumer that leaves the loop cancels `run`.
 */
async function* handOver(
  signal: AbortSignal,
  run: (
    append: (rows: Batch, share?: number) => Promise<void>,
    signal: AbortSignal,
  ) => Promise<Batch>,
): AsyncGenerator<ReadBatch> {
  const left = new AbortController();
  let waiting: ReadBatch | undefined;
  let ended: { readonly failure?: unknown } | undefined;
  let changed = Promise.withResolvers<void>();
  const change = () => {
    changed.resolve();
    changed = Promise.withResolvers<void>();
  };
  const until = AbortSignal.any([signal, left.signal]);
  const append = async (rows: Batch, share?: number) => {
    while (waiting && !until.aborted) await changed.promise;
    until.throwIfAborted();
    waiting = { rows, share };
    change();
  };
  const running = run(append, until)
    .then((last) => append(last, 1))
    .then(
      () => {
        ended = {};
      },
      (failure: unknown) => {
        ended = { failure };
      },
    )
    .then(change);
  const wake = () => change();
  signal.addEventListener("abort", wake, { once: true });
  try {
    for (;;) {
      const next = waiting;
      if (next) {
        waiting = undefined;
        change();
        yield next;
      } else if (ended) {
        if ("failure" in ended) throw ended.failure;
        return;
      } else await changed.promise;
    }
  } finally {
    signal.removeEventListener("abort", wake);
    left.abort(new Error("the reader of the rows has left"));
    change();
    await running;
  }
}

/** The tail of messages that is meant for datasets with a live source. */
const forLiveSources = /; correct the source, (.*)or change the column's type to text.*$/s;

/** Runs a step of a reader. Errors in the file become errors of the API that name the file and say what to change. */
async function named<Result>(name: string, run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (cause) {
    if (!(cause instanceof PluginError)) throw cause;
    if (cause.code !== "PLUGIN_UNREADABLE" && cause.code !== "PLUGIN_INVALID") throw cause;
    const detail = String(cause.details[0]);
    const own = detail.startsWith(`${name}, `) ? detail.slice(name.length + 2) : detail;
    throw new ApiError(
      "FILE_UNREADABLE",
      [
        JSON.stringify(name.slice(0, 100)),
        own.replace(
          forLiveSources,
          "; correct the file, $1or set the type of the column to text in properties.options.file.columns",
        ),
      ],
      { cause, remedies: remediesIn(cause) },
    );
  }
}
