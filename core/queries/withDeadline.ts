import { PluginError } from "../../plugins/protocol/index.ts";
import type { CallContext, QueryContext } from "./execute.ts";

/**
 * Awaits work for a query. If the query's deadline has stopped the work, fails with PLUGIN_TIMEOUT and the names of the
 * connections.
 */
export type InTime = <Result>(work: Promise<Result>) => Promise<Result>;

/**
 * Runs a query until the deadline of its call. `context.signal` aborts with the call or after `limits.timeoutMs`.
 * @throws {PluginError} PLUGIN_TIMEOUT from `inTime`, and whatever `run` throws
 */
export async function withDeadline<Result>(
  call: CallContext,
  run: (context: QueryContext, inTime: InTime) => Promise<Result>,
): Promise<Result> {
  call.signal.throwIfAborted();
  // AbortSignal.timeout and AbortSignal.any are not used. The timer of the first would outlive the many queries that
  // the
  // cache answers at once, and the second takes longer than parsing a query.
  const stop = new AbortController();
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    stop.abort();
  }, call.limits.timeoutMs);
  const leave = () => stop.abort(call.signal.reason);
  call.signal.addEventListener("abort", leave, { once: true });
  const { userId: id, name, email, restriction, own } = call.principal;
  const { metadata } = restriction ?? own ?? {};
  const context: QueryContext = {
    ...call,
    user: { id, name, email, ...(metadata && { metadata }) },
    signal: stop.signal,
    calledNames: new Set(),
    subqueryParts: [],
  };
  try {
    return await run(context, (work) =>
      work.catch((failure: unknown) => {
        if (!isLate || call.signal.aborted) throw failure;
        throw timeout(context, failure);
      }),
    );
  } finally {
    clearTimeout(timer);
    call.signal.removeEventListener("abort", leave);
  }
}

function timeout({ calledNames, limits }: QueryContext, cause: unknown): PluginError {
  const names = [...calledNames].join(", ");
  const whose = calledNames.size > 1 ? `one of the connections ${names}` : `connection ${names}`;
  return new PluginError("PLUGIN_TIMEOUT", [`${limits.timeoutMs} ms for one query (${whose})`], {
    cause,
  });
}
