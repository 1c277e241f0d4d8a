import type { AnswerCell } from "../../queries/index.ts";
import { instanceColumns } from "../../resources/index.ts";
import { keyOf, readKey } from "../alerts/observe.ts";
import { type Notice, wholeKey } from "../alerts/step.ts";
import {
  type InstanceChange,
  type ListedInstance,
  type Message,
  type MessageThreshold,
  mostNotices,
} from "./message.ts";
import type { ReportedAlert, ReportedEvaluation } from "./reported.ts";
import { bySeverity } from "./thresholdsIn.ts";

interface ListOptions {
  readonly thresholds: readonly MessageThreshold[];
  /** Formats the cells of a row for the reader. */
  readonly nameOf: (row: readonly AnswerCell[]) => readonly string[];
}

/** The instances that a message lists. */
export interface Listed extends Pick<
  Message,
  "notices" | "instances" | "changeCounts" | "stillFiring"
> {}

/**
 * Lists the first `mostNotices` notices of an evaluation, worst first, with the names and rows of their instances. Also
 * lists announced instances that still fire. An alert without `instance_by` has no instances to list.
 */
export function listInstances(
  { query, instance_by, notify }: Pick<ReportedAlert, "query" | "instance_by" | "notify">,
  { answer, values, step }: ReportedEvaluation,
  { thresholds, nameOf }: ListOptions,
): Listed {
  const columns = instanceColumns(instance_by ?? [], query);
  if (columns.length === 0 || columns.includes(-1))
    return { notices: step.notices.slice(0, mostNotices) };
  const [threshold] = thresholds;
  const compare = threshold ? bySeverity(threshold) : () => 0;
  const rows = [...(answer?.data ?? []), ...(values?.data ?? [])].toSorted(compare);
  // The first row of an instance is its worst.
  const rowOf = new Map<string, readonly AnswerCell[]>();
  for (const row of rows) {
    const key = keyOf(row, columns);
    if (!rowOf.has(key)) rowOf.set(key, row);
  }
  const list = (key: string, change: InstanceChange): ListedInstance => {
    const row = rowOf.get(key) ?? null;
    const cells = row && nameOf(row);
    const names = cells ? columns.map((column) => cells[column] ?? "") : readKey(key).map(plain);
    return { key, label: names.join(", "), change, row };
  };
  const changed = new Set(step.transitions?.map(({ key }) => key));
  const changeOf = ({ key, kind, reason }: Notice): InstanceChange => {
    if (kind === "error") return "failed";
    if (kind === "no_data" || reason === "no_data") return "missing";
    if (kind === "resolved") return "ended";
    return notify === "every" && step.transitions && !changed.has(key) ? "continues" : "began";
  };
  const notices = step.notices
    .toSorted(
      (one, other) =>
        order.indexOf(changeOf(one)) - order.indexOf(changeOf(other)) ||
        compare(rowOf.get(one.key) ?? null, rowOf.get(other.key) ?? null),
    )
    .slice(0, mostNotices);
  const changeCounts: Partial<Record<InstanceChange, number>> = {};
  for (const notice of step.notices) {
    if (notice.key === wholeKey) continue;
    const change = changeOf(notice);
    changeCounts[change] = (changeCounts[change] ?? 0) + 1;
  }
  const told = new Set(step.notices.map(({ key }) => key));
  const still = [...(step.state ?? [])].flatMap(([key, { status, isAnnounced }]) => {
    const isFiring = status === "firing" || status === "recovering";
    return isFiring && isAnnounced && key !== wholeKey && !told.has(key)
      ? [list(key, "continues")]
      : [];
  });
  const instances = still
    .toSorted((one, other) => compare(one.row, other.row))
    .slice(0, mostNotices);
  return {
    notices,
    changeCounts,
    instances: notices.flatMap((notice) =>
      notice.key === wholeKey ? [] : [list(notice.key, changeOf(notice))],
    ),
    ...(still.length > 0 && { stillFiring: { count: still.length, instances } }),
  };
}

const order: readonly InstanceChange[] = ["began", "continues", "failed", "missing", "ended"];

const plain = (cell: unknown): string => (cell === null ? "–" : String(cell));
