import { isIP } from "node:net";
import { type Config, nearestName, settings } from "../../../base/index.ts";
import { isPublicAddress } from "../../../sources/index.ts";
import { bad, type Finding, good, weak } from "../finding.ts";

type Environment = Readonly<Record<string, string | undefined>>;

const check = "settings";
/** Characters of a secret that nobody guesses: 32 of base64 are 24 bytes. */
const leastSecretLength = 32;

/** Variables of commands, which are no settings of a host. */
const ofCommands = new Set([
  "MANIFOLD_URL",
  "MANIFOLD_BACKUP_PASSPHRASE",
  "MANIFOLD_RECOVERY_KEY",
  "MANIFOLD_NEW_PASSWORD",
  "MANIFOLD_TOKEN_A",
  "MANIFOLD_TOKEN_B",
]);
/** Variables of `manifold apply`, which a model names. */
const ofModels = "MANIFOLD_ACCOUNT_";

/** Looks for variables that no one reads, and for settings that do not fit together. */
export function checkSettings(config: Config, environment: Environment): Finding[] {
  return [
    ...unknownVariables(environment),
    ...secretFindings(config),
    ...addressFindings(config),
    ...pairFindings(config),
    good(check, `${Object.keys(settings).length} settings are valid`),
  ];
}

function unknownVariables(environment: Environment): Finding[] {
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
        `${name} is set, and there is no such setting`,
        near ? `did you mean ${near}?` : "see `manifold --help` for the settings",
      );
    });
}

function secretFindings({ secret }: Config): Finding[] {
  if (secret === undefined || secret.length >= leastSecretLength) return [];
  return [
    weak(
      check,
      `MANIFOLD_SECRET has ${secret.length} characters`,
      "a short secret can be guessed by whoever gets a copy of the database; make one with `openssl rand -base64 32`, and enter passwords of connections again",
    ),
  ];
}

function addressFindings({ publicUrl, host, proxyCount }: Config): Finding[] {
  if (!URL.canParse(publicUrl))
    return [
      bad(
        check,
        `MANIFOLD_PUBLIC_URL is ${JSON.stringify(publicUrl)}, which is no address`,
        "set it to the address under which browsers reach the host, such as https://data.example.com",
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
            `MANIFOLD_PUBLIC_URL is ${publicUrl}: passwords and tokens travel unencrypted`,
            "put a proxy with a certificate in front, and name its https address",
          ),
        ]
      : []),
    ...(protocol === "https:" && proxyCount === 0
      ? [
          weak(
            check,
            "MANIFOLD_PROXY_COUNT is 0 behind an https address, so every caller has the address of the proxy",
            "set it to the number of proxies in front; limits of failures count by address",
          ),
        ]
      : []),
    ...(isOpen && isLocal
      ? [
          weak(
            check,
            `the host listens on ${host}, and its links name ${hostname}`,
            "set MANIFOLD_PUBLIC_URL, or listen on 127.0.0.1",
          ),
        ]
      : []),
    ...(isOpen && isPublicAddress(host)
      ? [
          weak(
            check,
            `the host listens on the public address ${host}`,
            "listen on a private one behind a proxy with a certificate",
          ),
        ]
      : []),
  ];
}

function pairFindings(config: Config): Finding[] {
  const { smtpUrl, mailFrom, aiUrl, aiModel, signUp, clickhouseUrl, clickhouseReader } = config;
  return [
    ...(clickhouseUrl !== undefined && clickhouseReader === undefined
      ? [
          weak(
            check,
            "MANIFOLD_CLICKHOUSE_READER is not set, so the user who may drop tables asks the questions",
            "make a user who may only read the store's database, and set it to user:password",
          ),
        ]
      : []),
    ...(smtpUrl !== undefined && mailFrom === "manifold@localhost"
      ? [
          weak(
            check,
            "MANIFOLD_MAIL_FROM is manifold@localhost, which mail servers refuse",
            "set it to an address of your own domain",
          ),
        ]
      : []),
    ...((aiUrl === undefined) === (aiModel === undefined)
      ? []
      : [
          bad(
            check,
            "of MANIFOLD_AI_URL and MANIFOLD_AI_MODEL one is missing, so the assistant answers 501",
            "set both, or neither",
          ),
        ]),
    ...(signUp
      ? [
          weak(
            check,
            "MANIFOLD_SIGN_UP is open: whoever reaches the host may found an organization",
            "close it, unless that is what you offer",
          ),
        ]
      : []),
  ];
}
