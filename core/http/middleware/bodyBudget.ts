import { ApiError } from "../../base/index.ts";

/** Limits the memory for the bodies of all calls, from their first byte until the call ends. */
export interface BodyBudget {
  /** Starts counting the bytes of a body from an address. */
  open(address: string): BodyShare;
  /** Number of bytes that all bodies use. */
  readonly usedBytes: number;
}

export interface BodyShare {
  /** Number of bytes reserved for this body. */
  readonly sizeBytes: number;
  /**
   * Reserves more bytes.
   * @throws {ApiError} HOST_BUSY when the budget is used up
   */
  grow(bytes: number): void;
  /** Marks the caller as identified, so that the bytes no longer count against its address. */
  identified(): void;
  /** Returns all bytes of this body to the budget. */
  close(): void;
}

/**
 * Only bodies up to this size may use the last quarter of the budget, so that large bodies never block small bodies.
 */
const smallBytes = 2 ** 20;
const retryAfterS = 2;

/** Creates the budget of a host. Unidentified callers from one address may use at most a quarter of the budget. */
export function createBodyBudget(sizeBytes: number): BodyBudget {
  const byAddress = new Map<string, number>();
  const quarter = sizeBytes / 4;
  let usedBytes = 0;

  const charge = (address: string, bytes: number) => {
    const left = (byAddress.get(address) ?? 0) + bytes;
    if (left > 0) byAddress.set(address, left);
    else byAddress.delete(address);
  };
  return {
    get usedBytes() {
      return usedBytes;
    },
    open(address) {
      let ownBytes = 0;
      let isKnown = false;
      return {
        get sizeBytes() {
          return ownBytes;
        },
        grow(bytes) {
          const own = ownBytes + bytes;
          const room = own > smallBytes ? sizeBytes - quarter : sizeBytes;
          const isOver = !isKnown && (byAddress.get(address) ?? 0) + bytes > quarter;
          if (isOver || usedBytes + bytes > room)
            throw new ApiError("HOST_BUSY", ["the bodies of other calls"], { retryAfterS });
          ownBytes = own;
          usedBytes += bytes;
          if (!isKnown) charge(address, bytes);
        },
        identified() {
          if (!isKnown) charge(address, -ownBytes);
          isKnown = true;
        },
        close() {
          if (!isKnown) charge(address, -ownBytes);
          usedBytes -= ownBytes;
          ownBytes = 0;
          isKnown = true;
        },
      };
    },
  };
}
