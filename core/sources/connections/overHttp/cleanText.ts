/** Control characters, line separators, and marks that change the direction of text. */
const unprintable = /[\p{Cc}\p{Zl}\p{Zp}\u200E\u200F\u202A-\u202E\u2066-\u2069]+/gu;

/**
 * Makes text from a remote machine suitable for a message. The result is one line of at most `length` printable
 * characters, without the secrets that were sent to that machine.
 */
export function cleanText(text: string, secrets: readonly string[], length = 500): string {
  let clean = text.slice(0, 20_000);
  for (const secret of secrets) if (secret.length >= 4) clean = clean.replaceAll(secret, "***");
  clean = clean.replaceAll(unprintable, " ").replaceAll(/\s+/g, " ").trim();
  return clean.length > length ? `${clean.slice(0, length)}…` : clean;
}
