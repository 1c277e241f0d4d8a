import {
  type Credentials,
  type Plugin,
  type ProtocolVersion,
  protocolVersions,
} from "../../../plugins/protocol/index.ts";
import {
  type Config,
  type Connection,
  type Connections,
  featureFlags,
  type Records,
  type ResourceRow,
} from "../../base/index.ts";
import type { CallTimes } from "./callTimes.ts";
import { connect, type ConnectOptions } from "./connect.ts";
import { fingerprint } from "./fingerprint.ts";
import type { Grant, Grants } from "./grants.ts";
import { namedError } from "./namedError.ts";
import type { Egresses } from "./openEgresses.ts";
import { overHttp, type RemotePlugin } from "./overHttp/index.ts";
import { declarationOf, forgetStaleCheck, provedClaims, provedPlugin } from "./pluginProof.ts";

/** The limits of every call, and the key for fingerprints. */
export interface CallBounds extends Pick<ConnectOptions, "timeoutMs" | "sizeBytes" | "metrics"> {
  /** Random, so that fingerprints are meaningless outside this process. */
  readonly hashKey: Buffer;
}

/** The expiry of an account's connection, and what is recorded about its credentials. */
export type AccountBinding = Pick<ConnectOptions, "expiresAt" | "noteRefused" | "noteWarnings">;

/** The address with which a token replaces a plugin's address, and the grant under which that address is called. */
interface Elsewhere {
  readonly baseUrl: string;
  readonly grant: Grant;
}

/** Connections to plugins over HTTP. Errors contain the plugin's name. */
export interface Remotes {
  /** Connects to the plugin of a record, or to the plugin at the address that a token names. */
  connect(
    row: ResourceRow<"plugin">,
    credentials: Credentials,
    binding?: AccountBinding & { readonly elsewhere?: Elsewhere },
  ): Promise<Connection>;
  /** Opens the plugin of a record again, without the claims that an earlier check proved. */
  connectUnderCheck(
    row: ResourceRow<"plugin">,
    credentials: Credentials,
    binding: AccountBinding,
  ): ReturnType<Connections["underCheck"]>;
}

export interface RemotesOptions {
  readonly config: Pick<Config, "plugins">;
  readonly records: Records;
  readonly grants: Pick<Grants, "of">;
  readonly egresses: Pick<Egresses, "forGrant">;
  readonly callTimes: Pick<CallTimes, "note">;
  readonly bounds: CallBounds;
}

/** How long the capabilities of a remote plugin are cached. */
const capabilitiesMs = 60_000;

/** Creates connections to plugins over HTTP. A plugin stays open until its record or its capabilities change. */
export function createRemotes(options: RemotesOptions): Remotes {
  const { config, records, grants, egresses, callTimes } = options;
  const { hashKey, ...bounds } = options.bounds;
  const opened = new Map<string, { readonly plugin: Promise<Plugin>; readonly until: number }>();
  const openRemote = (remote: RemotePlugin, grant: Grant): Promise<Plugin> => {
    const egress = egresses.forGrant(grant);
    if (remote.protocolVersion !== "manifold-1") return overHttp(remote, egress);
    const { slug, baseUrl, secret, previousSecret, flags } = remote;
    const key = JSON.stringify([slug, baseUrl, secret, previousSecret, flags, grant.key]);
    const now = performance.now();
    for (const [name, { until }] of opened) if (until <= now) opened.delete(name);
    const known = opened.get(key);
    if (known) return known.plugin;
    const plugin = overHttp(remote, egress);
    opened.set(key, { plugin, until: now + capabilitiesMs });
    plugin.catch(() => opened.delete(key));
    return plugin;
  };
  return {
    async connect(row, credentials, { elsewhere, ...binding } = {}) {
      const own = remoteOf(row, records);
      const remote = { ...own, ...(elsewhere && { baseUrl: elsewhere.baseUrl }) };
      // The grant is that of whoever chose the address: the organization of the record, or of the token's account.
      const grant = elsewhere?.grant ?? (await grants.of(row.organization_id));
      const print = fingerprint(hashKey, { ...remote, grantKey: grant.key }, credentials);
      const plugin = await openRemote(remote, grant).catch((failure: unknown) => {
        throw namedError(failure, remote.slug);
      });
      const declaration = declarationOf(remote, plugin.capabilities);
      const proved = provedClaims(row, declaration);
      // The plugin at an address from a token may differ from the plugin of the record.
      if (!elsewhere) await forgetStaleCheck(row, declaration, records);
      return connect({
        name: remote.slug,
        ...(config.plugins === "verified" ? provedPlugin(plugin, proved) : { plugin }),
        proved,
        credentials,
        fingerprint: print,
        authorizesNobody: row.authorize === "none",
        encryption: /^https:/i.test(remote.baseUrl) ? "verified" : "clear",
        noteCall: (call) => callTimes.note(row.id, call),
        ...bounds,
        ...binding,
      });
    },
    async connectUnderCheck(row, credentials, binding) {
      const remote = remoteOf(row, records);
      const grant = await grants.of(row.organization_id);
      const plugin = await overHttp(remote, egresses.forGrant(grant)).catch((failure: unknown) => {
        throw namedError(failure, remote.slug);
      });
      return {
        declaration: declarationOf(remote, plugin.capabilities),
        protocolVersion: remote.protocolVersion,
        connection: connect({
          name: remote.slug,
          plugin,
          credentials,
          fingerprint: fingerprint(hashKey, { ...remote, grantKey: grant.key }, credentials),
          authorizesNobody: row.authorize === "none",
          ...bounds,
          ...binding,
        }),
      };
    },
  };
}

function remoteOf(row: ResourceRow<"plugin">, records: Records): RemotePlugin {
  const version = row.protocol_version;
  const known = protocolVersions.find((each) => each === version);
  const secret = records.reveal("plugin", row, "secret");
  const isOverlap = (row.previous_secret_until?.getTime() ?? 0) > Date.now();
  const previousSecret = isOverlap ? records.reveal("plugin", row, "previous_secret") : undefined;
  // A record without a version uses the latest numbered version.
  const protocolVersion: ProtocolVersion = known ?? "3.0.0";
  return {
    slug: String(row.slug),
    baseUrl: String(row.base_url),
    protocolVersion,
    pushdown: row.pushdown === true,
    supportsDistinctcount: row.supports_distinctcount === true,
    flags: featureFlags.filter((flag) => row[flag] === true),
    ...(secret !== undefined && { secret }),
    ...(previousSecret !== undefined && { previousSecret }),
  };
}
