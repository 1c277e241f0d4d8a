import type { AccountProperty } from "../../plugins/protocol/index.ts";

/** From the weakest to the strongest. */
export const sslModes = ["disable", "prefer", "require", "verify-ca", "verify-full"] as const;
/**
 * How a connection is encrypted. `prefer`: where the server offers it; `require`: always, with any certificate;
 * `verify-ca`: the certificate is from a known authority (the same as `require` with `ca`); `verify-full`: it is also
 * for the host's name.
 */
export type SslMode = (typeof sslModes)[number];

/** Properties of an account of MySQL or MariaDB. */
export const properties: readonly AccountProperty[] = [
  { id: "host", label: "Host", type: "text", required: true },
  { id: "port", label: "Port", type: "number" },
  { id: "scope", label: "Database", type: "text", destination: false },
  { id: "identifier", label: "User", type: "text", required: true },
  { id: "token", label: "Password", type: "password" },
  { id: "ssl", label: "TLS", type: "select", options: sslModes, destination: "weaker" },
  { id: "ca", label: "Certificate authority (PEM)", type: "text" },
];
