import type { Accelerated, SyncReport } from "../../sources/index.ts";

/** The end of one run of a schedule's work. */
export type WorkOutcome =
  | { readonly kind: "done" }
  /** Nothing will change by another attempt; shown to people. */
  | { readonly kind: "failed"; readonly reason: string }
  /** Worth another attempt, such as of a source that is away. */
  | { readonly kind: "retry"; readonly reason: string }
  /** The same work is under way. */
  | { readonly kind: "busy" };

export interface ScheduledWorkOptions {
  /** Copies the rows of an accelerated dataset. */
  readonly accelerate: (securableId: string, signal: AbortSignal) => Promise<Accelerated>;
  /** Has a dataset's columns follow its source; undefined when there is no such dataset. */
  readonly synchronize: (
    securableId: string,
    signal: AbortSignal,
  ) => Promise<SyncReport | undefined>;
  /** Sends a dashboard as a file. */
  readonly sendDashboard: (slot: ExportSlot, signal: AbortSignal) => Promise<WorkOutcome>;
  /** Records a slot that no run could send. */
  readonly giveUpExport: (lost: LostExport) => Promise<void>;
}

/** One slot of the work of a schedule. */
export interface ExportSlot {
  readonly scheduleId: string;
  readonly slotMs: number;
  /** No other attempt follows. */
  readonly isLast: boolean;
}

/** A slot whose runs ended without an entry in the ledger, and why the last one did. */
export interface LostExport extends Omit<ExportSlot, "isLast"> {
  readonly problem: string;
}

export type ScheduledTask = "acceleration" | "synchronization" | "export";

/** Does the work of a schedule for a dataset or a dashboard. */
export async function doScheduledWork(
  task: ScheduledTask,
  { securableId, slot }: { readonly securableId: string; readonly slot: ExportSlot | undefined },
  signal: AbortSignal,
  { accelerate, synchronize, sendDashboard }: ScheduledWorkOptions,
): Promise<WorkOutcome> {
  switch (task) {
    case "acceleration":
      return outcomes[await accelerate(securableId, signal)];
    case "synchronization": {
      const report = await synchronize(securableId, signal);
      if (!report || report.synced) return { kind: "done" };
      return { kind: "failed", reason: report.reason ?? "the source did not answer" };
    }
    case "export":
      return slot ? sendDashboard(slot, signal) : { kind: "done" };
  }
}

const outcomes: { readonly [Each in Accelerated]: WorkOutcome } = {
  copied: { kind: "done" },
  unchanged: { kind: "done" },
  gone: { kind: "done" },
  busy: { kind: "busy" },
  failed: { kind: "failed", reason: "the copy of the dataset says why" },
  retry: { kind: "retry", reason: "the source did not answer; the copy of the dataset says how" },
};
