import { html } from "lit";
import { ref } from "lit/directives/ref.js";
import {
  createColors,
  objectOf,
  resolveTheme,
  type ChartItem,
  type ChartTheme,
} from "../../../charts/index.ts";
import type { Api } from "../../api/index.ts";
import { localized, readerLocale, readerZone, textOf } from "../../language/index.ts";
import { errorState, loadingState, openDialog } from "../../parts/index.ts";
import { createItemView, type ItemState, type ItemView } from "../../../embed/index.ts";
import { words } from "./words.ts";

/** A stored theme. `theme` has the form that `resolveTheme` reads. */
export interface StoredTheme {
  readonly id: string;
  readonly name: unknown;
  readonly theme: unknown;
}

/** A sample chart with invented numbers that shows every colour role of a theme. */
const sample: { readonly item: ChartItem; readonly state: ItemState } = (() => {
  const named = (columnId: string) => ({
    columnId,
    datasetId: "sample",
    label: localized(words.sample),
  });
  const fields = [
    { slot: "x-axis", type: "hierarchy", ...named("a") },
    { slot: "legend", type: "hierarchy", ...named("b") },
    { slot: "measure", type: "numeric", ...named("c"), aggregation: "sum" },
  ] as const satisfies ChartItem["fields"];
  const rows = ["I", "II", "III", "IV"].flatMap((group, at) =>
    ["A", "B", "C"].map((series, index) => [group, series, 4 + ((at * 5 + index * 7) % 9)]),
  );
  return {
    item: {
      id: "sample",
      type: "column-chart",
      options: { title: localized(words.sample) },
      fields,
    },
    state: { kind: "answer", fields, rows },
  };
})();

/**
 * Lets the reader choose the theme of a dashboard, with a preview of each theme. Returns the chosen record; null for no
 * theme; undefined if the reader closes the dialog.
 */
export async function openTheme(
  api: Api,
  currentId: string | undefined,
): Promise<StoredTheme | null | undefined> {
  let themes: readonly StoredTheme[] | undefined;
  let failure: unknown;
  let isAsked = false;
  const views = new Map<string, ItemView>();
  const read = async (redraw: () => void) => {
    try {
      const find = { attributes: ["id", "name", "theme"], order: [["id", "asc"]], limit: 200 };
      themes = (await api.get<StoredTheme>("theme", find)).rows;
    } catch (reason) {
      failure = reason;
    }
    redraw();
  };
  /** Draws the sample into its element once the element exists. */
  const preview = (id: string, theme: ChartTheme) => (element: Element | undefined) => {
    if (!(element instanceof HTMLElement) || views.has(id)) return;
    queueMicrotask(() => {
      if (!element.isConnected) return;
      const view = createItemView(element);
      const look = { localeId: readerLocale, timezoneId: readerZone };
      view.show({ ...sample, ...look, theme, colors: createColors(theme) });
      views.set(id, view);
    });
  };
  const choice = await openDialog<StoredTheme | null>({
    title: words.theme,
    isWide: true,
    body: (dialog) => {
      if (!isAsked) {
        isAsked = true;
        void read(() => dialog.redraw());
      }
      if (failure !== undefined) return errorState(failure);
      if (!themes) return loadingState();
      const all: readonly (StoredTheme | null)[] = [null, ...themes];
      return html`<p class="muted">${words.themeText}</p>
        <div class="themes">
          ${all.map((each) => {
            const name = each === null ? words.noTheme : textOf(each.name) || each.id;
            const theme = resolveTheme(undefined, each === null ? [] : [{ theme: each.theme }]);
            return html`<button
              class="theme ${each?.id === currentId ? "current" : ""}"
              aria-pressed=${each?.id === currentId ? "true" : "false"}
              @click=${() => dialog.close(each)}
            >
              <span class="theme-name truncate">${name}</span>
              <span
                class="theme-sample"
                aria-hidden="true"
                inert
                .style=${`background: ${theme.page}`}
                ><span ${ref(preview(each?.id ?? "", theme))}></span
              ></span>
            </button>`;
          })}
        </div>`;
    },
  });
  for (const view of views.values()) view.close();
  return choice;
}

/** Fetches the theme that a view names; undefined if the view names no theme or the reader cannot see it. */
export async function readTheme(
  api: Api,
  options: unknown,
  signal?: AbortSignal,
): Promise<StoredTheme | undefined> {
  const { id } = objectOf(objectOf(options)["theme"]);
  if (typeof id !== "string" || id === "") return undefined;
  const find = { where: { id }, attributes: ["id", "name", "theme"] };
  return (await api.get<StoredTheme>("theme", find, { signal })).rows[0];
}
