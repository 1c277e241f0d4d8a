import { html, type TemplateResult } from "lit";
import {
  backIcon,
  confirm,
  ConsolePage,
  ConsoleTable,
  define,
  notify,
  notifyFailure,
} from "../../../parts/index.ts";
import { SeeAs } from "./seeAs.ts";
import { SeenDashboards } from "./seenDashboards.ts";
import { TokensView } from "./tokensView.ts";
import { words } from "./words.ts";

/** The tokens, or what one of them sees: `/access/tokens/<key>`. */
export class TokensRoom extends ConsolePage {
  override connectedCallback(): void {
    super.connectedCallback();
    define("console-table", ConsoleTable);
    define("console-tokens-view", TokensView);
    define("console-see-as", SeeAs);
    define("console-seen-dashboards", SeenDashboards);
  }

  private async end(key: string): Promise<void> {
    const { api, places } = this.context;
    const [title, text] = [words.end, words.endText];
    if (!(await confirm({ title, text, action: words.end, isDangerous: true }))) return;
    try {
      await api.remove("authorization", key);
      notify({ text: words.ended });
      places.go("/access/tokens");
    } catch (failure) {
      notifyFailure(failure);
    }
  }

  protected override render(): TemplateResult {
    const { api, user, places } = this.context;
    const [, , key] = this.place.parts;
    if (key === undefined)
      return html`<console-tokens-view
        .api=${api}
        .user=${user}
        .places=${places}
      ></console-tokens-view>`;
    return html`<header class="page-head">
        <div>
          <a class="back" href="/access/tokens">${backIcon}${words.back}</a>
          <h1>${words.seeAs}</h1>
          <p class="key-text wrap">${key}</p>
        </div>
        <button class="button danger" @click=${() => void this.end(key)}>${words.end}</button>
      </header>
      <console-see-as .api=${api} .key=${key}></console-see-as>`;
  }
}
