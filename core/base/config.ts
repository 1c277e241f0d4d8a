import { availableParallelism, totalmem } from "node:os";
import { messageOf } from "./errors.ts";
import { metricsPlace } from "./process/index.ts";

/**
 * The settings of a host. Each is an environment variable, a flag of `manifold serve`, and a member of `openHost`.
 */
export interface Config {
  readonly host: string;
  readonly port: number;
  readonly dataDir: string;
  readonly databaseUrl: string | undefined;
  readonly key: string | undefined;
  readonly token: string | undefined;
  readonly secret: string | undefined;
  readonly secretPrevious: string | undefined;
  readonly secretNext: string | undefined;
  readonly store: string;
  readonly clickhouseUrl: string | undefined;
  readonly clickhouseDatabase: string | undefined;
  readonly clickhouseCluster: string | undefined;
  readonly clickhouseReader: string | undefined;
  readonly workers: number;
  readonly memoryMb: number;
  readonly cacheMb: number;
  readonly egressAllow: readonly string[];
  readonly plugins: Trust;
  readonly connectors: readonly string[];
  readonly fileFolders: readonly string[];
  readonly publicUrl: string;
  readonly smtpUrl: string | undefined;
  readonly mailFrom: string;
  readonly smsUrl: string | undefined;
  readonly smsFrom: string;
  readonly smsPerDay: number;
  readonly aiUrl: string | undefined;
  readonly aiKey: string | undefined;
  readonly aiModel: string | undefined;
  readonly aiSends: Exposure;
  readonly aiTimeoutMs: number;
  readonly aiTokensPerDay: number;
  readonly aiUserTokensPerDay: number;
  readonly aiCallsPerMinute: number;
  readonly aiUserCallsPerMinute: number;
  readonly accelerationRows: number;
  readonly ledgerDays: number;
  readonly exportCells: number;
  readonly exportMb: number;
  readonly exportHours: number;
  readonly pluginTimeoutMs: number;
  readonly pluginAnswerMb: number;
  readonly callsPerSecond: number;
  readonly callBurst: number;
  readonly failuresPerMinute: number;
  readonly signInTries: number;
  readonly quotas: string;
  readonly apiTokenDays: number;
  readonly auditReads: boolean;
  readonly proxyCount: number;
  readonly signUp: boolean;
  readonly signOn: readonly string[];
  readonly warmUp: boolean;
  readonly logLevel: string;
  readonly metrics: string | undefined;
  readonly metricsOrganizations: readonly string[];
}

/** The promises of plugins over HTTP that the host uses: any of them, or only proved ones. */
const trusts = ["any", "verified"] as const;
export type Trust = (typeof trusts)[number];

/** Data that a model may be sent, least first; each includes those before it. */
const exposures = ["names", "statistics", "samples"] as const;
export type Exposure = (typeof exposures)[number];

