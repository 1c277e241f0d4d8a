import { ApiError, type ApiCall } from "../../../base/index.ts";
import type { PushContext, PushedDataset } from "../createDataset.ts";
import { readRequestId, type NamedPush } from "../pushRequests.ts";
import { describeFile, formatOfFile, refuseSettings } from "./fileOnDisk.ts";
import type { Uploads } from "./openUploads.ts";
import type { SpooledFile } from "./openSpool.ts";
import { parseUpload, type Upload } from "./parseUpload.ts";
import { previewFile, type FilePreview } from "./previewFile.ts";
import { sampleEnd } from "./sampleEnd.ts";
import { createFromFile } from "./storeFile.ts";

/** The steps of a push that uploads share with pushes of rows. */
export interface UploadSteps<Answer> {
  /** Runs a push, once if it has an id, and returns its answer. */
  push(
    call: ApiCall,
    named: NamedPush | undefined,
    store: (context: PushContext) => Promise<PushedDataset>,
  ): Promise<Answer>;
}

/** Formats whose beginning can be read without the rest. */
const sampledKinds: readonly string[] = ["delimited", "jsonLines"];

/** Creates the actions `create` and `validate` for calls that send a file. */
export function uploadActions<Answer>(
  uploads: Uploads,
  { push }: UploadSteps<Answer>,
): {
  create(call: ApiCall): Promise<Answer>;
  validate(call: ApiCall): Promise<FilePreview>;
} {
  return {
    async create(call) {
      const { body, file, principal } = call;
      const requestId = readRequestId(body.request_id);
      const upload = parseUpload(body.properties);
      if (upload.isSample)
        throw new ApiError("MEMBER_INVALID", [
          "properties.is_sample",
          "a dataset needs the whole file; omit it, or send the action validate",
        ]);
      if (upload.type !== "create") throw new ApiError("CONFLICT", ["append and replace follow"]);
      const settings = upload.settings ?? {};
      refuseSettings(settings);
      if (file) formatOfFile(file.name, settings);
      const { sizeBytes, offset } = upload;
      const head = headOf(upload);
      return uploads.receive(
        call,
        { requestId, head, file, sizeBytes, offset },
        async (received) => {
          const { name, spooled } = received;
          const readers = await uploads.readers();
          const named = requestId !== undefined && {
            authorizationId: principal.authorizationId,
            requestId,
            digest: `${head}:${spooled.digest()}`,
          };
          return push(call, named || undefined, async (context) => {
            const table = await describeFile(
              { name, spooled, settings, principal, readers },
              context.caller.signal,
            );
            return createFromFile(upload, table, context);
          });
        },
      );
    },
    async validate(call) {
      const { body, file, principal, signal } = call;
      const upload = parseUpload(body.properties);
      const settings = upload.settings ?? {};
      const part = {
        requestId: undefined,
        head: "",
        file,
        sizeBytes: undefined,
        offset: undefined,
      };
      return uploads.receive(call, part, async ({ name, spooled }) => {
        if (upload.isSample) await cutSample(name, settings, spooled);
        const readers = await uploads.readers();
        return previewFile({ name, spooled, settings, principal, readers }, signal);
      });
    },
  };
}

/** Removes the incomplete record at the end of a sample. */
async function cutSample(
  name: string,
  settings: NonNullable<Upload["settings"]>,
  spooled: SpooledFile,
): Promise<void> {
  const format = formatOfFile(name, settings);
  if (!sampledKinds.includes(format.kind) || format.isGzipped)
    throw new ApiError("MEMBER_INVALID", [
      "properties.is_sample",
      "only uncompressed delimited text and JSON lines can be read from a sample; send the whole file",
    ]);
  const end = await spooled.readEnd(spooled.sizeBytes);
  await spooled.truncate(sampleEnd(end));
}

/** Returns a string that is equal for all calls that send parts of the same upload. */
function headOf({ type, securableId, header, name, updateMetadata, settings }: Upload): string {
  return JSON.stringify([type, securableId, header, name, updateMetadata, settings]);
}
