/** The address of the page that the reader sees, split into its parts. */
export interface Route {
  /** Path such as `/explore/…`. */
  readonly path: string;
  /** Decoded parts of the path. */
  readonly parts: readonly string[];
  readonly query: URLSearchParams;
}

/** How a navigation changes the history of the browser. */
export interface GoOptions {
  /** Whether the address replaces the current address, without a step in the history. */
  readonly replaces?: boolean;
}

/** The current address of the console, kept in the history of the browser. */
export interface Router {
  readonly current: Route;
  /** Navigates to an address of the console, such as `/data?search=a`. */
  go(address: string, options?: GoOptions): void;
  /** Calls `mayLeave` before the reader leaves the path of a page. Undefined removes the guard. */
  guard(mayLeave: (() => Promise<boolean>) | undefined): void;
  /** Calls `changed` after each navigation by the reader or by a page. Returns a function that removes the listener. */
  onChange(changed: (route: Route) => void): () => void;
}

/** Tracks the address of a window, and handles links within it that lead to the console. */
export function openRouter(window: Window): Router {
  const listeners = new Set<(route: Route) => void>();
  let current = readRoute(window.location);
  const changed = () => {
    current = readRoute(window.location);
    for (const listener of listeners) listener(current);
  };
  let mayLeave: (() => Promise<boolean>) | undefined;
  let isConfirming = false;
  /**
   * Asks the guard before the reader leaves the path of the page. Returns whether the navigation has to wait for the
   * guard's decision.
   */
  const waits = (address: string, move: () => void): boolean => {
    const { pathname } = new URL(address, window.location.href);
    if (!mayLeave || pathname === current.path) return false;
    if (isConfirming) return true;
    isConfirming = true;
    void mayLeave()
      .then((isAgreed) => {
        if (isAgreed) move();
      })
      .finally(() => {
        isConfirming = false;
      });
    return true;
  };
  const move = (address: string, replaces: boolean) => {
    if (replaces) window.history.replaceState(null, "", address);
    else window.history.pushState(null, "", address);
    changed();
  };
  const go = (address: string, { replaces = false }: GoOptions = {}) => {
    const { pathname, search } = window.location;
    if (address === pathname + search) return;
    if (!waits(address, () => move(address, replaces))) move(address, replaces);
  };
  window.addEventListener("popstate", () => {
    const { pathname, search } = window.location;
    const address = pathname + search;
    const stay = current;
    // The browser has already gone back, so it returns to the page until the guard decides.
    if (waits(address, () => move(address, true)))
      window.history.pushState(null, "", stay.path + searchOf(stay));
    else changed();
  });
  window.document.addEventListener("click", (event) => {
    const address = addressOf(event, window.location);
    if (address === undefined) return;
    event.preventDefault();
    go(address);
  });
  return {
    get current() {
      return current;
    },
    go,
    guard(check) {
      mayLeave = check;
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** Returns the route of an address. */
export function readRoute({ pathname, search }: Pick<URL, "pathname" | "search">): Route {
  const parts = pathname.split("/").filter((part) => part !== "");
  return { path: pathname, parts: parts.map(decodePart), query: new URLSearchParams(search) };
}

const searchOf = ({ query }: Route): string => (query.size > 0 ? `?${query.toString()}` : "");

function decodePart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** Returns the address of a clicked link within the console; undefined for any other click. */
export function addressOf(event: MouseEvent, { origin }: Location): string | undefined {
  if (event.defaultPrevented || event.button !== 0) return undefined;
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return undefined;
  const link = event
    .composedPath()
    .find((each): each is HTMLAnchorElement => each instanceof HTMLAnchorElement);
  if (!link || link.target !== "" || link.hasAttribute("download")) return undefined;
  const { pathname, search } = link;
  if (link.origin !== origin || !isOfConsole(pathname)) return undefined;
  return pathname + search;
}

/** Paths of the host that are not pages of the console. */
const others = [
  "/0.1.0/",
  "/assets/",
  "/auth/",
  "/exports/",
  "/unsubscribe/",
  "/embed.js",
  "/editor.js",
];

const isOfConsole = (path: string): boolean =>
  !others.some((each) => path.startsWith(each)) && !path.endsWith(".json");
