import { type Cipher, SecretLost } from "../../catalog/index.ts";

/** Returns whether a sealed text opens with one of the secrets of a cipher. */
export function opens(cipher: Cipher, sealed: string, context: string): boolean {
  try {
    cipher.open(sealed, context);
    return true;
  } catch (failure) {
    if (failure instanceof SecretLost) return false;
    throw failure;
  }
}
