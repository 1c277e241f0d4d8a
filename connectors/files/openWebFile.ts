import { PluginError } from "../../plugins/protocol/index.ts";
import { type ByteSource, type Format } from "../../plugins/rows/formats/index.ts";
import { RetriableError, type WebAnswer } from "../../plugins/rows/index.ts";
import { bytesUpTo, changed, type WebClient, type WebPlace } from "./webClient.ts";

/** The address and the format of a file, and the client that requests it. */
export interface WebFile {
  readonly client: WebClient;
  readonly place: WebPlace;
  readonly url: URL;
  readonly format: Format;
}

/** Size and version of a file. The server states them before the host reads the file. */
export interface WebState {
  /** Size of the file; Infinity if the server does not state it. */
  readonly sizeBytes: number;
  /** The file's entity tag, which identifies its version. Includes the quotes. */
  readonly etag?: string;
  readonly modified?: string;
  readonly hasRanges: boolean;
}

/**
 * Maximum size of a file that is kept in memory because its format needs random access and its server does not support
 * ranges.
 */
const mostWholeBytes = 64 * 2 ** 20;
const mostResumes = 10;

/** Returns a string that changes when the file is written; undefined if the server states no version. */
export function versionOf({ etag, modified, sizeBytes }: WebState): string | undefined {
  return etag ?? (modified === undefined ? undefined : `${modified} ${sizeBytes}`);
}

/**
 * Requests the first byte of a file and returns the file's size and version. Does not use HEAD, because links that are
 * signed for GET do not allow it.
 */
export async function stateOf(file: WebFile, signal: AbortSignal): Promise<WebState> {
  const { client, place, url } = file;
  return client.get({ place, url, signal, headers: { range: "bytes=0-0" } }, async (answer) => {
    const { status, headers, body } = answer;
    await bytesUpTo(body, 1);
    refuseOther(answer, file);
    const { etag, "last-modified": modified } = headers;
    const total = /\/(\d+)$/.exec(headers["content-range"] ?? "")?.[1];
    const size = status === 200 ? headers["content-length"] : total;
    return {
      sizeBytes: size === undefined ? Infinity : Number(size),
      hasRanges: status === 206,
      ...(etag !== undefined && { etag }),
      ...(modified !== undefined && { modified }),
    };
  });
}

/**
 * Opens one version of a file: each response must have the version and the size that `state` contains. If a
 * connection is lost and the server supports ranges, reading continues where it stopped.
 * @throws {PluginError} PLUGIN_SOURCE_FAILED if the file has changed
 */
export async function openWebFile(
  file: WebFile,
  state: WebState,
  signal: AbortSignal,
): Promise<ByteSource> {
  const source = sourceOf(file, state);
  const { kind } = file.format;
  if (kind !== "parquet" && kind !== "arrow" && kind !== "xlsx") return source;
  return state.hasRanges && Number.isFinite(state.sizeBytes) ? source : wholeOf(source, signal);
}

function sourceOf(file: WebFile, state: WebState): ByteSource {
  const { client, place, url } = file;
  const { sizeBytes, hasRanges } = state;
  const strong = state.etag?.startsWith('"') ? state.etag : undefined;

  /** Requests a part of the file, or the whole file without a Range header. */
  const request = <Result>(
    {
      from,
      to,
      signal,
    }: { readonly from: number; readonly to: number; readonly signal: AbortSignal },
    use: (body: WebAnswer["body"]) => Promise<Result>,
  ): Promise<Result> => {
    const isWhole = from === 0 && to === sizeBytes;
    const headers = {
      ...(!isWhole && { range: `bytes=${from}-${Number.isFinite(to) ? to - 1 : ""}` }),
      ...(strong !== undefined && { "if-match": strong }),
    };
    return client.get({ place, url, headers, signal }, async (answer) => {
      const failure = wrongPart(answer, { file, state, from, to, isWhole });
      if (failure === undefined) return use(answer.body);
      await bytesUpTo(answer.body, 1);
      throw failure;
    });
  };
  return {
    sizeBytes,
    async *stream(signal, from = 0, to = sizeBytes) {
      const end = Math.min(to, sizeBytes);
      let at = from;
      for (let resumes = 0; at < end;) {
        try {
          const body = await request({ from: at, to: end, signal }, async (body) => body);
          for await (const part of body) {
            at += part.length;
            if (at > end) throw changed();
            yield part;
          }
          if (at < end && Number.isFinite(end)) throw changed();
          return;
        } catch (failure) {
          const mayResume = at === from || (hasRanges && strong !== undefined);
          resumes++;
          if (!(failure instanceof RetriableError) || !mayResume || resumes > mostResumes)
            throw failure;
        }
      }
    },
    async read(from, to, signal) {
      const end = Math.min(to, sizeBytes);
      if (from >= end) return new Uint8Array();
      return request({ from, to: end, signal }, async (body) => {
        const bytes = await bytesUpTo(body, end - from + 1);
        if (bytes.length !== end - from) throw changed();
        return bytes;
      });
    },
    check: async () => undefined,
    close: async () => undefined,
  };
}

