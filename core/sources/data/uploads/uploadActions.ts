import { createHash } from "node:crypto";
import type { FileNote } from "../../../../plugins/rows/formats/index.ts";
import { ApiError, isObject, type ApiCall, type ResourceRow } from "../../../base/index.ts";
import type { PushContext, PushedDataset } from "../createDataset.ts";
import { matchColumns } from "../matchColumns.ts";
import { readRequestId, type NamedPush } from "../pushRequests.ts";
import { describeFile, formatOfFile } from "./fileOnDisk.ts";
import type { FileSettings } from "./fileSettings.ts";
import type { ReceivedFile, Uploads } from "./openUploads.ts";
import type { SpooledFile } from "./openSpool.ts";
import { parseUpload, type Upload } from "./parseUpload.ts";
import { presentNote, previewFile, type FilePreview } from "./previewFile.ts";
import { sampleEnd } from "./sampleEnd.ts";
import { shapeOf, storeFile } from "./storeFile.ts";
import type { UploadProgress } from "./uploadProgress.ts";

/** The steps of a push that uploads share with pushes of rows. */
export interface UploadSteps<Answer> {
  /** Runs a push, once if it has an id, and returns its answer. */
  push(
    call: ApiCall,
    named: NamedPush | undefined,
    store: (context: PushContext) => Promise<PushedDataset>,
  ): Promise<Answer>;
  /** Returns the answer of a push that some host has begun to store; undefined if none has. */
  find(
    call: ApiCall,
    named: Omit<NamedPush, "digest"> & { readonly digestPrefix: string },
  ): Promise<{ readonly answer: Answer } | undefined>;
  /**
   * Returns the record of a dataset whose rows the caller may change.
   * @throws {ApiError} RECORD_NOT_FOUND, MEMBER_INVALID, FORBIDDEN, CONFLICT
   */
  owned(call: ApiCall, securableId: string): Promise<ResourceRow<"securable">>;
  /** Returns the columns of a dataset in order. */
  columnsOf(securableId: string): Promise<readonly ResourceRow<"column">[]>;
}

/** Formats whose beginning can be read without the rest. */
const sampledKinds: readonly string[] = ["delimited", "jsonLines"];

/** Creates the actions `create` and `validate` for calls that send a file. */
export function uploadActions<Answer>(
  uploads: Uploads,
  { push, find, owned, columnsOf }: UploadSteps<Answer>,
): {
  create(call: ApiCall): Promise<Answer>;
  validate(call: ApiCall): Promise<FilePreview | UploadProgress>;
} {
  const resumable = uploads.createResumable<Answer>();
  return {
    async create(call) {
      const { body, file, principal } = call;
      const { authorizationId } = principal;
      const requestId = readRequestId(body.request_id);
      const upload = parseUpload(body.properties);
      if (upload.isSample)
        throw new ApiError("MEMBER_INVALID", [
          "properties.is_sample",
          "a dataset needs the whole file; omit it, or send the action validate",
        ]);
      const { sizeBytes, offset, securableId } = upload;
      const head = headOf(upload);
      // What can be refused is refused before the file is received.
      const dataset = securableId === undefined ? undefined : await owned(call, securableId);
      if (file) formatOfFile(file.name, upload.settings ?? {});
      const continues = requestId !== undefined && (!file || (offset ?? 0) > 0);
      if (continues && !resumable.has(call, requestId)) {
        const known = await find(call, { authorizationId, requestId, digestPrefix: head });
        if (known) return known.answer;
      }
      const store = async ({ name, spooled }: ReceivedFile): Promise<Answer> => {
        const note = (state: UploadProgress["state"], rows: number, share: number | null) =>
          requestId === undefined
            ? Promise.resolve()
            : uploads.progress.note(
                { authorizationId, requestId },
                {
                  state,
                  received_bytes: spooled.sizeBytes,
                  size_bytes: sizeBytes ?? null,
                  rows,
                  share,
                },
              );
        const named =
          requestId === undefined
            ? undefined
            : { authorizationId, requestId, digest: `${head} ${spooled.digest()}` };
        const used = settingsFor(upload, name, dataset);
        const readers = await uploads.readers();
        let rowCount = 0;
        try {
          const answer = await push(call, named, async (context) => {
            const { signal } = context.caller;
            const source = { name, spooled, settings: used.settings, principal, readers };
            const described = await describeFile(source, signal);
            const table = { ...described, notes: [...used.notes, ...described.notes] };
            const { kind } = formatOfFile(name, used.settings);
            return storeFile(
              {
                upload,
                table,
                members: { file_settings: { format: kind, settings: used.settings } },
                note({ rows }, share) {
                  rowCount = rows;
                  return note("reading", rows, share ?? null);
                },
              },
              context,
            );
          });
          await note("stored", rowCount, 1);
          return answer;
        } catch (failure) {
          await note("failed", rowCount, null);
          throw failure;
        }
      };
      if (requestId === undefined) return uploads.receive(call, { file, sizeBytes }, store);
      return resumable.receive(call, { requestId, head, file, sizeBytes, offset }, store);
    },
    async validate(call) {
      const { body, file, principal, signal } = call;
      const requestId = readRequestId(body.request_id);
      if (!file && requestId !== undefined) {
        const { authorizationId } = principal;
        const progress = await uploads.progress.find({ authorizationId, requestId });
        if (!progress) throw new ApiError("RECORD_NOT_FOUND", ["upload", requestId]);
        return progress;
      }
      const upload = parseUpload(body.properties);
      const { securableId } = upload;
      const dataset = securableId === undefined ? undefined : await owned(call, securableId);
      return uploads.receive(call, { file, sizeBytes: undefined }, async ({ name, spooled }) => {
        const { settings, notes } = settingsFor(upload, name, dataset);
        if (upload.isSample) await cutSample(name, settings, spooled);
        const readers = await uploads.readers();
        const preview = await previewFile({ name, spooled, settings, principal, readers }, signal);
        const noted = { ...preview, notes: [...notes.map(presentNote), ...preview.notes] };
        if (securableId === undefined || preview.columns.length === 0) return noted;
        return matched(upload, noted, await columnsOf(securableId));
      });
    },
  };
}

