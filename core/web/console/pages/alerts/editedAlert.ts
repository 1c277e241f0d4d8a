import type { DrawKind } from "../../../charts/index.ts";
import type { AnsweredItem } from "../../pictures/index.ts";
import type { AlertDraft } from "./alertDraft.ts";
import type { AlertRecord, ChannelRecord } from "./alertRecord.ts";
import type { Json } from "./condition.ts";
import type { BacktestRequest } from "./createBacktest.ts";
import type { QueriedColumns } from "./queriedColumns.ts";

/** A new or existing alert in the form: its initial values, and the past data on which it is tested. */
export interface EditedAlert extends QueriedColumns {
  /** The stored alert; undefined for a new alert. */
  readonly alert: AlertRecord | undefined;
  readonly draft: AlertDraft;
  readonly query: Json | undefined;
  /** Whether the form can show the condition. A condition that the form cannot show is kept unchanged. */
  readonly isOwnForm: boolean;
  readonly channels: readonly ChannelRecord[];
  /** The filters of the query, each as a sentence. */
  readonly filters: readonly string[];
  /** The chart of a new alert, with its data. */
  readonly answered?: AnsweredItem;
  readonly drawKind?: DrawKind;
  spanOf(unit: string): Pick<BacktestRequest, "from" | "to" | "expectedCount">;
}
