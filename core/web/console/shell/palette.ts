import { html, nothing, render } from "lit";
import { searchOf, type Api } from "../api/index.ts";
import { textOf } from "../language/index.ts";
import type { Router } from "../navigation/index.ts";
import { elementOf, notifyFailure, type Command } from "../parts/index.ts";
import { words } from "./words.ts";

export interface PaletteOptions {
  readonly api: Api;
  readonly router: Router;
  /** Pages, and the actions of the open page. */
  readonly commands: readonly Command[];
}

const waitMs = 80;
const mostOfOne = 8;

interface Named {
  readonly id: string;
  readonly name: unknown;
  readonly type?: string;
}

/**
 * Opens the command palette. Arrow keys move between entries, Enter runs an entry, and Escape closes the palette. The
 * host searches for names.
 */
export function openPalette({ api, router, commands }: PaletteOptions): void {
  const element = document.createElement("dialog");
  element.className = "palette";
  element.setAttribute("aria-label", words.search);
  let [typed, current] = ["", 0];
  let found: readonly Command[] = [];
  let searching: AbortController | undefined;
  let waiting: ReturnType<typeof setTimeout> | undefined;
  const listed = (): readonly Command[] => {
    const needle = typed.trim().toLocaleLowerCase();
    return [
      ...commands.filter(({ label }) => label.toLocaleLowerCase().includes(needle)),
      ...found,
    ];
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
    const own = new AbortController();
    searching = own;
    try {
      found = await findNamed(typed.trim(), api, router, own.signal);
      draw();
    } catch (failure) {
      if (!own.signal.aborted) notifyFailure(failure);
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

/** Finds datasets, dashboards and alerts whose name contains the search text. */
async function findNamed(
  text: string,
  api: Api,
  router: Router,
  signal: AbortSignal,
): Promise<Command[]> {
  const read = async (resource: string, more: object) => {
    const find = {
      where: more,
      ...searchOf(text),
      attributes: ["id", "name", ...(resource === "securable" ? ["type"] : [])],
      limit: mostOfOne,
    };
    return (await api.get<Named>(resource, find, { signal })).rows;
  };
  const [dashboards, datasets, alerts] = await Promise.all([
    read("securable", { type: "dashboard", is_variant: false }),
    read("securable", { type: "dataset" }),
    read("alert", {}),
  ]);
  const commandOf = (kind: string, path: string) => (each: Named) => ({
    label: textOf(each.name) || each.id,
    kind,
    run: () => router.go(`/${path}/${each.id}`),
  });
  return [
    ...dashboards.map(commandOf(words.kinds.dashboard, "dashboards")),
    ...datasets.map(commandOf(words.kinds.dataset, "explore")),
    ...alerts.map(commandOf(words.kinds.alert, "alerts")),
  ];
}
