import type { AccountProperty } from "../../plugins/protocol/index.ts";

/** From the weakest to the strongest, as libpq names them. */
export const tlsModes = ["disable", "prefer", "require", "verify-ca", "verify-full"] as const;
export type TlsMode = (typeof tlsModes)[number];

/** Properties of an account of PostgreSQL. */
export const properties: readonly AccountProperty[] = [
  { id: "host", label: "Host", type: "text", required: true },
  { id: "port", label: "Port", type: "number" },
  { id: "scope", label: "Database", type: "text", destination: false },
  { id: "identifier", label: "User", type: "text", required: true },
  { id: "token", label: "Password", type: "password" },
  { id: "schema", label: "Schema", type: "text", destination: false },
  { id: "ssl", label: "TLS", type: "select", options: tlsModes, destination: "weaker" },
  { id: "ca", label: "Certificate authority (PEM)", type: "text" },
];
