import type { IncomingMessage } from "node:http";
import type { Middleware } from "koa";
import { ApiError, isObject, type SentFile } from "../../base/index.ts";
import {
  type BodyOptions,
  type BodyState,
  charge,
  leave,
  parseSliced,
  usualTimes,
} from "./body.ts";
import { bodyLimitsOf } from "./bodyLimits.ts";
import { createJsonScan } from "./jsonScan.ts";
import { readForm, type ReceivedForm } from "./readForm.ts";
import { refuseUnstorable } from "./refuseUnstorable.ts";

/** The state that the middleware sets for calls with a form. */
export interface FormState extends BodyState {
  /** The file of the call; absent for calls whose body is JSON. */
  file?: SentFile;
}

type FormContext = FormState & { resource: string };

/** The resources whose calls may send a file. */
const withFiles: readonly string[] = ["data"];
/** The actions whose calls may send a file. */
const withFile: readonly string[] = ["create", "validate"];
/** Maximum bytes of the JSON of a call that sends a file. */
const callBytes = 256 * 2 ** 10;

const slowRequests = new WeakSet<IncomingMessage>();

/** Returns whether a request may take longer than the limit for receiving a request, because it contains a file. */
export function isSlow(request: IncomingMessage): boolean {
  return slowRequests.has(request);
}

/**
 * Reads calls that send a file, as `multipart/form-data`: first the JSON of the call, then the file. The caller is
 * identified before any byte of the file is read. The handler reads the file as it arrives. All other calls are left to
 * `other`.
 * @throws {ApiError} REQUEST_FORM_INVALID, REQUEST_ENCODING, and the errors of `other`
 */
export function uploadForm(
  options: BodyOptions,
  other: Middleware<FormContext>,
): Middleware<FormContext> {
  const { calls, budget, pacing, sessionOf, identify, times = usualTimes } = options;
  return async (ctx, next) => {
    const { resource } = ctx.state;
    if (
      !withFiles.includes(resource) ||
      !/^multipart\/form-data(;|$)/i.test(ctx.get("Content-Type"))
    )
      return other(ctx, next);
    const session = sessionOf?.(ctx);
    const call = { address: ctx.ip, origin: ctx.get("Origin") || undefined, resource, session };
    calls.admit(call.address);
    const share = budget.open(call.address);
    let form: ReceivedForm | undefined;
    let failed: unknown;
    try {
      try {
        const encoding = ctx.get("Content-Encoding").toLowerCase();
        if (encoding !== "" && encoding !== "identity")
          throw new ApiError("REQUEST_ENCODING", [
            `${encoding.slice(0, 100)} of a form (compress the file itself instead)`,
          ]);
        share.grow(callBytes);
        form = await readForm(ctx.req, { callBytes, stallMs: times.stallMs });
        const scan = createJsonScan(bodyLimitsOf(resource));
        scan.scan(form.call);
        scan.end();
        const principal = await identify?.(
          Object.fromEntries(scan.members),
          call,
          form.call.length,
        );
        if (principal) ctx.state.principal = principal;
        const parsed = await parseSliced(form.call, pacing, scan);
        if (!isObject<"action" | "version">(parsed)) throw new ApiError("REQUEST_NOT_AN_OBJECT");
        ctx.state.body = parsed;
        if (!withFile.includes(String(parsed.action)))
          throw new ApiError("MEMBER_INVALID", [
            "action",
            `it must be ${withFile.join(" or ")} in a call that sends a file`,
          ]);
        if (scan.hasRareEscape) await refuseUnstorable(parsed, resource);
      } catch (failure) {
        if (!ctx.state.principal) charge(calls, call, failure, share.sizeBytes);
        throw failure;
      }
      share.close();
      slowRequests.add(ctx.req);
      if (form.file) ctx.state.file = form.file;
      return await next();
    } catch (failure) {
      failed = failure;
      throw failure;
    } finally {
      share.close();
      form?.close();
      leave(ctx, failed, times);
    }
  };
}
