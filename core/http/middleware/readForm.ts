import type { IncomingMessage } from "node:http";
import { Busboy, type BusboyInstance } from "@fastify/busboy";
import { ApiError, type SentFile } from "../../base/index.ts";
import { chunksOf } from "./chunksOf.ts";

export interface FormOptions {
  /** Maximum bytes of the part `call`. */
  readonly callBytes: number;
  /** Maximum milliseconds without further bytes, while the host is ready to receive them. */
  readonly stallMs: number;
}

/** A form that is being received. */
export interface ReceivedForm {
  /** The bytes of the part `call`. */
  readonly call: Buffer;
  /** The file after the call; undefined if the form has none. */
  readonly file: SentFile | undefined;
  /** Stops receiving. Bytes that have not arrived remain in the request. */
  close(): void;
}

const callName = "call";
const fileName = "file";
const malformed = "it is incomplete or malformed";
/** Maximum bytes of the file in memory, in addition to the buffers of the socket. */
const bufferedBytes = 2 ** 20;

/**
 * Receives a form up to the beginning of its file. The bytes of the file follow as they are read.
 * @throws {ApiError} REQUEST_FORM_INVALID, REQUEST_TOO_LARGE, REQUEST_ABORTED, REQUEST_TIMEOUT
 */
export async function readForm(
  request: IncomingMessage,
  { callBytes, stallMs }: FormOptions,
): Promise<ReceivedForm> {
  const parser = openParser(request, callBytes);
  const failed = Promise.withResolvers<never>();
  const complete = Promise.withResolvers<void>();
  const call = Promise.withResolvers<Buffer>();
  const file = Promise.withResolvers<SentFile | undefined>();
  for (const { promise } of [failed, complete, call, file]) promise.catch(() => undefined);
  let sent: (NodeJS.ReadableStream & { destroy(failure: Error): void }) | undefined;
  let hasCall = false;
  const close = () => {
    clearTimeout(stall);
    request.unpipe(parser);
    request.off("data", onData);
    request.pause();
  };
  const fail = (failure: ApiError) => {
    close();
    failed.reject(failure);
    sent?.destroy(failure);
  };
  const invalid = (detail: string, cause?: unknown) =>
    fail(new ApiError("REQUEST_FORM_INVALID", [detail], { cause }));
  const stall = setTimeout(() => {
    // A reader that is busy does not take the bytes that have arrived.
    if (parser.writableNeedDrain || parser.writableLength > 0) stall.refresh();
    else fail(new ApiError("REQUEST_TIMEOUT", [`${stallMs / 1000} seconds`]));
  }, stallMs);
  const onData = () => void stall.refresh();
  const cut = (cause?: Error) => fail(new ApiError("REQUEST_ABORTED", [], { cause }));
  request.on("data", onData);
  request.on("aborted", cut);
  request.on("error", cut);
  request.on("close", () => {
    if (!request.complete) cut();
  });
  parser.on("field", (_name, value, _isNameCut, isTruncated) => {
    if (isTruncated)
      fail(new ApiError("REQUEST_TOO_LARGE", [callBytes, "the part call of a form"]));
    else {
      hasCall = true;
      call.resolve(Buffer.from(value));
    }
  });
  parser.on("file", (name, stream, given) => {
    // Without a listener, an error would end the process.
    stream.on("error", () => undefined);
    sent = stream;
    const wrong = !hasCall
      ? "the part call must come before the file"
      : name !== fileName
        ? `the part of the file must be named file, not ${shown(name)}`
        : given === undefined || given === ""
          ? "the part file needs a filename, from whose extension the host knows the format"
          : undefined;
    if (wrong !== undefined || given === undefined) {
      stream.resume();
      return invalid(wrong ?? "the part file needs a filename");
    }
    const chunks = async function* () {
      try {
        yield* chunksOf(stream);
      } catch (cause) {
        if (cause instanceof ApiError) throw cause;
        throw new ApiError("REQUEST_FORM_INVALID", [malformed], { cause });
      }
      await Promise.race([complete.promise, failed.promise]);
    };
    return file.resolve({ name: given, chunks: chunks() });
  });
  parser.on("filesLimit", () => invalid("it has more than one file"));
  parser.on("fieldsLimit", () => invalid("it has two parts named call"));
  parser.on("partsLimit", () => invalid("it has more than two parts"));
  parser.on("error", (cause) => invalid(malformed, cause));
  parser.on("finish", () => {
    clearTimeout(stall);
    complete.resolve();
    file.resolve(undefined);
    if (!hasCall) invalid("it has no part named call");
  });
  request.pipe(parser);
  try {
    const body = await Promise.race([call.promise, failed.promise]);
    return { call: body, file: await Promise.race([file.promise, failed.promise]), close };
  } catch (failure) {
    close();
    throw failure;
  }
}

function openParser(request: IncomingMessage, callBytes: number): BusboyInstance {
  const type = request.headers["content-type"] ?? "";
  try {
    return new Busboy({
      headers: { ...request.headers, "content-type": type },
      limits: { fieldSize: callBytes, fields: 1, files: 1, parts: 2, headerPairs: 20 },
      fileHwm: bufferedBytes,
      // Browsers send a name with the part call if it is a Blob.
      isPartAFile: (name) => name !== callName,
    });
  } catch (cause) {
    throw new ApiError("REQUEST_FORM_INVALID", ["its Content-Type has no boundary"], { cause });
  }
}

const shown = (name: string): string => JSON.stringify(name.slice(0, 100));
