import type { Route } from "./openRouter.ts";

/** Returns an address with changed query members; "" and undefined remove a member. */
export function addressWith(
  { path, query }: Route,
  changes: Readonly<Record<string, string | undefined>>,
): string {
  const changed = new URLSearchParams(query);
  for (const [name, value] of Object.entries(changes))
    if (value === undefined || value === "") changed.delete(name);
    else changed.set(name, value);
  return changed.size > 0 ? `${path}?${changed.toString()}` : path;
}
