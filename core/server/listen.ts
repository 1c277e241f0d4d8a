import type { Server } from "node:http";
import type { AddressInfo } from "node:net";

/**
 * Has a server listen, and returns its URL. Port 0 stands for any free port.
 * @throws {Error} of Node.js, when the address is taken or not of this machine
 */
export async function listen(
  server: Server,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
  const { port: chosen } = server.address() as AddressInfo;
  return `http://${host.includes(":") ? `[${host}]` : host}:${chosen}`;
}
