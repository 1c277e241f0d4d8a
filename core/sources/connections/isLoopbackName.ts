/**
 * Returns whether a host name is `localhost` or a subdomain of it. These names mean the machine itself (RFC 6761, 6.3).
 */
export function isLoopbackName(name: string): boolean {
  return /(^|\.)localhost\.*$/i.test(name);
}
