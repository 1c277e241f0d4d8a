/** Returns a language tag in its canonical form; undefined if the value is not a valid tag. */
export function knownLocale(id: unknown): string | undefined {
  if (typeof id !== "string" || id === "") return undefined;
  try {
    return Intl.getCanonicalLocales(id)[0];
  } catch {
    // Browsers may report a language in another form, such as en-US@posix.
    return undefined;
  }
}

/** Returns a time zone that this browser knows; undefined for any other value. */
export function knownZone(id: unknown): string | undefined {
  if (typeof id !== "string" || id === "") return undefined;
  try {
    return new Intl.DateTimeFormat("en", { timeZone: id }).resolvedOptions().timeZone && id;
  } catch {
    // If this browser does not know a time zone, the time zone of the next source is used.
    return undefined;
  }
}
