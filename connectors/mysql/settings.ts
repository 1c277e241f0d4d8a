import { isIP } from "node:net";
import {
  PluginError,
  type AccountProperty,
  type Credentials,
} from "../../plugins/protocol/index.ts";
import {
  columnProperties,
  readAuthority,
  tlsModes,
  type TlsMode,
} from "../../plugins/sql/index.ts";

/** Properties of a MySQL or MariaDB account. */
export const properties: readonly AccountProperty[] = [
  { id: "host", label: "Host", type: "text", required: true },
  { id: "port", label: "Port", type: "number" },
  { id: "scope", label: "Database", type: "text", destination: false },
  { id: "identifier", label: "User", type: "text", required: true },
  { id: "token", label: "Password", type: "password" },
  { id: "ssl", label: "TLS", type: "select", options: tlsModes, destination: "weaker" },
  { id: "ca", label: "Certificate authority (PEM)", type: "text" },
  ...columnProperties,
];

/** The address of a database, and the user as whom to connect. */
export interface Settings {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  /**
   * The only database whose tables are listed.
   * @default all databases of the user
   */
  readonly database?: string;
  /**
   * TLS mode of the connection.
   * @default `verify-full` for public addresses, `prefer` for others
   */
  readonly ssl?: TlsMode;
  /**
   * Trusted certificates in PEM format.
   * @default the certificates of Node
   */
  readonly authority?: string;
}

const schemes = ["mysql:", "mariadb:", "https:", "http:"];
const defaultPort = 3306;

/**
 * Parses the address and the user of credentials.
 * @throws {PluginError} PLUGIN_INVALID naming the member
 */
export function readSettings({ host, key, token, properties: given }: Credentials): Settings {
  const address = readHost(host);
  const port = given["port"] === undefined ? address.port : readPort(given["port"]);
  const database = given["scope"] || address.database;
  const ssl = given["ssl"] || undefined;
  if (ssl !== undefined && !isTlsMode(ssl))
    throw invalid(`ssl must be one of ${tlsModes.join(", ")}, not ${JSON.stringify(ssl)}`);
  if (ssl === "verify-full" && isIP(address.host) !== 0)
    throw invalid("with ssl verify-full, host must be a server name, not an IP address");
  if (!key) throw invalid("identifier is required: the database user");
  const authority = readAuthority(given["ca"]);
  return {
    host: address.host,
    port: port ?? defaultPort,
    user: key,
    password: token ?? "",
    ...(ssl !== undefined && { ssl }),
    ...(database && { database }),
    ...(authority !== undefined && { authority }),
  };
}

interface Address {
  readonly host: string;
  readonly port?: number;
  readonly database?: string;
}

function readHost(given: string | undefined): Address {
  if (!given) throw invalid("host is required: the name of the server");
  const text = given.includes("://") ? given : `mysql://${given}`;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !schemes.includes(url.protocol) || url.hostname === "")
    throw invalid("host must be a server name, or https://server:port/database");
  if (url.username !== "" || url.password !== "")
    throw invalid("host must not contain a user or password; put them into identifier and token");
  if (url.search !== "" || url.hash !== "")
    throw invalid("host must end with the database; put settings into the account's properties");
  const database = decodeURIComponent(url.pathname.replace(/^\/+|\/+$/g, ""));
  if (database.includes("/"))
    throw invalid("host must contain at most one database after the server");
  return {
    host: url.hostname.replace(/^\[|\]$/g, ""),
    ...(url.port !== "" && { port: Number(url.port) }),
    ...(database !== "" && { database }),
  };
}

function readPort(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port < 1 || port > 65_535)
    throw invalid(`port must be a whole number from 1 to 65535, not ${JSON.stringify(text)}`);
  return port;
}

function isTlsMode(text: string): text is TlsMode {
  return tlsModes.some((mode) => mode === text);
}

function invalid(detail: string): PluginError {
  return new PluginError("PLUGIN_INVALID", [detail]);
}
