import { type Cipher, SecretLost } from "../../catalog/index.ts";

/** Returns whether one of the cipher's secrets decrypts a sealed string. */
export function opens(cipher: Cipher, sealed: string, context: string): boolean {
  try {
    cipher.open(sealed, context);
    return true;
  } catch (failure) {
    if (failure instanceof SecretLost) return false;
    throw failure;
  }
}
