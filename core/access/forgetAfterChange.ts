import type { Action, Handler } from "../contracts/index.ts";
import type { Access } from "./openAccess.ts";

type Offered = Readonly<Partial<Record<Action, Handler>>>;

/** Resources that tokens stand on. */
const resources = ["authorization", "user", "organization"];
/** Actions that may end or narrow a token; one that was made now is not known to anyone yet. */
const actions: readonly Action[] = ["update", "delete", "associate", "dissociate"];

/** Wraps handlers so that a change of users and tokens counts at the next call on this host. */
export function forgetAfterChange(
  resource: string,
  offered: Offered,
  access: Pick<Access, "forget">,
): Offered {
  if (!resources.includes(resource)) return offered;
  return Object.fromEntries(
    Object.entries(offered).map(([action, handler]) => [
      action,
      actions.includes(action as Action)
        ? async (call: Parameters<Handler>[0]) => handler(call).finally(() => access.forget())
        : handler,
    ]),
  );
}
