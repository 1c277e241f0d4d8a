import { ApiError } from "../../base/index.ts";

/** Memory that the bodies of all calls share, from the first byte to the end of the call. */
export interface BodyBudget {
  /** Starts counting a body from an address. */
  open(address: string): BodyShare;
  /** Total bytes of all bodies. */
  readonly usedBytes: number;
}

export interface BodyShare {
  /** Bytes reserved for this body. */
  readonly sizeBytes: number;
  /**
   * Reserves more bytes.
   * @throws {ApiError} HOST_BUSY when the budget is used up
   */
  grow(bytes: number): void;
  /** Marks the caller as known: its address is no longer charged for these bytes. */
  identified(): void;
  /** Returns all its bytes to the budget. */
  close(): void;
}

/** Bodies up to this size may use the last quarter of the budget, so that large bodies never keep small ones out. */
const smallBytes = 2 ** 20;
const retryAfterS = 2;

/** Creates the budget of a host. The unidentified callers of one address share a quarter of it. */
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
