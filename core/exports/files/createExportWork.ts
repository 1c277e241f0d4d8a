import type { Log } from "../../catalog/index.ts";
import type { Principals } from "../../identity/index.ts";
import { PluginError } from "../../../plugins/protocol/index.ts";
import { ApiError, type Principal } from "../../base/index.ts";
import {
  itemKinds,
  kindOfItem,
  localizedText,
  queryOf,
  readColumns,
  loadWords,
  titleOf,
  type Scene,
} from "../../web/charts/index.ts";
import { exportFormats, isDataFormat } from "../exportFormats.ts";
import { nameOfFile } from "../named/fileName.ts";
import { type Dashboard, readDashboard } from "../readDashboard.ts";
import { parseExport } from "../parseExport.ts";
import { writePng } from "../pictures/writePng.ts";
import { prepareExport, type ExportSources } from "../prepareExport.ts";
import type { ExportFiles } from "./openExportFiles.ts";

/** Writes the files of export jobs, and draws and stores dashboards for schedules. */
export interface ExportWork {
  /**
   * Writes the file of a record. If this fails, records the reason. Does nothing if the record was deleted or has
   * expired.
   */
  run(fileId: string, signal: AbortSignal): Promise<void>;
  /**
   * Draws a dashboard with the rights of a principal. Items that cannot be drawn show the reason in the picture.
   * @throws {ApiError | PluginError} RECORD_NOT_FOUND; FORBIDDEN for a token that may not export
   */
  draw(wanted: WantedDashboard, principal: Principal, signal: AbortSignal): Promise<DrawnDashboard>;
  /**
   * Stores a picture on this host's disk, and returns a link that works for a week without credentials. A picture with
   * an id that was used before replaces the earlier file.
   * @throws {ApiError} EXPORT_TOO_LARGE if the organization's storage is full
   */
  keep(
    id: string,
    drawn: Pick<DrawnFile, "type" | "name" | "bytes">,
    holder: Principal,
  ): Promise<string>;
  /** Converts a scene to PNG, with two pixels per unit of length. */
  rasterize(scene: Scene): Promise<Buffer>;
}

export interface WantedDashboard {
  readonly securableId: string;
  /** The formats of the files: pictures contain the whole dashboard, other files the rows of one item. */
  readonly types: readonly ScheduledFormat[];
  /** Ids of the items whose rows are written; undefined for all items with rows. */
  readonly itemIds?: readonly string[] | undefined;
  readonly theme?: unknown;
  readonly width?: unknown;
  /** What a reader chose, as in the export call. */
  readonly items?: unknown;
  readonly parameters?: unknown;
  readonly screenmode?: unknown;
  /** The pages of a PDF, as in the export call. */
  readonly paper?: unknown;
  readonly orientation?: unknown;
  /** The language and the time zone to use if neither the dashboard nor the token sets them. */
  readonly localeId: string;
  readonly timezoneId: string;
}

/** A format in which schedules send dashboards. */
export type ScheduledFormat = "pdf" | "png" | "csv" | "xlsx";

export interface DrawnDashboard {
  readonly title: string;
  readonly files: readonly DrawnFile[];
  /** The reasons why items could not be drawn or written, one per failed item and file. */
  readonly failures: readonly (ApiError | PluginError)[];
  /** Number of rows with data in all items. */
  readonly rowCount: number;
}

/** A file of a dashboard, or of the rows of one item. */
export interface DrawnFile {
  readonly type: ScheduledFormat;
  readonly mediaType: string;
  /** The name under which the file is saved. */
  readonly name: string;
  readonly bytes: Buffer;
}

/**
 * Lifetime of an exported file in milliseconds: a week, so that the link in a weekly mail works until the next mail.
 */
const keptMs = 7 * 86_400_000;

export interface ExportWorkOptions extends ExportSources {
  readonly files: ExportFiles;
  readonly principals: Pick<Principals, "ofToken">;
  readonly log: Pick<Log, "warn">;
}

/**
 * Returns the items of a dashboard whose rows can be written, or those with the given ids, in the order of the
 * dashboard.
 */
function itemsWithRows(
  { items }: Pick<Dashboard, "items">,
  wanted: readonly string[] | undefined,
  localeId: string,
): readonly { readonly id: string; readonly title: string }[] {
  const ofDashboard = items.flatMap(({ item }) => {
    const { fields } = queryOf(item) ?? {};
    const kind = kindOfItem(item.type)?.kind;
    if (!fields || (kind !== undefined && !itemKinds[kind].hasRows)) return [];
    const columns = readColumns({ fields, localeId, timezoneId: "UTC" });
    return [{ id: item.id, title: titleOf(item, columns, localeId) }];
  });
  if (wanted === undefined) return ofDashboard;
  // An id that is not in the dashboard stays in the list, so that writing it fails with a reason.
  return wanted.map((id) => ofDashboard.find((each) => each.id === id) ?? { id, title: id });
}

