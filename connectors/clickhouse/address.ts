import { isIP } from "node:net";
import { PluginError, type Credentials } from "../../plugins/protocol/index.ts";
import { readAuthority } from "../../plugins/sql/index.ts";

/**
 * TLS modes, from the weakest to the strongest. `require` encrypts, and checks the certificate only if `ca` is set.
 * `verify-ca` checks the certificate, and `verify-full` also checks the host name.
 */
export const tlsModes = ["disable", "require", "verify-ca", "verify-full"] as const;
export type TlsMode = (typeof tlsModes)[number];

/** The address of a server, and the database to which the account may be limited. */
export interface Address {
  /** Host name or IP address, without brackets. */
  readonly host: string;
  readonly port: number;
  readonly tls: TlsMode;
  /** Whether the account sets `ssl`. If not, plain HTTP to a public address is refused. */
  readonly isStated?: true;
  /** Trusted certificates in PEM format. If set, they replace the system's certificates. */
  readonly ca?: string;
  /** Path prefix for servers behind a proxy; empty if there is none. */
  readonly path: string;
  /**
   * The only database whose tables are listed. If absent, tables of all databases that the user can read are listed.
   */
  readonly database?: string;
}

const ports = { disable: 8123, require: 8443, "verify-ca": 8443, "verify-full": 8443 } as const;
/** Ports that servers use for HTTPS by convention. */
const tlsPorts = [443, 8443];

/**
 * Parses the address of an account: a host name, or `https://server:port/database`. `properties` may contain `port`,
 * `scope` (the database) and `ssl`.
 * @throws {PluginError} PLUGIN_INVALID naming the invalid member
 */
export function addressOf({ host = "", properties }: Credentials): Address {
  const { port, scope, ssl } = properties;
  const ca = readAuthority(properties["ca"]);
  const isUrl = host.includes("://");
  const url = isUrl ? parsedUrl(host) : undefined;
  const name = url ? url.hostname.replace(/^\[|\]$/g, "") : host.trim();
  if (name === "")
    throw invalid(
      "host is empty; it must be the server's name or an address such as https://server:8443",
    );
  if (!url && isIP(name) === 0 && !/^[\p{L}\p{N}._-]+$/u.test(name))
    throw invalid(
      "host must be a name such as clickhouse.example.com, or an address such as https://server:8443/database",
    );
  const givenPort = portOf(port ?? "") ?? portOf(url ? writtenPort(host) : "");
  const isTls = url ? url.protocol === "https:" : tlsPorts.includes(givenPort ?? 0);
  const stated = tlsOf(ssl, isTls);
  const tls = stated === "require" && ca !== undefined ? "verify-ca" : stated;
  const [database, ...rest] = (url?.pathname ?? "").split("/").filter(Boolean).toReversed();
  const named = scope ?? (database === undefined ? undefined : decodeURIComponent(database));
  return {
    host: name,
    port: givenPort ?? (url?.protocol === "https:" ? ports["verify-full"] : ports[tls]),
    tls,
    ...(ssl && { isStated: true }),
    ...(ca !== undefined && { ca }),
    path: rest
      .toReversed()
      .map((part) => `/${part}`)
      .join(""),
    ...(named !== undefined && named !== "" && { database: named }),
  };
}

/** Returns the URL of a server for the client, without the database. */
export function urlOf({ host, port, tls, path }: Address): string {
  const name = host.includes(":") ? `[${host}]` : host;
  return `${tls === "disable" ? "http" : "https"}://${name}:${port}${path}`;
}

function parsedUrl(host: string): URL {
  const url = URL.parse(host);
  if (!url || (url.protocol !== "http:" && url.protocol !== "https:"))
    throw invalid("host must begin with http:// or https://, or be only the server's name");
  if (url.username !== "" || url.password !== "")
    throw invalid("host must not contain a user or password; put them into identifier and token");
  return url;
}

/** Returns the port as written, because `URL` drops the ports 80 and 443, which are not ClickHouse's defaults. */
function writtenPort(host: string): string {
  return /^[^/]*\/\/[^/]*:(\d+)(?:\/|$)/.exec(host.trim())?.[1] ?? "";
}

function portOf(text: string): number | undefined {
  if (text === "") return undefined;
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port < 1 || port > 65_535)
    throw invalid("port must be a whole number from 1 to 65535");
  return port;
}

function tlsOf(ssl: string | undefined, isTls: boolean): TlsMode {
  if (ssl === undefined || ssl === "") return isTls ? "verify-full" : "disable";
  const mode = tlsModes.find((each) => each === ssl);
  if (!mode) throw invalid(`ssl must be one of ${tlsModes.join(", ")}`);
  return mode;
}

function invalid(detail: string): PluginError {
  return new PluginError("PLUGIN_INVALID", [`the account's ${detail}`]);
}
