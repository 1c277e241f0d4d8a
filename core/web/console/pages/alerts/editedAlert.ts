import type { DrawKind } from "../../../charts/index.ts";
import type { AskedItem } from "../../pictures/index.ts";
import type { AlertDraft } from "./alertDraft.ts";
import type { AlertRecord, ChannelRecord } from "./alertRecord.ts";
import type { Json } from "./condition.ts";
import type { BacktestRequest } from "./createBacktest.ts";
import type { QueriedColumns } from "./queriedColumns.ts";

/** An alert that is made or changed: what its form begins with, and the past on which it is tried. */
export interface EditedAlert extends QueriedColumns {
  /** Undefined for a new alert. */
  readonly alert: AlertRecord | undefined;
  readonly draft: AlertDraft;
  readonly query: Json | undefined;
  /** Whether the form shows the condition; another form of it is kept. */
  readonly isOwnForm: boolean;
  readonly channels: readonly ChannelRecord[];
  /** The question as a chart, for a new one. */
  readonly asked?: AskedItem;
  readonly drawKind?: DrawKind;
  spanOf(unit: string): Pick<BacktestRequest, "from" | "to" | "expectedCount">;
}
