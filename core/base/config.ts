import { isIP } from "node:net";
import { availableParallelism, totalmem } from "node:os";
import { messageOf } from "./errors.ts";
import { metricsPlace } from "./process/index.ts";

/**
 * The settings of a host. Each is an environment variable, a flag of `manifold serve`, and a member of `openHost`.
 */
export interface Config {
  /**
   * Address to listen on.
   * @default 127.0.0.1
   */
  readonly host: string;
  /**
   * Port to listen on. With 0, the operating system chooses a free port.
   * @default 4000
   */
  readonly port: number;
  /**
   * Folder for the store's files and the embedded PostgreSQL.
   * @default .manifold
   */
  readonly dataDir: string;
  /**
   * URL of the catalog's PostgreSQL. If absent, the host starts the embedded server.
   * @default embedded
   */
  readonly databaseUrl: string | undefined;
  /**
   * API key (a UUID) of the first organization's owner.
   * @default created and printed once
   */
  readonly key: string | undefined;
  /**
   * API token of the first organization's owner.
   * @default created and printed once
   */
  readonly token: string | undefined;
  /**
   * Secret with which the host encrypts the secrets of connections. Required with `databaseUrl`.
   * @default created in the data folder
   */
  readonly secret: string | undefined;
  /**
   * The former `secret`, which decrypts values that were encrypted with it.
   * @default none
   */
  readonly secretPrevious: string | undefined;
  /**
   * The next `secret`, which other hosts on the catalog already use. It decrypts values that those hosts encrypted.
   * @default none
   */
  readonly secretNext: string | undefined;
  /**
   * The plugin that stores pushed data: `strata` or `clickhouse`.
   * @default strata
   */
  readonly store: string;
  /**
   * URL of the store's ClickHouse server, with a user who may create tables: `http://user:password@server:8123`. For a
   * cluster without Keeper, the URLs of one server of each shard, comma separated.
   * @default none; required with MANIFOLD_STORE=clickhouse
   */
  readonly clickhouseUrl: string | undefined;
  /**
   * ClickHouse database for the store's tables, created if missing.
   * @default manifold
   */
  readonly clickhouseDatabase: string | undefined;
  /**
   * Name of the cluster in the servers' `remote_servers`.
   * @default none: a single server
   */
  readonly clickhouseCluster: string | undefined;
  /**
   * ClickHouse user for queries, as `user:password`. The user only needs the right to read.
   * @default the user of MANIFOLD_CLICKHOUSE_URL
   */
  readonly clickhouseReader: string | undefined;
  /**
   * Number of threads of the engine.
   * @default one per core
   */
  readonly workers: number;
  /**
   * Memory budget of the engine, in MiB.
   * @default half of the machine's memory
   */
  readonly memoryMb: number;
  /**
   * Memory for cached answers, in MiB. 0 turns the cache off.
   * @default 128
   */
  readonly cacheMb: number;
  /**
   * Hosts on loopback or private networks to which this host may connect. Each entry is `host` or `host:port`. An entry
   * `host:port=id+id` applies only to the organizations with these ids. An organization created by sign-up can use only
   * entries that contain its id.
   * @default empty
   */
  readonly egressAllow: readonly string[];
  /**
   * Which promises of plugins over HTTP the host relies on: only `verified` ones, or `any`, except promises that the
   * conformance kit found wrong.
   * @default any
   */
  readonly plugins: Trust;
  /**
   * Addresses of plugins over HTTP that the operator trusts. Plugins there that the conformance kit has verified
   * receive order and limit, unless a row filter applies. Each entry is `host:port` or an origin such as
   * `https://host`, or `host:port=id+id` for only the organizations with these ids.
   * @default empty
   */
  readonly pluginTrust: readonly string[];
  /**
   * Connectors that accounts may use: slugs of the host's own connectors, `all` of them, and connectors in packages of
   * their own, as `npm:package` or `slug=npm:package`. `["none"]` allows none.
   * @default all; duckdb and sqlite only with MANIFOLD_FILE_FOLDERS
   */
  readonly connectors: readonly string[];
  /**
   * Folders whose files accounts of duckdb, files, rest and sqlite may open. Each entry is `folder`. An entry
   * `folder=id+id` applies only to the organizations with these ids. An organization created by sign-up can use only
   * entries that contain its id.
   * @default none
   */
  readonly fileFolders: readonly string[];
  /**
   * Whether the host installs the driver of a connector with npm when an account first uses the connector.
   * @default true
   */
  readonly install: boolean;
  /**
   * URL of this host in the links that it sends.
   * @default http://host:port
   */
  readonly publicUrl: string;
  /**
   * Mail server for alerts: `smtp://` or `smtps://` with user and password.
   * @default none: no mail is sent
   */
  readonly smtpUrl: string | undefined;
  /**
   * Sender address of mails.
   * @default manifold@ and the host of the public URL
   */
  readonly mailFrom: string;
  /**
   * Service that sends text messages through Twilio's Messages API: `https://account:token@host`.
   * @default none: no text messages are sent
   */
  readonly smsUrl: string | undefined;
  /**
   * Sender number or name of text messages.
   * @default Manifold
   */
  readonly smsFrom: string;
  /**
   * Maximum number of text messages per organization and UTC day.
   * @default 100
   */
  readonly smsPerDay: number;
  /**
   * URL of a model endpoint with the chat completions API, such as `https://api.example.com/v1`.
   * @default none: the assistant returns 501
   */
  readonly aiUrl: string | undefined;
  /**
   * API key for the model endpoint.
   * @default none
   */
  readonly aiKey: string | undefined;
  /**
   * Name of the model to use.
   * @default none
   */
  readonly aiModel: string | undefined;
  /**
   * Data that may be sent to the model. Each value includes the values before it.
   * @default statistics
   */
  readonly aiSends: Exposure;
  /**
   * Deadline for one response of the model, in milliseconds.
   * @default 50000
   */
  readonly aiTimeoutMs: number;
  /**
   * Maximum number of model tokens per organization and UTC day.
   * @default 5000000
   */
  readonly aiTokensPerDay: number;
  /**
   * Maximum number of model tokens per user and UTC day.
   * @default 1000000
   */
  readonly aiUserTokensPerDay: number;
  /**
   * Maximum number of model calls per organization and minute.
   * @default 300
   */
  readonly aiCallsPerMinute: number;
  /**
   * Maximum number of model calls per user and minute.
   * @default 60
   */
  readonly aiUserCallsPerMinute: number;
  /**
   * Maximum number of rows of a dataset that can be accelerated.
   * @default 100000000
   */
  readonly accelerationRows: number;
  /**
   * Days to keep evaluations and deliveries of alerts.
   * @default 90
   */
  readonly ledgerDays: number;
  /**
   * Maximum number of cells of an export that is sent as the response. A larger export becomes a background job that
   * delivers a link.
   * @default 5000000
   */
  readonly exportCells: number;
  /**
   * Disk space for exported files per organization, in MiB.
   * @default 1024
   */
  readonly exportMb: number;
  /**
   * Hours for which exported files and their links are kept.
   * @default 24
   */
  readonly exportHours: number;
  /**
   * Maximum size of an uploaded file, in MiB.
   * @default 4096
   */
  readonly uploadMb: number;
  /**
   * Disk space for files that an organization is uploading, in MiB. The files are in the folder `uploads` of `dataDir`
   * while they are received and read.
   * @default 8192
   */
  readonly uploadOrganizationMb: number;
  /**
   * Disk space for files that all organizations are uploading, in MiB.
   * @default 32768
   */
  readonly uploadTotalMb: number;
  /**
   * Maximum number of uploads at the same time on each host. An organization can use half of them.
   * @default 16
   */
  readonly uploads: number;
  /**
   * Deadline of each call to a plugin, in milliseconds.
   * @default 120000
   */
  readonly pluginTimeoutMs: number;
  /**
   * Maximum size of a plugin's answer, in MiB.
   * @default 256
   */
  readonly pluginAnswerMb: number;
  /**
   * Maximum number of calls per second for each token on each host. 0 means no limit.
   * @default 10
   */
  readonly callsPerSecond: number;
  /**
   * Maximum number of calls that a token may make at once after a pause.
   * @default 200
   */
  readonly callBurst: number;
  /**
   * Maximum number of failed authentications and unreadable bodies per address and minute. 0 means no limit.
   * @default 60
   */
  readonly failuresPerMinute: number;
  /**
   * Number of wrong passwords for an account from unknown devices after which further attempts must wait. 0 turns this
   * off.
   * @default 5
   */
  readonly signInTries: number;
  /**
   * Limits of each organization, such as `rows=1000000 queries=8/10` (hard, or soft/hard).
   * @default none
   */
  readonly quotas: string;
  /**
   * Maximum lifetime of new tokens of type api, in days. 0 means no limit.
   * @default 0
   */
  readonly apiTokenDays: number;
  /**
   * Whether the audit also records calls that only read data.
   * @default false
   */
  readonly auditReads: boolean;
  /**
   * Number of reverse proxies in front of the host. Their `X-Forwarded-For` contains the caller's address.
   * @default 0
   */
  readonly proxyCount: number;
  /**
   * Whether everyone who can reach the host can create an organization.
   * @default false
   */
  readonly signUp: boolean;
  /**
   * Ids of the ssoconfigs that the sign-in page offers.
   * @default none
   */
  readonly signOn: readonly string[];
  /**
   * Whether the host compiles the store's code at start, so that the first queries are fast.
   * @default true
   */
  readonly warmUp: boolean;
  /**
   * Level of the log: `trace`, `debug`, `info`, `warn`, `error`, `fatal` or `silent`. Ignored with a `logger`.
   * @default info
   */
  readonly logLevel: string;
  /**
   * The token that callers of `/metrics` must send, or a loopback port on which `/metrics` requires no token.
   * @default none: no metrics
   */
  readonly metrics: string | undefined;
  /**
   * Ids of at most 50 organizations to report with their quotas in `/metrics`.
   * @default none: metrics contain no organization
   */
  readonly metricsOrganizations: readonly string[];
}

