import type { Server } from "node:http";
import type { AddressInfo } from "node:net";

/**
 * Has a server listen, and returns its URL. Port 0 stands for any free port.
 * @throws {Error} when the address is taken or not of this machine; names the setting
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
    `another process listens on ${host}:${port}: end it, or set ${setting} to another port`,
  EADDRNOTAVAIL: ({ host }) =>
    `${host} is no address of this machine: set MANIFOLD_HOST to one of its own, or to 0.0.0.0 for all`,
  EACCES: ({ port, setting }) =>
    `this user may not listen on port ${port}: set ${setting} to one from 1024, behind a proxy`,
};
