import {
  type Credentials,
  type ProtocolVersion,
  protocolVersions,
} from "../../../plugins/protocol/index.ts";
import {
  type AskablePlugin,
  type Config,
  type Connection,
  type Connections,
  featureFlags,
  otherVersion,
  type PluginVersion,
  type Records,
  type ResourceRow,
} from "../../base/index.ts";
import type { CallTimes } from "./callTimes.ts";
import { connect, type ConnectOptions } from "./connect.ts";
import { fingerprint } from "./fingerprint.ts";
import { type Grant, type Grants, isTrustedOrigin } from "./grants.ts";
import { namedError } from "./namedError.ts";
import type { Egresses } from "./openEgresses.ts";
import { type DeclaredRemote, openPluginVersions } from "./openPluginVersions.ts";
import { askVersion, type RemotePlugin } from "./overHttp/index.ts";
import {
  type CheckedClaims,
  checkedClaims,
  declarationOf,
  forgetStaleCheck,
  reliablePlugin,
} from "./pluginProof.ts";

/** The limits of every call, and the key for fingerprints. */
export interface CallBounds extends Pick<ConnectOptions, "timeoutMs" | "sizeBytes" | "metrics"> {
  /** A random key, so that fingerprints are meaningless outside this process. */
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
  askVersion(plugin: AskablePlugin): Promise<PluginVersion>;
  close(): void;
}

export interface RemotesOptions {
  readonly config: Pick<Config, "plugins">;
  readonly records: Records;
  readonly grants: Pick<Grants, "of">;
  readonly egresses: Pick<Egresses, "forGrant">;
  readonly callTimes: Pick<CallTimes, "note">;
  readonly bounds: CallBounds;
}

/** Creates connections to plugins over HTTP. A plugin stays open until its record or its capabilities change. */
export function createRemotes(options: RemotesOptions): Remotes {
  const { config, records, grants, egresses, callTimes } = options;
  const { hashKey, ...bounds } = options.bounds;
  const versions = openPluginVersions(egresses);
  return {
    async connect(row, credentials, { elsewhere, ...binding } = {}) {
      const own = declaredOf(row, records);
      const declared = { ...own, ...(elsewhere && { baseUrl: elsewhere.baseUrl }) };
      // The grant is that of the organization that chose the address: the organization of the record, or that of the
      // token's account.
      const grant = elsewhere?.grant ?? (await grants.of(row.organization_id));
      // What the plugin of the record answered says nothing about the plugin at another address.
      const last = elsewhere ? undefined : versionOf(row.answered_version);
      const opened = await versions.open(declared, grant, last).catch((failure: unknown) => {
        throw namedError(failure, declared.slug);
      });
      const { remote, plugin, answered } = opened;
      if (!elsewhere) await noteVersion(row, answered, records);
      const declaration = declarationOf(remote, plugin.capabilities);
      const checked = checkedClaims(row, declaration);
      const disproved = [...checked.wrong.keys()];
      const print = fingerprint(
        hashKey,
        { ...remote, grantKey: grant.key, disproved },
        credentials,
      );
      // The plugin at an address from a token may differ from the plugin of the record.
      if (!elsewhere) await forgetStaleCheck(row, declaration, records);
      return connect({
        name: remote.slug,
        protocolVersion: remote.protocolVersion,
        ...lackOf(remote, otherVersion(own.protocolVersion, last)),
        ...reliablePlugin(plugin, checked, config.plugins),
        proved: checked.proved,
        disproved: checked.wrong,
        ...orderTrust(row, isTrustedOrigin(remote.baseUrl, grant), checked),
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
      const declared = declaredOf(row, records);
      const grant = await grants.of(row.organization_id);
      const egress = egresses.forGrant(grant);
      // The check may follow a change of the plugin, so the plugin is asked even if the host remembers an answer.
      versions.forget(declared, grant);
      const asked = await askVersion(declared, egress);
      const noted = await noteVersion(row, asked.version, records);
      const { remote, plugin } = await versions
        .open(declared, grant, noted)
        .catch((failure: unknown) => {
          throw namedError(failure, declared.slug);
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
    async askVersion({ slug, base_url, pushdown, secret, previousSecret, organizationId }) {
      const declared = {
        slug,
        baseUrl: base_url,
        pushdown,
        supportsDistinctcount: false,
        ...(secret !== undefined && { secret }),
        ...(previousSecret !== undefined && { previousSecret }),
      };
      const egress = egresses.forGrant(await grants.of(organizationId));
      const { outcome, version, problem } = await askVersion(declared, egress);
      return {
        outcome,
        ...(version !== undefined && { version }),
        ...(problem !== undefined && { problem }),
      };
    },
    close: () => versions.close(),
  };
}

/** Decides whether a plugin may receive order and limit. */
function orderTrust(
  { verification }: ResourceRow<"plugin">,
  isAddressTrusted: boolean,
  { proved, wrong }: CheckedClaims,
): Pick<ConnectOptions, "mayOrder" | "orderRefusal"> {
  if (!isAddressTrusted)
    return {
      orderRefusal:
        "plugins over HTTP receive order and limit only at an address that the operator trusts (MANIFOLD_PLUGIN_TRUST)",
    };
  const [found] = wrong;
  if (found)
    return {
      orderRefusal: `the operator trusts the address of the plugin, but the conformance kit found its claim ${found[0]} wrong: ${found[1]}; the plugin's owner can mend the plugin and run its test action again`,
    };
  if (verification !== "verified" || proved.size === 0)
    return {
      orderRefusal:
        "the operator trusts the address of the plugin, but the host has not verified the plugin; the plugin's owner can run its test action",
    };
  return { mayOrder: true };
}

const versionOf = (value: unknown): ProtocolVersion | undefined =>
  protocolVersions.find((each) => each === value);

/**
 * Records the version that a plugin reported, if it differs from the recorded version. Returns the version that is then
 * recorded.
 */
async function noteVersion(
  { id, answered_version: known }: ResourceRow<"plugin">,
  answered: ProtocolVersion | undefined,
  records: Records,
): Promise<ProtocolVersion | undefined> {
  if (answered === undefined || answered === known) return versionOf(known);
  await records.change("plugin", id, { answered_version: answered });
  return answered;
}

function declaredOf(row: ResourceRow<"plugin">, records: Records): DeclaredRemote {
  const protocolVersion = versionOf(row.protocol_version);
  const secret = records.reveal("plugin", row, "secret");
  const isOverlap = (row.previous_secret_until?.getTime() ?? 0) > Date.now();
  const previousSecret = isOverlap ? records.reveal("plugin", row, "previous_secret") : undefined;
  return {
    slug: String(row.slug),
    baseUrl: String(row.base_url),
    pushdown: row.pushdown === true,
    supportsDistinctcount: row.supports_distinctcount === true,
    flags: featureFlags.filter((flag) => row[flag] === true),
    ...(protocolVersion !== undefined && { protocolVersion }),
    ...(secret !== undefined && { secret }),
    ...(previousSecret !== undefined && { previousSecret }),
  };
}

/**
 * Returns the first words of the reason why the plugin does not carry out a clause. A plugin of a numbered version
 * makes no promises itself; its record and its version imply its promises.
 */
function lackOf(
  { protocolVersion, pushdown }: RemotePlugin,
  other: string | undefined,
): { readonly lack?: string } {
  if (protocolVersion === "manifold-1") return {};
  const lack = `protocol ${protocolVersion} does not offer`;
  if (other !== undefined) return { lack: `${other}; until then, ${lack}` };
  return { lack: pushdown ? lack : `the plugin's record does not set pushdown, so ${lack}` };
}
