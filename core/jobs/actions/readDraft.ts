import {
  type ApiCall,
  ApiError,
  isObject,
  type Principal,
  type ResourceRow,
} from "../../base/index.ts";
import {
  accept,
  atTimeOfDay,
  checkAlertQueries,
  checkInstances,
  declarations,
  type Recurrence,
} from "../../resources/index.ts";
import { principalOf } from "../alerts/evaluateAlert.ts";
import { type ActionOptions, expectRecord } from "./actionOptions.ts";

/** An alert to try out: a record with changed members, or the members of an alert that is not stored. */
export interface Draft {
  readonly alert: ResourceRow<"alert">;
  /** The record; undefined for an alert that is not stored. */
  readonly stored: ResourceRow<"alert"> | undefined;
  /** The members that the call sets. */
  readonly given: readonly string[];
  /**
   * The principal that runs the alert's queries. Undefined if the alert's user, or the user's token, no longer exists.
   */
  readonly principal: Principal | undefined;
  /**
   * Whose rights the evaluation uses. `caller` means the token of the call, because another token of the user may have
   * more rights.
   */
  readonly evaluatedAs: "user" | "token" | "caller";
  readonly recurrence: Recurrence;
}

/** The defaults for members that the call omits. */
const usual = {
  recovery: null,
  instance_by: null,
  notify: "every",
  for: null,
  keep_firing_for: null,
  no_data: "ok",
  error: "keep",
  mute_until: null,
  quiet_hours: null,
  time_of_day: null,
  frequency: { unit: "day", quantity: 1 },
  timezone_id: null,
  schedule_id: null,
  instances: [],
  status: "ok",
  name: { en: "" },
  is_of_token: false,
} as const;

/**
 * Reads the alert of a call. The call sends the `id` of one of the caller's own records, optionally with `properties`
 * that replace members of the record, or it sends only `properties`. Queries from the call run as the caller. Queries
 * of the record run as the alert's user or token. If the call uses another token, they run as the caller, which may
 * have fewer rights.
 * @throws {ApiError} RECORD_NOT_FOUND, FORBIDDEN, and the errors of updating an alert
 */
export async function readDraft(
  { body, principal }: Pick<ApiCall, "body" | "principal">,
  options: ActionOptions,
): Promise<Draft> {
  const { id, properties } = body;
  const stored =
    id === undefined || id === null
      ? undefined
      : await expectRecord("alert", id, "own", { principal }, options);
  const declaration = declarations.get("alert");
  if (!declaration) throw new TypeError("the resource alert must exist");
  const values = accept(declaration, "update", properties ?? (stored ? {} : undefined));
  if (!stored && !isObject(values["query"]))
    throw new ApiError("MEMBER_MISSING", ["properties.query", "the query of the alert"]);
  await checkAlertQueries(values, { ...options, principal });
  const whole = { ...usual, id: "", user_id: principal.userId, ...stored, ...values };
  if (values["query"] || values["recovery"] || values["instance_by"]) checkInstances(whole);
  // Every member is valid, because it comes from the record, from `accept`, or from the defaults.
  const alert = whole as ResourceRow<"alert">;
  const isNewQuery = !stored || "query" in values || "recovery" in values;
  const evaluated = isNewQuery
    ? ({ principal, evaluatedAs: "caller" } as const)
    : await findPrincipal(stored, principal, options);
  const recurrence = await recurrenceOf(alert, stored, options);
  return { alert, stored, given: Object.keys(values), ...evaluated, recurrence };
}

async function findPrincipal(
  alert: ResourceRow<"alert">,
  caller: Principal,
  { principals }: Pick<ActionOptions, "principals">,
): Promise<Pick<Draft, "principal" | "evaluatedAs">> {
  const own = await principalOf(alert, principals);
  const isOwn = caller.restriction
    ? own?.authorizationId === caller.authorizationId
    : !alert.is_of_token;
  if (!own || isOwn) return { principal: own, evaluatedAs: alert.is_of_token ? "token" : "user" };
  return { principal: caller, evaluatedAs: "caller" };
}

async function recurrenceOf(
  alert: ResourceRow<"alert">,
  stored: ResourceRow<"alert"> | undefined,
  { records, now }: Pick<ActionOptions, "records" | "now">,
): Promise<Recurrence> {
  const [schedule] =
    (stored?.schedule_id ?? null) === null
      ? []
      : await records.find("schedule", { id: stored?.schedule_id ?? null });
  const { unit, quantity } = alert.frequency;
  const zone = alert.timezone_id ?? schedule?.timezone ?? "UTC";
  const { time_of_day: time } = alert;
  // Slots of an alert that is not stored start at whole minutes.
  const anchor =
    schedule?.started_at ?? schedule?.created_at ?? new Date(Math.floor(now() / 60_000) * 60_000);
  return {
    anchorMs: (time === null ? anchor : atTimeOfDay(anchor, time, zone)).getTime(),
    zone,
    unit,
    quantity,
  };
}
