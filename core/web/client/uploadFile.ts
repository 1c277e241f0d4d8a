import { ClientError } from "./clientError.ts";

/** The bytes of a file. A stream is read completely before it is sent, because a cut upload needs its bytes again. */
export type FileBytes = Blob | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array<ArrayBuffer>>;

/** How a file is read and where its rows are stored. */
export interface UploadOptions {
  /** Name of the file. Its extension tells the host the format. Required. */
  readonly fileName: string;
  /**
   * What happens with the rows: they become a new dataset, are added to a dataset, or replace its rows.
   * @default "create"
   */
  readonly type?: "create" | "append" | "replace";
  /**
   * Id of the dataset that receives the rows. Required for `append` and `replace`.
   * @default none
   */
  readonly securableId?: string;
  /**
   * Name of the new dataset, by language.
   * @default the file's name
   */
  readonly name?: Readonly<Record<string, string>>;
  /**
   * Names of the columns, one per column of the file, instead of the names in the file.
   * @default the names in the file
   */
  readonly header?: readonly string[];
  /**
   * Whether `append` adds columns that the dataset does not have. With `replace`, columns that the file does not have
   * are also removed.
   * @default false
   */
  readonly updateMetadata?: boolean;
  /**
   * Settings for reading the file, such as `{separator: ";"}`.
   * @default detected, or those that are kept with the dataset
   */
  readonly settings?: Readonly<Record<string, unknown>>;
}

/** How far an upload has progressed. */
export interface UploadProgress {
  /** `receiving` the file, `reading` its rows, `stored`, or `failed`. */
  readonly state: "receiving" | "reading" | "stored" | "failed";
  /** Number of bytes that the host has received. */
  readonly receivedBytes: number;
  /** Size of the file in bytes. */
  readonly sizeBytes: number;
  /** Number of rows that the host has read. */
  readonly rows: number;
  /** The part of the file that the host has read, from 0 to 1; undefined if it is not known. */
  readonly share: number | undefined;
}

/** Options of a call that stores a file. */
export interface StoreOptions extends UploadOptions {
  /**
   * Receives the progress about once a second, and once at the end.
   * @default none
   */
  readonly onProgress?: (progress: UploadProgress) => void;
}

/** A call whose body is a form, or JSON if `file` is undefined. */
export type SendForm = <Answer>(
  members: Readonly<Record<string, unknown>>,
  file?: { readonly bytes: Blob; readonly name: string },
) => Promise<Answer>;

/** The parts of a client that an upload uses. */
export interface UploadParts {
  readonly send: SendForm;
  /** How often a call without progress is repeated. */
  readonly retryCount: number;
  /** Waits before a call is repeated. */
  readonly wait: (ms: number) => Promise<void>;
}

const progressEveryMs = 1000;
const leastWaitMs = 250;
const mostWaitMs = 10_000;
/** Bytes that a preview sends of a text file. */
const sampleBytes = 4 * 2 ** 20;

/** Returns the bytes as a Blob, whose parts can be sent again. */
async function blobOf(file: FileBytes): Promise<Blob> {
  if (file instanceof Blob) return file;
  if (file instanceof Uint8Array) return new Blob([file]);
  return new Response(file).blob();
}

/** Returns the `properties` of a call that sends a file. */
function propertiesOf(options: UploadOptions): Readonly<Record<string, unknown>> {
  const { type = "create", securableId, name, header, updateMetadata, settings } = options;
  return {
    type,
    ...(securableId !== undefined && { securable_id: securableId }),
    options: {
      ...(name && { name }),
      ...(header && { header }),
      ...(updateMetadata !== undefined && { update_metadata: updateMetadata }),
      ...(settings && { file: settings }),
    },
  };
}

/**
 * Sends a file and stores its rows. If the connection is cut, the upload goes on where the host has stopped receiving.
 * @throws {ClientError}
 */
