import { ApiError } from "../../base/index.ts";

/** Memory that the bodies of all calls share, from their first byte to the end of their call. */
export interface BodyBudget {
  /** Begins a body that comes from an address. */
  open(address: string): BodyShare;
  /** Bytes that all bodies hold. */
  readonly usedBytes: number;
}

export interface BodyShare {
  /** Bytes that it holds. */
  readonly sizeBytes: number;
  /** Takes room for more bytes. @throws {ApiError} HOST_BUSY when there is none */
  grow(bytes: number): void;
  /** The caller is known: its address no longer answers for these bytes. */
  identified(): void;
  /** Returns all its bytes to the budget. */
  close(): void;
}

/**
 * Bodies up to this size may use the last quarter of the budget, so that large ones never close the host to small ones.
 */
const smallBytes = 2 ** 20;
const retryAfterS = 2;

/** Creates the budget of a host. An address whose callers are not known yet has a quarter of it. */
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
