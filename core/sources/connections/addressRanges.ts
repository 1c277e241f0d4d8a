import { BlockList } from "node:net";

/**
 * IPv4 ranges that are not part of the public internet. Sources: IANA IPv4 Special-Purpose Address Registry (rows whose
 * column "Globally Reachable" is not true), and each vendor's page. Cloud metadata addresses that IANA lists as public
 * have their own rows.
 */
const special4 = [
  ["0.0.0.0/8", "this network: RFC 791, 3.2"],
  ["10.0.0.0/8", "private use: RFC 1918"],
  ["100.64.0.0/10", "shared address space: RFC 6598"],
  ["127.0.0.0/8", "loopback: RFC 1122, 3.2.1.3"],
  ["169.254.0.0/16", "link local: RFC 3927"],
  ["172.16.0.0/12", "private use: RFC 1918"],
  ["192.0.0.0/24", "IETF protocol assignments: RFC 6890, 2.1"],
  ["192.0.2.0/24", "documentation: RFC 5737"],
  ["192.88.99.0/24", "6to4 relays, deprecated: RFC 7526"],
  ["192.168.0.0/16", "private use: RFC 1918"],
  ["198.18.0.0/15", "benchmarks: RFC 2544"],
  ["198.51.100.0/24", "documentation: RFC 5737"],
  ["203.0.113.0/24", "documentation: RFC 5737"],
  ["224.0.0.0/4", "multicast: RFC 5771"],
  ["240.0.0.0/4", "reserved, and the broadcast address: RFC 1112, 4; RFC 919"],
  [
    "168.63.129.16/32",
    "Azure's WireServer: learn.microsoft.com, What is IP address 168.63.129.16?",
  ],
] as const;

/**
 * IPv6 ranges within 2000::/3 that are not part of the public internet. Only 2000::/3 is global unicast (IANA IPv6
 * Address Space), so other IPv6 addresses are rejected and need no row here. Source: IANA IPv6 Special-Purpose Address
 * Registry.
 */
const special6 = [
  ["2001::/23", "IETF protocol assignments, including Teredo and ORCHID: RFC 2928, RFC 4380"],
  ["2001:db8::/32", "documentation: RFC 3849"],
  ["2002::/16", "6to4, which carries any IPv4 address: RFC 3056"],
  ["3ffe::/16", "the 6bone, returned to IANA: RFC 3701"],
  ["3fff::/20", "documentation: RFC 9637"],
] as const;

/**
 * Addresses at which cloud providers give machines their credentials. Includes all link-local networks, because AWS
 * uses 169.254.169.254, 169.254.170.2 (ECS) and 169.254.170.23 (EKS).
 */
const metadata = [
  [
    "169.254.0.0/16",
    "AWS, Azure, Google Cloud, Oracle, IBM, DigitalOcean, OpenStack, Tencent, Scaleway",
  ],
  ["168.63.129.16/32", "Azure's WireServer"],
  ["100.100.100.200/32", "Alibaba Cloud: ECS, Access instance metadata"],
  ["192.0.0.192/32", "Oracle Cloud: Compute Classic, instance metadata"],
  ["fe80::/10", "OpenStack: fe80::a9fe:a9fe"],
  ["fd00:ec2::/32", "AWS: fd00:ec2::254 (EC2), fd00:ec2::23 (EKS)"],
  ["fd20:ce::254/128", "Google Cloud: metadata.google.internal on IPv6-only machines"],
  ["fd00:c1::a9fe:a9fe/128", "Oracle Cloud: instance metadata over IPv6"],
  ["fd00:42::42/128", "Scaleway: instance metadata over IPv6"],
] as const;

type Rows = readonly (readonly [range: string, source: string])[];

function listOf(rows: Rows): BlockList {
  const list = new BlockList();
  for (const [range] of rows) {
    const [network = "", prefix] = range.split("/");
    list.addSubnet(network, Number(prefix), network.includes(":") ? "ipv6" : "ipv4");
  }
  return list;
}

/** The only IPv6 range that can be public. */
export const globalUnicast = listOf([["2000::/3", "RFC 3587"]]);
export const specialRanges = listOf([...special4, ...special6]);
export const metadataRanges = listOf(metadata);
