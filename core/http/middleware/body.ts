import type { IncomingMessage } from "node:http";
import type { Context, Middleware } from "koa";
import type { CallSource } from "../../identity/index.ts";
import {
  ApiError,
  isObject,
  type Principal,
  type TimeSlices,
  type Members,
  UnparsedJson,
} from "../../base/index.ts";
import type { Blocks } from "./blocks.ts";
import type { BodyBudget, BodyShare } from "./bodyBudget.ts";
import type { BodyLimits, BodySender, SenderLimits } from "./bodyLimits.ts";
import { createRowMemory } from "./createRowMemory.ts";
import { createJsonScan, type JsonScan } from "./jsonScan.ts";
import type { CallLimits } from "./limits.ts";
import { parseJson } from "./parseJson.ts";
import { receiveBody, refuseLarge } from "./receiveBody.ts";
import { refuseUnstorable } from "./refuseUnstorable.ts";
import type { RequestState } from "./requestId.ts";
import type { Pacing } from "./createPacing.ts";

/** The state that the body middleware sets for the next middleware. */
export interface BodyState extends RequestState {
  body: Members<"action" | "version">;
  /** The caller; absent if the mount does not identify callers. */
  principal?: Principal;
}

/**
 * The members of a body that identify the caller, found before the body is parsed. A value is null if it is not a
 * string.
 */
export type Envelope = Readonly<Record<string, string | null>>;

/** The source of a call, with the resource in its path. */
export interface BodyCall extends CallSource {
  /** The resource in the path; absent for the sign-in. */
  readonly resource: string | undefined;
}

export interface BodyOptions {
  /** Returns the largest limits that apply to any sender. */
  limitsOf(resource: string | undefined): BodyLimits;
  /** Returns the limits for what is known about the sender so far. If omitted, every sender has the largest limits. */
  senderLimitsOf?(sender: BodySender): SenderLimits;
  readonly budget: BodyBudget;
  readonly pacing: Pacing;
  readonly calls: Pick<CallLimits, "admit" | "failed">;
  /**
   * Returns whether to read the body even though too many calls from its address failed. Later steps then decide, once
   * they know the body.
   */
  isLetIn?(ctx: Context): boolean;
  /** Time slices in which the bodies of callers are parsed. If absent, no body waits for a time slice. */
  readonly timeSlices?: Pick<TimeSlices, "begin">;
  /**
   * Identifies the caller once key and token have arrived. `sizeBytes` is how much of the body has been read.
   * @throws {ApiError} UNAUTHORIZED, and the errors of the call limits
   */
  identify?(envelope: Envelope, call: BodyCall, sizeBytes: number): Promise<Principal>;
  readonly times?: BodyTimes;
  /** A further JSON media type that is accepted for these bodies. */
  readonly mediaType?: string;
  /**
   * Returns the session that a call sends outside of its body.
   * @throws {ApiError} SESSION_CROSS_SITE
   */
  sessionOf?(ctx: Context): string | undefined;
}

export interface BodyTimes {
  /** Maximum wait for further bytes of a body, in milliseconds. */
  readonly stallMs: number;
  /** Maximum time for receiving a whole body, in milliseconds. */
  readonly wholeMs: number;
  /** How long the host continues to receive and discard the rest of a refused body, in milliseconds. */
  readonly lingerMs: number;
}

export const usualTimes: BodyTimes = { stallMs: 15_000, wholeMs: 100_000, lingerMs: 2_000 };

/** Number of sent bytes for which a failed call counts as one more failure of its address. */
const costBytes = 2 ** 20;
const handWrittenBytes = 2 ** 10;
const lightBytes = 2 ** 20;
/** Maximum bytes of a body that is parsed in less time than a turn of the event loop. */
const smallBytes = 16 * 2 ** 10;
/** Minimum bytes of the rows of a push that another thread decodes. Fewer rows are parsed in less time. */
const largeBytes = 32 * 2 ** 10;
/** Stands for the rows in the JSON around them. */
const blank = Buffer.from("null");
/** Number of bytes that can be scanned in the time that parsing one slice takes. */
const sliceCost = 256 * 2 ** 10;

/**
 * Reads the JSON body of requests with any method into `ctx.state.body` (most parsers read only POST, PUT and PATCH).
 * The cost of unknown callers is bounded: bytes are scanned as they arrive, to find key and token. Only the bodies of
 * known callers are parsed, in slices. The rows of a large push are left as JSON, because threads of the store can
 * decode them faster. Calls that fail before their callers are known count against their addresses.
 * @throws {ApiError} every REQUEST_ code, HOST_BUSY, CREDENTIALS_TOO_MANY, and the errors of `identify`
 */
