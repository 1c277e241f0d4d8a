import { html, nothing, type TemplateResult } from "lit";
import type { Api } from "../../../api/index.ts";
import { writeFullInstant } from "../../../language/index.ts";
import { copyText, openDialog } from "../../../parts/index.ts";
import { addressOf, noFilter, readEvents, type AuditEvent } from "./auditEvent.ts";
import { words } from "./words.ts";

/** Finds an event by its id, even if it is not in the list. */
async function findEvent(api: Api, id: string): Promise<AuditEvent | undefined> {
  const { rows } = await api.get<AuditEvent>("auditevent", { where: { id } });
  const [event] = rows;
  if (!event) return undefined;
  const filter = { ...noFilter, record: event.record_id, user: event.user_id };
  const found = await readEvents(api, filter, { limit: 200 });
  return found.rows.find((each) => each.id === id) ?? { ...event, who: event.user_id };
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
  await openDialog({
    title: words.detail,
    body: (dialog) => renderEvent(event, () => dialog.close()),
    foot: () =>
      event.request_id === null
        ? html``
        : html`<button class="button" @click=${() => void copyText(event.request_id ?? "")}>
            ${words.copyRequest}
          </button>`,
  });
}

function renderEvent(event: AuditEvent, close: () => void): TemplateResult {
  const { resource, record_id: record, target } = event;
  const link = (address: string | undefined, text: string) =>
    address === undefined ? nothing : html`<a href=${address} @click=${close}>${text}</a>`;
  return html`<dl class="facts">
      <dt>${words.when}</dt>
      <dd>${writeFullInstant(event.created_at)}</dd>
      <dt>${words.who}</dt>
      <dd>${link(addressOf("user", event.user_id), event.who)}</dd>
      <dt>${words.action}</dt>
      <dd>${event.action}</dd>
      <dt>${words.resource}</dt>
      <dd>${words.resources[resource] ?? resource}</dd>
      <dt>${words.record}</dt>
      <dd class="key-text">${record}</dd>
      <dt>${words.changed}</dt>
      <dd>${event.members.join(", ") || "–"}</dd>
      ${
        target
          ? html`<dt>${words.target}</dt>
              <dd>
                ${target.role} <span class="key-text">${target.id}</span>
                ${link(addressOf(target.resource, target.id), words.openTarget)}
              </dd>`
          : nothing
      }
      <dt>${words.token}</dt>
      <dd class="key-text">${event.authorization_id}</dd>
      <dt>${words.address}</dt>
      <dd class="key-text">${event.address ?? "–"}</dd>
      <dt>${words.request}</dt>
      <dd class="key-text">${event.request_id ?? "–"}</dd>
    </dl>
    <p class="row">
      ${event.action === "delete" ? nothing : link(addressOf(resource, record), words.openRecord)}
      ${link(
        `/access/audit?resource=${encodeURIComponent(resource)}&record=${encodeURIComponent(record)}`,
        words.allOf,
      )}
    </p>`;
}
