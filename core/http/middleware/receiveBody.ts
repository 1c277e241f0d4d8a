import { createGunzip, createInflate } from "node:zlib";
import type { IncomingMessage } from "node:http";
import type { Transform } from "node:stream";
import { ApiError } from "../../base/index.ts";
import { type Blocks, createBlocks } from "./blocks.ts";
import type { BodyShare } from "./bodyBudget.ts";
import type { SenderLimits } from "./bodyLimits.ts";
import type { JsonScan } from "./jsonScan.ts";
import type { Pacing } from "./createPacing.ts";

export interface ReceiveOptions {
  /** The largest limits that apply to any sender. A longer `Content-Length` is refused at once. */
  readonly largest: SenderLimits;
  /** Returns the limits for what the body has revealed about its sender so far. */
  limits(): SenderLimits;
  readonly share: BodyShare;
  readonly scan: JsonScan;
  /** Distributes the scanning work fairly over this body and all others. */
  readonly pacing: Pacing;
  /** Called after each part of an incomplete body. The next part is processed when the returned promise resolves. */
  readonly onPart: () => Promise<void> | undefined;
  /** Maximum milliseconds without further bytes. */
  readonly stallMs: number;
  /** Maximum milliseconds for the whole body. */
  readonly wholeMs: number;
}

/** Number of bytes above which the expansion ratio of a compressed body is limited. */
const freeBytes = 2 ** 20;
const largestRatio = 100;

/**
 * The supported decompressors. brotli is not supported, because its window takes up to 16 MiB per body before the first
 * byte is decoded. We know no client that sends it.
 */
const unpackers: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  "x-gzip": createGunzip,
  deflate: createInflate,
};

/**
 * Receives and decompresses the body of a request. Each part is scanned as it arrives, so that a body is refused at the
 * first part that exceeds a limit. After an error, the code that sends the response handles the bytes that have not
 * arrived.
 * @throws {ApiError} REQUEST_TOO_LARGE, REQUEST_TOO_PACKED, REQUEST_ENCODING, REQUEST_ABORTED, REQUEST_TIMEOUT,
 * REQUEST_NOT_JSON, HOST_BUSY, and the errors of the scan
 */
export async function receiveBody(
  request: IncomingMessage,
  options: ReceiveOptions,
): Promise<Blocks> {
  const { largest, limits, share, scan, pacing, onPart, stallMs, wholeMs } = options;
  const unpacker = createUnpacker(request);
  const announced = Number(request.headers["content-length"] ?? 0);
  if (announced > largest.sizeBytes) throw tooLarge(largest);
  const source = unpacker ?? request;
  const blocks = createBlocks();
  let packedSize = 0;

  const add = (part: Buffer) => {
    const length = blocks.sizeBytes + part.length;
    if (length > largest.sizeBytes) throw tooLarge(largest);
    if (unpacker && length > freeBytes && length > packedSize * largestRatio)
      throw new ApiError("REQUEST_TOO_PACKED", [largestRatio]);
    share.grow(part.length);
    scan.scan(part);
    refuseLarge(limits(), length, scan);
    blocks.add(part);
  };

  try {
    await new Promise<void>((resolve, reject) => {
      const timeOut = (waitMs: number) =>
        setTimeout(
          () => end(new ApiError("REQUEST_TIMEOUT", [`${waitMs / 1000} seconds`])),
          waitMs,
        );
      const stall = timeOut(stallMs);
      const whole = timeOut(wholeMs);
      const end = (failure?: unknown) => {
        clearTimeout(stall);
        clearTimeout(whole);
        source.pause();
        if (failure === undefined) resolve();
        else reject(failure);
      };
      if (unpacker)
        request.on("data", (packed: Buffer) => {
          packedSize += packed.length;
          stall.refresh();
        });
      source.on("data", (part: Buffer) => {
        if (!unpacker) stall.refresh();
        try {
          add(part);
          const waiting = [onPart(), pacing.take(part.length)].filter((each) => each !== undefined);
          if (waiting.length === 0) return;
          source.pause();
          Promise.all(waiting).then(() => source.resume(), end);
        } catch (failure) {
          end(failure);
        }
      });
      source.on("end", () => end());
      const aborted = (cause?: Error) => end(new ApiError("REQUEST_ABORTED", [], { cause }));
      request.on("aborted", aborted);
      request.on("error", aborted);
      request.on("close", () => {
        if (!request.complete) aborted();
      });
      unpacker?.on("error", (cause) =>
        end(new ApiError("REQUEST_NOT_JSON", ["its compressed data is damaged"], { cause })),
      );
      if (unpacker) request.pipe(unpacker);
    });
  } finally {
    source.removeAllListeners("data");
    if (unpacker) {
      request.unpipe(unpacker);
      request.removeAllListeners("data");
      unpacker.destroy();
    }
  }
  scan.end();
  return blocks;
}

/**
 * Refuses a body if the part received so far exceeds a limit.
 * @throws {ApiError} REQUEST_TOO_LARGE, REQUEST_TOO_MANY_VALUES
 */
export function refuseLarge(limits: SenderLimits, sizeBytes: number, scan: JsonScan): void {
  if (sizeBytes > limits.sizeBytes) throw tooLarge(limits);
  if (scan.valueCount > limits.valueCount)
    throw new ApiError("REQUEST_TOO_MANY_VALUES", [
      `${limits.valueCount} values, the maximum for ${limits.target}`,
    ]);
}

function tooLarge({ sizeBytes, target }: SenderLimits): ApiError {
  return new ApiError("REQUEST_TOO_LARGE", [sizeBytes, target]);
}

function createUnpacker(request: IncomingMessage): Transform | undefined {
  const encoding = (request.headers["content-encoding"] ?? "").trim().toLowerCase();
  if (!encoding || encoding === "identity") return undefined;
  const create = Object.hasOwn(unpackers, encoding) ? unpackers[encoding] : undefined;
  if (!create) throw new ApiError("REQUEST_ENCODING", [encoding.slice(0, 100)]);
  return create();
}
