import {
  AcceptedAnswer,
  type ApiCall,
  ApiError,
  filtersHeader,
  isObject,
  isUuid,
  type ResourceHandlers,
  warningsHeader,
  WrittenAnswer,
} from "../base/index.ts";
import type { Knex } from "knex";
import { create as contentDisposition } from "content-disposition";
import { exportFormats } from "./exportFormats.ts";
import type { ExportFile } from "./files/exportFile.ts";
import type { ExportFiles } from "./files/openExportFiles.ts";
import { refuseTooLarge } from "./pictures/refuseTooLarge.ts";
import { nameOfFile } from "./named/fileName.ts";
import { parseExport, type ParsedExport } from "./parseExport.ts";
import { prepareExport, refuseWithoutExports, type ExportSources } from "./prepareExport.ts";
import { readDashboard } from "./readDashboard.ts";

export interface ExportOptions extends ExportSources {
  readonly files: ExportFiles;
  /** Adds the job that writes a file. The job is added in the transaction that records the file. */
  readonly addJob: (fileId: string, transaction: Knex.Transaction) => Promise<void>;
  /**
   * Counts a new job against the limit of its organization.
   * @throws {ApiError} if the organization may not add more jobs
   */
  readonly spendJob?: (organizationId: string) => Promise<void>;
  /** Maximum number of cells in a file of rows that is sent as the answer to the call. A job writes larger files. */
  readonly mostCells: number;
}

/**
 * Creates the actions of `export` and `dataexport`. They export a query or a dashboard item as a file of rows, and an
 * item or a whole dashboard as a picture. Rows come from ordinary queries with the caller's rights. A failure before
 * the first byte is answered with an error; a later failure closes the connection. A job writes large files, and files
 * with `deliver: "link"`: `get` returns the state and the link of such a file, and `delete` deletes it.
 */
export function exportHandlers(options: ExportOptions): {
  readonly export: ResourceHandlers;
  readonly dataexport: ResourceHandlers;
} {
  return {
    export: {
      create: (call) => create(call, options, false),
      get: (call) => get(call, options),
      delete: (call) => remove(call, options),
    },
    dataexport: { create: (call) => create(call, options, true) },
  };
}

async function create(
  call: ApiCall,
  options: ExportOptions,
  isData: boolean,
): Promise<WrittenAnswer | AcceptedAnswer> {
  const parsed = parseExport(call.body.properties, isData, call.principal);
  refuseWithoutExports(call);
  if (parsed.deliver === "link") {
    const { source } = parsed;
    if ("securableId" in source)
      await readDashboard(source.securableId, call, options.readers, source.chosen);
    if ("securableId" in source && source.itemId !== undefined) refuseTooLarge(parsed, parsed);
    return accept(call, parsed, isData, options);
  }
  const prepared = await prepareExport(parsed, call, options);
  const { cellCount, chunks, filters, warnings } = prepared;
  if (cellCount > options.mostCells) {
    if (parsed.deliver === undefined) return accept(call, parsed, isData, options);
    throw new ApiError("EXPORT_TOO_LARGE", [
      `${cellCount} cells; a direct answer must have at most ${options.mostCells}`,
      'set deliver to "link", or leave it out',
    ]);
  }
  const { mediaType } = exportFormats[parsed.format];
  const name = nameOfFile(prepared, parsed.format, (options.now ?? Date.now)());
  return new WrittenAnswer(mediaType, chunks, {
    "Content-Disposition": contentDisposition(name),
    ...warningsHeader(warnings),
    ...filtersHeader(filters),
  });
}

async function accept(
  { principal, body }: ApiCall,
  { format }: ParsedExport,
  isData: boolean,
  { files, addJob, spendJob }: ExportOptions,
): Promise<AcceptedAnswer> {
  await spendJob?.(principal.organizationId);
  const { properties } = body;
  const request = { isData, properties: isObject(properties) ? properties : {} };
  const file = await files.add(principal, { type: format, request }, ({ id }, transaction) =>
    addJob(id, transaction),
  );
  return new AcceptedAnswer(shown(file, files));
}

async function get({ principal, body }: ApiCall, { files }: ExportOptions): Promise<object> {
  const { find } = body;
  const { where } = isObject(find) ? find : {};
  const { id } = isObject(where) ? where : {};
  const unknown = Object.keys(isObject(where) ? where : {}).find((member) => member !== "id");
  if (unknown !== undefined)
    throw new ApiError("MEMBER_UNKNOWN", [`find.where.${unknown.slice(0, 100)}`, "id"]);
  if (id !== undefined && (typeof id !== "string" || !isUuid(id)))
    throw new ApiError("MEMBER_INVALID", ["find.where.id", "must be the id of an export"]);
  const found = await files.list(principal, id);
  return { count: found.length, rows: found.map((file) => shown(file, files)) };
}

async function remove({ principal, body }: ApiCall, { files }: ExportOptions): Promise<object> {
  const { id } = body;
  if (typeof id !== "string" || !isUuid(id))
    throw new ApiError("MEMBER_INVALID", ["id", "must be the id of an export"]);
  if (!(await files.remove(principal, id))) throw new ApiError("RECORD_NOT_FOUND", ["export", id]);
  return { code: 200 };
}

/** Converts the record of a file to the properties that its owner sees. `url` is null until the file is complete. */
function shown(file: ExportFile, files: ExportFiles): object {
  const { id, type, status, cell_count, size_bytes, failure, expires_at, created_at } = file;
  return {
    id,
    type,
    status,
    cell_count,
    size_bytes,
    failure,
    warnings: file.warnings ?? [],
    url: status === "done" ? files.linkTo(file) : null,
    expires_at,
    created_at,
    completed_at: file.completed_at,
  };
}
