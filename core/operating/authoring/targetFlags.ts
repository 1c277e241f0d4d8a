import {
  type Credentials,
  protocolVersions,
  type ProtocolVersion,
} from "../../../plugins/protocol/index.ts";

/** The flags that say how a plugin is reached. */
export const targetFlags = {
  secret: { type: "string" },
  key: { type: "string" },
  host: { type: "string" },
  property: { type: "string", multiple: true },
  protocol: { type: "string" },
  pushdown: { type: "boolean" },
  distinctcount: { type: "boolean" },
} as const;

/** How a plugin is reached. */
export interface TargetSettings {
  readonly secret?: string;
  readonly credentials: Credentials;
  /** Absent: the version is found out. */
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
 * Reads the flags; secret and key from the environment where no flag gives them, the token from there alone: the list
 * of processes shows flags.
 * @throws {Error} for a version that does not exist, or a property without a name
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
      `--protocol is one of ${protocolVersions.join(", ")}, not ${JSON.stringify(protocol)}`,
    );
  const properties = (given.property ?? []).map((text) => {
    const [, id, value] = /^([^=]+)=([^]*)$/.exec(text) ?? [];
    // The text may be a secret without its name.
    if (id === undefined || value === undefined) throw new Error("--property is ID=VALUE");
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
