import { html, nothing, type TemplateResult } from "lit";
import type { Api } from "../../../api/index.ts";
import { writeFullInstant, writeList } from "../../../language/index.ts";
import { copyText, openDialog } from "../../../parts/index.ts";
import { noFilter, readEvents, type AuditEvent } from "./auditEvent.ts";
import { nameOfMember, sentence } from "./sentence.ts";
import { readSubjects, type Subjects } from "./subject.ts";
import { words } from "./words.ts";

/** Finds an event by its id, even if it is not in the list. */
async function findEvent(api: Api, id: string): Promise<AuditEvent | undefined> {
  const { rows } = await api.get<AuditEvent>("auditevent", { where: { id } });
  const [event] = rows;
  if (!event) return undefined;
  const filter = { ...noFilter, record: event.record_id, user: event.user_id };
  const found = await readEvents(api, filter, { limit: 200 });
  return found.rows.find((each) => each.id === id) ?? { ...event, who: words.deletedPerson };
}

/** Shows all details of an event in a dialog until the reader closes it or follows a link in it. */
export async function showEvent(
  api: Api,
  id: string,
  listed: readonly AuditEvent[] = [],
): Promise<void> {
  const event = listed.find((each) => each.id === id) ?? (await findEvent(api, id));
  if (!event) {
    await openDialog({ title: words.detail, body: () => html`<p>${words.nothingFound}</p>` });
    return;
  }
  const subjects = await readSubjects(api, [event]);
  await openDialog({
    title: words.detail,
    body: (dialog) => renderEvent(event, subjects, () => dialog.close()),
    foot: () =>
      event.request_id === null
        ? html``
        : html`<button class="button" @click=${() => void copyText(event.request_id ?? "")}>
            ${words.copyRequest}
          </button>`,
  });
}

function renderEvent(event: AuditEvent, subjects: Subjects, close: () => void): TemplateResult {
  const { resource, record_id: record, target, members } = event;
  const link = (address: string | undefined, text: string) =>
    address === undefined ? nothing : html`<a href=${address} @click=${close}>${text}</a>`;
  return html`<p
      class="audit-told"
      @click=${(click: Event) => {
        if (click.target instanceof HTMLAnchorElement) close();
      }}
    >
      ${sentence(event, subjects)}
    </p>
    <dl class="facts">
      <dt>${words.when}</dt>
      <dd>${writeFullInstant(event.created_at)}</dd>
      <dt>${words.changed}</dt>
      <dd>${writeList(members.map(nameOfMember)) || "–"}</dd>
      <dt>${words.address}</dt>
      <dd class="key-text">${event.address ?? "–"}</dd>
    </dl>
    <p class="row">
      ${event.action === "delete" ? nothing : link(subjects.of(resource, record).address, words.openRecord)}
      ${target ? link(subjects.of(target.resource, target.id).address, words.openTarget) : nothing}
      ${link(
        `/access/audit?resource=${encodeURIComponent(resource)}&record=${encodeURIComponent(record)}`,
        words.allOf,
      )}
    </p>
    <details>
      <summary>${words.ids}</summary>
      <dl class="facts">
        <dt>${words.record}</dt>
        <dd class="key-text">${resource} ${record}</dd>
        ${
          target
            ? html`<dt>${words.target}</dt>
                <dd class="key-text">${target.resource} ${target.id}</dd>`
            : nothing
        }
        <dt>${words.token}</dt>
        <dd class="key-text">${event.authorization_id}</dd>
        <dt>${words.request}</dt>
        <dd class="key-text">${event.request_id ?? "–"}</dd>
      </dl>
    </details>`;
}
