import type { ClickHouseClient } from "@clickhouse/client";
import type { ConnectorOptions, Credentials } from "../../plugins/protocol/index.ts";
import { urlOf, type Address } from "./address.ts";
import { createAgent } from "./createAgent.ts";

export interface ClientOptions extends Pick<ConnectorOptions, "reach" | "timeoutMs"> {
  readonly address: Address;
  readonly credentials: Credentials;
  /** Maximum concurrent connections. */
  readonly most: number;
}

/** Opens the client of a server. It connects on its first statement. */
export async function openClient(options: ClientOptions): Promise<ClickHouseClient> {
  const { address, credentials, reach, timeoutMs, most } = options;
  const { createClient } = await import("@clickhouse/client");
  return createClient({
    url: urlOf(address),
    username: credentials.key ?? "default",
    password: credentials.token ?? "",
    ...(address.database !== undefined && { database: address.database }),
    http_agent: await createAgent(address, reach, most),
    // Normally, the signal of a call stops its request. This deadline applies only if that signal never fires.
    request_timeout: timeoutMs + 5000,
    application: "manifold",
    log: { level: 127 },
  });
}
