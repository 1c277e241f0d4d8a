import { html, nothing } from "lit";
import type { Api } from "../../../api/index.ts";
import { notify, openForm, textField } from "../../../parts/index.ts";
import type { Suborganization } from "./readSuborganizations.ts";
import { words } from "./words.ts";

const pageRows = 500;
/** Maximum number of concurrent updates. */
const width = 4;

/**
 * Asks where the people of a suborganization should go, and moves them. If the reader stops the move, people who were
 * already moved stay in their new suborganization. Returns whether anybody was moved.
 */
export async function movePeople(api: Api, from: Suborganization): Promise<boolean> {
  let to = "";
  let moved = 0;
  let isEnded = false;
  await openForm<true>({
    title: words.moveNamed(from.id),
    action: words.move,
    members: ["suborganization"],
    body: ({ wrong, mistakeOf, isSaving }) =>
      html`<p>${words.moveText(from.people, from.id)}</p>
        ${textField({
          id: "move-to",
          label: words.moveTo,
          hint: words.moveHint,
          value: to,
          wrong: mistakeOf("suborganization") ?? wrong,
          onInput: (value) => (to = value),
        })}
        ${isSaving ? html`<p role="status">${words.moving(moved, from.people)}</p>` : nothing}`,
    async save({ redraw }) {
      const suborganization = to.trim() || null;
      if (suborganization === from.id) throw new TypeError(words.same);
      const find = { where: { suborganization: from.id }, attributes: ["id"], limit: pageRows };
      for (;;) {
        const { rows } = await api.get<{ readonly id: string }>("user", find);
        if (rows.length === 0 || isEnded) break;
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
      notify({ text: words.moved(moved) });
      return true;
    },
  });
  isEnded = true;
  return moved > 0;
}
