import type { Connector, Credentials, Plugin, Reach } from "../../../plugins/protocol/index.ts";
import type { FirebirdDatabase } from "../../support/firebirdDatabase.ts";
import { findPackages } from "../../support/findPackages.ts";
import { openReach } from "../../support/openReach.ts";

/** Installs the driver of the example's connector if necessary, and then imports the connector. */
async function loadFirebird(): Promise<Connector> {
  await findPackages("firebird");
  // The example has its own TypeScript project, which the project of the tests does not see.
  const path = "../../../examples/firebird/src/index.ts";
  return (await import(path)) as Connector;
}

/** Opens the connector of the example. By default, it may reach every address. */
export async function openFirebird({
  reach = openReach(),
  timeoutMs = 30_000,
}: {
  readonly reach?: Reach;
  readonly timeoutMs?: number;
} = {}): Promise<Plugin> {
  const { open } = await loadFirebird();
  return open({ reach, timeoutMs, sizeBytes: 2 ** 28 });
}

/** Returns the credentials of a user for a database. The default is the user with all rights. */
export function credentialsOf(
  { host, port, path, user, password }: Omit<FirebirdDatabase, "run" | "close">,
  properties: Readonly<Record<string, string>> = {},
): Credentials {
  return {
    host,
    key: user,
    token: password,
    properties: { port: String(port), scope: path, ...properties },
  };
}
