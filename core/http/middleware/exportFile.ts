import { create as contentDisposition } from "content-disposition";
import type { Middleware } from "koa";
import type { ReadAudit } from "../../catalog/index.ts";
import { ApiError, nobody } from "../../base/index.ts";
import type { ExportFiles } from "../../exports/index.ts";
import type { CallLimits } from "./limits.ts";
import type { RequestState } from "./requestId.ts";

export interface ExportFileOptions {
  readonly limits: CallLimits;
  readonly stallMs: number;
  /** Records who reads which records. Without it, reads are not audited. */
  readonly auditRead?: ReadAudit | undefined;
}

/**
 * Serves the file behind an export link, without credentials, cookies or redirects. All invalid links get the same
 * response, and each counts as a failed attempt from the caller's address.
 */
export function exportFile(
  files: Pick<ExportFiles, "open">,
  { limits, stallMs, auditRead }: ExportFileOptions,
): Middleware<RequestState> {
  return async (ctx) => {
    const { token }: { readonly token: string } = ctx["params"];
    limits.admit(ctx.ip);
    limits.visited(ctx.ip);
    try {
      const { id, holder, mediaType, name, sizeBytes, stream } = await files.open(token, ctx.ip);
      const principal = { ...holder, authorizationId: holder.authorizationId ?? nobody };
      const { requestId } = ctx.state;
      const call = { resource: "export", action: "get", body: { id }, principal } as const;
      await auditRead?.({ ...call, requestId }, ctx.ip).catch((failure: unknown) => {
        stream.destroy();
        throw failure;
      });
      ctx.set("Content-Disposition", contentDisposition(name));
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
