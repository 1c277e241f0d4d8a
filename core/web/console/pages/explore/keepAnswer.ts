import type { Api } from "../../api/index.ts";
import { readerLocale, readerZone } from "../../language/index.ts";
import { saveFile } from "../../../embed/index.ts";
import { notify, notifyFailure, type ConsoleContext } from "../../parts/index.ts";
import type { AnsweredItem } from "../../pictures/index.ts";
import {
  itemOf,
  saveToDashboard,
  whereOf,
  type ExploredDataset,
  type Question,
} from "../../questions/index.ts";
import { words } from "./words.ts";

/** Adds the chart of a question to a dashboard. If the chart was created for a dashboard, returns to that dashboard. */
export async function saveQuestion({
  context: { api, router },
  question,
  dataset,
  dashboardId,
}: {
  readonly context: ConsoleContext;
  readonly question: Question;
  readonly dataset: ExploredDataset;
  /** Id of the dashboard for which the chart was created; "" for none. */
  readonly dashboardId: string;
}): Promise<void> {
  try {
    const item = itemOf(question, dataset);
    const where = whereOf(question.filters, dataset.id);
    const saved = await saveToDashboard(api, item, { where }, dashboardId);
    if (!saved) return;
    const isReturn = saved.id === dashboardId;
    if (isReturn) router.go(`/dashboards/${saved.id}?edit=1`);
    notify({
      text: words.savedTo(saved.name),
      // The dashboard is open already when the reader returns to it.
      ...(!isReturn && { link: { href: `/dashboards/${saved.id}`, label: words.openSaved } }),
    });
  } catch (failure) {
    notifyFailure(failure);
  }
}

/** Downloads all rows of an answer as a file, without the row limit of the page. */
export async function downloadAnswer(
  api: Api,
  answered: AnsweredItem,
  { type, name }: { readonly type: string; readonly name: string },
): Promise<void> {
  const { limit: _, ...query } = answered.query;
  try {
    const properties = {
      type,
      query,
      locale_id: readerLocale,
      timezone_id: readerZone,
      deliver: "file",
    };
    saveFile(await api.file("dataexport", "create", { properties }), name, type);
  } catch (failure) {
    notifyFailure(failure);
  }
}
