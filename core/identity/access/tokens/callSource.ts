import { BlockList, isIP } from "node:net";

/** Where a call comes from. */
export interface CallSource {
  /** The address of the caller, as the proxies that are trusted name it. */
  readonly address: string;
  /** The `Origin` header: the page of a browser. Undefined for most callers that are no browser. */
  readonly origin: string | undefined;
  /** The value of the cookie of a session, where the call came from a page of the console. */
  readonly session?: string | undefined;
  /** The User-Agent header. */
  readonly device?: string | undefined;
  /** The call only adds a second factor: people without one, where one is demanded, make no other. */
  readonly isEnrolling?: boolean;
  /** The program that runs the host asks: it is nowhere else, and no list of addresses or origins refuses it. */
  readonly isOfHost?: boolean;
}

/** From where a token may be used. */
export interface AllowedSources {
  /** Undefined where any origin may call, and callers without an `Origin` header. */
  readonly origins: ReadonlySet<string> | undefined;
  /** Undefined for any address. */
  readonly addresses: BlockList | undefined;
  /** Addresses from which people and api tokens of the organization may call; undefined for any. */
  readonly ofOrganization?: BlockList | undefined;
}

/** The origin that browsers send for this one; undefined for any other text. */
export function parseOrigin(text: string): string | undefined {
  if (!/^https?:\/\/[^/?#@*]+\/?$/i.test(text) || !URL.canParse(text)) return undefined;
  return new URL(text).origin;
}

interface Network {
  readonly address: string;
  readonly prefix: number;
  readonly family: "ipv4" | "ipv6";
}

/** The network of an address, or of `address/prefix`; undefined for any other text. */
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

/** Reads the stored lists of a token and of its organization; undefined where it may be used from anywhere. */
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

/** Returns whether an address is in one of some networks. An address that is written as IPv6 counts as its IPv4 one. */
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
 * Finds why a token may not be used from `source`: `the address …` or `the origin …`; undefined where it may. An
 * address that is written as IPv6 counts as the IPv4 address in it.
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
    return `${shown}, which is in no network of its organization's allowed_addresses`;
  const origin = source?.origin;
  if (origins && (origin === undefined || !origins.has(origin)))
    return origin === undefined ? "outside a page" : `the origin ${origin.slice(0, 100)}`;
  return undefined;
}
