import type { Api } from "../../../api/index.ts";
import { readEvents, type AuditEvent, type AuditFilter } from "./auditEvent.ts";

/** Maximum number of events in one file. If there are more, the newest events are exported. */
export const mostEvents = 100_000;
const pageRows = 2_000;

/** A CSV file of exported events. */
export interface EventFile {
  readonly file: Blob;
  /** Whether older events match too, but are not in the file. */
  readonly isCut: boolean;
}

const members = [
  "created_at",
  "who",
  "user_id",
  "authorization_id",
  "action",
  "resource",
  "record_id",
  "members",
  "target",
  "request_id",
  "address",
] as const;

/** Matches strings that spreadsheets run as formulas, as in the host's exports. */
const formula = /^(?:[\t\r\n]|[\s\p{Default_Ignorable_Code_Point}]*[=+\-@＝＋－＠﹦﹢﹣﹫])/u;

/** Returns a CSV cell (RFC 4180). Strings that a spreadsheet would run as a formula get a leading apostrophe. */
function cellOf(value: unknown): string {
  const text =
    value === null || value === undefined
      ? ""
      : typeof value === "string"
        ? value
        : JSON.stringify(value);
  const safe = formula.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Returns events as CSV: a header, then one line per event. */
export function writeCsv(events: readonly AuditEvent[]): string {
  const lines = events.map((event) =>
    members
      .map((member) => cellOf(member === "members" ? event.members.join(" ") : event[member]))
      .join(","),
  );
  return `${[members.join(","), ...lines].join("\r\n")}\r\n`;
}

/**
 * Exports all events that match a filter to a file, reading them page by page. `progress` receives the number of events
 * read and the total. Rejects with the reason of the signal when the reader stops the export.
 */
export async function exportEvents(
  api: Api,
  filter: AuditFilter,
  type: "csv" | "json",
  signal: AbortSignal,
  progress: (read: number, count: number) => void,
): Promise<EventFile> {
  const events: AuditEvent[] = [];
  let count: number | undefined;
  for (;;) {
    const limit = Math.min(pageRows, mostEvents - events.length);
    const found = await readEvents(api, filter, { last: events.at(-1), limit }, signal);
    count ??= found.count;
    events.push(...found.rows);
    progress(events.length, count);
    const isWhole = found.rows.length < limit;
    if (!isWhole && events.length < mostEvents) continue;
    const text = type === "csv" ? writeCsv(events) : `${JSON.stringify(events, undefined, 2)}\n`;
    const mediaType = type === "csv" ? "text/csv" : "application/json";
    return { file: new Blob([text], { type: mediaType }), isCut: count > events.length };
  }
}
