import { html, type TemplateResult } from "lit";
import { confirmAndRun, copyText, type ConsoleContext } from "../../../parts/index.ts";
import { recordHead } from "../../../records/index.ts";
import { words } from "./words.ts";

const path = "/access/tokens";

async function end({ api, router }: ConsoleContext, key: string): Promise<void> {
  const isEnded = await confirmAndRun({
    action: words.end,
    text: words.endText,
    done: words.ended,
    run: () => api.remove("authorization", key),
  });
  if (isEnded) router.go(path);
}

/** Shows the rights and rows of a token, whoever issued it, with a button to revoke it. */
export const tokenView = (context: ConsoleContext, key: string): TemplateResult =>
  html`${recordHead({
      path,
      back: words.back,
      title: words.seeAs,
      actions: html`<button class="button" @click=${() => copyText(key)}>${words.copyKey}</button>
        <button class="button danger" @click=${() => void end(context, key)}>${words.end}</button>`,
    })} <console-see-as .api=${context.api} .key=${key}></console-see-as>`;
