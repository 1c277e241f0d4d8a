import { isIPv6 } from "node:net";
import { ApiError } from "../../base/index.ts";
import { createBuckets } from "./buckets.ts";

/** How often callers may call. */
export interface CallLimits {
  /** @throws {ApiError} CREDENTIALS_TOO_MANY when too many calls from an address failed before they were let in */
  admit(address: string): void;
  /** Counts a call that failed before it was let in: `cost` failures, for the work that it made. */
  failed(address: string, cost?: number): void;
  /** Counts a call of a token. @throws {ApiError} CALLS_TOO_MANY */
  called(authorizationId: string): void;
  /** Counts a call without credentials, by address. @throws {ApiError} CALLS_TOO_MANY */
  visited(address: string): void;
}

export interface CallLimitsOptions {
  /** Calls a second of each token; 0 for no limit. */
  readonly callsPerSecond: number;
  /** Calls that a token may make at once after a pause. */
  readonly callBurst: number;
  /**
   * Calls a minute, and at once, that may fail before they are let in, of each address; 0 for no limit.
   */
  readonly failuresPerMinute: number;
  /** Milliseconds of a clock that never goes back. */
  readonly now?: () => number;
}

const bucketCount = 100_000;

/** Returns the address that is counted: IPv6 callers are counted per /64 network. */
function networkOf(address: string): string {
  if (!isIPv6(address) || address.startsWith("::ffff:")) return address;
  const [head = "", tail = ""] = address.split("%")[0]!.split("::");
  const left = head === "" ? [] : head.split(":");
  const right = tail === "" ? [] : tail.split(":");
  const zeros = address.includes("::")
    ? Array<string>(8 - left.length - right.length).fill("0")
    : [];
  return [...left, ...zeros, ...right].slice(0, 4).join(":");
}

function seconds(waitMs: number): number {
  return Math.max(1, Math.ceil(waitMs / 1000));
}

/** Makes the limits of one host, kept in memory: at most 100,000 tokens and 100,000 addresses, some 10 MB each. */
export function createCallLimits(options: CallLimitsOptions): CallLimits {
  const { callsPerSecond, callBurst, failuresPerMinute, now } = options;
  const clock = now ? { now } : {};
  const calls = createBuckets({
    perSecond: callsPerSecond || 1,
    burst: Math.max(1, callBurst),
    limit: bucketCount,
    ...clock,
  });
  const failures = createBuckets({
    perSecond: failuresPerMinute / 60 || 1,
    burst: Math.max(1, failuresPerMinute),
    limit: bucketCount,
    ...clock,
  });
  const count = (bucket: string) => {
    if (callsPerSecond === 0) return;
    const waitMs = calls.take(bucket);
    if (waitMs > 0)
      throw new ApiError("CALLS_TOO_MANY", [callsPerSecond], { retryAfterS: seconds(waitMs) });
  };
  return {
    admit(address) {
      if (failuresPerMinute === 0) return;
      const waitMs = failures.wait(networkOf(address));
      if (waitMs > 0)
        throw new ApiError("CREDENTIALS_TOO_MANY", [], { retryAfterS: seconds(waitMs) });
    },
    failed(address, cost = 1) {
      if (failuresPerMinute > 0) failures.charge(networkOf(address), cost);
    },
    called: count,
    visited: (address) => count(`address ${networkOf(address)}`),
  };
}
