import { html, nothing, render } from "lit";
import type { Api } from "../api/index.ts";
import type { Router } from "../navigation/index.ts";
import { elementOf, notifyFailure, type Command } from "../parts/index.ts";
import type { FoundCommands } from "./findRecords.ts";
import { words } from "./words.ts";

export interface PaletteOptions {
  readonly api: Api;
  /** The reader. */
  readonly userId: string;
  readonly router: Router;
  /** Actions of the open page. */
  readonly own: readonly Command[];
  /** Actions that every page offers. */
  readonly actions: readonly Command[];
  readonly pages: readonly Command[];
}

const waitMs = 80;
const nothingFound: FoundCommands = { records: [], parts: [] };

/**
 * Opens the command palette. Arrow keys move between entries, Enter runs an entry, and Escape closes the palette.
 * Entries come in this order: the open page's own actions, records, actions, columns and charts, and pages. Without a
 * search text, actions come before records.
 */
export function openPalette({ api, userId, router, own, actions, pages }: PaletteOptions): void {
  const element = document.createElement("dialog");
  element.className = "palette";
  element.setAttribute("aria-label", words.search);
  let [typed, current] = ["", 0];
  let found = nothingFound;
  let searching: AbortController | undefined;
  let waiting: ReturnType<typeof setTimeout> | undefined;
  const listed = (): readonly Command[] => {
    const needles = typed.toLocaleLowerCase().split(/\s+/);
    const matching = (commands: readonly Command[]) =>
      commands.filter(({ label }) =>
        needles.every((needle) => label.toLocaleLowerCase().includes(needle)),
      );
    const { records, parts } = found;
    return typed.trim() === ""
      ? [...own, ...actions, ...records, ...pages]
      : [...matching(own), ...records, ...matching(actions), ...parts, ...matching(pages)];
  };
  const run = (command: Command | undefined) => {
    if (!command) return;
    element.close();
    command.run();
  };
  const draw = () => {
    const all = listed();
    current = Math.max(0, Math.min(current, all.length - 1));
    render(
      html`<input
          type="text"
          role="combobox"
          aria-expanded="true"
          aria-controls="palette-list"
          aria-activedescendant=${all.length > 0 ? `palette-${current}` : nothing}
          aria-label=${words.searchHint}
          placeholder=${words.searchHint}
          autocomplete="off"
          spellcheck="false"
          @input=${(event: Event) => type(elementOf(event.target, HTMLInputElement).value)}
          @keydown=${move}
        />
        <div role="listbox" id="palette-list" aria-label=${words.search}>
          ${all.map(
            (command, index) =>
              html`<div
                role="option"
                id="palette-${index}"
                aria-selected=${index === current ? "true" : "false"}
                @click=${() => run(command)}
              >
                <span class="grow truncate">${command.label}</span>
                <span class="muted small">${command.kind}</span>
              </div>`,
          )}
        </div>
        ${all.length === 0 ? html`<p class="nothing">${words.searchNothing}</p>` : nothing}`,
      element,
    );
    element.querySelector(`#palette-${current}`)?.scrollIntoView({ block: "nearest" });
  };
  const move = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === "Enter") run(listed()[current]);
    else if (step === undefined) return;
    else current += step;
    event.preventDefault();
    if (element.open) draw();
  };
  const search = async (): Promise<void> => {
    searching?.abort();
    const running = new AbortController();
    searching = running;
    try {
      const { findRecords } = await import("./findRecords.ts");
      const came = await findRecords(typed, { api, userId, router }, running.signal);
      if (running.signal.aborted) return;
      found = came;
      draw();
    } catch (failure) {
      if (!running.signal.aborted) notifyFailure(failure);
    }
  };
  const type = (value: string) => {
    [typed, current] = [value, 0];
    draw();
    clearTimeout(waiting);
    waiting = setTimeout(() => void search(), waitMs);
  };
  element.addEventListener("close", () => {
    clearTimeout(waiting);
    searching?.abort();
    element.remove();
  });
  element.addEventListener("click", (event) => {
    if (event.target === element) element.close();
  });
  draw();
  document.body.append(element);
  element.showModal();
  void search();
}
