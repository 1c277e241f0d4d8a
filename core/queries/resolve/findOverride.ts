import {
  type AccountOverride,
  ApiError,
  type ConnectionOverride,
  mayBeAddress,
  type Principal,
  type Records,
  type ResourceRow,
} from "../../base/index.ts";

/**
 * Rejects an override of a connection that the issuer does not own, because the connection's secrets would be sent to a
 * destination that its owner did not choose. With `base_url`, the plugin's secret is also sent to that destination, so
 * the issuer must also own the plugin.
 * @throws {ApiError} FORBIDDEN
 */
export async function refuseOverride(
  accountId: string,
  { base_url, datasets }: AccountOverride,
  records: Records,
  issuer: Principal,
): Promise<void> {
  const owned = await records.visible("account", [accountId], "own", issuer);
  const account = [...owned.values()][0];
  if (!account)
    throw new ApiError("FORBIDDEN", [
      `own the connection ${accountId}, whose members are replaced`,
    ]);
  const movesPlugin = [{ base_url }, ...Object.values(datasets ?? {})].some(
    (each) => each.base_url !== undefined,
  );
  if (!movesPlugin) return;
  const pluginId = String(account.plugin_id);
  if ((await records.visible("plugin", [pluginId], "own", issuer)).size === 0)
    throw new ApiError("FORBIDDEN", [
      `own the plugin of the connection ${accountId}, whose secret would be sent to base_url`,
    ]);
}

/**
 * Returns the overrides for the connection of a dataset: the user's overrides merged with the token's, which take
 * precedence.
 * @throws {ApiError} FORBIDDEN if the person who set the overrides no longer owns the connection
 */
export async function findOverride(
  securable: ResourceRow<"securable">,
  records: Records,
  { restriction, own }: Principal,
): Promise<ConnectionOverride | undefined> {
  const accountId = String(securable.account_id);
  let merged: ConnectionOverride | undefined;
  for (const layer of [own, restriction]) {
    const override = layer?.accountOverrides.get(accountId);
    if (!layer || !override) continue;
    if (!layer.issuer)
      throw new ApiError("FORBIDDEN", [
        `own the connection ${accountId}, but whoever set account_overrides of the user no longer owns it`,
      ]);
    await refuseOverride(accountId, override, records, layer.issuer);
    const { datasets, ...whole } = override;
    const ofDataset = datasets?.[securable.id];
    const replaced = { ...whole, ...ofDataset };
    const given = { ...whole.properties, ...ofDataset?.properties };
    const before =
      merged && isElsewhere({ ...replaced, properties: given }) ? withoutSecrets(merged) : merged;
    merged = { ...before, ...replaced, properties: { ...before?.properties, ...given } };
  }
  return merged;
}

/** Returns whether an override names another address, which then receives only the override's own secrets. */
function isElsewhere({ host, base_url, properties = {} }: ConnectionOverride): boolean {
  if (host !== undefined || base_url !== undefined) return true;
  return Object.entries(properties).some(([name, value]) => mayBeAddress(name, value));
}

/**
 * Removes all properties, because any of them may be a secret. The source declares which properties are secret, but the
 * source is not known here.
 */
function withoutSecrets(override: ConnectionOverride): ConnectionOverride {
  const entries = Object.entries(override);
  return Object.fromEntries(entries.filter(([name]) => !["password", "properties"].includes(name)));
}
