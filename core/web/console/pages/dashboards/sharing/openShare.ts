import { html } from "lit";
import { isolated } from "../../../language/index.ts";
import { define, openDialog, type ConsoleContext } from "../../../parts/index.ts";
import { sharingStyles } from "../../../sharing/index.ts";
import { adoptStyles, records } from "../../../styles/index.ts";
import type { Contents } from "../contents.ts";
import { AccessList } from "./accessList.ts";
import { PrivateLinks } from "./privateLinks.ts";
import { ShareForm } from "./shareForm.ts";
import { SharePanel } from "./sharePanel.ts";
import { shareStyles } from "./styles.ts";
import { words } from "./words.ts";

export interface ShareOptions {
  readonly context: ConsoleContext;
  readonly dashboardId: string;
  readonly name: string;
  /** The stored contents, which are what others see. */
  readonly contents: Contents;
  /** Opens the dialog that embeds the dashboard; absent if the reader may not issue tokens. */
  readonly embed?: () => void;
}

/** Opens the dialog in which a dashboard and its data are shared with people and groups, by link, or on a page. */
export async function openShare(options: ShareOptions): Promise<void> {
  const { context, dashboardId, name, contents, embed } = options;
  adoptStyles(records, sharingStyles, shareStyles);
  define("console-share-panel", SharePanel);
  define("console-share-form", ShareForm);
  define("console-access-list", AccessList);
  define("console-private-links", PrivateLinks);
  const isEmbedding = await openDialog<boolean>({
    title: words.title(isolated(name)),
    isWide: true,
    body: () =>
      html`<console-share-panel
        .context=${context}
        .dashboardId=${dashboardId}
        .contents=${contents}
      ></console-share-panel>`,
    foot: (dialog) =>
      html`${
          embed
            ? html`<button
                class="button"
                title=${words.embedText}
                @click=${() => dialog.close(true)}
              >
                ${words.embed}
              </button>`
            : ""
        } <button class="button" @click=${() => dialog.close()}>${words.done}</button>`,
  });
  if (isEmbedding) embed?.();
}
