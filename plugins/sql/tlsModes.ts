/** The ways to encrypt a connection, from the weakest to the strongest, as libpq names them. */
export const tlsModes = ["disable", "prefer", "require", "verify-ca", "verify-full"] as const;

/**
 * How a connection is encrypted. `prefer`: where the server offers it; `require`: always, with any certificate;
 * `verify-ca`: a known authority issued the certificate; `verify-full`: it also names the host.
 */
export type TlsMode = (typeof tlsModes)[number];
