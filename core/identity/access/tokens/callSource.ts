import { BlockList, isIP } from "node:net";

/** Where a call comes from: its address, its origin and its session. */
export interface CallSource {
  /** The caller's address, as reported by trusted proxies. */
  readonly address: string;
  /** The `Origin` header of a browser page. Undefined for most other callers. */
  readonly origin: string | undefined;
  /** The value of the session cookie, if the call came from a console page. */
  readonly session?: string | undefined;
  /** The User-Agent header. */
  readonly device?: string | undefined;
  /** Whether the call only adds a second factor. A person who must add a second factor can make no other call. */
  readonly isEnrolling?: boolean;
  /** Whether the host's own program makes the call. No list of addresses or origins applies to it. */
  readonly isOfHost?: boolean;
}

/** The sources from which a token may be used. */
export interface AllowedSources {
  /** The allowed origins. Undefined if calls may come from any origin, or without an `Origin` header. */
  readonly origins: ReadonlySet<string> | undefined;
  /** The allowed addresses; undefined for any address. */
  readonly addresses: BlockList | undefined;
  /** Addresses from which people and API tokens of the organization may call; undefined for any address. */
  readonly ofOrganization?: BlockList | undefined;
}

/** Returns an origin in the form that browsers send; undefined if the string is not an origin. */
export function parseOrigin(text: string): string | undefined {
  if (!/^https?:\/\/[^/?#@*]+\/?$/i.test(text) || !URL.canParse(text)) return undefined;
  return new URL(text).origin;
}

interface Network {
  readonly address: string;
  readonly prefix: number;
  readonly family: "ipv4" | "ipv6";
}

/** Parses an IP address or a network such as `10.0.0.0/8`; undefined for any other string. */
export function parseNetwork(text: string): Network | undefined {
  const [, address = "", prefix] = /^([^/%]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const version = isIP(address);
  if (version === 0) return undefined;
  const bits = version === 4 ? 32 : 128;
  const length = prefix === undefined ? bits : Number(prefix);
  if (length > bits) return undefined;
  return { address, prefix: length, family: version === 4 ? "ipv4" : "ipv6" };
}

type Stored = readonly unknown[] | null | undefined;

/**
 * Returns the stored lists of sources of a token and of its organization; undefined if the token may be used from
 * anywhere.
 */
export function allowedSources(
  origins: Stored,
  addresses: Stored,
  ofOrganization?: Stored,
): AllowedSources | undefined {
  if (!origins && !addresses && !ofOrganization) return undefined;
  return {
    origins: origins ? new Set(origins.map(String)) : undefined,
    addresses: addresses ? blockListOf(addresses.map(String)) : undefined,
    ofOrganization: ofOrganization ? blockListOf(ofOrganization.map(String)) : undefined,
  };
}

/** Returns whether an address is in one of the networks. An IPv4 address in IPv6 form counts as the IPv4 address. */
export function isInNetworks(address: string, networks: readonly string[]): boolean {
  return isIn(blockListOf(networks), plainAddress(address));
}

const plainAddress = (address: string): string =>
  address.replace(/^::ffff:(?=\d+\.)/i, "").replace(/%.*$/, "");

function isIn(list: BlockList, address: string): boolean {
  const version = isIP(address);
  return version !== 0 && list.check(address, version === 4 ? "ipv4" : "ipv6");
}

function blockListOf(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const text of networks) {
    const network = parseNetwork(text);
    if (network) list.addSubnet(network.address, network.prefix, network.family);
  }
  return list;
}

/**
 * Returns the part of `source` that is not allowed, as `the address …` or `the origin …`; undefined if the token may be
 * used from this source. An IPv4 address in IPv6 form counts as an IPv4 address.
 */
export function refusedSource(
  allowed: AllowedSources | undefined,
  source: CallSource | undefined,
): string | undefined {
  if (!allowed || source?.isOfHost === true) return undefined;
  const { origins, addresses, ofOrganization } = allowed;
  const address = plainAddress(source?.address ?? "");
  const shown = `the address ${address || "of this call"}`;
  if (addresses && !isIn(addresses, address)) return shown;
  if (ofOrganization && !isIn(ofOrganization, address))
    return `${shown}, which is not in the allowed_addresses of its organization`;
  const origin = source?.origin;
  if (origins && (origin === undefined || !origins.has(origin)))
    return origin === undefined ? "outside a page" : `the origin ${origin.slice(0, 100)}`;
  return undefined;
}
