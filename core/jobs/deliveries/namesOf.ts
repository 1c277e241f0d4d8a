/** Returns a name in all its languages, by language. A plain string counts as English. */
export const namesOf = (
  name: string | Readonly<Record<string, string>>,
): Readonly<Record<string, string>> => (typeof name === "string" ? { en: name } : name);
