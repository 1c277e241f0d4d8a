import { parseAccountOverrides } from "../../identity/index.ts";
import type { HookCall, Values } from "../kernel/index.ts";

/**
 * Refuses account overrides if this host may not reach their `base_url`.
 * @throws {ApiError} MEMBER_INVALID with the path
 */
export async function refuseOverrideAddresses(
  { account_overrides }: Values,
  { context, principal: { organizationId } }: HookCall,
): Promise<void> {
  for (const [id, { base_url, datasets = {} }] of parseAccountOverrides(account_overrides)) {
    const path = `properties.account_overrides.${id}`;
    const named = [
      [path, base_url] as const,
      ...Object.entries(datasets).map(
        ([dataset, each]) => [`${path}.datasets.${dataset}`, each.base_url] as const,
      ),
    ];
    for (const [at, address] of named)
      if (address !== undefined)
        await context.connections.refuseAddress(address, {
          path: `${at}.base_url`,
          organizationId,
        });
  }
}
