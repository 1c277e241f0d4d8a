import { ApiFailure } from "./apiFailure.ts";
import type { Api, SignedInUser } from "./createApi.ts";
import { words } from "./words.ts";

interface Begun<Options> {
  readonly ticket: string;
  readonly options: Options;
}

/** Returns whether passkeys work in this browser and on this page. */
export function hasPasskeys(): boolean {
  const isNamed = !/^[\d.]+$|^\[/.test(window.location.hostname);
  return isNamed && typeof window.PublicKeyCredential?.parseRequestOptionsFromJSON === "function";
}

/** Creates a passkey and adds it to the reader's account. Rejects if the reader cancels the browser's dialog. */
export async function createPasskey<Answer>(api: Api, name: string): Promise<Answer> {
  const { ticket, options } =
    await api.account<Begun<PublicKeyCredentialCreationOptionsJSON>>("passkey/begin");
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
  const passkey = written(await navigator.credentials.create({ publicKey }));
  return api.account<Answer>("passkey/add", { ticket, passkey, name });
}

/** Signs in with a passkey. Rejects if the reader cancels the browser's dialog. */
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
    message: words.noPasskey,
    type: { code: "NO_PASSKEY" },
  });
}
