import type { StoreServer } from "./storeServer.ts";
import { untilCertain, type CertaintyOptions } from "./untilCertain.ts";

const pollMs = 100;
/** Milliseconds for which the end of a statement that was given up is waited for. */
const endMs = 10_000;

export interface WritesOptions {
  /** The start of the ids of the statements. */
  readonly name: string;
  /** The table that lists them. */
  readonly processes: string;
  /** The clause that ends statements on every server of a cluster, or an empty text. */
  readonly onCluster: string;
  /** Milliseconds that the caller of a write has. */
  readonly timeoutMs: number;
}

/**
 * Resolves when the statements that run now and whose id starts with `name` have ended. One that runs for longer than
 * its caller waits is ended.
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
 * Ends a statement whose caller has given it up, and waits for that. Nothing is thrown: where the server cannot be
 * asked, whoever counts the rows waits for its end.
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

/** An id of a write holds letters, digits and dashes. */
function endStatement(queryId: string, onCluster: string): string {
  return `kill query${onCluster} where initial_query_id = '${queryId.replaceAll(/[^\w-]/g, "")}'`;
}
