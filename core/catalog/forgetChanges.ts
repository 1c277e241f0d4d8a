import { wrapHandlers, type Action, type ResourceHandlers } from "../base/index.ts";
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

/** Resources whose records no query looks up; their tables raise no version either. */
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

/** Wraps the handlers of a resource so that the next call on this host sees their changes. */
export function forgetChanges(
  resource: string,
  handlers: ResourceHandlers,
  memory: Pick<CatalogMemory, "forget" | "lookAgain">,
): ResourceHandlers {
  if (unread.has(resource)) return handlers;
  // Triggers raise a version for every record that a push changes; what does not depend on rows stays in memory.
  const forget = resource === "data" ? memory.lookAgain : memory.forget;
  return wrapHandlers(handlers, (handler, action) =>
    readers.includes(action) ? handler : async (call) => handler(call).finally(forget),
  );
}
