import { Secret, TOTP } from "otpauth";

const issuer = "Manifold";
const periodS = 30;
/** Number of time steps by which an app's clock may be ahead or behind. */
const driftSteps = 1;

/** The secret of an authenticator app, as a string and as the URL for a QR code. */
export interface AppSecret {
  readonly secret: string;
  readonly uri: string;
}

const appOf = (secret: string, label: string): TOTP =>
  new TOTP({
    issuer,
    label,
    algorithm: "SHA1",
    digits: 6,
    period: periodS,
    secret: Secret.fromBase32(secret),
  });

/** Creates the secret of an app: 160 random bits, as RFC 4226 recommends. */
export function createAppSecret(email: string): AppSecret {
  const secret = new Secret({ size: 20 }).base32;
  return { secret, uri: appOf(secret, email).toString() };
}

/** Returns whether a string has the form of an app's code: six digits. */
export function isCode(text: string): boolean {
  return /^\d{6}$/.test(text);
}

/**
 * Returns the time step (RFC 6238) of a code; undefined for a wrong code. The time steps just before and after `nowMs`
 * are accepted too. Codes are compared in constant time.
 */
export function stepOfCode(secret: string, code: string, nowMs: number): number | undefined {
  const moved = appOf(secret, issuer).validate({
    token: code,
    timestamp: nowMs,
    window: driftSteps,
  });
  return moved === null ? undefined : Math.floor(nowMs / 1000 / periodS) + moved;
}
