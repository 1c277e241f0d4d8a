import type { Log } from "../../catalog/index.ts";
import type { Principals } from "../../identity/index.ts";
import { PluginError } from "../../../plugins/protocol/index.ts";
import { ApiError, type Principal } from "../../base/index.ts";
import { parseExport } from "../parseExport.ts";
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
  keep(id: string, drawn: DrawnDashboard, holder: Principal): Promise<string>;
}

export interface WantedDashboard {
  readonly securableId: string;
  readonly type: "pdf" | "png";
  readonly theme?: unknown;
  readonly width?: unknown;
  /** The language and the time zone to use if neither the dashboard nor the token sets them. */
  readonly localeId: string;
  readonly timezoneId: string;
}

export interface DrawnDashboard {
  readonly title: string;
  readonly type: "pdf" | "png";
  readonly bytes: Buffer;
  /** The reasons why items could not be drawn, one per failed item. */
  readonly failures: readonly (ApiError | PluginError)[];
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

/** Creates the work of export jobs. A job runs with the current rights of its token. */
export function createExportWork(options: ExportWorkOptions): ExportWork {
  const { files, principals, log } = options;
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
        const { chunks, cellCount } = await prepareExport(parsed, caller, options);
        await files.write(file, untilAborted(chunks, signal), cellCount);
      } catch (failure) {
        // The host is closing, or the run took too long, so the job will run again.
        signal.throwIfAborted();
        const isShown = failure instanceof ApiError || failure instanceof PluginError;
        if (!isShown) log.warn({ err: failure, exportfile: fileId }, "an export failed");
        await files.fail(fileId, isShown ? failure.message : "an internal error occurred");
      }
    },
    async draw({ securableId, localeId, timezoneId, ...form }, principal, signal) {
      const properties = { ...form, securable_id: securableId };
      const failures: (ApiError | PluginError)[] = [];
      const { title = "", chunks } = await prepareExport(
        parseExport(properties, false, principal),
        { principal, requestId: securableId, address: undefined, signal },
        options,
        { onFailure: (failure) => failures.push(failure), usual: { localeId, timezoneId } },
      );
      const parts: Buffer[] = [];
      for await (const chunk of chunks) parts.push(Buffer.from(chunk));
      return { title, type: form.type, bytes: Buffer.concat(parts), failures };
    },
    async keep(id, { type, bytes }, holder) {
      const wanted = { id, type, request: null, lifeMs: keptMs };
      await files.add(holder, wanted);
      const file = await files.begin(id);
      if (!file) throw new TypeError("the catalog lost a file that was just added");
      try {
        await files.write(file, once(bytes), 0);
      } catch (failure) {
        await files.fail(id, "the file could not be stored");
        throw failure;
      }
      return files.linkTo(file);
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
