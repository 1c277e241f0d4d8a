import {
  type AppendRows,
  type Credentials,
  type Encryption,
  type Plugin,
  PluginError,
} from "../../../plugins/protocol/index.ts";
import { checkDatasets, createBatchCheck, checkedProbe } from "./checkAnswer.ts";
import type { NotedCall } from "./callTimes.ts";
import { type Caller, type Connection, inSpan, type Metrics } from "../../base/index.ts";
import { Taken, withDeadline, withPauses } from "./deadline.ts";
import { namedError } from "./namedError.ts";
import { probeCapabilities } from "./probeCapabilities.ts";

export interface ConnectOptions {
  readonly name: string;
  readonly plugin: Plugin;
  readonly credentials: Credentials;
  readonly fingerprint: string;
  readonly protocolVersion?: Connection["protocolVersion"];
  readonly lack?: string;
  /**
   * Whether the host trusts the plugin's capabilities.
   * @default false
   */
  readonly isTrusted?: boolean;
  /** As in `Connection`. */
  readonly mayOrder?: boolean;
  readonly orderRefusal?: string;
  /** Paths of the claims that the conformance kit has proved; the same as `Connection.proved`. */
  readonly proved?: ReadonlySet<string>;
  readonly disproved?: Connection["disproved"];
  readonly unreliableKeys?: Connection["unreliableKeys"];
  /** Whether the plugin has no credentials to check. It is then never called to check credentials. */
  readonly authorizesNobody?: boolean;
  /** How the connection to the plugin is protected, if the host knows. */
  readonly encryption?: Encryption;
  /** Milliseconds after which each call is cancelled. */
  readonly timeoutMs: number;
  /** Maximum size of an answer, in bytes. Larger answers fail with PLUGIN_SOURCE_FAILED. */
  readonly sizeBytes: number;
  /** The time, in milliseconds since 1970, from which every call fails. */
  readonly expiresAt?: number;
  /** Receives the duration of each call, and whether the plugin failed. A caller that disconnects is not a failure. */
  readonly noteCall?: (call: NotedCall) => void;
  /** Counts the plugin calls of the host. */
  readonly metrics?: Pick<Metrics, "pluginCall"> | undefined;
  /** Called after each call with whether the source rejected the credentials. */
  readonly noteRefused?: (isRefused: boolean) => Promise<void>;
  /** Called with the warnings of each probe. */
  readonly noteWarnings?: (warnings: readonly string[]) => Promise<void>;
}

function bugAfterRows(cause: unknown): PluginError {
  return new PluginError(
    "PLUGIN_BAD_ANSWER",
    ["it refused the query after it had already sent rows"],
    {
      cause,
    },
  );
}