interface Setting {
  readonly variable: string;
  readonly meaning: string;
  readonly shownDefault: string;
  /** Never printed and never taken from a flag, where a process list would show it. */
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
/** A choice of two words: text of a flag or variable, or a boolean member of `openHost`. */
const either = (yes: string, no: string, fallback: boolean) => (given: string | undefined) => {
  const said = given ?? "";
  if (said === "") return fallback;
  if (said === yes || said === "true") return true;
  if (said === no || said === "false") return false;
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
/** The addresses of servers with their users, as they are given; no message repeats them. */
const serverUrls = (given: string | undefined): string | undefined => {
  if (given === undefined || given === "") return undefined;
  for (const each of given.split(betweenServers)) {
    const url = URL.parse(each);
    const isPlain = url?.pathname === "/" && url.search === "" && url.hash === "";
    if (!isPlain || !["http:", "https:"].includes(url.protocol))
      throw new Error("must be like http://user:password@server:8123, without a path");
  }
  return given;
};
/** A password may hold a comma. */
const betweenServers = /,(?=https?:\/\/)/;
const userAndPassword = (given: string | undefined): string | undefined => {
  if (given === undefined || given === "") return undefined;
  if (!/^[^:]+:./s.test(given)) throw new Error("must be like user:password");
  return given;
};
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const list = (given: string | undefined) =>
  (given ?? "")
    .split(",")
    .map((entry) => entry.trim())
    .filter(Boolean);

export const settings: { readonly [Member in keyof Config]: Setting } = {
  host: {
    variable: "MANIFOLD_HOST",
    meaning: "address to listen on",
    shownDefault: "127.0.0.1",
    parse: text("127.0.0.1"),
  },
  port: {
    variable: "MANIFOLD_PORT",
    meaning: "port to listen on; 0 takes a free one",
    shownDefault: "4000",
    parse: whole(0, 65535, () => 4000),
  },
  dataDir: {
    variable: "MANIFOLD_DATA_DIR",
    meaning: "folder of the store's files and the embedded PostgreSQL",
    shownDefault: ".manifold",
    parse: text(".manifold"),
  },
  databaseUrl: {
    variable: "DATABASE_URL",
    meaning: "the catalog's PostgreSQL",
    shownDefault: "embedded",
    secret: true,
    parse: optional,
  },
  key: {
    variable: "MANIFOLD_KEY",
    meaning: "API key (a UUID) of the first organization's owner",
    shownDefault: "made and printed once",
    parse: optional,
  },
  token: {
    variable: "MANIFOLD_TOKEN",
    meaning: "API token of the first organization's owner",
    shownDefault: "made and printed once",
    secret: true,
    parse: optional,
  },
  secret: {
    variable: "MANIFOLD_SECRET",
    meaning: "encrypts connection secrets; required with DATABASE_URL",
    shownDefault: "made in the data folder",
    secret: true,
    parse: optional,
  },
  secretPrevious: {
    variable: "MANIFOLD_SECRET_PREVIOUS",
    meaning:
      "the secret before a change of MANIFOLD_SECRET: opens what it sealed, and seals nothing",
    shownDefault: "none",
    secret: true,
    parse: optional,
  },
  secretNext: {
    variable: "MANIFOLD_SECRET_NEXT",
    meaning: "the secret that other hosts on the catalog have already: opens what it sealed",
    shownDefault: "none",
    secret: true,
    parse: optional,
  },
  store: {
    variable: "MANIFOLD_STORE",
    meaning: "the writable plugin that holds pushed data",
    shownDefault: "strata",
    parse: text("strata"),
  },
  clickhouseUrl: {
    variable: "MANIFOLD_CLICKHOUSE_URL",
    meaning:
      "the ClickHouse server of the store, with a user who may create tables: http://user:password@server:8123; of a cluster without Keeper a server of each shard, with commas",
    shownDefault: "none; required with MANIFOLD_STORE=clickhouse",
    secret: true,
    parse: serverUrls,
  },
  clickhouseDatabase: {
    variable: "MANIFOLD_CLICKHOUSE_DATABASE",
    meaning: "the database of that server with the store's tables; made when there is none",
    shownDefault: "manifold",
    parse: optional,
  },
  clickhouseCluster: {
    variable: "MANIFOLD_CLICKHOUSE_CLUSTER",
    meaning: "the cluster of those servers, by its name in their remote_servers",
    shownDefault: "none: one server",
    parse: optional,
  },
  clickhouseReader: {
    variable: "MANIFOLD_CLICKHOUSE_READER",
    meaning: "the user who asks questions there, user:password: a user who may only read",
    shownDefault: "the user of MANIFOLD_CLICKHOUSE_URL",
    secret: true,
    parse: userAndPassword,
  },
  workers: {
    variable: "MANIFOLD_WORKERS",
    meaning: "threads of the engine",
    shownDefault: "cores",
    parse: whole(1, 256, () => availableParallelism()),
  },
  memoryMb: {
    variable: "MANIFOLD_MEMORY_MB",
    meaning: "the engine's memory budget",
    shownDefault: "half of the machine",
    parse: whole(16, 1 << 24, () => Math.floor(totalmem() / 2 / 2 ** 20)),
  },
  cacheMb: {
    variable: "MANIFOLD_CACHE_MB",
    meaning: "memory for answers that are kept; 0 for none",
    shownDefault: "128",
    parse: whole(0, 1 << 20, () => 128),
  },
  egressAllow: {
    variable: "MANIFOLD_EGRESS_ALLOW",
    meaning:
      "hosts on loopback or private networks that may be called: host or host:port, or host:port=id+id to limit the entry to organizations, comma separated; an organization that signed up on its own gets only entries with its id",
    shownDefault: "empty",
    parse: list,
  },
  plugins: {
    variable: "MANIFOLD_PLUGINS",
    meaning: "any; verified: plugins over HTTP get only what the kit has proved of them",
    shownDefault: "any",
    parse: trust,
  },
  connectors: {
    variable: "MANIFOLD_CONNECTORS",
    meaning:
      "sources that accounts may connect to: clickhouse, duckdb, files, mariadb, mysql, postgresql, rest, sqlite, comma separated; none for none",
    shownDefault: "all; duckdb and sqlite with MANIFOLD_FILE_FOLDERS alone",
    parse: list,
  },
  fileFolders: {
    variable: "MANIFOLD_FILE_FOLDERS",
    meaning:
      "folders whose files accounts of duckdb, files, rest and sqlite may open: folder, or folder=id+id to limit the entry to organizations, comma separated; an organization that signed up on its own gets only entries with its id",
    shownDefault: "none",
    parse: list,
  },
  smtpUrl: {
    variable: "MANIFOLD_SMTP_URL",
    meaning: "the mail server of alerts, smtp:// or smtps:// with user and password",
    shownDefault: "none: no mail is sent",
    secret: true,
    parse: optional,
  },
  mailFrom: {
    variable: "MANIFOLD_MAIL_FROM",
    meaning: "the sender of mails",
    shownDefault: "manifold@localhost",
    parse: text("manifold@localhost"),
  },
  smsUrl: {
    variable: "MANIFOLD_SMS_URL",
    meaning:
      "the service of text messages, which speaks Twilio's API of messages: https://account:token@host",
    shownDefault: "none: no text message is sent",
    secret: true,
    parse: optional,
  },
  smsFrom: {
    variable: "MANIFOLD_SMS_FROM",
    meaning: "the number or the name that text messages come from",
    shownDefault: "Manifold",
    parse: text("Manifold"),
  },
  smsPerDay: {
    variable: "MANIFOLD_SMS_PER_DAY",
    meaning: "text messages of each organization in a day of UTC",
    shownDefault: "100",
    parse: whole(0, 1_000_000, () => 100),
  },
  publicUrl: {
    variable: "MANIFOLD_PUBLIC_URL",
    meaning: "address of this host in links",
    shownDefault: "http://host:port",
    parse: text(""),
  },
  aiUrl: {
    variable: "MANIFOLD_AI_URL",
    meaning:
      "an endpoint that speaks chat completions, such as https://api.example.com/v1; a private one is named in MANIFOLD_EGRESS_ALLOW too",
    shownDefault: "none: the assistant answers 501",
    parse: optional,
  },
  aiKey: {
    variable: "MANIFOLD_AI_KEY",
    meaning: "the key of that endpoint",
    shownDefault: "none",
    secret: true,
    parse: optional,
  },
  aiModel: {
    variable: "MANIFOLD_AI_MODEL",
    meaning: "the model that the endpoint is asked for",
    shownDefault: "none",
    parse: optional,
  },
  aiSends: {
    variable: "MANIFOLD_AI_SENDS",
    meaning:
      "data that the model may be sent: names (with types and descriptions), statistics (ranges and counts too), samples (frequent values and cells of answers too)",
    shownDefault: "statistics",
    parse: exposure,
  },
  aiTimeoutMs: {
    variable: "MANIFOLD_AI_TIMEOUT_MS",
    meaning: "deadline of one answer of the model; a silent stream ends after a minute",
    shownDefault: "50000",
    parse: whole(100, 55_000, () => 50_000),
  },
  aiTokensPerDay: {
    variable: "MANIFOLD_AI_TOKENS_PER_DAY",
    meaning: "tokens that the users of an organization may spend in a day of UTC",
    shownDefault: "5000000",
    parse: whole(0, 1e12, () => 5_000_000),
  },
  aiUserTokensPerDay: {
    variable: "MANIFOLD_AI_USER_TOKENS_PER_DAY",
    meaning: "tokens that one user may spend in a day of UTC",
    shownDefault: "1000000",
    parse: whole(0, 1e12, () => 1_000_000),
  },
  aiCallsPerMinute: {
    variable: "MANIFOLD_AI_CALLS_PER_MINUTE",
    meaning: "calls of the model that an organization may make in a minute",
    shownDefault: "300",
    parse: whole(0, 1_000_000, () => 300),
  },
  aiUserCallsPerMinute: {
    variable: "MANIFOLD_AI_USER_CALLS_PER_MINUTE",
    meaning: "calls of the model that one user may make in a minute",
    shownDefault: "60",
    parse: whole(0, 1_000_000, () => 60),
  },
  accelerationRows: {
    variable: "MANIFOLD_ACCELERATION_ROWS",
    meaning: "rows of a dataset that an acceleration copies at most",
    shownDefault: "100000000",
    parse: whole(1, 1e12, () => 100_000_000),
  },
  ledgerDays: {
    variable: "MANIFOLD_LEDGER_DAYS",
    meaning: "days for which evaluations of alerts and their deliveries are kept",
    shownDefault: "90",
    parse: whole(1, 36_500, () => 90),
  },
  exportCells: {
    variable: "MANIFOLD_EXPORT_CELLS",
    meaning: "cells of an export above which a job writes its file, for a link",
    shownDefault: "5000000",
    parse: whole(1, 1e9, () => 5_000_000),
  },
  exportMb: {
    variable: "MANIFOLD_EXPORT_MB",
    meaning: "disk for the files of exports that jobs wrote, for each organization",
    shownDefault: "1024",
    parse: whole(1, 1 << 24, () => 1024),
  },
  exportHours: {
    variable: "MANIFOLD_EXPORT_HOURS",
    meaning: "hours for which those files and their links exist",
    shownDefault: "24",
    parse: whole(1, 8_760, () => 24),
  },
  pluginTimeoutMs: {
    variable: "MANIFOLD_PLUGIN_TIMEOUT_MS",
    meaning: "deadline of every call to a plugin",
    shownDefault: "120000",
    parse: whole(1, 3_600_000, () => 120_000),
  },
  pluginAnswerMb: {
    variable: "MANIFOLD_PLUGIN_ANSWER_MB",
    meaning: "largest answer taken from a plugin",
    shownDefault: "256",
    parse: whole(1, 65_536, () => 256),
  },
  callsPerSecond: {
    variable: "MANIFOLD_CALLS_PER_SECOND",
    meaning: "calls a second of each token, on each host; 0 for no limit",
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
    meaning: "wrong keys, tokens and unreadable bodies a minute of each address; 0 for no limit",
    shownDefault: "60",
    parse: whole(0, 1_000_000, () => 60),
  },
  signInTries: {
    variable: "MANIFOLD_SIGN_IN_TRIES",
    meaning:
      "wrong passwords for one account, from unknown devices, before further attempts must wait: a minute, doubling to an hour; 0 turns waits off",
    shownDefault: "5",
    parse: whole(0, 100, () => 5),
  },
  quotas: {
    variable: "MANIFOLD_QUOTAS",
    meaning:
      "limits of each organization, such as rows=1000000 queries=8/10: rows, bytes, queries, scanned_rows, pushes, jobs, ai_tokens, each with its hard limit or soft/hard",
    shownDefault: "none",
    parse: text(""),
  },
  apiTokenDays: {
    variable: "MANIFOLD_API_TOKEN_DAYS",
    meaning: "days that a new token of type api lives at most; 0 for no end",
    shownDefault: "0",
    parse: whole(0, 36_500, () => 0),
  },
  auditReads: {
    variable: "MANIFOLD_AUDIT_READS",
    meaning: "on: the audit has an event for each call that reads, too; off: for changes alone",
    shownDefault: "off",
    parse: either("on", "off", false),
  },
  proxyCount: {
    variable: "MANIFOLD_PROXY_COUNT",
    meaning: "reverse proxies in front, whose X-Forwarded-For gives the caller's address",
    shownDefault: "0",
    parse: whole(0, 10, () => 0),
  },
  signUp: {
    variable: "MANIFOLD_SIGN_UP",
    meaning:
      "open: whoever reaches the host may found an organization; closed: nobody without credentials",
    shownDefault: "closed",
    parse: either("open", "closed", false),
  },
  signOn: {
    variable: "MANIFOLD_SIGN_ON",
    meaning: "ids of ssoconfigs that the sign-in page offers, comma separated",
    shownDefault: "none",
    parse: list,
  },
  warmUp: {
    variable: "MANIFOLD_WARM_UP",
    meaning:
      "on: the store runs plans after its start, so that the first query is fast; off: it does not",
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
      "a token: /metrics answers whoever sends it as Authorization: Bearer; or a port of loopback that answers /metrics",
    shownDefault: "none: no metrics",
    secret: true,
    parse: (given) => {
      metricsPlace(given);
      return optional(given);
    },
  },
  metricsOrganizations: {
    variable: "MANIFOLD_METRICS_ORGANIZATIONS",
    meaning: "ids of organizations whose quotas /metrics shows by id, 50 at most, comma separated",
    shownDefault: "none: no metric names an organization",
    parse(text) {
      const ids = list(text);
      if (ids.length > 50 || !ids.every((id) => uuid.test(id)))
        throw new Error("must be at most 50 ids of organizations, comma separated");
      return ids;
    },
  },
};

/** @throws {Error} for settings of ClickHouse without a server, and for several servers without a cluster */
function refuseWrongStore(config: Config): void {
  const { store, clickhouseUrl, clickhouseDatabase, clickhouseCluster, clickhouseReader } = config;
  if (betweenServers.test(clickhouseUrl ?? "") && clickhouseCluster === undefined)
    throw new Error(
      "MANIFOLD_CLICKHOUSE_URL names several servers, and MANIFOLD_CLICKHOUSE_CLUSTER no cluster; name the one of their remote_servers",
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
    `${named ? `${named.variable} is set` : "MANIFOLD_STORE is clickhouse"}, and MANIFOLD_CLICKHOUSE_URL names no server; set it, for example to http://user:password@server:8123`,
  );
}

/** The flag of a setting: `dataDir` is `--data-dir`. */
export function flagOf(member: string): string {
  return `--${member.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/**
 * Reads the settings: what is given first, the environment second, the default last.
 * @throws {Error} that names the variable when a value is not valid
 */
export function readConfig(
  given: { readonly [Member in keyof Config]?: Config[Member] | undefined } = {},
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
  return config.publicUrl
    ? config
    : { ...config, publicUrl: `http://${config.host}:${config.port}` };
}
