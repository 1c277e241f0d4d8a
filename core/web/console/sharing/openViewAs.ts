import { html, nothing } from "lit";
import type { Api } from "../api/index.ts";
import { defineElements } from "../../embed/index.ts";
import { isolated } from "../language/index.ts";
import { errorState, loadingState, openDialog } from "../parts/index.ts";
import { nameOf, readAccess, type Access } from "./access.ts";
import { words } from "./words.ts";

export interface ViewAsOptions {
  readonly api: Api;
  readonly dashboardId: string;
  readonly seen: { readonly role: "Users" | "Groups"; readonly id: string };
  /** Name of the person or group. */
  readonly name: string;
}

/** Shows a dashboard as another person or a group sees it. Only owners of the dashboard may do so. */
export async function openViewAs({ api, dashboardId, seen, name }: ViewAsOptions): Promise<void> {
  defineElements();
  let access: Access | undefined;
  let failure: unknown;
  let isAsked = false;
  const read = async (redraw: () => void) => {
    try {
      access = await readAccess(api, dashboardId, { see_as: seen });
      failure = undefined;
    } catch (reason) {
      failure = reason;
    }
    redraw();
  };
  await openDialog({
    title: words.viewAsTitle(isolated(name)),
    isWide: true,
    body(dialog) {
      const redraw = () => dialog.redraw();
      if (!isAsked) {
        isAsked = true;
        void read(redraw);
      }
      if (failure !== undefined) return errorState(failure, () => void read(redraw));
      if (!access?.seen_as) return loadingState();
      const { seen_as: shown, datasets } = access;
      const isWithheld = ({ id }: { readonly id: string }) => shown.withheld_datasets.includes(id);
      const withheld = listOf(datasets.filter(isWithheld));
      const absent = datasets.filter(
        (each) => !shown.datasets.includes(each.id) && !isWithheld(each),
      );
      const namesOf = (isOwned: boolean) =>
        listOf(absent.filter(({ right }) => (right === "own") === isOwned));
      const [missing, foreign] = [namesOf(true), namesOf(false)];
      if (!shown.sees) return html`<p>${words.viewAsClosed(isolated(name))}</p>`;
      return html`<p class="muted">${words.viewAsText}</p>
        ${missing === "" ? nothing : html`<p>${words.viewAsMissing(isolated(name), missing)}</p>`}
        ${foreign === "" ? nothing : html`<p>${words.viewAsForeign(foreign)}</p>`}
        ${withheld === "" ? nothing : html`<p>${words.viewAsWithheld(isolated(name), withheld)}</p>`}
        ${shown.has_embed_filters ? html`<p>${words.viewAsNarrower}</p>` : nothing}
        <div class="view-as">
          <manifold-dashboard
            dashboard=${dashboardId}
            host=${window.location.origin}
            auth-key=${shown.token.id}
            auth-token=${shown.token.token}
            theme=${document.documentElement.dataset["theme"] ?? "auto"}
          ></manifold-dashboard>
        </div>`;
    },
    foot: (dialog) =>
      html`<button class="button primary" @click=${() => dialog.close()}>${words.close}</button>`,
  });
}

const listOf = (datasets: Access["datasets"]): string =>
  datasets.map((each) => isolated(nameOf(each))).join(", ");