/**
 * Which promises of plugins over HTTP the host relies on: all except those that the conformance kit found wrong, or
 * only those that the kit has proved.
 */
const trusts = ["any", "verified"] as const;
export type Trust = (typeof trusts)[number];

/** Settings that take precedence over the environment. */
export type GivenSettings = { readonly [Member in keyof Config]?: Config[Member] | undefined };

/** Functions that import connectors, by the slug that accounts name as their provider. */
export type ConnectorImports = Readonly<Record<string, () => Promise<unknown>>>;

/** Data that may be sent to a model. Each value includes the values before it. */
const exposures = ["names", "statistics", "samples"] as const;
export type Exposure = (typeof exposures)[number];

interface Setting {
  readonly variable: string;
  readonly meaning: string;
  readonly shownDefault: string;
  /**
   * Whether the setting is a secret. A secret is never printed. It has no flag, because the value of a flag would
   * appear in the process list.
   */
  readonly secret?: boolean;
  readonly parse: (text: string | undefined) => unknown;
}

const text = (fallback: string) => (given: string | undefined) => given || fallback;
const optional = (given: string | undefined) => given || undefined;
const whole =
  (minimum: number, maximum: number, fallback: () => number) => (given: string | undefined) => {
    if (given === undefined || given === "") return fallback();
    const number = Number(given);
    if (!Number.isInteger(number) || number < minimum || number > maximum)
      throw new Error(
        `must be a whole number from ${minimum} to ${maximum}, not ${JSON.stringify(given)}`,
      );
    return number;
  };
