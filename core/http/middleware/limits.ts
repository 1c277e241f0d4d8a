import { isIPv6 } from "node:net";
import { ApiError } from "../../base/index.ts";
import { createBuckets } from "./buckets.ts";

/** Limits how often tokens and addresses may call the host. */
export interface CallLimits {
  /**
   * Admits a call from an address.
   * @throws {ApiError} CREDENTIALS_TOO_MANY when too many calls from the address failed before their callers were
   * identified
   */
  admit(address: string): void;
  /**
   * Counts a call that failed before its caller was identified. `cost` is how many failures the call counts as, because
   * of the work that it caused.
   */
  failed(address: string, cost?: number): void;
  /**
   * Counts a call of a token.
   * @throws {ApiError} CALLS_TOO_MANY
   */
  called(authorizationId: string): void;
  /**
   * Counts a call without credentials by its address.
   * @throws {ApiError} CALLS_TOO_MANY
   */
  visited(address: string): void;
}

export interface CallLimitsOptions {
  /** Calls per second that each token may make; 0 for no limit. */
  readonly callsPerSecond: number;
  /** Number of calls that a token may make at once after a pause. */
  readonly callBurst: number;
  /**
   * Number of calls from one address that may fail per minute before their caller is identified. The same number of
   * calls may also fail at once. 0 means no limit.
   */
  readonly failuresPerMinute: number;
  /** Returns the time of a monotonic clock in milliseconds. */
  readonly now?: () => number;
}

const bucketCount = 100_000;

/**
 * Returns the network under which an address is counted: the /64 network for IPv6, and otherwise the address itself.
 */
function networkOf(address: string): string {
  if (!address.includes(":") || !isIPv6(address) || address.startsWith("::ffff:")) return address;
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

/**
 * Creates the limits of a host. They are kept in memory for at most 100,000 tokens and 100,000 addresses, which take
 * about 10 MB each.
 */
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
