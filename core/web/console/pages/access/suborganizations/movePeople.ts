import { html, nothing } from "lit";
import type { Api } from "../../../api/index.ts";
import { notify, openDialog, textField } from "../../../parts/index.ts";
import type { Suborganization } from "./readSuborganizations.ts";
import { words } from "./words.ts";

const pageRows = 500;
/** Updates that run side by side. */
const width = 4;

/**
 * Asks where the people of a suborganization go, and moves them. People who are moved when it is stopped stay moved.
 * Returns whether anybody was moved.
 */
export async function movePeople(api: Api, from: Suborganization): Promise<boolean> {
  let to = "";
  let wrong = "";
  let moved = 0;
  let isMoving = false;
  let isEnded = false;
  const move = async (redraw: () => void): Promise<void> => {
    const suborganization = to.trim() || null;
    if (suborganization === from.name) throw new TypeError(words.same);
    const find = { where: { suborganization: from.name }, attributes: ["id"], limit: pageRows };
    for (;;) {
      const { rows } = await api.get<{ readonly id: string }>("user", find);
      if (rows.length === 0 || isEnded) return;
      const waiting = [...rows];
      const run = async (): Promise<void> => {
        for (let row = waiting.pop(); row && !isEnded; row = waiting.pop()) {
          await api.update("user", row.id, { suborganization });
          moved += 1;
          redraw();
        }
      };
      await Promise.all(Array.from({ length: width }, run));
    }
  };
  await openDialog({
    title: words.moveNamed(from.name),
    body: () =>
      html`<p>${words.moveText(from.people, from.name)}</p>
        ${textField({
          id: "move-to",
          label: words.moveTo,
          hint: words.moveHint,
          value: to,
          wrong,
          onInput: (value) => (to = value),
        })}
        ${isMoving ? html`<p role="status">${words.moving(moved, from.people)}</p>` : nothing}`,
    foot: (dialog) =>
      html`<button class="button" @click=${() => dialog.close()}>${words.cancel}</button>
        <button
          class="button primary"
          ?disabled=${isMoving}
          @click=${() => {
            isMoving = true;
            wrong = "";
            dialog.redraw();
            void move(() => dialog.redraw()).then(
              () => {
                notify({ text: words.moved(moved) });
                dialog.close();
              },
              (failure: unknown) => {
                isMoving = false;
                wrong = failure instanceof Error ? failure.message : String(failure);
                dialog.redraw();
              },
            );
          }}
        >
          ${words.move}
        </button>`,
  });
  isEnded = true;
  return moved > 0;
}
