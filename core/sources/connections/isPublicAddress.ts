import { isIP } from "node:net";
import { globalUnicast, metadataRanges, specialRanges } from "./addressRanges.ts";

/** Returns whether an IP address is public. The egress guard applies this rule to HTTP and to databases. */
export function isPublicAddress(address: string): boolean {
  const version = isIP(address);
  // Only link-scoped addresses have a zone (`%eth0`), and these are never public.
  if (version === 0 || address.includes("%")) return false;
  if (version === 4) return !specialRanges.check(address, "ipv4");
  return globalUnicast.check(address, "ipv6") && !specialRanges.check(address, "ipv6");
}

/**
 * Returns whether an IP address is one at which a cloud gives machines their credentials. Recognizes all forms that
 * embed an IPv4 address: mapped, compatible, NAT64 (RFC 6052) and 6to4.
 */
export function isMetadataAddress(address: string): boolean {
  const [plain = ""] = address.split("%");
  const version = isIP(plain);
  if (version === 0) return false;
  if (version === 4) return metadataRanges.check(plain, "ipv4");
  const carried = carriedIpv4(plain);
  return (
    metadataRanges.check(plain, "ipv6") ||
    (carried !== undefined && metadataRanges.check(carried, "ipv4"))
  );
}

/** Returns the IPv4 address embedded in an IPv6 address; undefined if there is none. */
function carriedIpv4(address: string): string | undefined {
  // The URL parser normalizes all forms: lower case, no dots, the longest run of zeros compressed.
  const { hostname } = new URL(`http://[${address}]`);
  const [head = "", tail] = hostname.slice(1, -1).split("::");
  const before = head.split(":").filter(Boolean);
  const after = (tail ?? "").split(":").filter(Boolean);
  const gap = Array.from({ length: 8 - before.length - after.length }, () => "0");
  const words = [...before, ...gap, ...after].map((word) => Number.parseInt(word, 16));
  const ipv4 = (high = 0, low = 0) => [high >> 8, high & 255, low >> 8, low & 255].join(".");
  const [first, second] = words;
  if (first === 0x2002) return ipv4(second, words[2]);
  const isNat64 = first === 0x64 && (second === 0xff9b || second === 1);
  const isWithin =
    words.slice(0, 5).every((word) => word === 0) && [0, 0xffff].includes(words[5] ?? 0);
  return isNat64 || isWithin ? ipv4(words[6], words[7]) : undefined;
}
