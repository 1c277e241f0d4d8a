import { html, type TemplateResult } from "lit";
import type { DashboardState } from "../../../embed/index.ts";
import type { Api } from "../../api/index.ts";
import {
  confirmAndRun,
  notify,
  notifyFailure,
  openDialog,
  openForm,
  textField,
} from "../../parts/index.ts";
import { createView, readViews, type SavedView } from "./savedViews.ts";
import { words } from "./words.ts";

export interface ViewsOptions {
  readonly api: Api;
  readonly userId: string;
  readonly dashboardId: string;
  /** What the reader has chosen now. */
  readonly state: DashboardState;
}

/** Opens the form that saves the reader's choices as a view. Undefined if the reader closes it. */
export function openNewView({
  api,
  dashboardId,
  state,
}: ViewsOptions): Promise<SavedView | undefined> {
  let name = "";
  let shared = false;
  return openForm<SavedView>({
    title: words.saveView,
    action: words.save,
    members: ["name"],
    isComplete: () => name.trim() !== "",
    body: (form) =>
      html`<p class="muted">${words.saveViewText}</p>
        ${textField({
          id: "view-name",
          label: words.name,
          value: name,
          wrong: form.mistakeOf("name"),
          onInput: (value) => {
            name = value;
          },
        })}
        <label class="check">
          <input
            type="checkbox"
            .checked=${shared}
            @change=${({ target }: Event) => {
              shared = target instanceof HTMLInputElement && target.checked;
            }}
          />
          ${words.shareView}
        </label>
        ${form.wrong === "" ? "" : html`<p class="failure" role="alert">${form.wrong}</p>`}`,
    save: () => createView(api, dashboardId, { name: name.trim(), shared, state }),
  });
}

/** Shows the views of a dashboard, with what the reader may do with them. Resolves when the dialog is closed. */
export async function openViews(options: ViewsOptions, first: readonly SavedView[]): Promise<void> {
  const { api, userId, dashboardId, state } = options;
  let views = first;
  const run = async (change: () => Promise<unknown>, redraw: () => void) => {
    try {
      await change();
      views = await readViews(api, dashboardId);
      notify({ text: words.saved });
    } catch (failure) {
      notifyFailure(failure);
    }
    redraw();
  };
  const line = (view: SavedView, redraw: () => void): TemplateResult => {
    const { id, name, shared, is_default: isDefault, user_id: owner } = view;
    const change = (properties: Readonly<Record<string, unknown>>) =>
      void run(() => api.update("savedview", id, properties), redraw);
    const button = (label: string, action: () => void) =>
      html`<button class="button quiet" aria-label="${label}: ${name}" @click=${action}>
        ${label}
      </button>`;
    return html`<li>
      <span class="grow">
        ${name} ${shared ? html`<span class="badge info">${words.sharedView}</span>` : ""}
        ${isDefault ? html`<span class="badge good">${words.defaultView}</span>` : ""}
      </span>
      ${owner === userId ? button(words.updateView, () => change({ state })) : ""}
      ${owner === userId || shared ? button(shared ? words.unshareView : words.shareAction, () => change({ shared: !shared })) : ""}
      ${button(isDefault ? words.unsetDefault : words.setDefault, () => change({ is_default: !isDefault }))}
      ${button(
        words.removeView,
        () =>
          void confirmAndRun({
            action: words.removeView,
            title: words.removeViewTitle,
            text: words.removeViewText(name),
            done: words.removedView,
            run: () => run(() => api.remove("savedview", id), redraw),
          }),
      )}
    </li>`;
  };
  await openDialog({
    title: words.savedViews,
    isWide: true,
    body: (dialog) =>
      views.length === 0
        ? html`<p>${words.noViews}</p>`
        : html`<p class="muted">${words.viewsText}</p>
            <ul class="versions">
              ${views.map((view) => line(view, () => dialog.redraw()))}
            </ul>`,
  });
}