export function body(options: BodyOptions): Middleware<BodyState & { resource?: string }> {
  const { calls, budget, pacing, sessionOf } = options;
  const memory = createRowMemory();
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
        // The call of a known caller counts towards the limits of its token.
        if (!ctx.state.principal) charge(calls, call, failure, share.sizeBytes);
        leave(ctx, failure, options.times ?? usualTimes);
        throw failure;
      }
      const { principal } = ctx.state;
      if (principal && blocks.sizeBytes > smallBytes) {
        const { organizationId: organization, userId: user } = principal;
        await options.timeSlices?.begin({ organization, user });
      }
      const rows = resource === "data" ? largeRows(scan) : undefined;
      const left = rows && memory.take(rows.end - rows.from);
      try {
        ctx.state.body =
          rows && left
            ? await parseAround(rows, left, { blocks, pacing, scan })
            : await parse(blocks, pacing, scan);
        if (scan.hasRareEscape) await refuseUnstorable(ctx.state.body, resource);
        await next();
      } catch (failure) {
        // Handlers refuse a push before or after its rows are decoded. After any other error, such as a timeout, a
        // thread may still read the rows.
        if (left && failure instanceof ApiError) memory.give(left);
        throw failure;
      }
      if (left) memory.give(left);
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
    // Once the caller is known, refuse a large body early instead of receiving the rest.
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
  // Parse small bodies without a key as well, so that people who write their first call by hand see what is wrong with
  // it. Larger bodies are only scanned.
  await identifying.catch(async (failure: unknown) => {
    if (blocks.sizeBytes <= handWrittenBytes) await parse(blocks, pacing, scan);
    throw failure;
  });
  // The action may have arrived after key and token, so check the limits again.
  refuseLarge(limits(), blocks.sizeBytes, scan);
  return blocks;
}

function hasPair({ members }: JsonScan): boolean {
  return typeof members.get("key") === "string" && typeof members.get("token") === "string";
}

/**
 * Discards the rest of a refused body. A client that is still sending cannot read a response from a closing connection,
 * so the host continues to receive bytes for a while.
 */
export function leave(
  ctx: Pick<Context, "req" | "set">,
  failure: unknown,
  { lingerMs }: BodyTimes,
): void {
  const { req } = ctx;
  if (req.complete) return;
  if (failure instanceof ApiError && failure.code === "REQUEST_TIMEOUT")
    ctx.set("Connection", "close");
  req.resume();
  const timer = setTimeout(() => req.complete || req.socket.destroy(), lingerMs);
  req.once("close", () => clearTimeout(timer));
}

/** Counts a failed call, and the bytes it sent, against its address. */
export function charge(
  calls: Pick<CallLimits, "failed">,
  { address }: BodyCall,
  failure: unknown,
  sizeBytes: number,
): void {
  const isCaused =
    failure instanceof ApiError && [400, 401, 408, 413, 415].includes(failure.status);
  if (!isCaused) return;
  // A client that loses its connection made no mistake, but its bytes caused work.
  const own = failure.code === "REQUEST_ABORTED" ? 0 : 1;
  calls.failed(address, own + Math.floor(sizeBytes / costBytes));
}

async function parse(
  blocks: Blocks,
  pacing: Pacing,
  scan: JsonScan,
): Promise<Readonly<Record<string, unknown>>> {
  const body = await parseSliced(await blocks.join(), pacing, scan);
  return body as Readonly<Record<string, unknown>>;
}

/** Parses a body, except the rows of a push, which are left as JSON in `left`. */
async function parseAround(
  rows: { readonly from: number; readonly end: number },
  left: Uint8Array,
  { blocks, pacing, scan }: { blocks: Blocks; pacing: Pacing; scan: JsonScan },
): Promise<Readonly<Record<string, unknown>>> {
  const { from, end } = rows;
  const { sizeBytes } = blocks;
  const around = Buffer.allocUnsafeSlow(from + blank.length + sizeBytes - end);
  await blocks.copy(0, from, around);
  around.set(blank, from);
  await blocks.copy(end, sizeBytes, around.subarray(from + blank.length));
  await blocks.copy(from, end, left);
  blocks.release();
  const body = await parseSliced(around, pacing, scan);
  if (!isObject<"properties">(body) || !isObject(body.properties))
    throw new TypeError("the scan found rows outside of properties");
  const data = new UnparsedJson(left, () => parseSliced(left, pacing, scan));
  Object.assign(body.properties, { data });
  return body;
}

/** Returns the offsets of the rows of a push if the rows are worth being decoded by another thread. */
function largeRows({ rows, members }: JsonScan): JsonScan["rows"] {
  const action = members.get("action");
  if (action !== "create" && action !== "validate") return undefined;
  return rows && rows.end - rows.from >= largeBytes ? rows : undefined;
}

export async function parseSliced(
  bytes: Uint8Array,
  pacing: Pacing,
  scan: JsonScan,
): Promise<unknown> {
  const options = {
    yieldTurn: () => pacing.take(sliceCost),
    ...(isLight(scan) && { sliceBytes: lightBytes }),
  };
  try {
    return await parseJson(bytes, options);
  } catch (cause) {
    throw new ApiError("REQUEST_NOT_JSON", ["it cannot be parsed as JSON in UTF-8"], { cause });
  }
}

/**
 * Returns whether a body of one MiB can be parsed without a break within a few milliseconds. The time depends on the
 * number of objects and member names rather than on the number of bytes.
 */
function isLight({ valueCount, nameCount }: JsonScan): boolean {
  return valueCount <= 100_000 && nameCount <= 5_000;
}
