/** Where the reader is: the address of the page. */
export interface Place {
  /** The path, such as `/explore/…`. */
  readonly path: string;
  /** The parts of the path, decoded. */
  readonly parts: readonly string[];
  readonly query: URLSearchParams;
}

export interface GoOptions {
  /** Replaces the address instead of adding a step to go back to. */
  readonly replaces?: boolean;
}

/** The addresses of the console: one at a time, kept in the history of the browser. */
export interface Places {
  readonly current: Place;
  /** Goes to an address of the console, such as `/data?search=a`. */
  go(address: string, options?: GoOptions): void;
  /** Asks before the reader leaves the path of a page: `mayLeave` answers. Undefined ends that. */
  guard(mayLeave: (() => Promise<boolean>) | undefined): void;
  /** Calls back after each change, by the reader or by a page; returns how to stop. */
  onChange(changed: (place: Place) => void): () => void;
}

/** Follows the address of a window, and links within it that lead to the console. */
export function openPlaces(window: Window): Places {
  const listeners = new Set<(place: Place) => void>();
  let current = readPlace(window.location);
  const changed = () => {
    current = readPlace(window.location);
    for (const listener of listeners) listener(current);
  };
  let mayLeave: (() => Promise<boolean>) | undefined;
  let isAsking = false;
  /** Asks the page before its path is left. Returns whether the change waits for the answer. */
  const waits = (address: string, move: () => void): boolean => {
    const { pathname } = new URL(address, window.location.href);
    if (!mayLeave || pathname === current.path) return false;
    if (isAsking) return true;
    isAsking = true;
    void mayLeave()
      .then((isAgreed) => {
        if (isAgreed) move();
      })
      .finally(() => {
        isAsking = false;
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
    // The browser has gone back already: it returns to the page while that is asked.
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

function readPlace({ pathname, search }: Location): Place {
  const parts = pathname.split("/").filter((part) => part !== "");
  return { path: pathname, parts: parts.map(decodePart), query: new URLSearchParams(search) };
}

const searchOf = ({ query }: Place): string => (query.size > 0 ? `?${query.toString()}` : "");

function decodePart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** The address of a clicked link of the console; undefined for any other click. */
function addressOf(event: MouseEvent, { origin }: Location): string | undefined {
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

/** Paths of the host that are no pages. */
const others = ["/0.1.0/", "/assets/", "/auth/", "/exports/", "/unsubscribe/", "/embed.js"];

const isOfConsole = (path: string): boolean =>
  !others.some((each) => path.startsWith(each)) && !path.endsWith(".json");
