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

/** Properties of a PostgreSQL account. */
export const properties: readonly AccountProperty[] = [
  { id: "host", label: "Host", type: "text", required: true },
  { id: "port", label: "Port", type: "number" },
  { id: "scope", label: "Database", type: "text", destination: false },
  { id: "identifier", label: "User", type: "text", required: true },
  { id: "token", label: "Password", type: "password" },
  { id: "schema", label: "Schema", type: "text", destination: false },
  { id: "ssl", label: "TLS", type: "select", options: tlsModes, destination: "weaker" },
  { id: "ca", label: "Certificate authority (PEM)", type: "text" },
  ...columnProperties,
];

/** The address of a database, and the user as whom to connect. */
export interface Settings {
  /** A host name, an IP address, or the folder of a Unix socket. */
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string;
  readonly password: string;
  /**
   * TLS mode of the connection.
   * @default `verify-full` for public addresses, `prefer` for others
   */
  readonly tls?: TlsMode;
  /** Trusted certificates in PEM format. If set, they replace the system's certificates. */
  readonly ca?: string;
  /** The schema whose tables are listed. Absent: the tables of all schemas are listed. */
  readonly schema?: string;
}

/**
 * Parses the credentials of an account. `host` is a name, `https://server:port/database` or
 * `postgres://server:port/database`. The properties `port` and `scope` take precedence over the address.
 * @throws {PluginError} PLUGIN_INVALID naming the member
 */
export function readSettings({ host = "", key, token, properties }: Credentials): Settings {
  const address = readHost(host);
  const user = key || address.user;
  if (!address.host) throw invalid("host is required: the name of the server");
  if (!user) throw invalid("identifier is required: the database user");
  const { port, scope, schema, ssl } = properties;
  const ca = readAuthority(properties["ca"]);
  const tls = readTls(ssl);
  const database = scope || address.database || user;
  if ([address.host, user, database, token ?? ""].some((each) => each.includes("\0")))
    throw invalid("host, identifier, token and scope must not contain the character U+0000");
  return {
    host: address.host,
    port: port ? readPort(port) : (address.port ?? 5432),
    database,
    user,
    password: token ?? "",
    ...(tls !== undefined && { tls }),
    ...(ca !== undefined && { ca }),
    ...(schema && { schema }),
  };
}

interface Address {
  readonly host: string;
  readonly port?: number;
  readonly database?: string;
  readonly user?: string;
}

function readHost(host: string): Address {
  const text = host.trim();
  if (!text.includes("://")) {
    const match = /^(\[[0-9a-f:.]+\]|[^:/]+):(\d+)$/i.exec(text);
    if (match) return { host: withoutBrackets(match[1]!), port: readPort(match[2]!) };
    return { host: withoutBrackets(text) };
  }
  if (!URL.canParse(text))
    throw invalid("host must be a server name or a URL such as https://server:port/database");
  const url = new URL(text);
  if (!["https:", "http:", "postgres:", "postgresql:"].includes(url.protocol))
    throw invalid(`host must begin with https:// or postgres://, not ${url.protocol}//`);
  // Everyone who can see the account can see its host, so the host must not contain a password.
  if (url.password) throw invalid("host must not contain a password; put it into token");
  const database = decodeURIComponent(url.pathname.slice(1));
  return {
    host: withoutBrackets(decodeURIComponent(url.hostname)),
    ...(url.port && { port: readPort(url.port) }),
    ...(database && { database }),
    ...(url.username && { user: decodeURIComponent(url.username) }),
  };
}

function withoutBrackets(host: string): string {
  return host.startsWith("[") && host.endsWith("]") ? host.slice(1, -1) : host;
}

function readPort(text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port >= 1 && port <= 65_535) return port;
  throw invalid("port must be a whole number from 1 to 65535");
}

function readTls(text: string | undefined): TlsMode | undefined {
  if (!text) return undefined;
  const mode = tlsModes.find((each) => each === text);
  if (mode) return mode;
  throw invalid(`properties.ssl must be one of ${tlsModes.join(", ")}`);
}

function invalid(detail: string): PluginError {
  return new PluginError("PLUGIN_INVALID", [detail]);
}
