import { html, LitElement, type PropertyValues, type TemplateResult } from "lit";
import { isolated, textOf, writeAgo } from "../../language/index.ts";
import {
  createLoad,
  elementOf,
  moreIcon,
  notifyFailure,
  openMenu,
  type ConsoleContext,
} from "../../parts/index.ts";
import { openRename, removeSaved, toggleShared } from "./changeSaved.ts";
import {
  addressOfSaved,
  readSavedQuestions,
  type SavedQuestion,
  type SavedQuestions,
} from "./savedQuestions.ts";
import { words } from "./words.ts";

/**
 * The saved questions that the reader can use. Their own can be renamed, shared and deleted. Empty if there are none.
 * Properties: `context`, `search`, `dashboardId`.
 */
export class QuestionList extends LitElement {
  static override properties = {
    context: { attribute: false },
    search: { attribute: false },
    dashboardId: { attribute: false },
  };
  declare context: ConsoleContext;
  declare search: string;
  /** Id of the dashboard for which a chart is created; "" for none. */
  declare dashboardId: string;
  private readonly load = createLoad<SavedQuestions>(this, (signal) =>
    readSavedQuestions(this.context.api, { search: this.search }, signal),
  );

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has("search")) void this.load.start();
  }

  private async change(work: () => Promise<unknown>): Promise<void> {
    try {
      if (await work()) await this.load.start();
    } catch (failure) {
      notifyFailure(failure);
    }
  }

  private openActions(button: HTMLElement, saved: SavedQuestion): void {
    const { api } = this.context;
    openMenu(button, saved.name, [
      {
        label: words.saved.rename,
        run: () => void this.change(() => openRename(api, saved)),
      },
      {
        label: saved.shared ? words.saved.unshare : words.saved.share,
        run: () => void this.change(() => toggleShared(api, saved)),
      },
      "separator",
      {
        label: words.saved.remove,
        isDangerous: true,
        run: () => void this.change(() => removeSaved(api, saved)),
      },
    ]);
  }

  protected override render(): TemplateResult {
    const { value, failure } = this.load;
    if (failure === undefined && !value?.count) return html``;
    return html`<section class="stack" aria-labelledby="saved-questions">
      <h2 id="saved-questions">${words.saved.title}</h2>
      ${this.load.show(
        ({ rows, count }) =>
          html`<ul class="saved-questions surface">
              ${rows.map((saved) => this.renderQuestion(saved))}
            </ul>
            ${count > rows.length ? html`<p class="muted">${words.saved.cut(rows.length, count)}</p>` : ""}`,
      )}
    </section>`;
  }

  private renderQuestion(saved: SavedQuestion): TemplateResult {
    const { name, shared, securable, user_id: owner, updated_at: at } = saved;
    const isOwn = owner === this.context.user.id;
    return html`<li>
      <a class="truncate grow" href=${addressOfSaved(saved, this.dashboardId)}>${name}</a>
      ${shared ? html`<span class="badge info">${words.saved.shared}</span>` : ""}
      <span class="muted small truncate">${isolated(textOf(securable?.name))}</span>
      <span class="muted small">${writeAgo(at)}</span>
      ${
        isOwn
          ? html`<button
              class="button quiet icon"
              aria-haspopup="menu"
              aria-label=${words.saved.actionsOf(name)}
              @click=${(event: Event) =>
                this.openActions(elementOf(event.currentTarget, HTMLElement), saved)}
            >
              ${moreIcon}
            </button>`
          : ""
      }
    </li>`;
  }
}
