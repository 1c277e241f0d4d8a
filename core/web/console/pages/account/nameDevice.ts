/** Names of browsers and systems in a User-Agent; the first that fits is meant, since browsers name one another. */
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

/** Names a device for people, such as "Firefox, Linux"; the first word of a text that names no browser. */
export function nameDevice(userAgent: string): string {
  const find = (names: typeof browsers | typeof systems) =>
    names.find(([mark]) => userAgent.includes(mark))?.[1];
  const named = [find(browsers), find(systems)].filter((name) => name !== undefined);
  return named.length > 0 ? named.join(", ") : (userAgent.split(/[\s/]/)[0] ?? userAgent);
}
