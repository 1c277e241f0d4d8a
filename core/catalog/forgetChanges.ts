import type { Action, Handler } from "../contracts/index.ts";
import type { CatalogMemory } from "./catalogMemory.ts";

type Offered = Readonly<Partial<Record<Action, Handler>>>;

/** Actions that change no record. */
const readers: readonly Action[] = ["get", "validate", "explain"];

/** Wraps the handlers of a resource so that what they change counts at the next call on this host. */
export function forgetChanges(offered: Offered, memory: Pick<CatalogMemory, "forget">): Offered {
  return Object.fromEntries(
    Object.entries(offered).map(([action, handler]) => [
      action,
      readers.includes(action as Action)
        ? handler
        : async (call: Parameters<Handler>[0]) => handler(call).finally(() => memory.forget()),
    ]),
  );
}
