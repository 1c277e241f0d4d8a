import { type Handler, isObject, type ResourceHandlers } from "../../base/index.ts";
import type { Act, UsageCounts } from "./openUsageCounts.ts";

/** What a successful call of a resource's action counts as, by resource and action. */
const acts: Readonly<
  Record<
    string,
    { readonly action: "get" | "create"; act(body: Body, answer: unknown): Act | undefined }
  >
> = {
  data: {
    action: "get",
    act: ({ find }) => ({ kind: "question", amount: questionCount(find) }),
  },
  securable: { action: "get", act: ({ find }, answer) => viewOf(find, answer) },
  export: { action: "create", act: ({ properties }) => exportOf(properties) },
  dataexport: { action: "create", act: ({ properties }) => exportOf(properties) },
};

interface Body {
  readonly find?: unknown;
  readonly properties?: unknown;
}

/** Wraps the handlers of a resource so that its successful calls are counted. Calls that fail are not counted. */
export function countUsage(
  resource: string,
  handlers: ResourceHandlers,
  counts: Pick<UsageCounts, "note">,
): ResourceHandlers {
  const counted = Object.hasOwn(acts, resource) ? acts[resource] : undefined;
  const handler = counted && handlers[counted.action];
  if (!handler) return handlers;
  const counting: Handler = async (call) => {
    const answer = await handler(call);
    const act = counted.act(call.body, answer);
    // The people of an embed see dashboards; a program that reads a dashboard does not view it.
    if (act && (act.kind !== "view" || call.principal.authorizationType !== "api"))
      counts.note(call.principal, act);
    return answer;
  };
  return { ...handlers, [counted.action]: counting };
}

/** Each query of a call is a question. */
function questionCount(find: unknown): number {
  const { queries } = isObject<"queries">(find) ? find : {};
  return Array.isArray(queries) ? queries.length : 1;
}

/** A call that names one dashboard and receives its contents is a view of it. Lists of dashboards are not. */
function viewOf(find: unknown, answer: unknown): Act | undefined {
  const { where } = isObject<"where">(find) ? find : {};
  const { id } = isObject<"id">(where) ? where : {};
  const { rows } = isObject<"rows">(answer) ? answer : {};
  const row: unknown = Array.isArray(rows) ? rows[0] : undefined;
  const { contents } = isObject<"contents">(row) ? row : {};
  return typeof id === "string" && isObject(contents)
    ? { kind: "view", dashboardId: id }
    : undefined;
}

function exportOf(properties: unknown): Act {
  const { securable_id: id } = isObject<"securable_id">(properties) ? properties : {};
  return { kind: "export", dashboardId: typeof id === "string" ? id : undefined };
}
