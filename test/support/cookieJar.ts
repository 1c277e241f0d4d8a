/** A browser without scripts. It stores the cookies of each origin, and follows redirects if requested. */
export interface CookieJar {
  /** Requests an address. Sends the cookies that the address's origin has set. */
  open(url: string, options?: RequestInit): Promise<Response>;
  /** Requests an address and follows redirects. Resolves to the last response and the address that returned it. */
  follow(url: string, options?: RequestInit): Promise<{ answer: Response; url: string }>;
  /** Returns the cookies of an origin by name. */
  cookies(origin: string): Map<string, string>;
}

const mostRedirects = 20;

/** Returns a browser without cookies. */
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
