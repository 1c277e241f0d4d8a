import { html, type TemplateResult } from "lit";
import { isolated } from "../../../language/index.ts";
import type { AuditEvent } from "./auditEvent.ts";
import type { Subjects } from "./subject.ts";
import type { Phrase, Subject } from "./told.ts";
import { words } from "./words.ts";

/** The parts of a sentence, in its order: strings, and the records that it names. */
export type Part = string | Subject;

/** Returns the name of a record with its kind: "dashboard Sales", or "a dashboard" without a name. */
const nameOfSubject = ({ kind, name }: Subject): string =>
  name === undefined ? words.some(kind) : name;

/** Returns how an event is told. */
function phraseOf({
  action,
  resource,
  record_id: id,
  authorization_id: by,
  target,
  members,
}: AuditEvent): Phrase {
  const linked = target && words.links[`${action} ${resource} ${target.role}`];
  if (linked) return linked;
  if (resource === "authorization" && action === "create" && id === by) return words.signedIn;
  if (action === "explain" && resource === "securable" && target) return words.sawAs;
  if (action === "update" && members.length > 0) return words.changedMembers;
  return words.events[`${action} ${resource}`] ?? words.events[action] ?? words.did;
}

/** Tells an event in one sentence, without the person who acted: "shared dashboard Sales with group Analysts". */
export function partsOf(event: AuditEvent, subjects: Subjects): readonly Part[] {
  const record = subjects.of(event.resource, event.record_id);
  const other = event.target ? subjects.of(event.target.resource, event.target.id) : undefined;
  const members = event.members.map((each) => words.members[each] ?? each.replaceAll("_", " "));
  return phraseOf(event)({ record, other, action: event.action, members: members.join(", ") });
}

/** Renders an event as a sentence with links to the records. */
export const sentence = (event: AuditEvent, subjects: Subjects): TemplateResult =>
  html`<span class="audit-sentence"
    >${link(subjects.of("user", event.user_id), event.who)}
    ${partsOf(event, subjects).map((part) => (typeof part === "string" ? part : named(part)))}</span
  >`;

function named(subject: Subject): TemplateResult {
  const { kind, name } = subject;
  // A person's name needs no kind.
  if (name !== undefined && kind === words.resources["user"]) return link(subject, name);
  return name === undefined
    ? link(subject, nameOfSubject(subject))
    : html`${kind} ${link(subject, name)}`;
}

function link(subject: Subject, name: string): TemplateResult {
  const text = isolated(name);
  return subject.address === undefined
    ? html`<strong>${text}</strong>`
    : html`<a href=${subject.address}>${text}</a>`;
}
