import { wrapHandlers, type Action, type ResourceHandlers } from "../contracts/index.ts";
import type { CatalogMemory } from "./catalogMemory.ts";

/** Actions that change no record which queries look up. */
const readers: readonly Action[] = [
  "get",
  "validate",
  "explain",
  "test",
  "backtest",
  "preview",
  "resend",
];

/** Wraps the handlers of a resource so that the next call on this host sees their changes. */
export function forgetChanges(
  handlers: ResourceHandlers,
  memory: Pick<CatalogMemory, "forget">,
): ResourceHandlers {
  return wrapHandlers(handlers, (handler, action) =>
    readers.includes(action)
      ? handler
      : async (call) => handler(call).finally(() => memory.forget()),
  );
}
