/** A browser without scripts: it keeps cookies by origin, and follows redirects when it is asked to. */
export interface CookieJar {
  /** Calls an address with the cookies that its origin set before. */
  open(url: string, options?: RequestInit): Promise<Response>;
  /** Calls an address, and each that an answer names, until one names none; answers the last, and where it was. */
  follow(url: string, options?: RequestInit): Promise<{ answer: Response; url: string }>;
  /** The cookies of an origin, by name. */
  cookies(origin: string): Map<string, string>;
}

const mostRedirects = 20;

/** Makes a browser without any cookie. */
export function createCookieJar(): CookieJar {
  const byOrigin = new Map<string, Map<string, string>>();
  const cookies: CookieJar["cookies"] = (origin) => {
    const found = byOrigin.get(origin) ?? new Map<string, string>();
    byOrigin.set(origin, found);
    return found;
  };
  const open: CookieJar["open"] = async (url, options = {}) => {
    const own = cookies(new URL(url).origin);
    const headers = new Headers(options.headers);
    if (own.size > 0) headers.set("Cookie", [...own].map((pair) => pair.join("=")).join("; "));
    const answer = await fetch(url, { ...options, headers, redirect: "manual" });
    for (const set of answer.headers.getSetCookie()) {
      const [pair = "", ...attributes] = set.split(/;\s*/);
      const [name = "", ...value] = pair.split("=");
      const isEnded = attributes.some(
        (each) => /^expires=/i.test(each) && Date.parse(each.slice(8)) < Date.now(),
      );
      if (isEnded || value.join("=") === "") own.delete(name);
      else own.set(name, value.join("="));
    }
    return answer;
  };
  return {
    open,
    cookies,
    async follow(url, options) {
      let at = url;
      let answer = await open(at, options);
      for (let count = 0; count < mostRedirects; count++) {
        const location = answer.headers.get("Location");
        if (location === null) return { answer, url: at };
        await answer.arrayBuffer();
        at = new URL(location, at).href;
        answer = await open(at);
      }
      throw new Error(`more than ${mostRedirects} redirects, the last to ${at}`);
    },
  };
}