/** Creates the work of export jobs. A job runs with the current rights of its token. */
export function createExportWork(options: ExportWorkOptions): ExportWork {
  const { files, principals, log, now = Date.now } = options;
  return {
    async run(fileId, signal) {
      const file = await files.begin(fileId);
      if (!file || file.request === null) return;
      const { authorization_id: key } = file;
      const principal = key === null ? undefined : await principals.ofToken(key);
      if (!principal || principal.organizationId !== file.organization_id)
        return files.fail(fileId, "the token that requested the file no longer exists");
      try {
        const { isData, properties } = file.request;
        const parsed = parseExport(properties, isData, principal);
        const caller = { principal, requestId: fileId, address: undefined, signal };
        const prepared = await prepareExport(parsed, caller, options);
        const { chunks, cellCount, warnings } = prepared;
        const name = nameOfFile(prepared, parsed.format, now());
        await files.write(file, untilAborted(chunks, signal), { name, cellCount, warnings });
      } catch (failure) {
        // The host is closing, or the run took too long, so the job will run again.
        signal.throwIfAborted();
        const isShown = failure instanceof ApiError || failure instanceof PluginError;
        if (!isShown) log.warn({ err: failure, exportfile: fileId }, "an export failed");
        await files.fail(fileId, isShown ? failure.message : "an internal error occurred");
      }
    },
    async draw({ securableId, localeId, timezoneId, ...form }, principal, signal) {
      const failures: (ApiError | PluginError)[] = [];
      const caller = { principal, requestId: securableId, address: undefined, signal };
      const usual = { localeId, timezoneId };
      let rowCount = 0;
      const write = async (type: ScheduledFormat, form: object, title?: string) => {
        const prepared = await prepareExport(
          parseExport({ ...form, type, securable_id: securableId }, false, principal),
          caller,
          options,
          { onFailure: (failure) => failures.push(failure), usual },
        );
        const parts: Buffer[] = [];
        for await (const chunk of prepared.chunks) parts.push(Buffer.from(chunk));
        const { mediaType } = exportFormats[type];
        const shown = title ?? prepared.title ?? "";
        const file: DrawnFile = {
          type,
          mediaType,
          name: nameOfFile({ ...prepared, title: shown }, type, now()),
          bytes: Buffer.concat(parts),
        };
        return { file, rowCount: prepared.rowCount ?? 0 };
      };
      const files: DrawnFile[] = [];
      const { itemIds, types, ...look } = form;
      const { items, parameters, screenmode, theme, width, paper, orientation } = look;
      const chosen = {
        ...(items !== undefined && { items }),
        ...(parameters !== undefined && { parameters }),
        ...(screenmode !== undefined && { screenmode }),
      };
      const ofPicture = {
        ...chosen,
        ...(theme !== undefined && { theme }),
        ...(width !== undefined && { width }),
      };
      const ofPdf = {
        ...(paper !== undefined && { paper }),
        ...(orientation !== undefined && { orientation }),
      };
      const dashboard = await readDashboard(securableId, caller, options.readers);
      await loadWords(localeId);
      for (const type of types) {
        if (!isDataFormat(type)) {
          const drawn = await write(type, { ...ofPicture, ...(type === "pdf" && ofPdf) });
          rowCount = Math.max(rowCount, drawn.rowCount);
          files.push(drawn.file);
          continue;
        }
        let written = 0;
        for (const { id, title } of itemsWithRows(dashboard, itemIds, usual.localeId)) {
          try {
            const made = await write(type, { ...chosen, item_id: id }, title);
            written += made.rowCount;
            files.push(made.file);
          } catch (failure) {
            signal.throwIfAborted();
            if (!(failure instanceof ApiError) && !(failure instanceof PluginError)) throw failure;
            failures.push(failure);
          }
        }
        rowCount = Math.max(rowCount, written);
      }
      return { title: localizedText(dashboard.name, localeId), files, failures, rowCount };
    },
    async keep(id, { name, type, bytes }, holder) {
      const wanted = { id, type, request: null, lifeMs: keptMs };
      await files.add(holder, wanted);
      const file = await files.begin(id);
      if (!file) throw new TypeError("the catalog lost a file that was just added");
      try {
        await files.write(file, once(bytes), { name, cellCount: 0, warnings: [] });
      } catch (failure) {
        await files.fail(id, "the file could not be stored");
        throw failure;
      }
      return files.linkTo(file);
    },
    async rasterize(scene) {
      const texts = scene.nodes.flatMap((node) => (node.kind === "text" ? [node.text] : []));
      const { faces, missing } = await options.fonts.facesOf(texts);
      if (missing.length > 0) options.onMissing?.(missing);
      const { width, height, background, title } = scene;
      const page = { width, height, background, title, placed: [{ x: 0, y: 0, scene }] };
      return writePng(page, { faces, scale: 2 });
    },
  };
}

async function* once(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}

async function* untilAborted<Chunk>(
  chunks: AsyncIterable<Chunk>,
  signal: AbortSignal,
): AsyncGenerator<Chunk> {
  for await (const chunk of chunks) {
    signal.throwIfAborted();
    yield chunk;
  }
}
