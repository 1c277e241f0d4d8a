import { wrapHandlers, type Action, type ResourceHandlers } from "../base/index.ts";
import type { CatalogMemory } from "./catalogMemory.ts";

/** Actions that never change a record that queries look up. */
const readers: readonly Action[] = [
  "get",
  "validate",
  "explain",
  "list",
  "test",
  "backtest",
  "preview",
  "resend",
];

/** Resources that queries never look up. Changes to their tables increase no version. */
const unread = new Set([
  "aichart",
  "aiconversation",
  "aimessage",
  "aimessageasset",
  "aiprompt",
  "aisummary",
  "iqformula",
  "iqmessage",
]);

/**
 * Wraps the handlers of a resource. After a change through one of the wrapped handlers, the next call on this host sees
 * the change.
 */
export function forgetChanges(
  resource: string,
  handlers: ResourceHandlers,
  memory: Pick<CatalogMemory, "forget" | "lookAgain">,
): ResourceHandlers {
  if (unread.has(resource)) return handlers;
  // Triggers increase a version for every record that a push changes. Cached values that do not depend on rows remain
  // valid.
  const forget = resource === "data" ? memory.lookAgain : memory.forget;
  return wrapHandlers(handlers, (handler, action) =>
    readers.includes(action) ? handler : async (call) => handler(call).finally(forget),
  );
}
