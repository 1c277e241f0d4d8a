import { readFileSync } from "node:fs";
import type { Reply, Script } from "../support/modelStandIn.ts";
import type { Ids } from "./bindGold.ts";
import type { RecordedReply } from "./openRelay.ts";

/** A model's replies, keyed by question id. Ids of the catalog are replaced with names such as `{{orders.amount}}`. */
export interface Recording {
  /** Where the replies come from. */
  readonly source: string;
  readonly replies: Readonly<Record<string, readonly RecordedReply[]>>;
}

export function readRecording(name: string): Recording {
  const file = new URL(`recordings/${name}.json`, import.meta.url);
  return JSON.parse(readFileSync(file, "utf8")) as Recording;
}

/** Replaces the ids of a catalog with names, so that the replies can be replayed with another catalog. */
export function withNames(replies: readonly RecordedReply[], ids: Ids): readonly RecordedReply[] {
  let text = JSON.stringify(replies);
  for (const [name, id] of ids) text = text.replaceAll(id, `{{${name}}}`);
  return JSON.parse(text) as readonly RecordedReply[];
}

/** Replays the replies to one question. Further calls are answered with status 410. */
export function scriptOf(replies: readonly RecordedReply[], ids: Ids): Script {
  const text = JSON.stringify(replies).replaceAll(
    /\{\{([\w.]+)\}\}/g,
    (whole, name: string) => ids.get(name) ?? whole,
  );
  const bound = JSON.parse(text) as readonly Reply[];
  return (_request, index) => bound[index] ?? { status: 410 };
}