/**
 * Parses a choice between two words. A flag or a variable contains one of the words; an option of `openHost` is a
 * boolean.
 */
const either = (yes: string, no: string, fallback: boolean) => (given: string | undefined) => {
  const word = given ?? "";
  if (word === "") return fallback;
  if (word === yes || word === "true") return true;
  if (word === no || word === "false") return false;
  throw new Error(`must be ${yes} or ${no}, not ${JSON.stringify(given)}`);
};
const exposure = (given: string | undefined): Exposure => {
  const found = exposures.find((each) => each === (given || "statistics"));
  if (found) return found;
  throw new Error(`must be one of ${exposures.join(", ")}, not ${JSON.stringify(given)}`);
};
const trust = (given: string | undefined): Trust => {
  const found = trusts.find((each) => each === (given || "any"));
  if (found) return found;
  throw new Error(`must be one of ${trusts.join(", ")}, not ${JSON.stringify(given)}`);
};
/** Returns server URLs unchanged. Messages never repeat the URLs, because they contain passwords. */
const serverUrls = (given: string | undefined): string | undefined => {
  if (given === undefined || given === "") return undefined;
  for (const each of given.split(betweenServers)) {
    const url = URL.parse(each);
    const isPlain = url?.pathname === "/" && url.search === "" && url.hash === "";
    if (!isPlain || !["http:", "https:"].includes(url.protocol))
      throw new Error("must have the form http://user:password@server:8123, without a path");
  }
  return given;
};
/** A comma separates two servers only if a URL follows, because passwords may contain commas. */
const betweenServers = /,(?=https?:\/\/)/;
const userAndPassword = (given: string | undefined): string | undefined => {
  if (given === undefined || given === "") return undefined;
  if (!/^[^:]+:./s.test(given)) throw new Error("must have the form user:password");
  return given;
};
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const list = (given: string | undefined) =>
  (given ?? "")
    .split(",")
    .map((entry) => entry.trim())
    .filter(Boolean);

