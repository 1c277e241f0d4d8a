/** The states of an instance of an alert. */
export const alertStatuses = ["ok", "pending", "firing", "recovering", "no_data", "error"] as const;
export type AlertStatus = (typeof alertStatuses)[number];

/** How an alert judges its answers. Its declaration defaults to the contract: each answer with rows notifies. */
export interface AlertRule {
  /** `every`: each evaluation at which an instance fires. `change`: when it begins and when it ends. */
  readonly notify: "every" | "change";
  /** How long an instance has to match before it fires. */
  readonly forMs: number;
  /** How long a firing instance goes on after it last matched. */
  readonly keepFiringForMs: number;
  /** After an answer without rows: the alert is ok, stays as it is, or fires as `no_data`. */
  readonly noData: "ok" | "keep" | "fire";
  /** After an evaluation that failed: the alert is ok, stays as it is, or fires as `error`. */
  readonly error: "ok" | "keep" | "fire";
  /** Until this instant states change without messages. */
  readonly mutedUntilMs?: number;
}

/** The state of one instance after an evaluation. */
export interface InstanceState {
  readonly status: AlertStatus;
  /** When the status began. */
  readonly sinceMs: number;
  /** People were told that it fires, and not yet that it ended. */
  readonly isAnnounced: boolean;
}

/** The instances of an alert by key. An alert without instances of its own has one, whose key is `wholeKey`. */
export type AlertState = ReadonlyMap<string, InstanceState>;

/** The key of the alert as a whole. */
export const wholeKey = "";

/** The finding of an evaluation. */
export type Observation =
  | {
      readonly kind: "answer";
      /** The keys of the instances that match; none for an answer without rows. */
      readonly matching: ReadonlySet<string>;
      /** With a condition for recovery, the keys for which it holds. Other firing instances go on. */
      readonly recovered?: ReadonlySet<string>;
    }
  | { readonly kind: "error" };

export interface Transition {
  readonly key: string;
  readonly from: AlertStatus;
  readonly to: AlertStatus;
}

/** A message to people about an instance. */
export interface Notice {
  readonly key: string;
  readonly kind: "firing" | "resolved" | "no_data" | "error";
}

export interface Step {
  /** Without instances that are ok, unless people have yet to be told so. */
  readonly state: AlertState;
  readonly transitions: readonly Transition[];
  readonly notices: readonly Notice[];
}

/**
 * Moves an alert on by one evaluation. Serves live evaluations, tests and backtests alike: it reads no clock and no
 * record. A recovering instance that matches again fires at once. An instance that began and ended while the alert was
 * muted is never announced; one that still fires afterwards is, and so is the end of one that was. O(instances).
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
  /** The evaluation decides about the instance. Otherwise the instance stays as it is, without a message. */
  readonly isJudged: boolean;
}

/** The status that each instance gets: of instances that match, and of all that were not ok. */
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
