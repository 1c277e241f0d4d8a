import { isIP } from "node:net";
import { type Config, nearestName, settings } from "../../../base/index.ts";
import { isPublicAddress } from "../../../sources/index.ts";
import { bad, type Diagnosis, good, weak } from "../diagnosis.ts";

type Environment = Readonly<Record<string, string | undefined>>;

const check = "settings";
/** Minimum length of a secret that cannot be guessed. 32 characters of base64 are 24 bytes. */
const leastSecretLength = 32;

/** Environment variables of commands, which are not settings of a host. */
const ofCommands = new Set([
  "MANIFOLD_URL",
  "MANIFOLD_BACKUP_PASSPHRASE",
  "MANIFOLD_RECOVERY_KEY",
  "MANIFOLD_NEW_PASSWORD",
  "MANIFOLD_TOKEN_A",
  "MANIFOLD_TOKEN_B",
]);
/** Prefix of the environment variables of `manifold apply`, whose names depend on the model. */
const ofModels = "MANIFOLD_ACCOUNT_";

/** Finds environment variables without effect, and settings that contradict each other. */
export function checkSettings(config: Config, environment: Environment): Diagnosis[] {
  return [
    ...unknownVariables(environment),
    ...secretFindings(config),
    ...addressFindings(config),
    ...pairFindings(config),
    good(check, `${Object.keys(settings).length} settings are valid`),
  ];
}

function unknownVariables(environment: Environment): Diagnosis[] {
  const known = new Set([
    ...Object.values(settings).map(({ variable }) => variable),
    ...ofCommands,
  ]);
  return Object.keys(environment)
    .filter(
      (name) => name.startsWith("MANIFOLD_") && !name.startsWith(ofModels) && !known.has(name),
    )
    .map((name) => {
      const near = nearestName(name, known);
      return weak(
        check,
        `${name} is set, but is not a setting of Manifold`,
        near ? `did you mean ${near}?` : "run `manifold --help` to see the settings",
      );
    });
}

function secretFindings({ secret }: Config): Diagnosis[] {
  if (secret === undefined || secret.length >= leastSecretLength) return [];
  return [
    weak(
      check,
      `MANIFOLD_SECRET has ${secret.length} characters`,
      "anyone with a copy of the database can guess a short secret; create one with `openssl rand -base64 32`, and enter passwords of connections again",
    ),
  ];
}

function addressFindings({ publicUrl, host, proxyCount }: Config): Diagnosis[] {
  if (!URL.canParse(publicUrl))
    return [
      bad(
        check,
        `MANIFOLD_PUBLIC_URL must be a URL, not ${JSON.stringify(publicUrl)}`,
        "set it to the URL at which browsers reach the host, such as https://data.example.com",
      ),
    ];
  const { protocol, hostname } = new URL(publicUrl);
  const isLocal = ["localhost", "127.0.0.1", "[::1]"].includes(hostname);
  const isOpen = isIP(host) !== 0 && host !== "127.0.0.1" && host !== "::1";
  return [
    ...(protocol === "http:" && !isLocal
      ? [
          bad(
            check,
            `MANIFOLD_PUBLIC_URL is ${publicUrl}, so passwords and tokens are sent unencrypted`,
            "put a proxy with a certificate in front of the host, and set MANIFOLD_PUBLIC_URL to its https URL",
          ),
        ]
      : []),
    ...(protocol === "https:" && proxyCount === 0
      ? [
          weak(
            check,
            "MANIFOLD_PROXY_COUNT is 0 behind an https URL, so every caller appears to have the address of the proxy",
            "set it to the number of proxies in front, because failures are limited by address",
          ),
        ]
      : []),
    ...(isOpen && isLocal
      ? [
          weak(
            check,
            `the host listens on ${host}, but its links contain ${hostname}`,
            "set MANIFOLD_PUBLIC_URL, or listen on 127.0.0.1",
          ),
        ]
      : []),
    ...(isOpen && isPublicAddress(host)
      ? [
          weak(
            check,
            `the host listens on the public address ${host}`,
            "listen on a private address, behind a proxy with a certificate",
          ),
        ]
      : []),
  ];
}

function pairFindings(config: Config): Diagnosis[] {
  const { smtpUrl, mailFrom, aiUrl, aiModel, signUp, clickhouseUrl, clickhouseReader } = config;
  return [
    ...(clickhouseUrl !== undefined && clickhouseReader === undefined
      ? [
          weak(
            check,
            "MANIFOLD_CLICKHOUSE_READER is not set, so queries run as a user who can drop tables",
            "create a user who can only read the store's database, and set it to user:password",
          ),
        ]
      : []),
    ...(smtpUrl !== undefined && mailFrom === "manifold@localhost"
      ? [
          weak(
            check,
            "mails come from manifold@localhost, which mail servers refuse",
            "set MANIFOLD_MAIL_FROM to an address of your own domain",
          ),
        ]
      : []),
    ...((aiUrl === undefined) === (aiModel === undefined)
      ? []
      : [
          bad(
            check,
            "only one of MANIFOLD_AI_URL and MANIFOLD_AI_MODEL is set, so the assistant returns 501",
            "set both, or neither",
          ),
        ]),
    ...(signUp
      ? [
          weak(
            check,
            "MANIFOLD_SIGN_UP is open, so anyone who reaches the host can create an organization",
            "set it to closed, unless the public may create organizations",
          ),
        ]
      : []),
  ];
}
