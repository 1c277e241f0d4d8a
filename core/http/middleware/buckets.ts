/** Token buckets by name. Each bucket refills at a steady rate up to its size, and each call takes one token. */
export interface Buckets {
  /** Takes a token. Returns 0, or the milliseconds until the next token is available. */
  take(name: string): number;
  /** Takes `amount` tokens even if the bucket has fewer. The bucket's debt is at most its size. */
  charge(name: string, amount: number): void;
  /** Returns the milliseconds until a token is available, or 0. Takes no token. */
  wait(name: string): number;
  /** Number of buckets in memory. */
  readonly count: number;
}

export interface BucketsOptions {
  readonly perSecond: number;
  /** Size of a bucket in tokens. New buckets are full. */
  readonly burst: number;
  /** Maximum number of buckets. Beyond it, the least recently used bucket is dropped. */
  readonly limit: number;
  /** Returns the time of a monotonic clock in milliseconds. */
  readonly now?: () => number;
}

interface Bucket {
  left: number;
  at: number;
}

/**
 * Creates buckets. Full buckets are dropped, because new ones are full too, so that memory contains only buckets in
 * use. O(1) per call.
 */
export function createBuckets(options: BucketsOptions): Buckets {
  const { perSecond, burst, limit, now = () => performance.now() } = options;
  const buckets = new Map<string, Bucket>();

  const leftOf = (bucket: Bucket | undefined, at: number) =>
    bucket ? Math.min(burst, bucket.left + ((at - bucket.at) / 1000) * perSecond) : burst;
  const waitFor = (left: number) => (left >= 1 ? 0 : ((1 - left) / perSecond) * 1000);
  /** Drops up to two full buckets, least recently used first. At the limit, also drops a bucket that is not full. */
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
