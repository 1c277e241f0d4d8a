import type { Knex } from "knex";

/** How many of a host's connections to its catalog are in each state. */
export interface ConnectionCounts {
  readonly used: number;
  readonly free: number;
  /** Number of statements and transactions that wait for a connection. */
  readonly waiting: number;
}

/** The pool (tarn) inside a Knex client, which Knex's types do not describe. */
interface Pool {
  numUsed(): number;
  numFree(): number;
  numPendingAcquires(): number;
}

/** Returns the connection counts of several pools, added up. A closed pool counts as empty. */
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
