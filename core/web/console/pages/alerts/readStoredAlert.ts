import { isRecord, type Api } from "../../api/index.ts";
import { textOf } from "../../language/index.ts";
import { draftOf } from "./alertDraft.ts";
import { readAlert, readChannels, type AlertEvent } from "./alertRecord.ts";
import { conditionOf } from "./condition.ts";
import type { EditedAlert } from "./editedAlert.ts";
import { stepMsOf } from "./pastOf.ts";
import { queriedColumns } from "./queriedColumns.ts";

/** Number of past slots on which a change is tested. */
const triedSlots = 60;

/** Fetches an alert for editing; undefined if the reader cannot see it. */
export async function readStoredAlert(
  api: Api,
  id: string,
  signal: AbortSignal,
): Promise<EditedAlert | undefined> {
  const [alert, channels, events] = await Promise.all([
    readAlert(api, id, signal),
    readChannels(api, signal),
    api.get<Pick<AlertEvent, "slot_at">>(
      "alertevent",
      {
        where: { alert_id: id },
        attributes: ["slot_at"],
        order: [["slot_at", "desc"]],
        limit: triedSlots,
      },
      { signal },
    ),
  ]);
  if (!alert) return undefined;
  const { query } = alert;
  const { measures, dimensions, filters } = await queriedColumns(api, query, signal);
  const isOwnForm = conditionOf(query) !== undefined;
  const times = events.rows.map(({ slot_at: at }) => Date.parse(at));
  return {
    alert,
    draft: draftOf(alert, textOf(alert.name)),
    query: isRecord(query) ? query : undefined,
    isOwnForm,
    channels,
    filters,
    measures: isOwnForm ? measures : [],
    dimensions,
    spanOf(unit) {
      const stepMs = stepMsOf(unit);
      const now = Date.now();
      const [oldest, newest] =
        times.length < 2
          ? [now - triedSlots * stepMs, now]
          : [Math.min(...times), Math.max(...times)];
      return {
        from: new Date(oldest).toISOString(),
        to: new Date(newest + stepMs).toISOString(),
        expectedCount: Math.ceil((newest - oldest) / stepMs),
      };
    },
  };
}
