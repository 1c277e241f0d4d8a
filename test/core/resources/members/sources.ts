import { code, described, kept, rights, test, type MemberUses } from "./memberUse.ts";

const announced = test(
  "base/contracts/unusedFlags.test.ts",
  "the unused pushdown flags of a plugin are listed with the reason",
);
const synchronization = (excerpt: string) => code("jobs/schedules/createSchedules.ts", excerpt);

const reaching = test(
  "sources/connections/keptAnswers.test.ts",
  "a plugin receives a connection's port and scope, and its identifier if the plugin declares one",
);

/** Evidence for the members of plugins and connections. */
export const sources: Readonly<Record<string, MemberUses>> = {
  plugin: {
    ...described,
    slug: code(
      "resources/sources/authorizeCandidate.ts",
      'find("plugin", { slug: values.provider })',
    ),
    base_url: code("sources/connections/createRemotes.ts", "baseUrl: String(row.base_url)"),
    pushdown: code("sources/connections/createRemotes.ts", "pushdown: row.pushdown === true"),
    authorize: code("resources/sources/authorizeCandidate.ts", 'plugin?.authorize === "oauth2"'),
    properties: code(
      "resources/sources/authorizeCandidate.ts",
      "declaredProperties(declared ?? plugin?.properties)",
    ),
    protocol_version: code("sources/connections/createRemotes.ts", "row.protocol_version"),
    answered_version: code("sources/connections/createRemotes.ts", "row.answered_version"),
    search: kept("announces an endpoint that no known plugin has; clients show the flag"),
    supports_distinctcount: announced,
    supports_order_limit: announced,
    supports_join: announced,
    supports_like: announced,
    supports_nested_filters: announced,
    supports_sql: announced,
    tiles: kept("announces an endpoint that no known plugin has; clients show the flag"),
    color: kept("the colour in which clients show the plugin"),
    url: kept("a link to the product, which clients show"),
    license: kept("the licence of the plugin, which clients show"),
    public: kept(
      "gives no right, because a plugin is shared by association; clients show the flag",
    ),
    reviewed: kept(
      "always false, because the host has no review of plugins; clients show the flag",
    ),
    verification: code(
      "jobs/plugins/createPluginChecks.ts",
      "verification: verificationOf(recorded)",
    ),
    checked_at: code("jobs/plugins/createPluginChecks.ts", "checked_at: new Date()"),
    check_report: code("sources/connections/pluginProof.ts", "check_report: report }"),
    checked_declaration: code(
      "sources/connections/pluginProof.ts",
      "checked_declaration !== declaration",
    ),
    secret: code("resources/sources/plugin.ts", "secret = chosen ?? randomBytes(32)"),
    new_secret: code("resources/sources/plugin.ts", "{ new_secret: secret,"),
    keep_secret_hours: code("resources/sources/plugin.ts", "keep_secret_hours: hours"),
    previous_secret: code("sources/connections/createRemotes.ts", 'row, "previous_secret"'),
    previous_secret_until: code(
      "sources/connections/createRemotes.ts",
      "previous_secret_until?.getTime()",
    ),
    user_id: code("resources/sources/plugin.ts", "user_id: principal.userId"),
    organization_id: code(
      "resources/sources/plugin.ts",
      "organization_id: principal.organizationId",
    ),
  },
  account: {
    ...described,
    update_metadata: code(
      "sources/synchronization/synchronizing.ts",
      "(properties.update_metadata ?? false)",
    ),
    provider: code("sources/connections/createAccountConnections.ts", "slug: account.provider"),
    properties: code(
      "sources/connections/pluginCredentials.ts",
      "Object.entries(properties ?? {})",
    ),
    date: kept("when the connection was created, according to its creator; clients show it"),
    expiry: test(
      "sources/connections/keptAnswers.test.ts",
      "queries of an expired connection fail with an error that gives the reason, even if their answers were cached",
    ),
    scope: reaching,
    host: code("sources/connections/pluginCredentials.ts", "...(host != null && { host })"),
    port: reaching,
    identifier: reaching,
    token: code("sources/connections/pluginCredentials.ts", "...(token != null && { token })"),
    confirmed_for: code("sources/connections/confirmedSecrets.ts", '"confirmed_for"'),
    encryption: code("resources/sources/authorizeCandidate.ts", "encryption = null"),
    code: code("resources/sources/authorizeCandidate.ts", "candidate.exchange(code, caller)"),
    active: code("sources/connections/createAccountConnections.ts", "account.active === false"),
    invalid: test(
      "resources/sources/account.test.ts",
      "an account can be marked as invalid until its source accepts the credentials",
    ),
    cache: code("queries/resolve/createDatasetFinder.ts", "account?.cache"),
    datasets_meta_sync_enabled: synchronization("or a.datasets_meta_sync_enabled"),
    datasets_meta_sync_interval: synchronization("then a.datasets_meta_sync_interval"),
    synced: code("sources/synchronization/recordSynced.ts", "{ synced: datasets.every(isSynced) }"),
    version: kept("always null, because its meaning is not documented; clients expect the member"),
    connector_properties: code(
      "resources/sources/authorizeCandidate.ts",
      "connector_properties: declared ?? null",
    ),
    access_warnings: code(
      "sources/connections/accountNotes.ts",
      'records.change("account", account.id, { access_warnings })',
    ),
    shareable_id: code("resources/people/user.ts", 'lookup: "shareable_id"'),
    plugin_id: code(
      "resources/sources/account.ts",
      "plugin_id: (await pluginOf(values, call))?.id",
    ),
    user_id: code("resources/sources/account.ts", "user_id: call.principal.userId"),
  },
  "link account_user": rights,
  "link account_group": rights,
};
