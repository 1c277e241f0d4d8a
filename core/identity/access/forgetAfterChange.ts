import { wrapHandlers, type Action, type ResourceHandlers } from "../../base/index.ts";
import type { Access } from "./openAccess.ts";

/** Resources that decide what a token may do. */
const resources = ["authorization", "user", "organization", "ssoconfig"];
/**
 * Actions that may revoke or restrict a token. A create is not one of them, because nobody has used the new token yet.
 */
const actions: readonly Action[] = ["update", "delete", "associate", "dissociate"];

/** Wraps the handlers of a resource so that changes to users and tokens affect the next call on this host. */
export function forgetAfterChange(
  resource: string,
  handlers: ResourceHandlers,
  access: Pick<Access, "forget">,
): ResourceHandlers {
  if (!resources.includes(resource)) return handlers;
  return wrapHandlers(handlers, (handler, action) =>
    actions.includes(action)
      ? async (call) => handler(call).finally(() => access.forget())
      : handler,
  );
}