export async function uploadFile<Answer>(
  file: FileBytes,
  { onProgress, ...options }: StoreOptions,
  { send, retryCount, wait }: UploadParts,
): Promise<Answer> {
  const bytes = await blobOf(file);
  const sizeBytes = bytes.size;
  const requestId = crypto.randomUUID();
  const properties = { ...propertiesOf(options), size_bytes: sizeBytes };
  const members = { action: "create", request_id: requestId };
  const stop = onProgress && watch(requestId, sizeBytes, send, onProgress);
  let offset = 0;
  let failedCount = 0;
  try {
    for (let mustAsk = false; ;) {
      try {
        if (mustAsk) return await send<Answer>({ ...members, properties });
        const part = { bytes: bytes.slice(offset), name: options.fileName };
        return await send<Answer>({ ...members, properties: { ...properties, offset } }, part);
      } catch (failure) {
        const received = receivedBytesOf(failure);
        if (received !== undefined) {
          // A host that has fewer bytes than the last one makes no progress. A lost connection is already counted.
          if (received > offset) failedCount = 0;
          else if (!mustAsk && ++failedCount > retryCount) throw failure;
          offset = received;
          mustAsk = false;
          continue;
        }
        const askedMs = passingMs(failure);
        if (askedMs === undefined || ++failedCount > retryCount) throw failure;
        await wait(askedMs + Math.random() * Math.min(mostWaitMs, leastWaitMs * 2 ** failedCount));
        mustAsk = true;
      }
    }
  } finally {
    await stop?.();
  }
}

/**
 * Sends the start of a file, or the whole file if its format needs that, and returns how the host would store it.
 * @throws {ClientError}
 */
export async function previewFile<Answer>(
  file: FileBytes,
  options: UploadOptions,
  send: SendForm,
): Promise<Answer> {
  const bytes = await blobOf(file);
  const isSample = bytes.size > sampleBytes && /\.(csv|tsv|jsonl|ndjson)$/i.test(options.fileName);
  const part = isSample ? bytes.slice(0, sampleBytes) : bytes;
  const properties = {
    ...propertiesOf(options),
    ...(isSample && { is_sample: true, size_bytes: bytes.size }),
  };
  return send({ action: "validate", properties }, { bytes: part, name: options.fileName });
}

function receivedBytesOf(failure: unknown): number | undefined {
  return failure instanceof ClientError && failure.status === 409
    ? failure.receivedBytes
    : undefined;
}

/** Returns the milliseconds after which a failed call may succeed; undefined if it would fail again. */
function passingMs(failure: unknown): number | undefined {
  if (!(failure instanceof ClientError)) return undefined;
  const { code, status, retryAfterS } = failure;
  const isCut = code === "UNREACHABLE" || code === "REQUEST_ABORTED" || code === "REQUEST_TIMEOUT";
  const isBusy = [429, 503, 504].includes(status) || (status === 502 && code === "502");
  return isCut || isBusy ? Math.min(mostWaitMs, retryAfterS * 1000) : undefined;
}

interface FoundProgress {
  readonly state: UploadProgress["state"];
  readonly received_bytes: number;
  readonly rows: number;
  readonly share: number | null;
}

/** Reports progress until the returned function is called, which reports it once more. */
function watch(
  requestId: string,
  sizeBytes: number,
  send: SendForm,
  report: (progress: UploadProgress) => void,
): () => Promise<void> {
  let asking: Promise<void> | undefined;
  const ask = async () => {
    try {
      const found = await send<FoundProgress>({ action: "validate", request_id: requestId });
      report({
        state: found.state,
        receivedBytes: found.received_bytes,
        sizeBytes,
        rows: found.rows,
        share: found.share ?? undefined,
      });
    } catch {
      // A host that cannot tell the progress may still store the file.
    }
  };
  const look = () =>
    (asking ??= ask().finally(() => {
      asking = undefined;
    }));
  const timer = setInterval(() => void look(), progressEveryMs);
  return async () => {
    clearInterval(timer);
    await asking;
    await look();
  };
}
