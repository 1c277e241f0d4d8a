/** Buckets of calls by name: each is filled at a steady rate up to its size, and a call takes one out. */
export interface Buckets {
  /** Takes one out; answers 0, or the milliseconds until there is one again. */
  take(name: string): number;
  /** Takes `amount` out whatever there is; a bucket owes at most its own size. */
  charge(name: string, amount: number): void;
  /** Milliseconds until there is one to take; 0 when there is. Takes nothing. */
  wait(name: string): number;
  /** Buckets that are kept. */
  readonly count: number;
}

export interface BucketsOptions {
  readonly perSecond: number;
  /** Size of a bucket; a new one is full. */
  readonly burst: number;
  /** The most buckets kept; the least recently used one is dropped first. */
  readonly limit: number;
  /** Milliseconds of a clock that never goes back. */
  readonly now?: () => number;
}

interface Bucket {
  left: number;
  at: number;
}

/** Makes buckets. A bucket that is full again is the same as none, so memory holds those in use alone. O(1) a call. */
export function createBuckets(options: BucketsOptions): Buckets {
  const { perSecond, burst, limit, now = () => performance.now() } = options;
  const buckets = new Map<string, Bucket>();

  const leftOf = (bucket: Bucket | undefined, at: number) =>
    bucket ? Math.min(burst, bucket.left + ((at - bucket.at) / 1000) * perSecond) : burst;
  const waitFor = (left: number) => (left >= 1 ? 0 : ((1 - left) / perSecond) * 1000);
  /** Drops up to two that are full again, the longest unused first; with no room left, one that is not. */
  const makeRoom = (at: number) => {
    let looked = 0;
    for (const [name, bucket] of buckets) {
      const isInUse = leftOf(bucket, at) < burst;
      if (looked++ === 2 || (isInUse && buckets.size < limit)) return;
      buckets.delete(name);
      if (isInUse) return;
    }
  };

  return {
    take(name) {
      const at = now();
      const left = leftOf(buckets.get(name), at);
      const wait = waitFor(left);
      if (!buckets.delete(name)) makeRoom(at);
      buckets.set(name, { left: wait > 0 ? left : left - 1, at });
      return wait;
    },
    charge(name, amount) {
      const at = now();
      const left = leftOf(buckets.get(name), at);
      if (!buckets.delete(name)) makeRoom(at);
      buckets.set(name, { left: Math.max(-burst, left - amount), at });
    },
    wait: (name) => waitFor(leftOf(buckets.get(name), now())),
    get count() {
      return buckets.size;
    },
  };
}
