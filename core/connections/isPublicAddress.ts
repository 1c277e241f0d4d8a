import ipaddr from "ipaddr.js";

/** `::7f00:1`, the deprecated form of an IPv4 address (RFC 4291, 2.5.5.1), which the library calls public. */
const ipv4Compatible = /^::(?!ffff:)(?:[0-9a-f]{1,4}:[0-9a-f]{1,4}|\d+\.\d+\.\d+\.\d+)$/i;

/** Returns whether an IP address is public: the rule of the egress guard, for HTTP and for databases. */
export function isPublicAddress(address: string): boolean {
  return (
    ipaddr.isValid(address) &&
    ipaddr.parse(address).range() === "unicast" &&
    !ipv4Compatible.test(address)
  );
}