/** Every setting, by its member of `Config`: its variable, its meaning for the help, and how its value is parsed. */
export const settings: { readonly [Member in keyof Config]: Setting } = {
  host: {
    variable: "MANIFOLD_HOST",
    meaning: "address to listen on",
    shownDefault: "127.0.0.1",
    parse: text("127.0.0.1"),
  },
  port: {
    variable: "MANIFOLD_PORT",
    meaning: "port to listen on; 0 picks a free port",
    shownDefault: "4000",
    parse: whole(0, 65535, () => 4000),
  },
  dataDir: {
    variable: "MANIFOLD_DATA_DIR",
    meaning: "folder for the store's files and the embedded PostgreSQL",
    shownDefault: ".manifold",
    parse: text(".manifold"),
  },
  databaseUrl: {
    variable: "DATABASE_URL",
    meaning: "URL of the catalog's PostgreSQL",
    shownDefault: "embedded",
    secret: true,
    parse: optional,
  },
  key: {
    variable: "MANIFOLD_KEY",
    meaning: "API key (a UUID) of the first organization's owner",
    shownDefault: "created and printed once",
    parse: optional,
  },
  token: {
    variable: "MANIFOLD_TOKEN",
    meaning: "API token of the first organization's owner",
    shownDefault: "created and printed once",
    secret: true,
    parse: optional,
  },
  secret: {
    variable: "MANIFOLD_SECRET",
    meaning: "encrypts the secrets of connections; required with DATABASE_URL",
    shownDefault: "created in the data folder",
    secret: true,
    parse: optional,
  },
  secretPrevious: {
    variable: "MANIFOLD_SECRET_PREVIOUS",
    meaning: "the former MANIFOLD_SECRET; decrypts values that were encrypted with it",
    shownDefault: "none",
    secret: true,
    parse: optional,
  },
  secretNext: {
    variable: "MANIFOLD_SECRET_NEXT",
    meaning:
      "the next MANIFOLD_SECRET, which other hosts on the catalog already use; decrypts values that they encrypted",
    shownDefault: "none",
    secret: true,
    parse: optional,
  },
  store: {
    variable: "MANIFOLD_STORE",
    meaning: "plugin that stores pushed data: strata or clickhouse",
    shownDefault: "strata",
    parse: text("strata"),
  },
  clickhouseUrl: {
    variable: "MANIFOLD_CLICKHOUSE_URL",
    meaning:
      "URL of the store's ClickHouse server, with a user who may create tables: http://user:password@server:8123; for a cluster without Keeper, one server of each shard, comma separated",
    shownDefault: "none; required with MANIFOLD_STORE=clickhouse",
    secret: true,
    parse: serverUrls,
  },
  clickhouseDatabase: {
    variable: "MANIFOLD_CLICKHOUSE_DATABASE",
    meaning: "ClickHouse database for the store's tables; created if missing",
    shownDefault: "manifold",
    parse: optional,
  },
  clickhouseCluster: {
    variable: "MANIFOLD_CLICKHOUSE_CLUSTER",
    meaning: "name of the cluster in the servers' remote_servers",
    shownDefault: "none: a single server",
    parse: optional,
  },
  clickhouseReader: {
    variable: "MANIFOLD_CLICKHOUSE_READER",
    meaning: "read-only user for queries, as user:password",
    shownDefault: "the user of MANIFOLD_CLICKHOUSE_URL",
    secret: true,
    parse: userAndPassword,
  },
  workers: {
    variable: "MANIFOLD_WORKERS",
    meaning: "threads of the engine",
    shownDefault: "one per core",
    parse: whole(1, 256, () => availableParallelism()),
  },
  memoryMb: {
    variable: "MANIFOLD_MEMORY_MB",
    meaning: "memory budget of the engine, in MiB",
    shownDefault: "half of the machine's memory",
    parse: whole(16, 1 << 24, () => Math.floor(totalmem() / 2 / 2 ** 20)),
  },
  cacheMb: {
    variable: "MANIFOLD_CACHE_MB",
    meaning: "memory for cached answers, in MiB; 0 turns the cache off",
    shownDefault: "128",
    parse: whole(0, 1 << 20, () => 128),
  },
  egressAllow: {
    variable: "MANIFOLD_EGRESS_ALLOW",
    meaning:
      "hosts on loopback or private networks that may be called, comma separated: host or host:port, or host:port=id+id for these organizations only; entries without ids do not apply to organizations that signed up themselves",
    shownDefault: "empty",
    parse: list,
  },
  plugins: {
    variable: "MANIFOLD_PLUGINS",
    meaning:
      "which capabilities of plugins over HTTP the host relies on; verified: only capabilities that the conformance kit has proved; any: all declared capabilities except those that the kit found wrong",
    shownDefault: "any",
    parse: trust,
  },
  pluginTrust: {
    variable: "MANIFOLD_PLUGIN_TRUST",
    meaning:
      "addresses of plugins over HTTP that may sort and limit rows, comma separated: host:port or https://host, or host:port=id+id for these organizations only; a plugin there receives order and limit once the test action has verified it, unless a row filter applies",
    shownDefault: "empty",
    parse: list,
  },
  connectors: {
    variable: "MANIFOLD_CONNECTORS",
    meaning:
      "connectors that accounts may use, comma separated: clickhouse, duckdb, files, mariadb, mysql, postgresql, rest, sqlite; all: all of them; npm:package or slug=npm:package: a connector in an installed package; none: no connector",
    shownDefault: "all; duckdb and sqlite only with MANIFOLD_FILE_FOLDERS",
    parse: list,
  },
  fileFolders: {
    variable: "MANIFOLD_FILE_FOLDERS",
    meaning:
      "folders with files that accounts of duckdb, files, rest and sqlite may open, comma separated: folder, or folder=id+id for these organizations only; entries without ids do not apply to organizations that signed up themselves",
    shownDefault: "none",
    parse: list,
  },
  install: {
    variable: "MANIFOLD_INSTALL",
    meaning:
      "on: install the driver of duckdb, mysql and mariadb with npm when an account first uses it; off: only manifold install does",
    shownDefault: "on",
    parse: either("on", "off", true),
  },
  smtpUrl: {
    variable: "MANIFOLD_SMTP_URL",
    meaning:
      "mail server for alerts, invitations and forgotten passwords: smtp:// or smtps:// with user and password",
    shownDefault: "none: no mail is sent",
    secret: true,
    parse: optional,
  },
  mailFrom: {
    variable: "MANIFOLD_MAIL_FROM",
    meaning: "sender address of mails",
    shownDefault: "manifold@ and the host of the public URL",
    parse: text(""),
  },
  smsUrl: {
    variable: "MANIFOLD_SMS_URL",
    meaning: "service for text messages with Twilio's Messages API: https://account:token@host",
    shownDefault: "none: no text messages are sent",
    secret: true,
    parse: optional,
  },
  smsFrom: {
    variable: "MANIFOLD_SMS_FROM",
    meaning: "sender number or name of text messages",
    shownDefault: "Manifold",
    parse: text("Manifold"),
  },
  smsPerDay: {
    variable: "MANIFOLD_SMS_PER_DAY",
    meaning: "maximum text messages per organization and UTC day",
    shownDefault: "100",
    parse: whole(0, 1_000_000, () => 100),
  },
  publicUrl: {
    variable: "MANIFOLD_PUBLIC_URL",
    meaning: "URL of this host in links",
    shownDefault: "http://host:port",
    parse: text(""),
  },
  aiUrl: {
    variable: "MANIFOLD_AI_URL",
    meaning:
      "model endpoint with the chat completions API, such as https://api.example.com/v1; list a private address in MANIFOLD_EGRESS_ALLOW too",
    shownDefault: "none: the assistant returns 501",
    parse: optional,
  },
  aiKey: {
    variable: "MANIFOLD_AI_KEY",
    meaning: "API key for that endpoint",
    shownDefault: "none",
    secret: true,
    parse: optional,
  },
  aiModel: {
    variable: "MANIFOLD_AI_MODEL",
    meaning: "name of the model to use",
    shownDefault: "none",
    parse: optional,
  },
  aiSends: {
    variable: "MANIFOLD_AI_SENDS",
    meaning:
      "data that may be sent to the model: names (with types and descriptions), statistics (also ranges and counts) or samples (also frequent values and cells of answers)",
    shownDefault: "statistics",
    parse: exposure,
  },
  aiTimeoutMs: {
    variable: "MANIFOLD_AI_TIMEOUT_MS",
    meaning:
      "deadline for one answer of the model, in milliseconds; a stream that sends nothing for a minute is closed",
    shownDefault: "50000",
    parse: whole(100, 55_000, () => 50_000),
  },
  aiTokensPerDay: {
    variable: "MANIFOLD_AI_TOKENS_PER_DAY",
    meaning: "maximum model tokens per organization and UTC day",
    shownDefault: "5000000",
    parse: whole(0, 1e12, () => 5_000_000),
  },
  aiUserTokensPerDay: {
    variable: "MANIFOLD_AI_USER_TOKENS_PER_DAY",
    meaning: "maximum model tokens per user and UTC day",
    shownDefault: "1000000",
    parse: whole(0, 1e12, () => 1_000_000),
  },
  aiCallsPerMinute: {
    variable: "MANIFOLD_AI_CALLS_PER_MINUTE",
    meaning: "maximum model calls per organization and minute",
    shownDefault: "300",
    parse: whole(0, 1_000_000, () => 300),
  },
  aiUserCallsPerMinute: {
    variable: "MANIFOLD_AI_USER_CALLS_PER_MINUTE",
    meaning: "maximum model calls per user and minute",
    shownDefault: "60",
    parse: whole(0, 1_000_000, () => 60),
  },
  accelerationRows: {
    variable: "MANIFOLD_ACCELERATION_ROWS",
    meaning: "maximum rows of a dataset that can be accelerated",
    shownDefault: "100000000",
    parse: whole(1, 1e12, () => 100_000_000),
  },
  ledgerDays: {
    variable: "MANIFOLD_LEDGER_DAYS",
    meaning: "days to keep evaluations and deliveries of alerts",
    shownDefault: "90",
    parse: whole(1, 36_500, () => 90),
  },
  exportCells: {
    variable: "MANIFOLD_EXPORT_CELLS",
    meaning:
      "maximum cells of a direct export; a larger export becomes a background job that delivers a link",
    shownDefault: "5000000",
    parse: whole(1, 1e9, () => 5_000_000),
  },
  exportMb: {
    variable: "MANIFOLD_EXPORT_MB",
    meaning: "disk space for exported files per organization, in MiB",
    shownDefault: "1024",
    parse: whole(1, 1 << 24, () => 1024),
  },
  exportHours: {
    variable: "MANIFOLD_EXPORT_HOURS",
    meaning: "hours to keep exported files and their links",
    shownDefault: "24",
    parse: whole(1, 8_760, () => 24),
  },
  uploadMb: {
    variable: "MANIFOLD_UPLOAD_MB",
    meaning: "maximum size of an uploaded file, in MiB",
    shownDefault: "4096",
    parse: whole(1, 1 << 24, () => 4096),
  },
  uploadOrganizationMb: {
    variable: "MANIFOLD_UPLOAD_ORGANIZATION_MB",
    meaning: "disk space for files that an organization is uploading, in MiB",
    shownDefault: "8192",
    parse: whole(1, 1 << 24, () => 8192),
  },
  uploadTotalMb: {
    variable: "MANIFOLD_UPLOAD_TOTAL_MB",
    meaning: "disk space for files that all organizations are uploading, in MiB",
    shownDefault: "32768",
    parse: whole(1, 1 << 24, () => 32_768),
  },
  uploads: {
    variable: "MANIFOLD_UPLOADS",
    meaning: "maximum uploads at the same time on each host; an organization can use half of them",
    shownDefault: "16",
    parse: whole(1, 10_000, () => 16),
  },
  pluginTimeoutMs: {
    variable: "MANIFOLD_PLUGIN_TIMEOUT_MS",
    meaning:
      "deadline of each call to a plugin, in milliseconds; for a load, how long its source may stay silent",
    shownDefault: "120000",
    parse: whole(1, 3_600_000, () => 120_000),
  },
  pluginAnswerMb: {
    variable: "MANIFOLD_PLUGIN_ANSWER_MB",
    meaning: "maximum size of a plugin's answer, in MiB",
    shownDefault: "256",
    parse: whole(1, 65_536, () => 256),
  },
  callsPerSecond: {
    variable: "MANIFOLD_CALLS_PER_SECOND",
    meaning: "maximum calls per second for each token on each host; 0 means no limit",
    shownDefault: "10",
    parse: whole(0, 1_000_000, () => 10),
  },
  callBurst: {
    variable: "MANIFOLD_CALL_BURST",
    meaning: "calls that a token may make at once after a pause",
    shownDefault: "200",
    parse: whole(1, 1_000_000, () => 200),
  },
  failuresPerMinute: {
    variable: "MANIFOLD_FAILURES_PER_MINUTE",
    meaning:
      "maximum failed authentications and unreadable bodies per address and minute; 0 means no limit",
    shownDefault: "60",
    parse: whole(0, 1_000_000, () => 60),
  },
  signInTries: {
    variable: "MANIFOLD_SIGN_IN_TRIES",
    meaning:
      "number of wrong passwords for one account, from unknown devices, after which the next attempt must wait; the first wait is a minute, and each further wait is twice as long, up to an hour; 0 turns waits off",
    shownDefault: "5",
    parse: whole(0, 100, () => 5),
  },
  quotas: {
    variable: "MANIFOLD_QUOTAS",
    meaning:
      "limits of each organization, such as rows=1000000 queries=8/10 (hard, or soft/hard): rows, bytes, queries, scanned_rows, pushes, jobs, ai_tokens",
    shownDefault: "none",
    parse: text(""),
  },
  apiTokenDays: {
    variable: "MANIFOLD_API_TOKEN_DAYS",
    meaning: "maximum lifetime of new tokens of type api, in days; 0 means no limit",
    shownDefault: "0",
    parse: whole(0, 36_500, () => 0),
  },
  auditReads: {
    variable: "MANIFOLD_AUDIT_READS",
    meaning: "on: the audit also records calls that only read; off: only changes",
    shownDefault: "off",
    parse: either("on", "off", false),
  },
  proxyCount: {
    variable: "MANIFOLD_PROXY_COUNT",
    meaning:
      "number of reverse proxies in front of the host; they send the caller's address in X-Forwarded-For",
    shownDefault: "0",
    parse: whole(0, 10, () => 0),
  },
  signUp: {
    variable: "MANIFOLD_SIGN_UP",
    meaning:
      "open: anyone who reaches the host can create an organization; closed: nobody can without credentials",
    shownDefault: "closed",
    parse: either("open", "closed", false),
  },
  signOn: {
    variable: "MANIFOLD_SIGN_ON",
    meaning: "ids of the ssoconfigs to offer on the sign-in page, comma separated",
    shownDefault: "none",
    parse: list,
  },
  warmUp: {
    variable: "MANIFOLD_WARM_UP",
    meaning:
      "on: compile the store's code at start, so that the first queries are fast; off: do not",
    shownDefault: "on",
    parse: either("on", "off", true),
  },
  logLevel: {
    variable: "MANIFOLD_LOG_LEVEL",
    meaning: "trace, debug, info, warn, error, fatal or silent",
    shownDefault: "info",
    parse: text("info"),
  },
  metrics: {
    variable: "MANIFOLD_METRICS",
    meaning:
      "a token that callers of /metrics send as Authorization: Bearer, or a loopback port that serves /metrics without a token",
    shownDefault: "none: no metrics",
    secret: true,
    parse: (given) => {
      metricsPlace(given);
      return optional(given);
    },
  },
  metricsOrganizations: {
    variable: "MANIFOLD_METRICS_ORGANIZATIONS",
    meaning:
      "ids of organizations to report with their quotas in /metrics, at most 50, comma separated",
    shownDefault: "none: metrics contain no organization",
    parse(text) {
      const ids = list(text);
      if (ids.length > 50 || !ids.every((id) => uuid.test(id)))
        throw new Error("must be at most 50 ids of organizations, comma separated");
      return ids;
    },
  },
};

