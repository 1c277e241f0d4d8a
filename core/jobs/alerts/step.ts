import {
  type AlertStatus,
  isQuiet,
  type noticeKinds,
  type QuietHours,
} from "../../resources/index.ts";

/** How an alert evaluates its answers. By default, it notifies people of every answer with rows. */
export interface AlertRule {
  /**
   * `every`: notify people at each evaluation at which an instance fires. `change`: notify people when an instance
   * starts or stops firing.
   */
  readonly notify: "every" | "change";
  /** Milliseconds for which an instance must match before it fires; 0 to fire at the first match. */
  readonly forMs: number;
  /** Milliseconds for which a firing instance keeps firing after its last match. */
  readonly keepFiringForMs: number;
  /**
   * The effect of missing data: the alert becomes ok, keeps its state, or fires as `no_data`. Applies to the alert if
   * the answer has no rows, and to an instance that has stopped reporting.
   */
  readonly noData: "ok" | "keep" | "fire";
  /** The effect of a failed evaluation: the alert becomes ok, keeps its state, or fires as `error`. */
  readonly error: "ok" | "keep" | "fire";
  /** The end of the muted period, in milliseconds since 1970. Until then, states change without messages. */
  readonly mutedUntilMs?: number;
  /** Recurring hours in which states change without messages. */
  readonly quietHours?: QuietHours;
}

/** The state of one instance after an evaluation. */
export interface InstanceState {
  readonly status: AlertStatus;
  /** When the instance entered its status, in milliseconds since 1970. */
  readonly sinceMs: number;
  /** Whether people have been notified that the instance is firing, but not yet that it has stopped. */
  readonly isAnnounced: boolean;
  /** The status of which people were last notified, if the instance has changed since, while the alert was muted. */
  readonly toldStatus?: AlertStatus;
}

/** The instances of an alert, by key. An alert without `instance_by` has a single instance with the key `wholeKey`. */
export type AlertState = ReadonlyMap<string, InstanceState>;

/** The key of the alert as a whole, which also stands for missing data and for errors. */
export const wholeKey = "";

/** What an evaluation observed: the matching instances, or that the query failed. */
export type Observation =
  | {
      readonly kind: "answer";
      /** The keys of the matching instances; empty for an answer without rows. */
      readonly matching: ReadonlySet<string>;
      /**
       * The keys that meet the recovery condition; absent if the alert has no recovery condition. Other firing
       * instances keep firing.
       */
      readonly recovered?: ReadonlySet<string>;
      /**
       * The keys that have rows, whether or not they match. Absent if this is not known; every instance then counts as
       * reporting.
       */
      readonly reporting?: ReadonlySet<string>;
    }
  | { readonly kind: "error" };

export interface Transition {
  readonly key: string;
  readonly from: AlertStatus;
  readonly to: AlertStatus;
}

/** A notification about an instance, for a message to people. */
export interface Notice {
  readonly key: string;
  readonly kind: (typeof noticeKinds)[number];
  /** Present if the instance stopped firing only because it has no data. */
  readonly reason?: "no_data";
}

export interface Step {
  /**
   * The new state. Omits instances that are ok, unless people must still be notified that the instance has stopped
   * firing.
   */
  readonly state: AlertState;
  readonly transitions: readonly Transition[];
  readonly notices: readonly Notice[];
}

/**
 * Steps an alert by one evaluation. Live evaluations, tests and backtests all use this function, so it reads neither
 * the clock nor records. A recovering instance that matches again fires at once. An instance that started and stopped
 * firing while the alert was muted is never announced. An instance that is still firing after the muted period is
 * announced. When an announced instance stops firing, that is announced too. Quiet hours mute the alert in the same
 * way. An instance that stopped reporting follows the rule for missing data; if it becomes ok, its notice has a reason.
 * O(instances).
 */
export function step(
  state: AlertState,
  observation: Observation,
  rule: AlertRule,
  atMs: number,
): Step {
  const isMuted = isMutedAt(rule, atMs);
  const next = new Map<string, InstanceState>();
  const transitions: Transition[] = [];
  const notices: Notice[] = [];
  for (const [key, { status, isJudged }] of wantedStatuses(state, observation, rule, atMs)) {
    const before = state.get(key) ?? { status: "ok", sinceMs: atMs, isAnnounced: false };
    const isChanged = before.status !== status;
    if (isChanged) transitions.push({ key, from: before.status, to: status });
    const kind = isJudged ? noticeOf(before, status, rule) : undefined;
    const isTold = kind !== undefined && !isMuted;
    if (isTold)
      notices.push({
        key,
        kind,
        ...(kind === "resolved" && hasStopped(key, observation) && { reason: "no_data" as const }),
      });
    const isAnnounced =
      status === "ok" ? kind !== undefined && isMuted : isTold || before.isAnnounced;
    if (status === "ok" && !isAnnounced) continue;
    const told = isTold ? firingOf(status) : toldOf(before);
    const isOld = isAnnounced && status !== "ok" && told !== undefined && told !== firingOf(status);
    next.set(key, {
      status,
      sinceMs: isChanged ? atMs : before.sinceMs,
      isAnnounced,
      ...(isOld && { toldStatus: told }),
    });
  }
  return { state: next, transitions, notices };
}

