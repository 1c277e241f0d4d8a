import { html, type TemplateResult } from "lit";
import { ConsolePage } from "../../parts/index.ts";
import { words } from "./words.ts";

/** The page Plugins. */
export class PluginsPage extends ConsolePage {
  protected override render(): TemplateResult {
    return html`<div class="page">
      <header class="page-head"><h1>${words.title}</h1></header>
    </div>`;
  }
}
