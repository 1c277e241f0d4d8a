import { html, nothing, type TemplateResult } from "lit";
import { isList } from "../../api/index.ts";
import { writeAgo } from "../../language/index.ts";
import { sourceWords as words } from "./sourceWords.ts";

const memberName = (member: unknown): string =>
  words.members[String(member)] ?? String(member).replaceAll("_", " ");

type Row = Readonly<Record<string, unknown>>;

/** Renders the changes of a dataset from its audit events, newest first. */
export function historyOf(events: readonly Row[]): TemplateResult | typeof nothing {
  if (events.length === 0) return nothing;
  return html`<section class="stack" aria-label=${words.history}>
    <h2>${words.history}</h2>
    <ul class="history">
      ${events.map(({ created_at: when, action, members }) => {
        const changed = isList(members) ? members.map(memberName).join(", ") : "";
        return html`<li>
          <span class="muted">${writeAgo(String(when))}</span>
          ${words.actions[String(action)] ?? action}
          ${changed ? html`<span class="muted">${changed}</span>` : nothing}
        </li>`;
      })}
    </ul>
  </section>`;
}
