import type { IncomingMessage } from "node:http";
import type { Context, Middleware } from "koa";
import type { CallSource } from "../../identity/index.ts";
import { ApiError, type Principal, type TimeSlices, type Members } from "../../base/index.ts";
import type { Blocks } from "./blocks.ts";
import type { BodyBudget, BodyShare } from "./bodyBudget.ts";
import type { BodyLimits, BodySender, SenderLimits } from "./bodyLimits.ts";
import { createJsonScan, type JsonScan } from "./jsonScan.ts";
import type { CallLimits } from "./limits.ts";
import { parseJson } from "./parseJson.ts";
import { receiveBody, refuseLarge } from "./receiveBody.ts";
import { refuseUnstorable } from "./refuseUnstorable.ts";
import type { RequestState } from "./requestId.ts";
import type { Pacing } from "./createPacing.ts";

/** The state that the body middleware leaves for the next. */
export interface BodyState extends RequestState {
  body: Members<"action" | "version">;
  /** Who calls; absent where nobody has to be known. */
  principal?: Principal;
}

/** The members of a body that say who calls, found before it is parsed: its text, or null for another value. */
export type Envelope = Readonly<Record<string, string | null>>;

/** The path of a call as the middleware before this one leaves it. */
export interface BodyCall extends CallSource {
  /** Absent for the sign-in. */
  readonly resource: string | undefined;
}

export interface BodyOptions {
  /** The largest limits of any sender. */
  limitsOf(resource: string | undefined): BodyLimits;
  /** The limits for what is known about the sender; the largest if that makes no difference. */
  senderLimitsOf?(sender: BodySender): SenderLimits;
  readonly budget: BodyBudget;
  readonly pacing: Pacing;
  readonly calls: Pick<CallLimits, "admit" | "failed">;
  /** Returns whether the body is read although its address failed too often; later steps then decide by the body. */
  isLetIn?(ctx: Context): boolean;
  /** The time slices in which callers have their bodies parsed; without them a body is parsed as it arrives. */
  readonly timeSlices?: Pick<TimeSlices, "begin">;
  /**
   * Identifies the caller before the body is parsed, of whose bytes this many have arrived. @throws {ApiError}
   * UNAUTHORIZED, and what the limits of calls say
   */
  identify?(envelope: Envelope, call: BodyCall, sizeBytes: number): Promise<Principal>;
  readonly times?: BodyTimes;
  /** Another media type of JSON that these bodies may have. */
  readonly mediaType?: string;
  /** Returns the session that a call names outside its body. @throws {ApiError} SESSION_CROSS_SITE */
  sessionOf?(ctx: Context): string | undefined;
}

export interface BodyTimes {
  /** Longest wait, in milliseconds, for the next bytes of a body. */
  readonly stallMs: number;
  /** Longest time, in milliseconds, for a whole body. */
  readonly wholeMs: number;
  /** Milliseconds for which the rest of a refused body is still taken. */
  readonly lingerMs: number;
}

const usualTimes: BodyTimes = { stallMs: 15_000, wholeMs: 100_000, lingerMs: 2_000 };

/** A failed call costs its address one more failure for each of these bytes. */
const costBytes = 2 ** 20;
const handWrittenBytes = 2 ** 10;
const lightBytes = 2 ** 20;
/** Bytes of a body that is parsed in less time than a turn costs. */
const smallBytes = 16 * 2 ** 10;
/** Parsing a slice takes about as long as scanning so many bytes. */
const sliceCost = 256 * 2 ** 10;

/**
 * Reads the JSON body of every verb (most parsers read only POST, PUT and PATCH) into `ctx.state.body`. The cost
 * before the caller is known is bounded: bytes are scanned as they arrive, key and token are found in them, and
 * only the body of a known caller is parsed, in slices. A call that fails before that is paid by its address.
 * @throws {ApiError} every REQUEST_ code, HOST_BUSY, CREDENTIALS_TOO_MANY, and what `identify` throws
 */
export function body(options: BodyOptions): Middleware<BodyState & { resource?: string }> {
  const { calls, budget, pacing, sessionOf } = options;
  return async (ctx, next) => {
    const { resource } = ctx.state;
    const session = sessionOf?.(ctx);
    const call = { address: ctx.ip, origin: ctx.get("Origin") || undefined, resource, session };
    if (options.isLetIn?.(ctx) !== true) calls.admit(call.address);
    const share = budget.open(call.address);
    try {
      const scan = createJsonScan(options.limitsOf(resource));
      let blocks: Blocks;
      try {
        checkMediaType(ctx.get("Content-Type"), options.mediaType);
        blocks = await receive(ctx, options, call, scan, share);
      } catch (failure) {
        // A known caller pays as every call of its token does.
        if (!ctx.state.principal) charge(calls, call, failure, share.sizeBytes);
        leave(ctx, failure, options.times ?? usualTimes);
        throw failure;
      }
      const { principal } = ctx.state;
      if (principal && blocks.sizeBytes > smallBytes) {
        const { organizationId: organization, userId: user } = principal;
        await options.timeSlices?.begin({ organization, user });
      }
      ctx.state.body = await parse(blocks, pacing, scan);
      if (scan.hasRareEscape) await refuseUnstorable(ctx.state.body, resource);
      await next();
    } finally {
      share.close();
    }
  };
}

