import { html, nothing, type TemplateResult } from "lit";
import { isolated, writeList } from "../../../language/index.ts";
import type { AuditEvent } from "./auditEvent.ts";
import type { Subjects } from "./subject.ts";
import type { Parts, Subject } from "./told.ts";
import { words } from "./words.ts";

type Links = typeof words.links;
/** The phrase of a link between two records, and whether it names the record of the event first or the other one. */
type Told = readonly [phrase: keyof Links, first: "record" | "other"];

const shared = ["Users", "Groups", "Integrations"].flatMap(
  (role): readonly (readonly [string, Told])[] => {
    const resource = role.slice(0, -1).toLowerCase();
    return [
      [`associate securable ${role}`, ["shared", "record"]],
      [`associate ${resource} Securables`, ["shared", "other"]],
      [`dissociate securable ${role}`, ["unshared", "record"]],
      [`dissociate ${resource} Securables`, ["unshared", "other"]],
    ];
  },
);

/** How links are told, by action, resource and role of the other record. */
const told: ReadonlyMap<string, Told> = new Map<string, Told>([
  ...shared,
  ["associate group Users", ["joined", "other"]],
  ["associate user Groups", ["joined", "record"]],
  ["associate integration Users", ["joined", "other"]],
  ["associate integration Groups", ["joined", "other"]],
  ["dissociate group Users", ["left", "other"]],
  ["dissociate user Groups", ["left", "record"]],
  ["dissociate integration Users", ["left", "other"]],
  ["dissociate integration Groups", ["left", "other"]],
  ["associate organization Users", ["ranked", "other"]],
  ["associate user Organizations", ["ranked", "record"]],
  ["associate share Dashboard", ["opened", "other"]],
  ["associate share Securable", ["opened", "other"]],
  ["associate securable Shares", ["opened", "record"]],
  ["associate schedule Securable", ["scheduled", "other"]],
  ["associate schedule Alerts", ["scheduled", "other"]],
  ["associate securable Schedules", ["scheduled", "record"]],
  ["associate alert Schedule", ["scheduled", "record"]],
  ["dissociate schedule Securable", ["unscheduled", "other"]],
  ["dissociate schedule Alerts", ["unscheduled", "other"]],
  ["dissociate securable Schedules", ["unscheduled", "record"]],
  ["dissociate alert Schedule", ["unscheduled", "record"]],
  ["associate schedule Channels", ["joined", "other"]],
  ["associate alert Channels", ["joined", "other"]],
  ["associate channel Alerts", ["joined", "record"]],
  ["dissociate schedule Channels", ["left", "other"]],
  ["dissociate alert Channels", ["left", "other"]],
  ["dissociate channel Alerts", ["left", "record"]],
  ["associate collection Securables", ["joined", "other"]],
  ["associate securable Collections", ["joined", "record"]],
  ["dissociate collection Securables", ["left", "other"]],
  ["dissociate securable Collections", ["left", "record"]],
]);

/** Tells an event in one sentence, without the person who acted: "shared dashboard Sales with group Analysts". */
export function partsOf(event: AuditEvent, subjects: Subjects): Parts {
  const { action, resource, record_id: id, target, members } = event;
  const record = subjects.of(resource, id);
  const other = target ? subjects.of(target.resource, target.id) : record;
  if (target) {
    const [phrase, first] = told.get(`${action} ${resource} ${target.role}`) ?? [];
    if (phrase && first === "record") return words.links[phrase](record, other);
    if (phrase) return words.links[phrase](other, record);
    if (action === "associate") return words.links.linked(record, other);
    if (action === "dissociate") return words.links.unlinked(record, other);
    if (action === "explain" && resource === "securable") return words.sawAs(record, other);
  }
  if (resource === "authorization" && id === event.authorization_id) {
    if (action === "create") return words.signedIn;
    if (action === "delete") return words.signedOut;
  }
  if (action === "update" && members.length > 0)
    return words.changedMembers(record, writeList(members.map(nameOfMember)));
  const phrase = words.events[`${action} ${resource}`] ?? words.events[action];
  return phrase?.(record) ?? words.did(action.replaceAll("_", " "), record);
}

/** Returns the name of a member in the reader's language, or the API's own name of an unusual one. */
export const nameOfMember = (member: string): string =>
  words.members[member] ?? member.replaceAll("_", " ");

/** Renders an event as a sentence with links to the records. */
export const sentence = (event: AuditEvent, subjects: Subjects): TemplateResult =>
  html`<span class="audit-sentence"
    >${link(subjects.of("user", event.user_id), event.who)}
    ${partsOf(event, subjects).map((part) => (typeof part === "string" ? part : named(part)))}</span
  >`;

function named(subject: Subject): TemplateResult {
  const { noun, name, about } = subject;
  const tail =
    about && noun.of !== undefined ? html` ${noun.of} ${named(words.afterOf(about))}` : nothing;
  if (name === undefined) return html`${link(subject, noun.some)}${tail}`;
  const gap = noun.named === "" || noun.named.endsWith("’") ? "" : " ";
  return html`${noun.named}${gap}${link(subject, name)}${tail}`;
}

function link(subject: Subject, name: string): TemplateResult {
  const text = isolated(name);
  return subject.address === undefined
    ? html`<strong>${text}</strong>`
    : html`<a href=${subject.address}>${text}</a>`;
}
