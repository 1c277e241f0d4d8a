import type { AccountProperty } from "../../plugins/protocol/index.ts";
import { tlsModes } from "./address.ts";

/** Properties of an account of ClickHouse. */
export const properties: readonly AccountProperty[] = [
  { id: "host", label: "Server, or https://server:8443/database", type: "text", required: true },
  { id: "port", label: "Port of HTTP (8123, or 8443 with TLS)", type: "number" },
  { id: "scope", label: "Database (empty for all)", type: "text", destination: false },
  { id: "identifier", label: "User (default without it)", type: "text" },
  { id: "token", label: "Password", type: "password" },
  { id: "ssl", label: "TLS", type: "select", options: tlsModes, destination: "weaker" },
  { id: "ca", label: "Certificate authority (PEM)", type: "text" },
];
