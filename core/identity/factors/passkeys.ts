import { createHash, randomBytes } from "node:crypto";
import { isIP } from "node:net";
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from "@simplewebauthn/server";
import { ApiError, isObject } from "../../base/index.ts";
import type { StoredFactor } from "./storedFactors.ts";

/** Options of `navigator.credentials`, with binary members as base64url. */
export type PasskeyOptions = Readonly<Record<string, unknown>>;

/** A passkey that was made: what is stored of it. */
export interface MadePasskey {
  readonly credentialId: string;
  readonly publicKey: Buffer;
  readonly counter: number;
}

/** The checks of passkeys (WebAuthn level 2), at the public address of a host. */
export interface Passkeys {
  /** Whether the host has a name, which passkeys are bound to. */
  isOffered(): boolean;
  createChallenge(): string;
  /** Options for a browser that makes a passkey. @throws {ApiError} PASSKEYS_UNAVAILABLE */
  creationOf(
    challenge: string,
    user: { readonly id: string; readonly name: string; readonly email: string },
    known: readonly string[],
  ): PasskeyOptions;
  /** Options for a browser that uses one. @throws {ApiError} PASSKEYS_UNAVAILABLE */
  requestOf(challenge: string): PasskeyOptions;
  /** Reads the answer of a browser that made one. @throws {ApiError} SECOND_FACTOR_WRONG */
  readMade(answer: unknown, challenge: string): Promise<MadePasskey>;
  /** Returns the id of the passkey that a browser used, unchecked; undefined for no such answer. */
  idOf(answer: unknown): string | undefined;
  /** Checks the answer of a browser that used one; returns its new counter. @throws {ApiError} SECOND_FACTOR_WRONG */
  readUsed(answer: unknown, challenge: string, factor: StoredFactor): Promise<number>;
}

const timeoutMs = 300_000;
/** ES256, EdDSA and RS256: what browsers and keys have. */
const algorithms = [-7, -8, -257];

/** Makes the checks. The library is loaded with the first passkey. */
export function createPasskeys(publicUrl: () => string): Passkeys {
  const load = () => import("@simplewebauthn/server");
  const nameOf = (): string | undefined => {
    const { hostname, protocol } = new URL(publicUrl());
    const isName = isIP(hostname.replaceAll(/[[\]]/g, "")) === 0;
    return isName && (protocol === "https:" || hostname === "localhost") ? hostname : undefined;
  };
  const placeOf = () => {
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
      rp: { id: placeOf().expectedRPID, name: "Manifold" },
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
      rpId: placeOf().expectedRPID,
      userVerification: "required",
      timeout: timeoutMs,
    }),
    async readMade(answer, expectedChallenge) {
      const place = placeOf();
      if (!isMade(answer)) throw wrong("the answer of the browser is not of a new passkey");
      const { verifyRegistrationResponse } = await load();
      const { registrationInfo } = await verifyRegistrationResponse({
        ...place,
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
      const place = placeOf();
      const { credential_id: id, public_key: publicKey } = factor;
      if (!isUsed(answer) || id === null || publicKey === null)
        throw wrong("the answer of the browser is not of a passkey");
      const { userHandle } = answer.response;
      if (userHandle !== undefined && userHandle !== handleOf(factor.user_id))
        throw wrong("the passkey is of another user");
      const { verifyAuthenticationResponse } = await load();
      const { verified, authenticationInfo } = await verifyAuthenticationResponse({
        ...place,
        response: answer,
        expectedChallenge,
        credential: {
          id,
          publicKey: new Uint8Array(publicKey),
          counter: Number(factor.counter ?? 0),
        },
      }).catch(refuse);
      if (!verified) throw wrong("the signature does not hold");
      return authenticationInfo.newCounter;
    },
  };
}

/** The handle of a user in a passkey says nothing about the user: it is the hash of an id. */
function handleOf(userId: string): string {
  return createHash("sha256").update(`passkey of ${userId}`).digest("base64url");
}

const wrong = (why: string): ApiError => new ApiError("SECOND_FACTOR_WRONG", [why]);

/** The library names what does not hold: the challenge, the origin, the name of the host, the counter. */
function refuse(cause: unknown): never {
  throw new ApiError("SECOND_FACTOR_WRONG", ["the passkey does not hold at this host"], { cause });
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