/** Binds credentials to a plugin. Opens nothing, so nothing needs closing. */
export function connect(options: ConnectOptions): Connection {
  const { name, plugin, credentials, timeoutMs, sizeBytes } = options;
  const refuseExpired = () => {
    const { expiresAt = Infinity } = options;
    if (Date.now() < expiresAt) return;
    throw new PluginError("PLUGIN_FORBIDDEN", [
      `the connection ${name} expired at ${new Date(expiresAt).toISOString()}; set expiry of the account to a later instant or to null`,
    ]);
  };
  const run = async <T>(
    caller: Caller,
    call: (bound: Parameters<Plugin["datasets"]>[0]) => Promise<T>,
  ): Promise<T> => {
    refuseExpired();
    const startedMs = performance.now();
    const note = (hasFailed: boolean) => {
      const milliseconds = performance.now() - startedMs;
      const organizationId = caller.tenant?.organization;
      options.noteCall?.({ organizationId, milliseconds, hasFailed });
      const outcome = hasFailed ? "failed" : caller.signal.aborted ? "left" : "ok";
      options.metrics?.pluginCall({ plugin: name, outcome, seconds: milliseconds / 1000 });
    };
    const attributes = { "manifold.plugin": name };
    const calling = inSpan("plugin call", { kind: "client", attributes }, () =>
      withDeadline(caller.signal, timeoutMs, (signal) =>
        call({
          credentials,
          signal,
          ...(caller.user && { user: caller.user }),
          ...(caller.tenant && { tenant: caller.tenant }),
        }),
      ),
    );
    const answer = await calling.catch(async (failure: unknown) => {
      note(!caller.signal.aborted);
      const named = namedError(failure, name);
      if (named.code === "PLUGIN_FORBIDDEN") await options.noteRefused?.(true);
      throw named;
    });
    note(false);
    await options.noteRefused?.(false);
    return answer;
  };
  return {
    name,
    fingerprint: options.fingerprint,
    capabilities: plugin.capabilities,
    ...(options.protocolVersion && { protocolVersion: options.protocolVersion }),
    ...(options.lack !== undefined && { lack: options.lack }),
    isTrusted: options.isTrusted === true,
    ...(options.mayOrder && { mayOrder: true }),
    ...(options.orderRefusal !== undefined && { orderRefusal: options.orderRefusal }),
    ...(options.proved && { proved: options.proved }),
    ...(options.disproved?.size && { disproved: options.disproved }),
    ...(options.unreliableKeys?.length && { unreliableKeys: options.unreliableKeys }),
    ...(plugin.unused && { unused: plugin.unused }),
    ...(plugin.sizeOf && { sizeOf: (id: string) => plugin.sizeOf?.(id) }),
    ...(plugin.capabilitiesOf && {
      capabilitiesOf: async (caller) => {
        const probed = await run(caller, ({ tenant }) =>
          // All callers with these credentials wait for one probe, which continues even if the first caller
          // disconnects.
          probeCapabilities(plugin, options.fingerprint, () =>
            withDeadline(new AbortController().signal, timeoutMs, async (signal) =>
              checkedProbe(
                await plugin.capabilitiesOf?.({ credentials, signal, ...(tenant && { tenant }) }),
              ),
            ),
          ),
        );
        await options.noteWarnings?.(probed.warnings ?? []);
        return probed;
      },
    }),
    authorize: async (caller) => {
      const { encryption } = options;
      const authorization = options.authorizesNobody
        ? undefined
        : await run(caller, async (call) => plugin.authorize?.(call));
      return encryption ? { ...authorization, encryption } : authorization;
    },
    refuseExpired,
    ...(plugin.exchange && {
      exchange: (code, caller) =>
        run(caller, async (call) => {
          if (!plugin.exchange) throw new PluginError("PLUGIN_NOT_OFFERED", ["exchange"]);
          return plugin.exchange({ ...call, code });
        }),
    }),
    datasets: (caller, only) =>
      run(caller, async (call) => {
        const datasets = await plugin.datasets({ ...call, ...(only && { only }) });
        checkDatasets(datasets);
        return datasets;
      }),
    async query(query, dataset, caller) {
      const { alongside, hints, unread, append } = caller;
      let hasAppended = false;
      let refused: { readonly failure: unknown } | undefined;
      const check = createBatchCheck({
        query,
        dataset,
        isProjected: plugin.capabilities.projection === true,
        sizeBytes,
      });
      const checkedAppend: AppendRows = async (rows) => {
        check(rows);
        hasAppended = true;
        await append?.(rows).catch((failure: unknown) => {
          refused = { failure };
          throw failure;
        });
      };
      const calling = run(caller, async (call) => {
        const batch = await plugin.query({
          ...call,
          query,
          dataset,
          ...(alongside && { alongside }),
          ...(hints && { hints }),
          ...(unread && { unread }),
          ...(append && { append: checkedAppend }),
        });
        check(batch);
        return batch;
      });
      return calling.catch((failure: unknown) => {
        // If the receiver of rows fails, that is not a failure of the plugin.
        if (refused) throw refused.failure;
        const isLate = failure instanceof PluginError && failure.code === "PLUGIN_NOT_OFFERED";
        // After PLUGIN_NOT_OFFERED, the caller sends another query, and would receive these rows twice.
        if (isLate && hasAppended) throw namedError(bugAfterRows(failure), name);
        throw failure;
      });
    },
    ...(plugin.scan && {
      scan: async (query, dataset, caller, take) => {
        refuseExpired();
        const { user, tenant } = caller;
        const bound = { credentials, ...(user && { user }), ...(tenant && { tenant }) };
        const check = createBatchCheck({
          query,
          dataset,
          isProjected: plugin.capabilities.projection === true,
          sizeBytes: Infinity,
        });
        await withPauses(caller.signal, timeoutMs, async (signal, { pause, alive }) => {
          const checked: AppendRows = (batch, share) => {
            check(batch);
            return pause(() => take(batch, share));
          };
          await plugin.scan?.({ ...bound, signal, query, dataset, take: checked, alive });
        }).catch(async (failure: unknown) => {
          if (failure instanceof Taken) throw failure.cause;
          const named = namedError(failure, name);
          if (named.code === "PLUGIN_FORBIDDEN") await options.noteRefused?.(true);
          throw named;
        });
      },
    }),
    ...(plugin.describe && {
      describe: (statement, caller) =>
        run(caller, async (call) => {
          const columns = (await plugin.describe?.({ ...call, statement })) ?? [];
          checkDatasets([{ id: "statement", name: {}, columns: [...columns] }]);
          return columns;
        }),
    }),
    write: (write, caller) =>
      run(caller, async (call) => {
        if (!plugin.write || !plugin.capabilities.write)
          throw new PluginError("PLUGIN_NOT_OFFERED", ["writes"]);
        return plugin.write({ ...call, write });
      }),
    ...(plugin.writeBatches && {
      async writeBatches(write, batches, { signal, user, tenant }) {
        refuseExpired();
        let failed: { readonly failure: unknown } | undefined;
        const passing = async function* () {
          try {
            yield* batches;
          } catch (failure) {
            failed = { failure };
            throw failure;
          }
        };
        const call = { credentials, signal, ...(user && { user }), ...(tenant && { tenant }) };
        try {
          if (!plugin.writeBatches)
            throw new PluginError("PLUGIN_NOT_OFFERED", ["batches of rows"]);
          return await plugin.writeBatches({ ...call, write, batches: passing() });
        } catch (failure) {
          if (failed) throw failed.failure;
          throw namedError(failure, name);
        }
      },
    }),
    ...(plugin.decode && {
      decode: (rows, caller) => run(caller, async (call) => plugin.decode?.({ ...call, rows })),
    }),
  };
}
