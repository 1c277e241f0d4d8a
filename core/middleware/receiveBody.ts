import { isUtf8 } from "node:buffer";
import { createGunzip, createInflate } from "node:zlib";
import type { IncomingMessage } from "node:http";
import type { Transform } from "node:stream";
import { ApiError } from "../errors.ts";
import type { BodyShare } from "./bodyBudget.ts";
import type { BodyLimits } from "./bodyLimits.ts";
import type { JsonScan } from "./jsonScan.ts";

export interface ReceiveOptions {
  readonly limits: BodyLimits;
  /** How messages call what the body is for. */
  readonly target: string;
  readonly share: BodyShare;
  readonly scan: JsonScan;
  /** Called after each part of a body that is not complete; the next part waits for it. */
  readonly onPart: () => Promise<void> | undefined;
  /** Milliseconds in which something has to arrive. */
  readonly stallMs: number;
  /** Milliseconds in which everything has to arrive. */
  readonly wholeMs: number;
}

/** A body of which this much has arrived may be unpacked to at most so many times what arrived. */
const freeBytes = 2 ** 20;
const largestRatio = 100;
const firstBytes = 16 * 2 ** 10;

/** brotli is not read: its window takes up to 16 MiB a body before the first byte comes out, and no client is known to send it. */
const unpackers: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  "x-gzip": createGunzip,
  deflate: createInflate,
};

/**
 * Receives the body of a request, unpacked, in one piece. Each part is scanned as it arrives, so that a body that breaks a limit is
 * refused at the part that breaks it. What did not arrive when this throws is left to whoever answers.
 * @throws {ApiError} REQUEST_TOO_LARGE, REQUEST_TOO_PACKED, REQUEST_ENCODING, REQUEST_ABORTED, REQUEST_TIMEOUT, REQUEST_NOT_JSON, HOST_BUSY, and what the scan throws
 */
export async function receiveBody(
  request: IncomingMessage,
  options: ReceiveOptions,
): Promise<Uint8Array> {
  const { limits, target, share, scan, onPart, stallMs, wholeMs } = options;
  const tooLarge = () => new ApiError("REQUEST_TOO_LARGE", [limits.sizeBytes, target]);
  const unpacker = createUnpacker(request);
  const announced = Number(request.headers["content-length"] ?? Number.NaN);
  if (announced > limits.sizeBytes) throw tooLarge();
  const source = unpacker ?? request;
  let bytes = Buffer.allocUnsafeSlow(
    Math.min(firstBytes, unpacker ? firstBytes : announced || firstBytes),
  );
  let size = 0;
  let packedSize = 0;

  const add = (part: Buffer) => {
    const length = size + part.length;
    if (length > limits.sizeBytes) throw tooLarge();
    if (unpacker && length > freeBytes && length > packedSize * largestRatio)
      throw new ApiError("REQUEST_TOO_PACKED", [largestRatio]);
    share.grow(part.length);
    if (length > bytes.length) {
      const room = Math.min(limits.sizeBytes, Math.max(length, bytes.length * 4));
      const grown = Buffer.allocUnsafeSlow(unpacker ? room : Math.min(room, announced || room));
      bytes.copy(grown, 0, 0, size);
      bytes = grown;
    }
    part.copy(bytes, size);
    size = length;
    scan.scan(bytes, size, false);
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
          const waiting = onPart();
          if (!waiting) return;
          source.pause();
          waiting.then(() => source.resume(), end);
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
  const whole = bytes.subarray(0, size);
  if (!isUtf8(whole)) throw new ApiError("REQUEST_NOT_JSON", ["it is not UTF-8"]);
  scan.scan(whole, size, true);
  return whole;
}

function createUnpacker(request: IncomingMessage): Transform | undefined {
  const encoding = (request.headers["content-encoding"] ?? "").trim().toLowerCase();
  if (!encoding || encoding === "identity") return undefined;
  const create = Object.hasOwn(unpackers, encoding) ? unpackers[encoding] : undefined;
  if (!create) throw new ApiError("REQUEST_ENCODING", [encoding.slice(0, 100)]);
  return create();
}
