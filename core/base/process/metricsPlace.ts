/** The place where a host serves its metrics: at `/metrics` for callers with a token, or on a loopback port. */
export type MetricsPlace =
  | { readonly kind: "token"; readonly token: string }
  | { readonly kind: "port"; readonly port: number };

/** Minimum length of a token, so that it cannot be guessed. */
const fewestCharacters = 16;

/**
 * Parses the setting: digits are a port, and any other string is a token. Returns undefined if metrics are off.
 * @throws {Error} for a port out of range and for a short token
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
    `must be a port on the loopback interface, or a token of at least ${fewestCharacters} ASCII characters without spaces`,
  );
}
