import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import type { Readable } from "node:stream";
import getRawBody from "raw-body";
import type { Context, Middleware } from "koa";
import { ApiError } from "../errors.ts";
import { isDeeperThan } from "./jsonDepth.ts";
import type { RequestState } from "./requestId.ts";

export interface BodyLimits {
  /** Bytes after decompression. */
  readonly sizeBytes: number;
  readonly depth: number;
}

const decompressors: Readonly<Record<string, () => NodeJS.ReadWriteStream & Readable>> = {
  gzip: createGunzip,
  "x-gzip": createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

function decoded(ctx: Context): Readable {
  const encoding = ctx.get("Content-Encoding").trim().toLowerCase();
  if (!encoding || encoding === "identity") return ctx.req;
  const decompressor = Object.hasOwn(decompressors, encoding) ? decompressors[encoding] : undefined;
  if (!decompressor) throw new ApiError("REQUEST_ENCODING", [encoding]);
  const stream = decompressor();
  ctx.req.once("error", (failure) => stream.destroy(failure));
  ctx.req.once("aborted", () => stream.destroy(new Error("aborted")));
  return ctx.req.pipe(stream);
}

async function read(ctx: Context, limits: BodyLimits): Promise<Buffer> {
  const stream = decoded(ctx);
  try {
    const length = stream === ctx.req ? ctx.req.headers["content-length"] : undefined;
    return await getRawBody(stream, { limit: limits.sizeBytes, ...(length ? { length } : {}) });
  } catch (cause) {
    ctx.req.unpipe();
    ctx.req.resume();
    const type = (cause as { type?: string }).type;
    if (type === "entity.too.large") {
      ctx.set("Connection", "close");
      throw new ApiError("REQUEST_TOO_LARGE", [limits.sizeBytes], { cause });
    }
    if (stream === ctx.req) throw new ApiError("REQUEST_ABORTED", [], { cause });
    throw new ApiError("REQUEST_NOT_JSON", ["its compressed data is damaged"], { cause });
  }
}

/**
 * Reads the JSON body of every verb (most parsers read it of POST, PUT and PATCH alone) into
 * `ctx.state.body`. Size and depth are checked before a byte is parsed.
 * @throws {ApiError} REQUEST_TOO_LARGE, REQUEST_TOO_DEEP, REQUEST_NOT_JSON, REQUEST_NOT_AN_OBJECT, REQUEST_MEDIA_TYPE, REQUEST_ENCODING, REQUEST_ABORTED
 */
export function body(
  limits: BodyLimits,
): Middleware<RequestState & { body: Readonly<Record<string, unknown>> }> {
  return async (ctx, next) => {
    const mediaType = ctx.get("Content-Type").split(";", 1)[0]?.trim().toLowerCase() ?? "";
    if (mediaType && mediaType !== "application/json" && mediaType !== "text/plain")
      throw new ApiError("REQUEST_MEDIA_TYPE", [mediaType]);
    const bytes = await read(ctx, limits);
    if (isDeeperThan(bytes, limits.depth)) throw new ApiError("REQUEST_TOO_DEEP", [limits.depth]);
    let parsed: unknown;
    try {
      parsed = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    } catch (cause) {
      const reason = bytes.length === 0 ? "it is empty" : "it cannot be parsed as JSON in UTF-8";
      throw new ApiError("REQUEST_NOT_JSON", [reason], { cause });
    }
    if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed))
      throw new ApiError("REQUEST_NOT_AN_OBJECT");
    ctx.state.body = parsed as Readonly<Record<string, unknown>>;
    await next();
  };
}
