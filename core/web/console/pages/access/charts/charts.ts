import { html } from "lit";
import { isRecord, searchOf } from "../../../api/index.ts";
import { textOf, writeInstant } from "../../../language/index.ts";
import { nameOfRecord, type RecordKind, type RecordPage } from "../../../records/index.ts";
import { reviewChart, type CustomChart } from "./reviewChart.ts";
import { words } from "./words.ts";

const badges = { draft: "info", changed: "bad", approved: "good" } as const;
const include = [{ model: "User", as: "Author", attributes: ["id", "name", "email"] }];
const attributes = ["id", "name", "status", "approved_version_id", "updated_at", "user_id"];
const pageRows = 100;

function authorOf({ author }: CustomChart): string {
  return isRecord(author) ? textOf(author["name"]) || textOf(author["email"]) : "";
}

async function review(page: RecordPage, chart: CustomChart): Promise<void> {
  if (await reviewChart(page.context.api, chart)) page.reload();
}

/** The custom charts of the organization. Owners review their scripts. */
export const charts: RecordKind<CustomChart> = {
  id: "charts",
  words,
  columns: (page) => [
    { label: words.name, width: "minmax(160px, 2fr)", cell: nameOfRecord },
    {
      label: words.script,
      width: "120px",
      cell: (chart) =>
        html`<button
          class="button"
          aria-label=${words.review(nameOfRecord(chart))}
          @click=${() => void review(page, chart)}
        >
          ${words.open}
        </button>`,
    },
    {
      label: words.status,
      width: "minmax(200px, 2fr)",
      cell: ({ status = "draft" }) =>
        html`<span class="badge ${badges[status]}">${words.statuses[status]}</span>`,
    },
    { label: words.author, width: "minmax(120px, 1fr)", cell: (row) => authorOf(row) || "–" },
    { label: words.changed, width: "190px", cell: ({ updated_at: at }) => writeInstant(at) },
  ],
  find({ context: { api } }, search, offset, signal) {
    const shown = { attributes, include, order: [["name", "asc"]] };
    const find = { ...searchOf(search), ...shown, limit: pageRows, offset };
    return api.get<CustomChart>("customchart", find, { signal });
  },
};