/**
 * Returns the settings with which a file is read. A call without settings uses those that are kept with the dataset, if
 * they belong to the same format.
 */
function settingsFor(
  { settings }: Upload,
  name: string,
  dataset: ResourceRow<"securable"> | undefined,
): { readonly settings: FileSettings; readonly notes: readonly FileNote[] } {
  if (settings) return { settings, notes: [] };
  const kept: unknown = dataset?.file_settings;
  if (!isObject<"format" | "settings">(kept) || !isObject(kept.settings))
    return { settings: {}, notes: [] };
  const { format: _, ...others } = { format: undefined, ...kept.settings };
  const isSame = kept.format === formatOfFile(name, {}).kind;
  if (!isSame || Object.keys(others).length === 0) return { settings: {}, notes: [] };
  return {
    settings: others,
    notes: [
      {
        kind: "remark",
        message:
          "the file is read with the settings that are kept with the dataset; send options.file to use others",
      },
    ],
  };
}

/** Adds to a preview which columns of the dataset the columns of the file match, or why they do not match. */
function matched(
  upload: Upload,
  preview: FilePreview,
  columns: readonly ResourceRow<"column">[],
): FilePreview {
  const stored = columns.filter((column) => !column.expression);
  const shape = shapeOf(upload, {
    columns: preview.columns.map(({ name, type }) => ({ id: name, name: {}, type })),
  });
  try {
    const { targets, added } = matchColumns(shape, stored, "", "");
    const addedIds = new Set(added.map(({ id }) => id));
    const found = preview.columns.map((column, index) => {
      const target = targets[index];
      if (!target || addedIds.has(target.id)) return column;
      return { ...column, id: target.id, stored_type: target.type };
    });
    return { ...preview, columns: found };
  } catch (failure) {
    if (!(failure instanceof ApiError)) throw failure;
    const { message, validation = {} } = failure;
    return { ...preview, valid: false, message, validation };
  }
}

/** Removes the incomplete record at the end of a sample. */
async function cutSample(
  name: string,
  settings: FileSettings,
  spooled: SpooledFile,
): Promise<void> {
  const format = formatOfFile(name, settings);
  if (!sampledKinds.includes(format.kind) || format.isGzipped)
    throw new ApiError("MEMBER_INVALID", [
      "properties.is_sample",
      "only uncompressed delimited text and JSON lines can be read from a sample; send the whole file",
    ]);
  const bytes = await spooled.readEnd(spooled.sizeBytes);
  await spooled.truncate(sampleEnd(bytes));
}

/** Returns a hash that is equal for all calls that send parts of the same upload. */
function headOf({ type, securableId, header, name, updateMetadata, settings }: Upload): string {
  const members = JSON.stringify([type, securableId, header, name, updateMetadata, settings]);
  return createHash("sha256").update(members).digest("base64");
}
