import { html, nothing, type TemplateResult } from "lit";
import { writeAgo, writeFullInstant } from "../language/index.ts";
import {
  elementOf,
  moreIcon,
  notifyFailure,
  openMenu,
  type ConsoleContext,
} from "../parts/index.ts";
import { boardActions } from "./boardActions.ts";
import type { Collections } from "./favorites.ts";
import { nameOfBoard, type ListedBoard } from "./listedBoard.ts";
import { starButton } from "./starButton.ts";
import { words } from "./words.ts";

export interface BoardCardOptions {
  readonly context: ConsoleContext;
  readonly board: ListedBoard;
  readonly collections: Collections;
  /** Called when the reader adds the dashboard to the favourites or removes it. */
  onStar(): void;
  onChange(): void;
  /** Called when the reader chooses a tag. Absent: tags are not links. */
  onTag?(tag: string): void;
}

/** Renders a dashboard as a card: picture, name, owner, tags, a star and a menu. */
export function boardCard(options: BoardCardOptions): TemplateResult {
  const { context, board, collections, onStar, onTag } = options;
  const { id, modified_at: changedAt, owner, tags = [] } = board;
  const name = nameOfBoard(board);
  const ago = writeAgo(changedAt);
  const ownerName = owner?.name || owner?.email;
  return html`<li class="surface board-card">
    <console-board-picture
      .api=${context.api}
      .boardId=${id}
      .changedAt=${changedAt}
      .theme=${context.theme}
    ></console-board-picture>
    <div class="board-card-head">
      <a class="board-name truncate grow" href="/dashboards/${id}">${name}</a>
      ${starButton({ id, name, collections, onStar })}
      <button
        class="button quiet icon"
        aria-haspopup="menu"
        aria-label=${words.more(name)}
        @click=${(event: Event) =>
          void openActions(elementOf(event.currentTarget, HTMLElement), options)}
      >
        ${moreIcon}
      </button>
    </div>
    <p class="muted small truncate" title=${writeFullInstant(changedAt)}>
      ${ownerName ? words.byOwner(ownerName, ago) : words.changed(ago)}
    </p>
    ${
      tags.length === 0
        ? nothing
        : html`<p class="row board-tags">
            ${tags.map(({ tag }) =>
              onTag
                ? html`<button class="badge" @click=${() => onTag(tag)}>${tag}</button>`
                : html`<span class="badge">${tag}</span>`,
            )}
          </p>`
    }
  </li>`;
}

async function openActions(
  button: HTMLElement,
  { context, board, collections, onChange }: BoardCardOptions,
): Promise<void> {
  try {
    const actions = await boardActions({ context, board, collections, onChange });
    openMenu(button, words.more(nameOfBoard(board)), actions);
  } catch (failure) {
    notifyFailure(failure);
  }
}
