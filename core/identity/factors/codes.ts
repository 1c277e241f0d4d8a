import { Secret, TOTP } from "otpauth";

const issuer = "Manifold";
const periodS = 30;
/** Steps of the clock by which an app may be early or late. */
const driftSteps = 1;

/** A secret as an authenticator app reads it: the address of a QR code, and its secret as text. */
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

/** Makes the secret of an app: 160 random bits, as RFC 4226 asks for. */
export function createAppSecret(email: string): AppSecret {
  const secret = new Secret({ size: 20 }).base32;
  return { secret, uri: appOf(secret, email).toString() };
}

/** Returns whether a text has the form of a code of an app. */
export function isCode(text: string): boolean {
  return /^\d{6}$/.test(text);
}

/**
 * Finds the step of the clock (RFC 6238) whose code was given; undefined for a wrong code. One step before and after
 * `nowMs` are taken. Codes are compared in constant time.
 */
export function stepOfCode(secret: string, code: string, nowMs: number): number | undefined {
  const moved = appOf(secret, issuer).validate({
    token: code,
    timestamp: nowMs,
    window: driftSteps,
  });
  return moved === null ? undefined : Math.floor(nowMs / 1000 / periodS) + moved;
}
