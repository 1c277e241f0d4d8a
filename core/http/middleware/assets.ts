import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, gzip } from "node:zlib";
import type { Middleware } from "koa";
import type { AssetFile, Assets } from "../assets/index.ts";

const compressed = { br: promisify(brotliCompress), gzip: promisify(gzip) };
type Encoding = keyof typeof compressed | "identity";

interface Prepared {
  readonly tag: string;
  readonly bodies: Map<Encoding, Promise<Buffer>>;
}

/** How long browsers cache a file whose name never changes, in seconds. */
const stableSeconds = 300;
const yearSeconds = 31_536_000;

/**
 * Serves the files that browsers load. Pages of any origin may load these files. This is safe, because no cookie is
 * read or set and no file contains user data. Files with a content hash in their name are cached for a year, and others
 * are revalidated after 5 minutes. Compressed bodies are created at the first request and kept in memory.
 */
export function serveAssets(assets: Assets): Middleware {
  const prepared = new Map<string, Prepared>();
  const prepare = ({ path, bytes }: AssetFile): Prepared => {
    const made = prepared.get(path) ?? {
      tag: createHash("sha256").update(bytes).digest("base64url").slice(0, 22),
      bodies: new Map<Encoding, Promise<Buffer>>(),
    };
    prepared.set(path, made);
    return made;
  };
  return async (ctx, next) => {
    const file = await assets.file(ctx.path.slice(1));
    if (!file) return next();
    const { tag, bodies } = prepare(file);
    const { path, bytes, isImmutable } = file;
    const encoding: Encoding = path.endsWith(".woff2") ? "identity" : preferred(ctx);
    ctx.set("Cross-Origin-Resource-Policy", "cross-origin");
    ctx.set(
      "Cache-Control",
      isImmutable
        ? `public, max-age=${yearSeconds}, immutable`
        : `public, max-age=${stableSeconds}`,
    );
    ctx.vary("Accept-Encoding");
    ctx.set("ETag", `"${tag}-${encoding}"`);
    ctx.type = typeOf(path);
    ctx.status = 200;
    if (ctx.fresh) {
      ctx.status = 304;
      return;
    }
    const body = bodies.get(encoding) ?? encode(bytes, encoding);
    bodies.set(encoding, body);
    if (encoding !== "identity") ctx.set("Content-Encoding", encoding);
    ctx.body = await body;
    ctx.type = typeOf(path);
  };
}

function preferred(ctx: Parameters<Middleware>[0]): Encoding {
  const found = ctx.acceptsEncodings("br", "gzip", "identity");
  return found === "br" || found === "gzip" ? found : "identity";
}

async function encode(bytes: Uint8Array, encoding: Encoding): Promise<Buffer> {
  return encoding === "identity" ? Buffer.from(bytes) : compressed[encoding](bytes);
}

function typeOf(path: string): string {
  if (path.endsWith(".js")) return "text/javascript; charset=utf-8";
  if (path.endsWith(".json")) return "application/json; charset=utf-8";
  return path.endsWith(".woff2") ? "font/woff2" : "text/plain; charset=utf-8";
}
