import { join } from "node:path";
import type { Knex } from "knex";
import type { FileReaders } from "../../../../plugins/rows/formats/index.ts";
import { ApiError, type ApiCall, type Config, type SentFile } from "../../../base/index.ts";
import type { Log } from "../../../catalog/index.ts";
import { createProgress, type ProgressOfUploads } from "./uploadProgress.ts";
import { openSpool, type SpooledFile } from "./openSpool.ts";

/** Which upload a call belongs to, and how much of the file it sends. */
export interface UploadedPart {
  /** The `request_id` of the call. */
  readonly requestId: string;
  /** A string that is equal for all calls of the same upload. */
  readonly head: string;
  readonly file: SentFile | undefined;
  readonly sizeBytes: number | undefined;
  readonly offset: number | undefined;
}

/** A file that has arrived completely. */
export interface ReceivedFile {
  readonly name: string;
  readonly spooled: SpooledFile;
}

/** Uploads with a `request_id`, which several calls can send. */
export interface ResumableUploads<Answer> {
  /**
   * Receives the file of a call, passes it to `use` when it is complete, and then removes it. If the connection is cut,
   * the bytes remain for ten minutes, and another call of the same caller can continue. Equal concurrent calls share
   * one answer.
   * @throws {ApiError} UPLOAD_OFFSET, UPLOAD_INCOMPLETE, the limits of the spool, and the errors of the file and of
   * `use`
   */
  receive(
    call: Pick<ApiCall, "principal" | "signal">,
    part: UploadedPart,
    use: (file: ReceivedFile) => Promise<Answer>,
  ): Promise<Answer>;
  /** Returns whether this host has bytes of an upload. */
  has(call: Pick<ApiCall, "principal">, requestId: string): boolean;
}

/** The files that clients are uploading to this host, and the processes that read them. */
export interface Uploads {
  /**
   * Receives the file of a call, passes it to `use` when it is complete, and then removes it.
   * @throws {ApiError} MEMBER_MISSING without a file, the limits of the spool, and the errors of the file and of `use`
   */
  receive<Result>(
    call: Pick<ApiCall, "principal">,
    part: Pick<UploadedPart, "file" | "sizeBytes">,
    use: (file: ReceivedFile) => Promise<Result>,
  ): Promise<Result>;
  /** Creates the uploads that several calls with a `request_id` can send. */
  createResumable<Answer>(): ResumableUploads<Answer>;
  readonly progress: ProgressOfUploads;
  /** Returns the readers of files. Loads them at the first call. */
  readers(): Promise<FileReaders>;
  close(): Promise<void>;
}

export interface UploadsOptions {
  readonly knex: Knex;
  readonly log: Pick<Log, "warn">;
  readonly config: Pick<
    Config,
    | "dataDir"
    | "uploadMb"
    | "uploadOrganizationMb"
    | "uploadTotalMb"
    | "uploads"
    | "pluginTimeoutMs"
  >;
  /**
   * Milliseconds for which the bytes of an upload remain after its connection was cut.
   * @default 600000
   */
  readonly keptMs?: number;
}

/** An upload with a `request_id`. */
interface Kept<Answer> {
  readonly head: string;
  readonly name: string;
  readonly spooled: SpooledFile;
  /** Cuts the call that is sending bytes, and resolves when it has ended. */
  takeOver: (() => Promise<void>) | undefined;
  /** The answer to the upload, once all bytes have arrived. */
  answer: Promise<Answer> | undefined;
  timer: NodeJS.Timeout | undefined;
}

const usualKeptMs = 600_000;
/** Errors after which the client sends the rest of the file in another call. */
const cutCodes: readonly string[] = ["REQUEST_ABORTED", "REQUEST_TIMEOUT"];
/** Statuses of errors that a later call may not meet again, so that it need not send the file again. */
const passingStatuses: readonly unknown[] = [429, 503, 504];

