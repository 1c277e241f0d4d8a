import type { StoreServer } from "./storeServer.ts";
import { untilCertain, type CertaintyOptions } from "./untilCertain.ts";

const pollMs = 100;
/** Milliseconds to wait for an abandoned statement to end. */
const endMs = 10_000;

export interface WritesOptions {
  /** Prefix of the ids of the statements on the server. */
  readonly name: string;
  /** Name of the system table that lists running statements. */
  readonly processes: string;
  /** The clause that applies a statement to every server of a cluster; empty for a single server. */
  readonly onCluster: string;
  /** Milliseconds after which the caller of a write stops waiting. */
  readonly timeoutMs: number;
}

/**
 * Waits until every running statement whose id starts with `name` has ended. Ignores statements that start later.
 * Cancels statements whose callers no longer wait for them.
 */
export async function endedWrites(
  server: StoreServer,
  { name, processes, onCluster, timeoutMs }: WritesOptions,
  options: CertaintyOptions,
): Promise<void> {
  const { signal, wait } = options;
  const statement = `select initial_query_id, max(elapsed) from ${processes}
where startsWith(initial_query_id, {name:String}) group by initial_query_id`;
  const running = async () =>
    (await untilCertain(() => server.rows(statement, { name }, signal), options)).map(
      ([id, elapsedS]) => ({ id: String(id), elapsedMs: Number(elapsedS) * 1000 }),
    );
  let left = await running();
  const first = new Set(left.map(({ id }) => id));
  while (left.length > 0) {
    for (const { id, elapsedMs } of left)
      if (elapsedMs > timeoutMs) await server.run(endStatement(id, onCluster), signal);
    await wait(pollMs, signal);
    left = (await running()).filter(({ id }) => first.has(id));
  }
}

/**
 * Cancels an abandoned statement and waits until it has ended. Never throws. If the server cannot be reached, a later
 * call waits for the statement before it counts rows.
 */
export async function endWrite(
  server: StoreServer,
  queryId: string,
  onCluster = "",
): Promise<void> {
  await server
    .run(`${endStatement(queryId, onCluster)} sync`, AbortSignal.timeout(endMs))
    .catch(() => undefined);
}

/**
 * Returns the statement that cancels a query. The id needs no escaping, because it contains only letters, digits and
 * dashes.
 */
function endStatement(queryId: string, onCluster: string): string {
  return `kill query${onCluster} where initial_query_id = '${queryId.replaceAll(/[^\w-]/g, "")}'`;
}
