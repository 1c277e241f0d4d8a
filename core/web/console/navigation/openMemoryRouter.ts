import { addressOf, readRoute, type Route, type Router } from "./openRouter.ts";

export interface MemoryRouterOptions {
  /** The element whose links are handled. */
  readonly root: EventTarget;
  /** The first address. */
  readonly address: string;
  /** Returns whether an address belongs to the element. */
  isOwn(route: Route): boolean;
  /** Called for an address that does not belong to the element. */
  onLeave(address: string): void;
}

/** A router whose address is in memory, for pages of the console in an element of another site. */
export interface MemoryRouter extends Router {
  close(): void;
}

/** Tracks an address without changing the address of the window, and handles links within an element. */
export function openMemoryRouter({
  root,
  address,
  isOwn,
  onLeave,
}: MemoryRouterOptions): MemoryRouter {
  const routeOf = (each: string) => readRoute(new URL(each, "https://element.invalid"));
  const listeners = new Set<(route: Route) => void>();
  let current = routeOf(address);
  let mayLeave: (() => Promise<boolean>) | undefined;
  const go = async (to: string): Promise<void> => {
    const next = routeOf(to);
    if (next.path !== current.path && mayLeave && !(await mayLeave())) return;
    if (!isOwn(next)) return onLeave(to);
    current = next;
    for (const listener of listeners) listener(current);
  };
  const click = (event: Event) => {
    const to = event instanceof MouseEvent ? addressOf(event, window.location) : undefined;
    if (to === undefined) return;
    event.preventDefault();
    void go(to);
  };
  root.addEventListener("click", click);
  return {
    get current() {
      return current;
    },
    go: (to) => void go(to),
    guard(check) {
      mayLeave = check;
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close: () => root.removeEventListener("click", click),
  };
}