/** Opens the uploads of a host. Removes files that an earlier host left behind. */
export async function openUploads({
  config,
  knex,
  log,
  keptMs = usualKeptMs,
}: UploadsOptions): Promise<Uploads> {
  const spool = await openSpool(join(config.dataDir, "uploads"), {
    fileMb: config.uploadMb,
    organizationMb: config.uploadOrganizationMb,
    totalMb: config.uploadTotalMb,
    count: config.uploads,
  });
  const progress = createProgress({ knex, log });
  let readers: Promise<FileReaders> | undefined;

  const receiveOnce = async <Result>(
    { principal }: Pick<ApiCall, "principal">,
    { file, sizeBytes }: Pick<UploadedPart, "file" | "sizeBytes">,
    use: (file: ReceivedFile) => Promise<Result>,
  ): Promise<Result> => {
    if (!file)
      throw new ApiError("MEMBER_MISSING", [
        "file",
        "a part of the form with the bytes of the file; a call without it needs the request_id of its upload",
      ]);
    const end = spool.begin(principal.organizationId);
    try {
      const spooled = spool.create(principal.organizationId);
      try {
        await spooled.receive(file.chunks);
        if (sizeBytes !== undefined && spooled.sizeBytes !== sizeBytes)
          throw new ApiError("MEMBER_INVALID", [
            "properties.size_bytes",
            `the file has ${spooled.sizeBytes} bytes, not ${sizeBytes}`,
          ]);
        return await use({ name: file.name, spooled });
      } finally {
        await spooled.remove();
      }
    } finally {
      end();
    }
  };

  const createResumable = <Answer>(): ResumableUploads<Answer> => {
    const kept = new Map<string, Kept<Answer>>();

    const forget = async (key: string, upload: Kept<Answer>) => {
      clearTimeout(upload.timer);
      if (kept.get(key) === upload) kept.delete(key);
      await upload.spooled.remove();
    };
    const keep = (key: string, upload: Kept<Answer>) => {
      upload.timer = setTimeout(() => void forget(key, upload), keptMs);
      upload.timer.unref();
    };
    const refuseIncomplete = (
      { requestId, sizeBytes }: UploadedPart,
      receivedBytes: number,
      requestedOffset?: number,
    ): never => {
      if (requestedOffset !== undefined && requestedOffset !== receivedBytes)
        throw new ApiError("UPLOAD_OFFSET", [receivedBytes, requestId, requestedOffset], {
          receivedBytes,
        });
      throw new ApiError("UPLOAD_INCOMPLETE", [receivedBytes, sizeBytes ?? "unknown", requestId], {
        receivedBytes,
      });
    };

    /** Receives the bytes of one call. A later call of the same upload can take over. */
    const receiveBytes = async (
      key: string,
      upload: Kept<Answer>,
      file: SentFile,
      note: () => Promise<void>,
    ) => {
      const taken = Promise.withResolvers<never>();
      taken.promise.catch(() => undefined);
      const receiving = upload.spooled.receive(noting(until(file.chunks, taken.promise), note));
      upload.takeOver = async () => {
        taken.reject(new ApiError("REQUEST_ABORTED"));
        await receiving.catch(() => undefined);
      };
      try {
        await receiving;
      } catch (failure) {
        const isCut = failure instanceof ApiError && cutCodes.includes(failure.code);
        if (isCut) keep(key, upload);
        else await forget(key, upload);
        throw failure;
      } finally {
        upload.takeOver = undefined;
      }
    };

    const receiveParts = async (
      { principal, signal }: Pick<ApiCall, "principal" | "signal">,
      part: UploadedPart,
      use: (file: ReceivedFile) => Promise<Answer>,
    ): Promise<Answer> => {
      // A call whose client has already disconnected must not end a later call.
      if (signal.aborted) throw new ApiError("REQUEST_ABORTED");
      const { requestId, file, offset, sizeBytes, head } = part;
      const key = `${principal.authorizationId} ${requestId}`;
      let upload = kept.get(key);
      for (; upload; upload = kept.get(key)) {
        const isOther = upload.head !== head;
        if (isOther && upload.answer) throw new ApiError("REQUEST_ID_USED", [requestId]);
        if (upload.answer) return upload.answer;
        // The host may not have noticed yet that the connection of the earlier call is cut.
        if (upload.takeOver) await upload.takeOver();
        else if (isOther || (file && offset === undefined)) await forget(key, upload);
        else break;
      }
      const receivedBytes = upload?.spooled.sizeBytes ?? 0;
      if (offset !== undefined && offset !== receivedBytes)
        refuseIncomplete(part, receivedBytes, offset);
      const end = spool.begin(principal.organizationId);
      try {
        if (!upload) {
          if (!file) return refuseIncomplete(part, 0);
          const spooled = spool.create(principal.organizationId);
          const fresh = { takeOver: undefined, answer: undefined, timer: undefined };
          upload = { head, name: file.name, spooled, ...fresh };
          kept.set(key, upload);
        }
        clearTimeout(upload.timer);
        const { spooled, name } = upload;
        if (file)
          await receiveBytes(key, upload, file, () =>
            progress.note(
              { authorizationId: principal.authorizationId, requestId: requestId },
              {
                state: "receiving",
                received_bytes: spooled.sizeBytes,
                size_bytes: sizeBytes ?? null,
                rows: 0,
                share: null,
              },
            ),
          );
        if (sizeBytes !== undefined && spooled.sizeBytes > sizeBytes) {
          await forget(key, upload);
          throw new ApiError("MEMBER_INVALID", [
            "properties.size_bytes",
            `the file has at least ${spooled.sizeBytes} bytes, not ${sizeBytes}`,
          ]);
        }
        if ((sizeBytes === undefined && !file) || spooled.sizeBytes < (sizeBytes ?? 0)) {
          keep(key, upload);
          refuseIncomplete(part, spooled.sizeBytes);
        }
        upload.answer = use({ name, spooled });
        try {
          const answer = await upload.answer;
          await forget(key, upload);
          return answer;
        } catch (failure) {
          upload.answer = undefined;
          const isPassing =
            failure instanceof Error &&
            "status" in failure &&
            passingStatuses.includes(failure.status);
          if (isPassing) keep(key, upload);
          else await forget(key, upload);
          throw failure;
        }
      } finally {
        end();
      }
    };

    return {
      receive: receiveParts,
      has: ({ principal }, requestId) => kept.has(`${principal.authorizationId} ${requestId}`),
    };
  };

  return {
    progress,
    receive: receiveOnce,
    createResumable,
    readers: () =>
      (readers ??= import("../../../../plugins/rows/formats/index.ts").then(({ openFileReaders }) =>
        openFileReaders({ timeoutMs: config.pluginTimeoutMs }),
      )),
    async close() {
      await (await readers)?.close();
      await spool.close();
    },
  };
}

/** Calls `note` before each chunk. */
async function* noting(
  chunks: AsyncIterable<Uint8Array>,
  note: () => Promise<void>,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    await note();
    yield chunk;
  }
}

/** Yields chunks until `ended` rejects. */
async function* until(
  chunks: AsyncIterable<Uint8Array>,
  ended: Promise<never>,
): AsyncGenerator<Uint8Array> {
  const reading = chunks[Symbol.asyncIterator]();
  for (;;) {
    const next = await Promise.race([reading.next(), ended]);
    if (next.done) return;
    yield next.value;
  }
}
