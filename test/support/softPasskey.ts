import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto";

type Json = Readonly<Record<string, unknown>>;

/** Members of a response that tests can replace in order to imitate attacks. */
export interface PasskeyLies {
  readonly origin?: string;
  readonly rpId?: string;
  readonly challenge?: string;
  readonly type?: string;
  /** The sum of the flags: 1 if the user is present, 4 if the user is verified, 64 for a new key. */
  readonly flags?: number;
  readonly counter?: number;
  readonly userHandle?: string | undefined;
}

/** A software authenticator. It responds as a browser does or, if requested, with false members. */
export interface SoftPasskey {
  readonly id: string;
  /** Returns the response to the options of a new passkey. */
  create(options: Json, lies?: PasskeyLies): Json;
  /** Returns the response to the options of a sign-in. */
  use(options: Json, lies?: PasskeyLies): Json;
}

const sha256 = (data: string | Buffer): Buffer => createHash("sha256").update(data).digest();
const present = 1 | 4;

/** Returns an authenticator with one key (ES256) for pages at `origin`. */
export function createSoftPasskey(origin: string): SoftPasskey {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const { x = "", y = "" } = publicKey.export({ format: "jwk" });
  const credential = randomBytes(32);
  const id = credential.toString("base64url");
  let counter = 0;
  let handle: string | undefined;

  const clientData = (type: string, challenge: unknown, lies: PasskeyLies): Buffer =>
    Buffer.from(
      JSON.stringify({
        type: lies.type ?? type,
        challenge: lies.challenge ?? challenge,
        origin: lies.origin ?? origin,
        crossOrigin: false,
      }),
    );
  const head = (rpId: string, flags: number, lies: PasskeyLies): Buffer => {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(lies.counter ?? ++counter);
    return Buffer.concat([sha256(lies.rpId ?? rpId), Buffer.from([lies.flags ?? flags]), count]);
  };
  const answer = (response: Json): Json => ({
    id,
    rawId: id,
    type: "public-key",
    clientExtensionResults: {},
    response,
  });
  return {
    id,
    create({ challenge, rp, user }, lies = {}) {
      handle = String((user as Json)["id"]);
      const length = Buffer.alloc(2);
      length.writeUInt16BE(credential.length);
      const key = Buffer.concat([
        Buffer.from("a5010203262001215820", "hex"),
        Buffer.from(x, "base64url"),
        Buffer.from("225820", "hex"),
        Buffer.from(y, "base64url"),
      ]);
      const authData = Buffer.concat([
        head(String((rp as Json)["id"]), present | 64, lies),
        Buffer.alloc(16),
        length,
        credential,
        key,
      ]);
      const attestation = Buffer.concat([
        Buffer.from("a363666d74646e6f6e656761747453746d74a068617574684461746158", "hex"),
        Buffer.from([authData.length]),
        authData,
      ]);
      return answer({
        clientDataJSON: clientData("webauthn.create", challenge, lies).toString("base64url"),
        attestationObject: attestation.toString("base64url"),
        transports: ["internal"],
      });
    },
    use({ challenge, rpId }, lies = {}) {
      const data = clientData("webauthn.get", challenge, lies);
      const authData = head(String(rpId), present, lies);
      const signature = sign("sha256", Buffer.concat([authData, sha256(data)]), privateKey);
      const userHandle = "userHandle" in lies ? lies.userHandle : handle;
      return answer({
        clientDataJSON: data.toString("base64url"),
        authenticatorData: authData.toString("base64url"),
        signature: signature.toString("base64url"),
        ...(userHandle !== undefined && { userHandle }),
      });
    },
  };
}
