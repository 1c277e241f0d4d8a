/** Returns a language tag in its usual form; undefined for none, and for a text that is no tag. */
export function knownLocale(id: unknown): string | undefined {
  if (typeof id !== "string" || id === "") return undefined;
  try {
    return Intl.getCanonicalLocales(id)[0];
  } catch {
    // Browsers may name a language in another way, such as en-US@posix.
    return undefined;
  }
}

/** Returns a zone that exists; undefined for another text. */
export function knownZone(id: unknown): string | undefined {
  if (typeof id !== "string" || id === "") return undefined;
  try {
    return new Intl.DateTimeFormat("en", { timeZone: id }).resolvedOptions().timeZone && id;
  } catch {
    // A zone that this browser does not know is left to the next one that may say it.
    return undefined;
  }
}
