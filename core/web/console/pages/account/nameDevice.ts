/**
 * Names of browsers and systems in a User-Agent. The first match counts, because browsers also name their predecessors.
 */
const browsers = [
  ["Edg/", "Edge"],
  ["OPR/", "Opera"],
  ["Firefox/", "Firefox"],
  ["HeadlessChrome/", "Chrome"],
  ["Chrome/", "Chrome"],
  ["Safari/", "Safari"],
] as const;
const systems = [
  ["Android", "Android"],
  ["iPhone", "iPhone"],
  ["iPad", "iPad"],
  ["Windows", "Windows"],
  ["Mac OS X", "macOS"],
  ["Linux", "Linux"],
] as const;

/**
 * Returns a readable name for a device, such as "Firefox, Linux"; the first word if the User-Agent contains no known
 * browser.
 */
export function nameDevice(userAgent: string): string {
  const find = (names: typeof browsers | typeof systems) =>
    names.find(([mark]) => userAgent.includes(mark))?.[1];
  const named = [find(browsers), find(systems)].filter((name) => name !== undefined);
  return named.length > 0 ? named.join(", ") : (userAgent.split(/[\s/]/)[0] ?? userAgent);
}
