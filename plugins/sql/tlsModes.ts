/** The ways to encrypt a connection, from the weakest to the strongest, as libpq names them. */
export const tlsModes = ["disable", "prefer", "require", "verify-ca", "verify-full"] as const;

/**
 * How a connection is encrypted.
 *
 * - `disable`: the connection is never encrypted.
 * - `prefer`: the connection is encrypted if the server supports it.
 * - `require`: the connection is always encrypted, with any certificate.
 * - `verify-ca`: the connection is always encrypted, and a trusted authority must have issued the certificate.
 * - `verify-full`: as `verify-ca`, and the certificate must be valid for the host.
 */
export type TlsMode = (typeof tlsModes)[number];
