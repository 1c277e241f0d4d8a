import { html, nothing } from "lit";
import type { Api } from "../../../api/index.ts";
import { writeInstant } from "../../../language/index.ts";
import {
  errorState,
  loadingState,
  notify,
  notifyFailure,
  openDialog,
} from "../../../parts/index.ts";
import { nameOfRecord, type RecordOf } from "../../../records/index.ts";
import { words } from "./words.ts";

/** A custom chart, in the form in which a search returns it. */
export type CustomChart = RecordOf<"customchart">;

interface Version {
  readonly id: string;
  readonly script: string;
  readonly created_at: string;
}

/**
 * Shows an owner the newest script of a chart and the risks, and lets the owner approve that version. Resolves to
 * whether anything changed.
 */
export async function reviewChart(api: Api, chart: CustomChart): Promise<boolean> {
  const name = nameOfRecord(chart);
  let version: Version | undefined;
  let failure: unknown;
  let state: "requested" | "read" | undefined;
  const read = async (redraw: () => void) => {
    try {
      const found = await api.get<Version>("customchartversion", {
        where: { customchart_id: chart.id },
        attributes: ["id", "script", "created_at"],
        order: [["created_at", "desc"]],
        limit: 1,
      });
      [version] = found.rows;
    } catch (reason) {
      failure = reason;
    }
    state = "read";
    redraw();
  };
  const save = async (versionId: string | null, close: (isChanged: boolean) => void) => {
    try {
      await api.update("customchart", chart.id, { approved_version_id: versionId });
      notify({ text: versionId === null ? words.withdrawn(name) : words.approved(name) });
      close(true);
    } catch (reason) {
      notifyFailure(reason);
    }
  };
  const isChanged = await openDialog<boolean>({
    title: words.review(name),
    isWide: true,
    body: (dialog) => {
      if (state === undefined) {
        state = "requested";
        void read(() => dialog.redraw());
      }
      if (failure !== undefined) return errorState(failure);
      if (state !== "read") return loadingState();
      if (!version) return html`<p>${words.absent}</p>`;
      return html`<p>${words.risk}</p>
        <h3>${words.script}</h3>
        <p class="muted small">
          ${words.saved(writeInstant(version.created_at))}.
          ${words.statuses[chart.status ?? "draft"]}
        </p>
        <pre class="script" tabindex="0" aria-label=${words.script}>${version.script}</pre>`;
    },
    foot: (dialog) => {
      const close = (changed: boolean) => dialog.close(changed);
      const shown = version;
      return html`${
        chart.approved_version_id === null
          ? nothing
          : html`<button class="button danger" @click=${() => void save(null, close)}>
              ${words.withdraw}
            </button>`
      }
      ${
        shown === undefined || (chart.status === "approved" && chart.approved_version_id !== null)
          ? nothing
          : html`<button class="button primary" @click=${() => void save(shown.id, close)}>
              ${words.approve}
            </button>`
      }`;
    },
  });
  return isChanged === true;
}