interface RequestedPart {
  readonly file: WebFile;
  readonly state: WebState;
  readonly from: number;
  readonly to: number;
  readonly isWhole: boolean;
}

/**
 * Returns the reason why a response is not the requested part of the expected version; undefined if it is that part.
 */
function wrongPart(
  answer: WebAnswer,
  { file, state, from, to, isWhole }: RequestedPart,
): PluginError | undefined {
  const { status, headers } = answer;
  if (status === 416) return changed();
  try {
    refuseOther(answer, file);
  } catch (failure) {
    if (failure instanceof PluginError) return failure;
    throw failure;
  }
  const isOtherVersion =
    state.etag === undefined
      ? headers["last-modified"] !== state.modified && state.modified !== undefined
      : plainTag(headers["etag"]) !== plainTag(state.etag);
  if (isOtherVersion) return changed();
  if (isWhole) {
    const size = headers["content-length"];
    const isOther = size !== undefined && Number(size) !== state.sizeBytes;
    return isOther && Number.isFinite(state.sizeBytes) ? changed() : undefined;
  }
  if (status !== 206)
    return new PluginError("PLUGIN_SOURCE_FAILED", [
      `${file.url.host} returned the whole file instead of the requested part`,
    ]);
  const [, first, last, total] =
    /^bytes (\d+)-(\d+)\/(\d+|\*)$/.exec(headers["content-range"] ?? "") ?? [];
  const isPart = Number(first) === from && (!Number.isFinite(to) || Number(last) === to - 1);
  const isSized =
    total === "*" || !Number.isFinite(state.sizeBytes) || Number(total) === state.sizeBytes;
  return isPart && isSized ? undefined : changed();
}

/** Returns an entity tag without its quotes, because some storages list tags without quotes. */
function plainTag(tag: string | undefined): string | undefined {
  return tag?.replaceAll('"', "");
}

/** Refuses responses that cannot be files of the expected format: compressed bodies and HTML pages. */
function refuseOther({ headers }: WebAnswer, { url, format }: WebFile): void {
  const { "content-encoding": encoding = "identity", "content-type": type = "" } = headers;
  const isKept = encoding === "identity" || (format.isGzipped && /^(?:x-)?gzip$/.test(encoding));
  if (!isKept)
    throw new PluginError("PLUGIN_SOURCE_FAILED", [
      `${url.host} sent a compressed response although none was requested; turn compression off for this file`,
    ]);
  if (/^text\/html\b/i.test(type))
    throw new PluginError("PLUGIN_SOURCE_FAILED", [
      `${url.host} returned an HTML page instead of a data file; it may require signing in`,
    ]);
}

/** Reads the whole file into memory, because its server does not support ranges. */
async function wholeOf(source: ByteSource, signal: AbortSignal): Promise<ByteSource> {
  const tooLarge = () =>
    new PluginError("PLUGIN_SOURCE_FAILED", [
      `the server does not support ranges, and the file is larger than ${mostWholeBytes / 2 ** 20} MiB, the maximum without ranges`,
    ]);
  if (Number.isFinite(source.sizeBytes) && source.sizeBytes > mostWholeBytes) throw tooLarge();
  const bytes = await bytesUpTo(source.stream(signal), mostWholeBytes + 1);
  if (bytes.length > mostWholeBytes) throw tooLarge();
  return {
    ...source,
    sizeBytes: bytes.length,
    async *stream(_, from = 0, to = bytes.length) {
      yield bytes.subarray(from, to);
    },
    read: async (from, to) => bytes.subarray(from, to),
  };
}
