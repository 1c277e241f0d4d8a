import { ApiFailure } from "./apiFailure.ts";
import type { Api, SignedInUser } from "./createApi.ts";

interface Begun<Options> {
  readonly ticket: string;
  readonly options: Options;
}

/** Returns whether this browser uses passkeys, at a page that may have them. */
export function hasPasskeys(): boolean {
  const isNamed = !/^[\d.]+$|^\[/.test(window.location.hostname);
  return isNamed && typeof window.PublicKeyCredential?.parseRequestOptionsFromJSON === "function";
}

/** Makes a passkey of the reader, and adds it. Rejects when the reader leaves the question of the browser. */
export async function createPasskey<Answer>(api: Api, name: string): Promise<Answer> {
  const { ticket, options } =
    await api.account<Begun<PublicKeyCredentialCreationOptionsJSON>>("passkey/begin");
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
  const passkey = written(await navigator.credentials.create({ publicKey }));
  return api.account<Answer>("passkey/add", { ticket, passkey, name });
}

/** Signs in by a passkey. Rejects when the reader leaves the question of the browser. */
export async function usePasskey(api: Api): Promise<SignedInUser> {
  const { ticket, options } =
    await api.passkeyOptions<Begun<PublicKeyCredentialRequestOptionsJSON>>();
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
  const passkey = written(await navigator.credentials.get({ publicKey }));
  return api.signIn({ ticket, passkey });
}

function written(credential: Credential | null): unknown {
  if (credential instanceof PublicKeyCredential) return credential.toJSON();
  throw new ApiFailure(0, {
    message: "The browser gave no passkey.",
    type: { code: "NO_PASSKEY" },
  });
}