/** Refuses ClickHouse settings that name no server, or that name several servers but no cluster.
 * @throws {Error} that names the missing setting */
function refuseWrongStore(config: Config): void {
  const { store, clickhouseUrl, clickhouseDatabase, clickhouseCluster, clickhouseReader } = config;
  if (betweenServers.test(clickhouseUrl ?? "") && clickhouseCluster === undefined)
    throw new Error(
      "MANIFOLD_CLICKHOUSE_URL names several servers; set MANIFOLD_CLICKHOUSE_CLUSTER to their cluster in remote_servers",
    );
  if (clickhouseUrl !== undefined) return;
  const given = [
    [clickhouseDatabase, settings.clickhouseDatabase],
    [clickhouseCluster, settings.clickhouseCluster],
    [clickhouseReader, settings.clickhouseReader],
  ] as const;
  const [, named] = given.find(([value]) => value !== undefined) ?? [];
  if (store !== "clickhouse" && !named) return;
  throw new Error(
    `${named ? `${named.variable} is set` : "MANIFOLD_STORE is clickhouse"}, so MANIFOLD_CLICKHOUSE_URL must be set, for example to http://user:password@server:8123`,
  );
}

/** Returns the flag of a setting: `--data-dir` for `dataDir`. */
export function flagOf(member: string): string {
  return `--${member.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/**
 * Reads the settings. Explicit values take precedence over the environment, and the environment over the defaults.
 * @throws {Error} naming the variable of an invalid value
 */
export function readConfig(
  given: GivenSettings = {},
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Config {
  const entries = Object.entries(settings).map(([member, setting]) => {
    const value = given[member as keyof Config];
    const asText = Array.isArray(value) ? value.join(",") : value?.toString();
    try {
      return [member, setting.parse(asText ?? environment[setting.variable])];
    } catch (cause) {
      throw new Error(`${setting.variable} ${messageOf(cause)}`, { cause });
    }
  });
  const config = Object.fromEntries(entries) as Config;
  refuseWrongStore(config);
  return {
    ...config,
    publicUrl: config.publicUrl || `http://${config.host}:${config.port}`,
    mailFrom: config.mailFrom || `manifold@${domainOf(config.publicUrl)}`,
  };
}

/** Returns the domain name in a URL; localhost if it has none. */
function domainOf(url: string): string {
  const name = URL.parse(url)?.hostname ?? "";
  return isIP(name.replace(/^\[|\]$/g, "")) > 0 || name === "" ? "localhost" : name;
}
