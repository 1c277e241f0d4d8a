import type { Knex } from "knex";

/** Numbers of a host's connections to its catalog. */
export interface ConnectionCounts {
  readonly used: number;
  readonly free: number;
  /** Number of statements and transactions that wait for a connection. */
  readonly waiting: number;
}

/** The pool of Knex (tarn), which its types do not describe. */
interface Pool {
  numUsed(): number;
  numFree(): number;
  numPendingAcquires(): number;
}

/** Returns the total counts of several pools. A closed pool has no connections. */
export function connectionCounts(pools: readonly Knex[]): ConnectionCounts {
  const open = pools.flatMap((knex) => {
    const { pool }: { readonly pool?: Pool } = knex.client;
    return pool ? [pool] : [];
  });
  const sum = (count: (pool: Pool) => number) =>
    open.reduce((total, pool) => total + count(pool), 0);
  return {
    used: sum((pool) => pool.numUsed()),
    free: sum((pool) => pool.numFree()),
    waiting: sum((pool) => pool.numPendingAcquires()),
  };
}
