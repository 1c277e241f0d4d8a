import { isObject, type Members } from "../json/index.ts";

/**
 * The destination of an account's secrets: the members that can change where the secrets are sent, each with its value
 * as entered. Names are `provider`, `plugin`, `base_url`, `host`, `port`, `scope` and `properties.<name in lower
 * case>`.
 */
export type Destination = Readonly<Record<string, string>>;

/** What the host knows about an account's source: its plugin, or the properties that its connector declares. */
export interface Source {
  /** The account's plugin. Absent if the source is a connector. */
  readonly plugin?: { readonly id: string; readonly base_url: string | null };
  /**
   * Properties as a connector or a plugin's record declares them. Declarations of a plugin's record are not validated.
   */
  readonly properties: readonly unknown[];
}

/** The role of one member of an account. `weaker` lists its values from the weakest to the strongest. */
type Part = "secret" | "harmless" | "destination" | { readonly weaker: readonly string[] };

/** The members of an account that determine its destination. */
export interface Placed {
  readonly provider?: unknown;
  readonly host?: unknown;
  readonly port?: unknown;
  readonly scope?: unknown;
  readonly properties?: Members | null | undefined;
}

/**
 * Members of an account that connectors declare as properties, although the account does not store them in
 * `properties`.
 */
const ownMembers = ["host", "port", "scope"] as const;

const nameOf = (property: string): string => `properties.${property.toLowerCase()}`;

/** Returns the role of a declared property. By default, a property is part of the destination. */
function partOf(declared: unknown): Part {
  if (!isObject(declared)) return "destination";
  const { type, secret, destination, options } = declared;
  if (type === "password" || (secret === true && destination !== true)) return "secret";
  if (destination === false) return "harmless";
  if (destination === "weaker" && Array.isArray(options))
    return { weaker: options.map((option: unknown) => String(option)) };
  return "destination";
}

function partsOf({ properties }: Source): ReadonlyMap<string, Part> {
  const parts = new Map<string, Part>();
  for (const declared of properties) {
    const id: unknown = isObject(declared) ? declared["id"] : undefined;
    if (typeof id !== "string") continue;
    const lower = id.toLowerCase();
    const isOwn = ownMembers.some((member) => member === lower);
    const name = isOwn ? lower : nameOf(lower);
    const part = partOf(declared);
    // A host, port or scope that is declared as a secret, and a name that is declared twice, belong to the destination.
    const isClosed = parts.has(name) || (isOwn && part === "secret");
    parts.set(name, isClosed ? "destination" : part);
  }
  return parts;
}

const isGiven = (value: unknown): boolean => value !== undefined && value !== null && value !== "";

const textOf = (value: unknown): string =>
  typeof value === "object" ? JSON.stringify(value) : String(value);

/** Returns the destination of an account's secrets. Secrets and harmless members are left out. */
export function destinationOf(values: Placed, source: Source): Destination {
  const parts = partsOf(source);
  const given: (readonly [name: string, value: unknown])[] = [
    ["provider", values.provider],
    ["plugin", source.plugin?.id],
    ["base_url", source.plugin?.base_url],
    ...ownMembers.map((member) => [member, values[member]] as const),
    ...Object.entries(values.properties ?? {}).map(
      ([name, value]) => [nameOf(name), value] as const,
    ),
  ];
  const destination = new Map<string, string>();
  for (const [name, value] of given) {
    const part = parts.get(name);
    if (!isGiven(value) || part === "secret" || part === "harmless") continue;
    const before = destination.get(name);
    // A source may accept a name in upper or lower case.
    destination.set(name, before === undefined ? textOf(value) : `${before}, ${textOf(value)}`);
  }
  return Object.fromEntries(destination);
}

/**
 * Compares a destination with the one for which the secrets were confirmed. Returns the names of the members that
 * differ, sorted. Ignores the case of host names and URL schemes, and ignores a change to stronger TLS.
 */
export function movedMembers(
  confirmed: Destination,
  present: Destination,
  source: Source,
): readonly string[] {
  const parts = partsOf(source);
  const names = new Set([...Object.keys(confirmed), ...Object.keys(present)]);
  return [...names].toSorted().filter((name) => {
    const part = parts.get(name) ?? "destination";
    if (part === "harmless" || part === "secret") return false;
    const [before, after] = [confirmed[name], present[name]];
    if (normalized(name, before) === normalized(name, after)) return false;
    return part === "destination" || isWeaker(before, after, part.weaker);
  });
}

/**
 * Returns whether `after` protects less than `before`. `order` lists the values from the weakest to the strongest. If
 * `before` is absent, the source chose a value, possibly the strongest, so only the strongest `after` is safe.
 */
function isWeaker(
  before: string | undefined,
  after: string | undefined,
  order: readonly string[],
): boolean {
  const [from, to] = [before, after].map((value) => order.indexOf(value ?? ""));
  if (to === undefined || to === -1) return true;
  if (from === undefined || from === -1) return before !== undefined || to < order.length - 1;
  return to < from;
}

const plainName = String.raw`[a-z0-9-]+(?:\.[a-z0-9-]+)*(?::\d+)?`;
const plainHost = new RegExp(`^${plainName}$`, "i");
const plainUrl = new RegExp(`^(https?://${plainName})(?:/.*)?$`, "i");

/**
 * Normalizes a string so that two normalized strings are equal only if they certainly name the same address. Scheme and
 * host name are converted to lower case. Everything else is left unchanged, because sources interpret it differently:
 * without `:443`, ClickHouse uses port 8443, and some parsers continue the host name after a backslash.
 */
function normalized(name: string, text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  if (name === "host" && plainHost.test(text)) return text.toLowerCase();
  const origin = plainUrl.exec(text)?.[1];
  return origin === undefined ? text : `${origin.toLowerCase()}${text.slice(origin.length) || "/"}`;
}

/** Parses a destination from its stored form, a JSON object of strings. */
export function readDestination(text: string): Destination {
  const value: unknown = JSON.parse(text);
  if (!isObject(value)) return {};
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, String(each)]));
}

/** Returns the names of an account's properties that have a value and are not shown. Responses mask these values. */
export function secretProperties(
  properties: Members,
  isShown: (name: string) => boolean,
): readonly string[] {
  return Object.entries(properties).flatMap(([name, value]) =>
    isGiven(value) && !isShown(name) ? [name] : [],
  );
}

/** Names that sources use for the location of a server, or for the proof of a server's identity. */
const addressName =
  /host|server|addr|url|uri|endpoint|domain|proxy|(?<![a-z])(port|region|site|instance|ssl|tls|ca|cert|verify)(?![a-z])/i;

/** Returns whether the name or the value of an undeclared property suggests that the property can change the server. */
export const mayBeAddress = (name: string, value: string): boolean =>
  addressName.test(name) || /[./:\\@%[\];=?&#]/.test(value);
