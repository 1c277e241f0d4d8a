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
  // A signal of AbortSignal.timeout would outlive the query. Cached answers are frequent, so this timer is cleared
  // instead.
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(), call.limits.timeoutMs);
  const { userId: id, name, email, restriction, own } = call.principal;
  const { metadata } = restriction ?? own ?? {};
  const context: QueryContext = {
    ...call,
    user: { id, name, email, ...(metadata && { metadata }) },
    signal: AbortSignal.any([call.signal, deadline.signal]),
    calledNames: new Set(),
    subqueryParts: [],
  };
  try {
    return await run(context, (work) =>
      work.catch((failure: unknown) => {
        if (!deadline.signal.aborted || call.signal.aborted) throw failure;
        throw timeout(context, failure);
      }),
    );
  } finally {
    clearTimeout(timer);
  }
}

function timeout({ calledNames, limits }: QueryContext, cause: unknown): PluginError {
  const names = [...calledNames].join(", ");
  const whose = calledNames.size > 1 ? `one of the connections ${names}` : `connection ${names}`;
  return new PluginError("PLUGIN_TIMEOUT", [`${limits.timeoutMs} ms for one query (${whose})`], {
    cause,
  });
}
