import type { Middleware } from "koa";
import type { ExportFiles } from "../exports/index.ts";
import type { CallLimits } from "./limits.ts";
import { ApiError } from "../errors.ts";

/**
 * Serves the file behind the link of an export, without credentials, cookie or redirect. A link that opens nothing is
 * answered alike, whatever is wrong with it, and counts as a failure of its address.
 */
export function exportFile(
  files: Pick<ExportFiles, "open">,
  { limits, stallMs }: { readonly limits: CallLimits; readonly stallMs: number },
): Middleware {
  return async (ctx) => {
    const { token }: { readonly token: string } = ctx["params"];
    limits.admit(ctx.ip);
    limits.visited(ctx.ip);
    try {
      const { mediaType, name, sizeBytes, stream } = await files.open(token, ctx.ip);
      ctx.set("Content-Disposition", `attachment; filename="${name}"`);
      ctx.res.setTimeout(stallMs);
      ctx.body = stream;
      ctx.type = mediaType;
      ctx.length = sizeBytes;
    } catch (failure) {
      if (failure instanceof ApiError && failure.code === "EXPORT_LINK_ENDED")
        limits.failed(ctx.ip);
      throw failure;
    }
  };
}