function checkMediaType(contentType: string, other: string | undefined): void {
  const mediaType = contentType.split(";", 1)[0]?.trim().toLowerCase() ?? "";
  if (!["", "application/json", "text/plain", other].includes(mediaType))
    throw new ApiError("REQUEST_MEDIA_TYPE", [mediaType.slice(0, 100)]);
}

async function receive(
  ctx: { readonly req: IncomingMessage; readonly state: BodyState },
  { limitsOf, senderLimitsOf, identify, pacing, times = usualTimes }: BodyOptions,
  call: BodyCall,
  scan: JsonScan,
  share: BodyShare,
): Promise<Blocks> {
  const { resource = "a sign-in" } = call;
  const largest = { ...limitsOf(call.resource), target: resource };
  const limits = (): SenderLimits => {
    const { principal } = ctx.state;
    const action = scan.members.get("action");
    return senderLimitsOf?.({ resource, principal, action }) ?? largest;
  };
  const announced = Number(ctx.req.headers["content-length"] ?? 0);
  let identifying: Promise<void> | undefined;
  const identified = async () => {
    const principal = await identify?.(Object.fromEntries(scan.members), call, share.sizeBytes);
    if (principal) ctx.state.principal = principal;
    share.identified();
    // Once the caller is known, refuse early instead of receiving the rest.
    refuseLarge(limits(), Math.max(announced, share.sizeBytes), scan);
  };
  const blocks = await receiveBody(ctx.req, {
    ...times,
    largest,
    limits,
    share,
    scan,
    pacing,
    onPart() {
      if (identifying || !(call.session !== undefined || hasPair(scan))) return undefined;
      return (identifying = identified());
    },
  });
  identifying ??= identified();
  // Whoever writes a first call by hand is told what is wrong with it, key or not; larger bodies cost their scan alone.
  await identifying.catch(async (failure: unknown) => {
    if (blocks.sizeBytes <= handWrittenBytes) await parse(blocks, pacing, scan);
    throw failure;
  });
  // The action may have come after key and token.
  refuseLarge(limits(), blocks.sizeBytes, scan);
  return blocks;
}

function hasPair({ members }: JsonScan): boolean {
  return typeof members.get("key") === "string" && typeof members.get("token") === "string";
}

/**
 * Drops the rest of a body. A client that is still sending reads no answer from a connection that is closed under
 * it, so it goes on for a while, into nothing.
 */
function leave(ctx: Pick<Context, "req" | "set">, failure: unknown, { lingerMs }: BodyTimes): void {
  const { req } = ctx;
  if (req.complete) return;
  if (failure instanceof ApiError && failure.code === "REQUEST_TIMEOUT")
    ctx.set("Connection", "close");
  req.resume();
  const timer = setTimeout(() => req.complete || req.socket.destroy(), lingerMs);
  req.once("close", () => clearTimeout(timer));
}

/** Has the address of a call pay for its failure, and for the bytes that it sent. */
function charge(
  calls: Pick<CallLimits, "failed">,
  { address }: BodyCall,
  failure: unknown,
  sizeBytes: number,
): void {
  const isCaused =
    failure instanceof ApiError && [400, 401, 408, 413, 415].includes(failure.status);
  if (!isCaused) return;
  // A client that loses its connection has done nothing wrong, but its bytes were work.
  const own = failure.code === "REQUEST_ABORTED" ? 0 : 1;
  calls.failed(address, own + Math.floor(sizeBytes / costBytes));
}

async function parse(
  blocks: Blocks,
  pacing: Pacing,
  scan: JsonScan,
): Promise<Readonly<Record<string, unknown>>> {
  const options = {
    yieldTurn: () => pacing.take(sliceCost),
    ...(isLight(scan) && { sliceBytes: lightBytes }),
  };
  try {
    return (await parseJson(await blocks.join(), options)) as Readonly<Record<string, unknown>>;
  } catch (cause) {
    throw new ApiError("REQUEST_NOT_JSON", ["it cannot be parsed as JSON in UTF-8"], { cause });
  }
}

/**
 * Whether a body of a MiB is parsed at once in a few milliseconds: what takes long is not bytes but objects, and names
 * above all.
 */
function isLight({ valueCount, nameCount }: JsonScan): boolean {
  return valueCount <= 100_000 && nameCount <= 5_000;
}
