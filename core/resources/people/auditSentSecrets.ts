import type { Knex } from "knex";
import { parseAccountOverrides } from "../../identity/index.ts";
import { writeAudit } from "../../catalog/index.ts";
import type { HookCall } from "../kernel/index.ts";

/** The record that contains account overrides. */
interface Carrier {
  readonly resource: "authorization" | "user";
  readonly id: string;
}

/**
 * Writes an audit event for each plugin whose secret the overrides send to another `base_url`, in the transaction of
 * the change.
 */
export async function auditSentSecrets(
  { resource, id }: Carrier,
  overrides: unknown,
  call: HookCall,
  transaction: Knex.Transaction,
): Promise<void> {
  if (overrides === undefined || overrides === null) return;
  const { records } = call.context;
  const moved = [...parseAccountOverrides(overrides)].filter(([, { base_url, datasets }]) =>
    [{ base_url }, ...Object.values(datasets ?? {})].some((each) => each.base_url !== undefined),
  );
  const accounts = await records.find(
    "account",
    { id: moved.map(([accountId]) => accountId) },
    transaction,
  );
  const target = { role: resource === "user" ? "Users" : "Authorizations", resource, id };
  for (const pluginId of new Set(accounts.map(({ plugin_id }) => plugin_id)))
    if (pluginId !== null) {
      const change = { action: "secret_redirect", resource: "plugin", recordId: pluginId } as const;
      await writeAudit(records, call, { ...change, members: ["base_url"], target }, transaction);
    }
}
