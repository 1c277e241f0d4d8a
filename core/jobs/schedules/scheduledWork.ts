import type { Accelerated, SyncReport } from "../../sources/index.ts";

/** The outcome of one run of a schedule's work. */
export type WorkOutcome =
  | { readonly kind: "done" }
  /** Another attempt would have the same result. People are shown the reason. */
  | { readonly kind: "failed"; readonly reason: string }
  /** Another attempt may succeed, for example because the source was unavailable. */
  | { readonly kind: "retry"; readonly reason: string }
  /** Another job is already doing the same work. */
  | { readonly kind: "busy" };

export interface ScheduledWorkOptions {
  /** Copies the rows of an accelerated dataset. */
  readonly accelerate: (securableId: string, signal: AbortSignal) => Promise<Accelerated>;
  /** Updates a dataset's columns from its source; undefined if the dataset does not exist. */
  readonly synchronize: (
    securableId: string,
    signal: AbortSignal,
  ) => Promise<SyncReport | undefined>;
  /** Sends a dashboard as a file. */
  readonly sendDashboard: (slot: ExportSlot, signal: AbortSignal) => Promise<WorkOutcome>;
  /** Records a slot that no attempt could send. */
  readonly giveUpExport: (lost: LostExport) => Promise<void>;
}

/** One slot of a schedule. */
export interface ExportSlot {
  readonly scheduleId: string;
  readonly slotMs: number;
  /** Whether this is the last attempt, so that nothing is left to retry. */
  readonly isLast: boolean;
}

/** A slot without a ledger entry after all attempts, with the reason why the last attempt failed. */
export interface LostExport extends Omit<ExportSlot, "isLast"> {
  readonly problem: string;
}

export type ScheduledTask = "acceleration" | "synchronization" | "export";

/** Does the scheduled work for a dataset or a dashboard. */
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
  failed: { kind: "failed", reason: "the copy of the dataset contains the reason" },
  retry: {
    kind: "retry",
    reason: "the source did not answer; the copy of the dataset contains the details",
  },
};
