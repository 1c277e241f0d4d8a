import type { AccountProperty } from "../../plugins/protocol/index.ts";
import { columnProperties } from "../../plugins/sql/index.ts";
import { tlsModes } from "./address.ts";

/** Properties of a ClickHouse account. */
export const properties: readonly AccountProperty[] = [
  { id: "host", label: "Server, or https://server:8443/database", type: "text", required: true },
  { id: "port", label: "HTTP port (8123, or 8443 with TLS)", type: "number" },
  { id: "scope", label: "Database (empty for all)", type: "text", destination: false },
  { id: "identifier", label: "User (default if empty)", type: "text" },
  { id: "token", label: "Password", type: "password" },
  { id: "ssl", label: "TLS", type: "select", options: tlsModes, destination: "weaker" },
  { id: "ca", label: "Certificate authority (PEM)", type: "text" },
  ...columnProperties,
];
