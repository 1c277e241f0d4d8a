import { type AccountProperty, PluginError } from "../../../plugins/protocol/index.ts";
import {
  type AccountValues,
  ApiError,
  type Caller,
  type Connection,
  type Members,
  type ResourceRow,
} from "../../base/index.ts";
import type { HookCall, Values } from "../kernel/index.ts";
import { checkMembers, isMember } from "./checkMembers.ts";
import { declaredProperties, missingProperty } from "./pluginProperties.ts";

/** The members of an account whose credentials are checked. */
type Candidate = Members<"code"> & { readonly provider?: string | null | undefined };

/**
 * Lets the source check credentials before they are stored. With OAuth2 but without a code, returns the `auth_url` at
 * which a person grants access. A code is exchanged for a token, and the token is stored instead. `warnings` lists the
 * rights of the credentials besides reading, and the capabilities that they do not support. With `reaches`, a plugin
 * without credentials is called too, because otherwise nothing would show that it cannot be reached.
 */
export async function authorizeCandidate(
  values: Candidate,
  { context, principal, signal }: HookCall,
  { reaches = false }: { readonly reaches?: boolean } = {},
): Promise<Values> {
  const plugin = await pluginOf(values, { context, principal });
  const declared = plugin
    ? undefined
    : await context.connections.connectorProperties(String(values.provider));
  if (declared) checkMembers(values, declared);
  // The schema of the account has already checked these members.
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
  if (reaches && plugin?.authorize === "none") await reach(candidate, caller);
  const { demoted = [], warnings: access = [] } = (await candidate.capabilitiesOf?.(caller)) ?? {};
  const warnings = [
    ...access,
    ...demoted.map(({ capability, reason }) => `${capability} is not used: ${reason}`),
  ];
  const access_warnings = access.length > 0 ? access : null;
  return { ...common, access_warnings, ...(warnings.length > 0 && { warnings }) };
}

/** How long a plugin without credentials may take to list its datasets while an account is created. */
const reachMs = 5_000;

/**
 * Lists the datasets of a plugin, to learn whether it answers.
 * @throws {PluginError} the errors of the call, PLUGIN_TIMEOUT if it takes too long
 */
async function reach(candidate: Connection, caller: Caller): Promise<void> {
  const limit = AbortSignal.timeout(reachMs);
  try {
    await candidate.datasets({ ...caller, signal: AbortSignal.any([caller.signal, limit]) });
  } catch (failure) {
    if (!limit.aborted || caller.signal.aborted) throw failure;
    const detail = `${candidate.name} did not list its datasets within ${reachMs / 1000} s`;
    throw new PluginError("PLUGIN_TIMEOUT", [detail], { cause: failure });
  }
}

/**
 * Lets the source check the credentials of a new account. A plugin that refuses them or cannot be reached does not
 * prevent the account from being created, because existing clients create accounts before their plugin works. The
 * answer then contains the reason as a warning.
 * @throws {PluginError} if a connector of this host refuses, or if an OAuth2 code cannot be exchanged
 */
export async function authorizeNew(values: Candidate, call: HookCall): Promise<Values> {
  try {
    return await authorizeCandidate(values, call, { reaches: true });
  } catch (failure) {
    const isCode = typeof values.code === "string";
    if (!isRefusal(failure) || isCode || !(await pluginOf(values, call))) throw failure;
    const warning = `${failure.message}; the connection is stored, but its calls fail until this is solved`;
    return { warnings: [warning], ...(failure.code === "PLUGIN_FORBIDDEN" && { invalid: true }) };
  }
}

/** Returns whether an error says something about the source. An error of the host itself does not. */
function isRefusal(failure: unknown): failure is PluginError {
  return failure instanceof PluginError && failure.status !== 500;
}

/**
 * Lets the source check credentials without storing them. A code is not exchanged, because it works only once. If
 * required members are missing, the source is not called. Returns the error with which the source refused, or its
 * additional members.
 */
export async function tryCandidate(values: Candidate, call: HookCall): Promise<Values> {
  if (typeof values.provider !== "string") return {};
  try {
    const { auth_url, warnings } = await authorizeCandidate({ ...values, code: null }, call, {
      reaches: true,
    });
    return {
      ...(auth_url !== undefined && { auth_url }),
      ...(warnings !== undefined && { warnings }),
    };
  } catch (failure) {
    if (failure instanceof ApiError && failure.code === "MEMBER_MISSING") return {};
    if (!isRefusal(failure)) throw failure;
    const { message } = failure;
    return { valid: false, message, validation: {}, warnings: [message] };
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
  values: Candidate,
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
      : `a value, because connections of ${String(values.provider)} need it`,
  ]);
}
