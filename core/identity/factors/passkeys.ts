import { createHash, randomBytes } from "node:crypto";
import { isIP } from "node:net";
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from "@simplewebauthn/server";
import { ApiError, isObject } from "../../base/index.ts";
import type { StoredFactor } from "./storedFactors.ts";

/** Options of `navigator.credentials`, with binary members as base64url. */
export type PasskeyOptions = Readonly<Record<string, unknown>>;

/** The values of a new passkey that are stored. */
export interface MadePasskey {
  readonly credentialId: string;
  readonly publicKey: Buffer;
  readonly counter: number;
}

/** Creates and checks passkeys (WebAuthn level 2) for the host's public address. */
export interface Passkeys {
  /** Returns whether the host's public address has a domain name and https, or is localhost. Passkeys require this. */
  isOffered(): boolean;
  createChallenge(): string;
  /**
   * Returns the options for a browser that creates a passkey.
   * @throws {ApiError} PASSKEYS_UNAVAILABLE
   */
  creationOf(
    challenge: string,
    user: { readonly id: string; readonly name: string; readonly email: string },
    known: readonly string[],
  ): PasskeyOptions;
  /**
   * Returns the options for a browser that uses a passkey.
   * @throws {ApiError} PASSKEYS_UNAVAILABLE
   */
  requestOf(challenge: string): PasskeyOptions;
  /**
   * Checks the response of a browser that created a passkey.
   * @throws {ApiError} SECOND_FACTOR_WRONG
   */
  readMade(answer: unknown, challenge: string): Promise<MadePasskey>;
  /** Returns the unchecked id of the passkey that a browser used; undefined if the value is not a passkey response. */
  idOf(answer: unknown): string | undefined;
  /**
   * Checks the response of a browser that used a passkey. Returns the passkey's new counter.
   * @throws {ApiError} SECOND_FACTOR_WRONG
   */
  readUsed(answer: unknown, challenge: string, factor: StoredFactor): Promise<number>;
}

const timeoutMs = 300_000;
/** Identifiers of ES256, EdDSA and RS256, which browsers and security keys support. */
const algorithms = [-7, -8, -257];

/** Creates the passkey checks. The library is loaded when the first passkey is created or used. */
export function createPasskeys(publicUrl: () => string): Passkeys {
  const load = () => import("@simplewebauthn/server");
  const nameOf = (): string | undefined => {
    const { hostname, protocol } = new URL(publicUrl());
    const isName = isIP(hostname.replaceAll(/[[\]]/g, "")) === 0;
    return isName && (protocol === "https:" || hostname === "localhost") ? hostname : undefined;
  };
  const expectations = () => {
    const expectedRPID = nameOf();
    if (expectedRPID === undefined) throw new ApiError("PASSKEYS_UNAVAILABLE");
    return {
      expectedRPID,
      expectedOrigin: new URL(publicUrl()).origin,
      requireUserVerification: true,
    };
  };
  return {
    isOffered: () => nameOf() !== undefined,
    createChallenge: () => randomBytes(32).toString("base64url"),
    creationOf: (challenge, { id, name, email }, known) => ({
      challenge,
      rp: { id: expectations().expectedRPID, name: "Manifold" },
      user: { id: handleOf(id), name: email, displayName: name || email },
      pubKeyCredParams: algorithms.map((alg) => ({ type: "public-key", alg })),
      excludeCredentials: known.map((each) => ({ type: "public-key", id: each })),
      authenticatorSelection: {
        residentKey: "required",
        requireResidentKey: true,
        userVerification: "required",
      },
      attestation: "none",
      timeout: timeoutMs,
    }),
    requestOf: (challenge) => ({
      challenge,
      rpId: expectations().expectedRPID,
      userVerification: "required",
      timeout: timeoutMs,
    }),
    async readMade(answer, expectedChallenge) {
      const expected = expectations();
      if (!isMade(answer))
        throw wrong("the response of the browser does not contain a new passkey");
      const { verifyRegistrationResponse } = await load();
      const { registrationInfo } = await verifyRegistrationResponse({
        ...expected,
        response: answer,
        expectedChallenge,
        supportedAlgorithmIDs: algorithms,
      }).catch(refuse);
      if (!registrationInfo) throw wrong("the passkey could not be checked");
      const { id, publicKey, counter } = registrationInfo.credential;
      return { credentialId: id, publicKey: Buffer.from(publicKey), counter };
    },
    idOf: (answer) => (isUsed(answer) ? answer.id : undefined),
    async readUsed(answer, expectedChallenge, factor) {
      const expected = expectations();
      const { credential_id: id, public_key: publicKey } = factor;
      if (!isUsed(answer) || id === null || publicKey === null)
        throw wrong("the response of the browser does not contain a passkey");
      const { userHandle } = answer.response;
      if (userHandle !== undefined && userHandle !== handleOf(factor.user_id))
        throw wrong("the passkey belongs to another user");
      const { verifyAuthenticationResponse } = await load();
      const { verified, authenticationInfo } = await verifyAuthenticationResponse({
        ...expected,
        response: answer,
        expectedChallenge,
        credential: {
          id,
          publicKey: new Uint8Array(publicKey),
          counter: Number(factor.counter ?? 0),
        },
      }).catch(refuse);
      if (!verified) throw wrong("the signature is not valid");
      return authenticationInfo.newCounter;
    },
  };
}

/**
 * Returns the user handle that a passkey contains. It is the hash of the user's id, so it reveals nothing about the
 * user.
 */
function handleOf(userId: string): string {
  return createHash("sha256").update(`passkey of ${userId}`).digest("base64url");
}

const wrong = (why: string): ApiError => new ApiError("SECOND_FACTOR_WRONG", [why]);

/**
 * Refuses a response. The `cause` is the library's error, which says what did not match: the challenge, the origin, the
 * host name or the counter.
 */
function refuse(cause: unknown): never {
  throw new ApiError("SECOND_FACTOR_WRONG", ["the passkey could not be verified for this host"], {
    cause,
  });
}

function isAnswer(value: unknown, members: readonly string[]): boolean {
  if (!isObject<"response">(value) || !isObject(value.response)) return false;
  const { id, rawId, type, response } = value;
  return (
    typeof id === "string" &&
    rawId === id &&
    type === "public-key" &&
    members.every((member) => typeof response[member] === "string")
  );
}

function isMade(value: unknown): value is RegistrationResponseJSON {
  return isAnswer(value, ["clientDataJSON", "attestationObject"]);
}

function isUsed(value: unknown): value is AuthenticationResponseJSON {
  if (!isAnswer(value, ["clientDataJSON", "authenticatorData", "signature"])) return false;
  const handle =
    isObject<"response">(value) && isObject<"userHandle">(value.response)
      ? value.response.userHandle
      : 0;
  return handle === undefined || typeof handle === "string";
}
