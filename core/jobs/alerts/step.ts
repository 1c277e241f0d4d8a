import type { AlertStatus, noticeKinds } from "../../resources/index.ts";

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
  /** The effect of an answer without rows: the alert becomes ok, keeps its state, or fires as `no_data`. */
  readonly noData: "ok" | "keep" | "fire";
  /** The effect of a failed evaluation: the alert becomes ok, keeps its state, or fires as `error`. */
  readonly error: "ok" | "keep" | "fire";
  /** The end of the muted period, in milliseconds since 1970. Until then, states change without messages. */
  readonly mutedUntilMs?: number;
}

/** The state of one instance after an evaluation. */
export interface InstanceState {
  readonly status: AlertStatus;
  /** When the instance entered its status, in milliseconds since 1970. */
  readonly sinceMs: number;
  /** Whether people have been notified that the instance is firing, but not yet that it has stopped. */
  readonly isAnnounced: boolean;
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
 * announced. When an announced instance stops firing, that is announced too. O(instances).
 */
export function step(
  state: AlertState,
  observation: Observation,
  rule: AlertRule,
  atMs: number,
): Step {
  const isMuted = atMs < (rule.mutedUntilMs ?? -Infinity);
  const next = new Map<string, InstanceState>();
  const transitions: Transition[] = [];
  const notices: Notice[] = [];
  for (const [key, { status, isJudged }] of wantedStatuses(state, observation, rule, atMs)) {
    const before = state.get(key) ?? { status: "ok", sinceMs: atMs, isAnnounced: false };
    const isChanged = before.status !== status;
    if (isChanged) transitions.push({ key, from: before.status, to: status });
    const kind = isJudged ? noticeOf(before, status, rule) : undefined;
    const isTold = kind !== undefined && !isMuted;
    if (isTold) notices.push({ key, kind });
    const isAnnounced =
      status === "ok" ? kind !== undefined && isMuted : isTold || before.isAnnounced;
    if (status === "ok" && !isAnnounced) continue;
    next.set(key, { status, sinceMs: isChanged ? atMs : before.sinceMs, isAnnounced });
  }
  return { state: next, transitions, notices };
}

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
  for (const [key, instance] of state)
    judge(key, isError ? "ok" : withoutMatch(key, instance, observation.recovered, rule, atMs));
  for (const key of matching) judge(key, withMatch(state.get(key), rule, atMs));
  return wanted;
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
  const isSame = before.status === wanted || before.status === "recovering";
  return notify === "change" && before.isAnnounced && isSame ? undefined : wanted;
}
