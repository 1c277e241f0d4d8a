import type { Server } from "node:http";
import type { AddressInfo } from "node:net";

/**
 * Makes a server listen, and returns its URL. With port 0, the operating system chooses a free port.
 * @throws {Error} naming the setting if the address is taken or does not belong to this machine
 */
export async function listen(
  server: Server,
  { host, port }: { readonly host: string; readonly port: number },
  setting = "MANIFOLD_PORT",
): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  }).catch((failure: NodeJS.ErrnoException) => {
    const problem = problems[failure.code ?? ""];
    throw problem ? new Error(problem({ host, port, setting }), { cause: failure }) : failure;
  });
  const { port: chosen } = server.address() as AddressInfo;
  return `http://${host.includes(":") ? `[${host}]` : host}:${chosen}`;
}

interface Taken {
  readonly host: string;
  readonly port: number;
  readonly setting: string;
}

const problems: Readonly<Record<string, (taken: Taken) => string>> = {
  EADDRINUSE: ({ host, port, setting }) =>
    `another process already listens on ${host}:${port}: stop it, or set ${setting} to another port`,
  EADDRNOTAVAIL: ({ host }) =>
    `${host} must be an address of this machine: set MANIFOLD_HOST to one of its addresses, or to 0.0.0.0 for all`,
  EACCES: ({ port, setting }) =>
    `this user may not listen on port ${port}: set ${setting} to 1024 or higher, and put a proxy in front of the host`,
};
