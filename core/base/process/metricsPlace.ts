/** Where a host shows its metrics: at `/metrics` to whoever has a token, or on a port of loopback. */
export type MetricsPlace =
  | { readonly kind: "token"; readonly token: string }
  | { readonly kind: "port"; readonly port: number };

/** A token that nobody guesses. */
const fewestCharacters = 16;

/**
 * Reads the setting: digits are a port, anything else is a token. Undefined for no metrics.
 * @throws {Error} for a port out of range and for a token that is short
 */
export function metricsPlace(given: string | undefined): MetricsPlace | undefined {
  if (given === undefined || given === "") return undefined;
  if (/^\d{1,6}$/.test(given)) {
    const port = Number(given);
    if (port <= 65_535) return { kind: "port", port };
    throw new Error(`must be a port up to 65535, or a token; not ${given}`);
  }
  if (given.length >= fewestCharacters && /^[\x21-\x7E]+$/.test(given))
    return { kind: "token", token: given };
  throw new Error(
    `must be a port of loopback, or a token of at least ${fewestCharacters} characters of ASCII without spaces`,
  );
}
