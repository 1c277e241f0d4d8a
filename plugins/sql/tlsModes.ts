/** The ways to encrypt a connection, from the weakest to the strongest, as libpq names them. */
export const tlsModes = ["disable", "prefer", "require", "verify-ca", "verify-full"] as const;

/**
 * How a connection is encrypted.
 *
 * - `disable`: never.
 * - `prefer`: if the server offers it.
 * - `require`: always, with any certificate.
 * - `verify-ca`: with a certificate issued by a trusted authority.
 * - `verify-full`: the certificate must also be for the host.
 */
export type TlsMode = (typeof tlsModes)[number];
