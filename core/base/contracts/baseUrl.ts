const longestUrl = 1_000;

/** Returns what is wrong with a plugin's base URL, as a phrase that completes "must …", or undefined if it is valid. */
export function checkBaseUrl(value: unknown): string | undefined {
  const url = String(value);
  if (url.length > longestUrl) return `have at most ${longestUrl} characters`;
  if (url.endsWith("/")) return "not end with /";
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (!parsed || !/^https?:$/.test(parsed.protocol)) return "be an absolute http or https URL";
  if (parsed.username || parsed.password) return "not contain a user name or password";
  return parsed.search || parsed.hash ? "not have a query or a fragment" : undefined;
}
