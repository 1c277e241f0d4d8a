import { type AccountProperty, PluginError } from "../../../plugins/protocol/index.ts";
import { type AccountValues, ApiError, type ResourceRow } from "../../base/index.ts";
import type { HookCall, Values } from "../kernel/index.ts";
import { checkMembers, isMember } from "./checkMembers.ts";
import { declaredProperties, missingProperty } from "./pluginProperties.ts";

/**
 * Lets the source check credentials before they are stored. With OAuth2 and no code, returns the `auth_url` at which a
 * person grants access. A code is exchanged for a token, which is stored instead. `warnings` list rights other than
 * reading, and the capabilities that these credentials do not support.
 */
export async function authorizeCandidate(
  values: Values,
  { context, principal, signal }: HookCall,
): Promise<Values> {
  const plugin = await pluginOf(values, { context, principal });
  const declared = plugin
    ? undefined
    : await context.connections.connectorProperties(String(values["provider"]));
  if (declared) checkMembers(values, declared);
  // The schema of the account was already checked for these members.
  const account = values as Values & AccountValues;
  await context.connections.refuseCandidate(account, principal);
  refuseIncomplete(values, plugin, declared);
  const candidate = await context.connections.candidate(account, principal);
  const { userId, name, email } = principal;
  const caller = { signal, user: { id: userId, name, email } };
  const { code } = values;
  if (typeof code === "string" && candidate.exchange && plugin?.authorize === "oauth2")
    return { token: tokenIn(await candidate.exchange(code, caller), candidate.name), code: null };
  const { authUrl, encryption = null } = (await candidate.authorize(caller)) ?? {};
  const common = { connector_properties: declared ?? null, encryption };
  if (authUrl !== undefined && /^https?:\/\//.test(authUrl))
    return { ...common, auth_url: authUrl };
  const { demoted = [], warnings: access = [] } = (await candidate.capabilitiesOf?.(caller)) ?? {};
  const warnings = [
    ...access,
    ...demoted.map(({ capability, reason }) => `${capability} is not used: ${reason}`),
  ];
  const access_warnings = access.length > 0 ? access : null;
  return { ...common, access_warnings, ...(warnings.length > 0 && { warnings }) };
}

/**
 * Lets the source check credentials without storing them. A code is not exchanged, because it works only once. If
 * required members are missing, the source is not called. Returns the source's refusal, or its additional members.
 */
export async function tryCandidate(values: Values, call: HookCall): Promise<Values> {
  if (typeof values["provider"] !== "string") return {};
  try {
    const { auth_url, warnings } = await authorizeCandidate({ ...values, code: null }, call);
    return {
      ...(auth_url !== undefined && { auth_url }),
      ...(warnings !== undefined && { warnings }),
    };
  } catch (failure) {
    if (failure instanceof ApiError && failure.code === "MEMBER_MISSING") return {};
    // An error of the host itself says nothing about the credentials.
    if (!(failure instanceof PluginError) || failure.status === 500) throw failure;
    return { valid: false, message: failure.message, validation: {} };
  }
}

/** Returns the token with the longest lifetime among a provider's credentials. */
function tokenIn(credentials: Values, pluginName: string): string {
  const { refresh_token, access_token } = credentials;
  for (const token of [refresh_token, access_token])
    if (typeof token === "string" && token !== "") return token;
  throw new PluginError("PLUGIN_BAD_ANSWER", [
    `${pluginName}: /exchange must return refresh_token or access_token`,
  ]);
}

/** Returns the plugin record that the provider names; undefined if it is a connector of the host. */
export async function pluginOf(
  values: { readonly provider?: string | null | undefined },
  { context, principal }: Pick<HookCall, "context" | "principal">,
): Promise<ResourceRow<"plugin"> | undefined> {
  const named = await context.records.find("plugin", { slug: values.provider });
  const usable = await context.records.visible(
    "plugin",
    named.map(({ id }) => id),
    "use",
    principal,
  );
  const isOwn = (row: ResourceRow<"plugin">) => row.organization_id === principal.organizationId;
  const rows = [...usable.values()];
  return rows.find(isOwn) ?? rows[0];
}

/** Refuses an account without a property that its plugin requires, before the source is called. */
function refuseIncomplete(
  values: Values,
  plugin: ResourceRow<"plugin"> | undefined,
  declared: readonly AccountProperty[] | undefined,
): void {
  const missing = missingProperty(values, declaredProperties(declared ?? plugin?.properties));
  if (missing === undefined) return;
  const path = declared && isMember(missing) ? missing : `properties.${missing}`;
  throw new ApiError("MEMBER_MISSING", [
    `properties.${path}`,
    plugin
      ? `a value, because the plugin ${String(plugin.slug)} requires it for every connection`
      : `a value, because connections of ${String(values["provider"])} need it`,
  ]);
}