/** A recovering instance still fires. */
const firingOf = (status: AlertStatus): AlertStatus =>
  status === "recovering" ? "firing" : status;

/** Returns the status of which people were last notified; undefined if they were not notified. */
const toldOf = ({ status, isAnnounced, toldStatus }: InstanceState): AlertStatus | undefined =>
  isAnnounced ? (toldStatus ?? firingOf(status)) : undefined;

/** Returns whether an alert sends no messages at an instant. */
function isMutedAt({ mutedUntilMs = -Infinity, quietHours }: AlertRule, atMs: number): boolean {
  return atMs < mutedUntilMs || (quietHours !== undefined && isQuiet(quietHours, atMs));
}

/**
 * Returns whether people must still be told something about an alert: an instance has started or stopped firing while
 * the alert was muted.
 */
export function hasUntold(state: AlertState): boolean {
  return [...state.values()].some(({ status, isAnnounced, toldStatus }) => {
    if (status === "ok") return isAnnounced;
    return toldStatus !== undefined || (status !== "pending" && !isAnnounced);
  });
}

/** Returns whether an instance is known to have no rows. */
const hasStopped = (key: string, observation: Observation): boolean =>
  key !== wholeKey &&
  observation.kind === "answer" &&
  observation.reporting !== undefined &&
  !observation.reporting.has(key);

interface Wanted {
  readonly status: AlertStatus;
  /**
   * Whether the evaluation determines the state of the instance. Otherwise the state stays the same, without a message.
   */
  readonly isJudged: boolean;
}

/** Returns the new status of each instance that matches or was not ok. */
function wantedStatuses(
  state: AlertState,
  observation: Observation,
  rule: AlertRule,
  atMs: number,
): ReadonlyMap<string, Wanted> {
  const isError = observation.kind === "error";
  const matching = isError ? new Set<string>() : observation.matching;
  const emptyPolicy = matching.size === 0 ? rule.noData : undefined;
  const policy = isError ? rule.error : emptyPolicy;
  const wanted = new Map<string, Wanted>();
  const judge = (key: string, status: AlertStatus) => wanted.set(key, { status, isJudged: true });
  if (policy === "keep" || policy === "fire") {
    for (const [key, { status }] of state) wanted.set(key, { status, isJudged: false });
    if (policy === "fire") judge(wholeKey, isError ? "error" : "no_data");
    return wanted;
  }
  for (const [key, instance] of state) {
    const kept = keptWithoutData(key, instance, observation, rule);
    if (kept) wanted.set(key, kept);
    else
      judge(key, isError ? "ok" : withoutMatch(key, instance, observation.recovered, rule, atMs));
  }
  for (const key of matching) judge(key, withMatch(state.get(key), rule, atMs));
  return wanted;
}

/** Returns the status of an instance whose data are missing, or may be missing; undefined if other rules apply. */
function keptWithoutData(
  key: string,
  { status }: InstanceState,
  observation: Observation,
  { noData }: AlertRule,
): Wanted | undefined {
  if (observation.kind === "error" || key === wholeKey || status === "ok") return undefined;
  // Without knowing whether the instance reports again, it cannot leave this status.
  if (status === "no_data" && !observation.reporting) return { status, isJudged: false };
  if (!hasStopped(key, observation) || noData === "ok") return undefined;
  if (noData === "keep") return { status, isJudged: false };
  return status === "pending" ? undefined : { status: "no_data", isJudged: true };
}

function withMatch(
  before: InstanceState | undefined,
  { forMs }: AlertRule,
  atMs: number,
): AlertStatus {
  if (before?.status === "firing" || before?.status === "recovering") return "firing";
  const sinceMs = before?.status === "pending" ? before.sinceMs : atMs;
  return atMs - sinceMs >= forMs ? "firing" : "pending";
}

function withoutMatch(
  key: string,
  { status, sinceMs }: InstanceState,
  recovered: ReadonlySet<string> | undefined,
  { keepFiringForMs }: AlertRule,
  atMs: number,
): AlertStatus {
  if (status !== "firing" && status !== "recovering") return "ok";
  if (recovered && !recovered.has(key)) return "firing";
  const recoveringMs = status === "recovering" ? atMs - sinceMs : 0;
  return recoveringMs >= keepFiringForMs ? "ok" : "recovering";
}

function noticeOf(
  before: InstanceState,
  wanted: AlertStatus,
  { notify }: AlertRule,
): Notice["kind"] | undefined {
  if (wanted === "ok") return notify === "change" && before.isAnnounced ? "resolved" : undefined;
  if (wanted === "pending" || wanted === "recovering") return undefined;
  return notify === "change" && toldOf(before) === wanted ? undefined : wanted;
}
