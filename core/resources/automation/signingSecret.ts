import { randomBytes } from "node:crypto";
import { isObject } from "../../base/index.ts";

/** Bytes of a secret that the host makes. Standard Webhooks allows 24 to 64. */
const madeBytes = 32;
/**
 * Length below which an answer warns about a caller's secret. Shorter secrets are accepted, because existing clients
 * send them.
 */
const leastLength = 16;

/** Makes a signing secret in the form of Standard Webhooks: `whsec_` and base64. */
const makeSigningSecret = (): string => `whsec_${randomBytes(madeBytes).toString("base64")}`;

/**
 * Adds a secret to the config of a webhook that has none, so that its messages are signed. `made` is that secret, for
 * the answer that shows it once; undefined for other channels, and if the caller chose a secret.
 */
export function withSecret<Config>(
  type: unknown,
  config: Config,
): { readonly config: Config; readonly made?: string } {
  if (type !== "webhook" || !isObject<"secret">(config)) return { config };
  if (typeof config.secret === "string" && config.secret !== "") return { config };
  const made = makeSigningSecret();
  return { config: { ...config, secret: made }, made };
}

/**
 * Returns the config of an updated channel with a secret, if it is a webhook. If the config contains no secret, the
 * stored secret is kept, unless the address changes: a stored secret never signs messages to another address. With
 * `rotates`, a new secret replaces the stored secret.
 */
export function keepSigned({
  row,
  type,
  given,
  isMoved,
  rotates,
}: {
  readonly row: { readonly type: string; readonly config: unknown };
  readonly type: string;
  readonly given: unknown;
  readonly isMoved: boolean;
  readonly rotates: boolean;
}): { readonly config: unknown; readonly made?: string } {
  if (type !== "webhook" || !isObject<"secret">(given)) return { config: given };
  const { secret: _, ...rest } = given;
  if (rotates) return withSecret(type, rest);
  const stored = isObject<"secret">(row.config) ? row.config.secret : undefined;
  const isKept = !isMoved && row.type === "webhook" && typeof stored === "string" && stored !== "";
  const isGiven = typeof given.secret === "string" && given.secret !== "";
  return withSecret(type, isKept && !isGiven ? { ...rest, secret: stored } : given);
}

/** Returns a warning about a secret that can be guessed; undefined for other configs. */
export function weakSecretWarning(type: unknown, config: unknown): string | undefined {
  if (type !== "webhook" || !isObject<"secret">(config)) return undefined;
  const { secret } = config;
  if (typeof secret !== "string" || secret === "" || secret.length >= leastLength) return undefined;
  return `config.secret has only ${secret.length} ${secret.length === 1 ? "character" : "characters"}, so others can guess it and forge messages; use at least ${leastLength}, or leave it out, and the host creates a secret`;
}
