/**
 * Returns the URL at which browsers on this machine reach a host that listens at `url`. Undefined if the host listens
 * only on an address that other machines use as well.
 */
export function loopbackUrl(url: string): string | undefined {
  const { hostname, port } = new URL(url);
  if (hostname === "0.0.0.0") return `http://127.0.0.1:${port}`;
  if (hostname === "[::]") return `http://[::1]:${port}`;
  const isLoopback = /^(localhost|[\w-]+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/i.test(hostname);
  return isLoopback ? url : undefined;
}
