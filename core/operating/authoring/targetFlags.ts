import {
  type Credentials,
  protocolVersions,
  type ProtocolVersion,
} from "../../../plugins/protocol/index.ts";

/** The command-line flags that say how to reach a plugin. */
export const targetFlags = {
  secret: { type: "string" },
  key: { type: "string" },
  host: { type: "string" },
  property: { type: "string", multiple: true },
  protocol: { type: "string" },
  pushdown: { type: "boolean" },
  distinctcount: { type: "boolean" },
} as const;

/** The text that says how to set the credentials that a plugin needs. */
export const credentialsHint =
  "set PLUGIN_TOKEN to the token, PLUGIN_KEY or --key to the key, and --property ID=VALUE for each property";

/** How to reach a plugin: its protocol version, secret, credentials and properties. */
export interface TargetSettings {
  readonly secret?: string;
  readonly credentials: Credentials;
  /** The plugin's protocol version. If absent, it is detected. */
  readonly protocolVersion?: ProtocolVersion;
  readonly pushdown: boolean;
  readonly supportsDistinctcount: boolean;
}

interface Given {
  readonly secret?: string | undefined;
  readonly key?: string | undefined;
  readonly host?: string | undefined;
  readonly property?: readonly string[] | undefined;
  readonly protocol?: string | undefined;
  readonly pushdown?: boolean | undefined;
  readonly distinctcount?: boolean | undefined;
}

/**
 * Reads the flags. The secret and the key come from the environment if their flags are absent. The token comes only
 * from the environment, because process lists show flags.
 * @throws {Error} for an unknown version, or a property without a name
 */
export function readTargetFlags(
  given: Given,
  environment: Readonly<Record<string, string | undefined>>,
): TargetSettings {
  const secret = given.secret ?? environment["PLUGIN_SECRET"];
  const key = given.key ?? environment["PLUGIN_KEY"];
  const token = environment["PLUGIN_TOKEN"];
  const { host, protocol } = given;
  const protocolVersion = protocolVersions.find((version) => version === protocol);
  if (protocol !== undefined && !protocolVersion)
    throw new Error(
      `--protocol must be one of ${protocolVersions.join(", ")}, not ${JSON.stringify(protocol)}`,
    );
  const properties = (given.property ?? []).map((text) => {
    const [, id, value] = /^([^=]+)=([^]*)$/.exec(text) ?? [];
    // Do not show the value, because it may be a secret whose name is missing.
    if (id === undefined || value === undefined) throw new Error("--property must be ID=VALUE");
    return [id, value] as const;
  });
  return {
    credentials: {
      properties: Object.fromEntries(properties),
      ...(key !== undefined && { key }),
      ...(token !== undefined && { token }),
      ...(host !== undefined && { host }),
    },
    pushdown: given.pushdown === true,
    supportsDistinctcount: given.distinctcount === true,
    ...(secret && { secret }),
    ...(protocolVersion && { protocolVersion }),
  };
}
