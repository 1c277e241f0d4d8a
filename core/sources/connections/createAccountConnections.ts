import { PluginError } from "../../../plugins/protocol/index.ts";
import {
  type AccountValues,
  ApiError,
  type Connection,
  type Connections,
  type Records,
  type ResourceRow,
  type Source,
} from "../../base/index.ts";
import { refuseLost } from "../../catalog/index.ts";
import { noteRefusedOf, noteWarningsOf } from "./accountNotes.ts";
import { refuseUnconfirmed, withoutMovedSecrets } from "./confirmedSecrets.ts";
import { connect } from "./connect.ts";
import { connectorCredentials } from "./connectorCredentials.ts";
import type { Connectors } from "./connectors.ts";
import type { Providers } from "./createProviders.ts";
import type { AccountBinding, CallBounds, Remotes } from "./createRemotes.ts";
import { fingerprint } from "./fingerprint.ts";
import type { Grant, Grants } from "./grants.ts";
import { overrideConnector, overrideMembers } from "./overrideMembers.ts";
import { pluginCredentials } from "./pluginCredentials.ts";

/** Connections with the credentials of accounts, both of stored accounts and of accounts that are only being tried. */
type AccountConnections = Pick<Connections, "ofAccount" | "candidate" | "underCheck" | "release">;

export interface AccountConnectionsOptions {
  readonly records: Records;
  readonly connectors: Connectors;
  readonly providers: Providers;
  readonly remotes: Remotes;
  readonly grants: Pick<Grants, "of" | "ofUser">;
  readonly bounds: CallBounds;
}

/** Connects accounts to their provider: a plugin over HTTP, or a connector of this host. */
export function createAccountConnections(options: AccountConnectionsOptions): AccountConnections {
  const { records, connectors, providers, remotes, grants } = options;
  const { hashKey, ...bounds } = options.bounds;

  /** Binds a connector to an account's credentials; undefined if the provider is not a connector. */
  const toConnector = async (
    slug: string,
    values: AccountValues,
    grant: Grant,
    binding: AccountBinding = {},
  ): Promise<Connection | undefined> => {
    const declared = await connectors.properties(slug);
    const plugin = await connectors.plugin(slug, grant);
    if (!declared || !plugin) return undefined;
    const credentials = connectorCredentials(values, declared);
    return connect({
      name: slug,
      plugin,
      credentials,
      fingerprint: fingerprint(hashKey, { slug, grantKey: grant.key }, credentials),
      // This project tests its connectors on real databases, and the operator decided to trust all others.
      isTrusted: true,
      ...bounds,
      ...binding,
    });
  };

  /** Returns the members of an account, with the password decrypted. */
  const openedValues = (account: ResourceRow<"account">): AccountValues => ({
    ...account,
    token: records.reveal("account", account, "token") ?? null,
  });

  const sourceOf = async (
    provider: string,
    plugin: ResourceRow<"plugin"> | undefined,
  ): Promise<Source> =>
    plugin ? pluginSource(plugin) : { properties: (await connectors.properties(provider)) ?? [] };

  const openAccount = async (accountId: string): Promise<ResourceRow<"account">> => {
    const [account] = await records.find("account", { id: accountId });
    if (!account) throw new ApiError("RECORD_NOT_FOUND", ["account", accountId]);
    if (account.active === false)
      throw new PluginError("PLUGIN_FORBIDDEN", ["the connection is not active"]);
    refuseLost("account", account);
    return account;
  };

  return {
    async ofAccount(accountId, override) {
      const account = await openAccount(accountId);
      const pluginId = account.plugin_id;
      const [plugin] = pluginId ? await records.find("plugin", { id: pluginId }) : [];
      const binding = {
        ...endOf(account),
        // The outcome of calls with a token's override does not apply to the stored credentials.
        ...(!override && {
          noteRefused: noteRefusedOf(account, records),
          noteWarnings: noteWarningsOf(account, records),
        }),
      };
      const source = await sourceOf(account.provider, plugin);
      refuseUnconfirmed(account, source, records);
      const stored = openedValues(account);
      const placed = (replaced: AccountValues): AccountValues =>
        override ? withoutMovedSecrets(stored, replaced, override, source) : replaced;
      if (plugin) {
        const values = placed(overrideMembers(stored, override));
        const baseUrl = override?.base_url;
        return remotes.connect(plugin, pluginCredentials(values, plugin), {
          ...(baseUrl !== undefined && {
            elsewhere: { baseUrl, grant: await grants.ofUser(account.user_id) },
          }),
          ...binding,
        });
      }
      const values = placed(overrideConnector(stored, override));
      const grant = await grants.ofUser(account.user_id);
      const connector = await toConnector(account.provider, values, grant, binding);
      if (connector) return connector;
      throw new PluginError("PLUGIN_INVALID", [
        `the connection's provider ${JSON.stringify(account.provider)} is neither a plugin of this host nor a connector that MANIFOLD_CONNECTORS allows; sqlite and duckdb also need a folder that MANIFOLD_FILE_FOLDERS opens to your organization`,
      ]);
    },
    async candidate(account, principal) {
      const [plugin] = await providers.usable({ slug: account.provider }, principal);
      if (plugin) return remotes.connect(plugin, pluginCredentials(account, plugin));
      const grant = await grants.of(principal.organizationId);
      const connector = await toConnector(account.provider, account, grant);
      if (connector) return connector;
      throw new ApiError("MEMBER_INVALID", [
        "properties.provider",
        `${JSON.stringify(account.provider)} is neither a connector of this host nor a plugin that you may use; there ${await providers.inWords(principal)}; for another source, create a plugin with that slug first`,
      ]);
    },
    async underCheck(pluginId, accountId) {
      const [row] = await records.find("plugin", { id: pluginId });
      if (!row) throw new ApiError("RECORD_NOT_FOUND", ["plugin", pluginId]);
      if (accountId === undefined) return remotes.connectUnderCheck(row, { properties: {} }, {});
      const account = await openAccount(accountId);
      if (account.plugin_id !== pluginId)
        throw new ApiError("RECORD_NOT_FOUND", ["account", account.id]);
      refuseUnconfirmed(account, pluginSource(row), records);
      const credentials = pluginCredentials(openedValues(account), row);
      return remotes.connectUnderCheck(row, credentials, endOf(account));
    },
    async release(account) {
      if (account.plugin_id) return;
      const grant = await grants.ofUser(account.user_id);
      const plugin = await connectors.opened(account.provider, grant);
      const declared = plugin && (await connectors.properties(account.provider));
      if (plugin && declared)
        await plugin.release?.(connectorCredentials(openedValues(account), declared));
    },
  };
}

/** Returns the time at which an account's connection expires; empty if it never expires. */
function endOf({ expiry }: ResourceRow<"account">): Pick<AccountBinding, "expiresAt"> {
  return expiry instanceof Date ? { expiresAt: expiry.getTime() } : {};
}

function pluginSource({ id, base_url, properties }: ResourceRow<"plugin">): Source {
  return { plugin: { id, base_url }, properties: properties ?? [] };
}
