import { isObject } from "../../../core/base/index.ts";
import { exampleId, newShare } from "./exampleIds.ts";
import type { ExampleWorld } from "./exampleWorld.ts";
import { rest, writeValue } from "./writeValue.ts";
import { exportToken } from "./pathExamples.ts";
import type { ExampleCall } from "./writeCall.ts";

/** Sends the call of an example with the strings of the host. Resolves to the JSON answer, or to text. */
export type Send = (call: ExampleCall, world: ExampleWorld) => Promise<unknown>;

/** The instant that examples show for the present. */
const now = Date.parse("2026-03-02T09:30:00.000Z");
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
/** Matches the token of a link to a file. */
const fileToken = /\/exports\/[\w-]{40,}/;
/** Matches the secret of a link to choose a password. */
const linkSecret = /#password=[\w-]{43}/;
/** Matches the query string of a link to a page of the console. */
const longQuery = /\?(?:q|answer)=\S{60,}/;
/** Members whose values are secret. */
const secrets = new Set(["token", "secret"]);
/** Members that contain measured times. */
const measured = new Set(["performance", "milliseconds", "age"]);
/** Members of answers that depend on earlier calls, and their values on a host without earlier calls. */
const atFirst: Readonly<Record<string, unknown>> = {
  "data.cached": false,
  "data.explain.cache.state": "miss",
  "paths.jobs.deliveries.waiting": 0,
};
/** Instants that depend on the present, and what examples show instead. */
const upcoming: Readonly<Record<string, string>> = { scheduled_at: "2026-03-09T07:00:00.000Z" };
/** Answers that repeat the record of `create`. Examples show only what changed. */
const repeating = new Set(["update", "associate", "dissociate"]);
/** Maximum number of items that examples show of a list, and of a list of whole records. */
const mostItems = 3;
const mostRecords = 1;

/** Returns the name of an example. */
export const nameOf = ({ resource, action }: Pick<ExampleCall, "resource" | "action">): string =>
  `${resource} ${action}`;

/** Runs examples in order on a world. Returns the text of each answer by the name of the example. */
export async function runExamples(
  calls: readonly ExampleCall[],
  world: ExampleWorld,
  send: Send,
): Promise<ReadonlyMap<string, string>> {
  const answers = new Map<string, string>();
  for (const call of calls) {
    await world.prepare(nameOf(call));
    const answer = await send(call, world);
    // A refused example would be documented as an answer.
    if (isObject<"code" | "request_id">(answer) && Number(answer.code) >= 400)
      throw new Error(`the example ${nameOf(call)} fails: ${JSON.stringify(answer)}`);
    if (call.action === "create" && isObject<"id">(answer) && typeof answer.id === "string")
      world.replaced.set(exampleIdOf(call.resource), answer.id);
    answers.set(nameOf(call), writeAnswer(call, answer, world));
  }
  return answers;
}

const exampleIdOf = (resource: string) => (resource === "share" ? newShare : exampleId(resource));

/** Writes an answer with the strings of the examples, without what differs from run to run. */
export function writeAnswer(call: ExampleCall, answer: unknown, world: ExampleWorld): string {
  const text = [...world.replaced].reduce(
    (shown, [example, real]) => shown.replaceAll(real, example),
    typeof answer === "string" ? answer : JSON.stringify(answer),
  );
  const ids = new Set(world.replaced.keys());
  if (typeof answer === "string") return textWithoutChance(text.trim(), call, ids);
  const plain = withoutChance(JSON.parse(text), call, ids);
  const isRepeated = repeating.has(call.action) && call.resource !== "data";
  const short = isRepeated ? changesOf(plain, call) : plain;
  return writeValue(short, { notation: "json", isFilled: true });
}

/** Replaces the parts of a text that differ from run to run. Lines of JSON are shortened. */
function textWithoutChance(text: string, call: ExampleCall, ids: ReadonlySet<string>): string {
  const lines = text.split("\n").map((line) => {
    if (!line.startsWith("{")) return line;
    const plain = withoutChance(JSON.parse(line), call, ids);
    const whole = writeValue(plain, { notation: "json", taken: -1e9 });
    const short = isObject(plain)
      ? Object.entries(plain).map(([name, each]) => [name, isObject(each) ? { rest } : each])
      : [];
    return whole.length <= 200
      ? whole
      : writeValue(Object.fromEntries(short), { notation: "json", taken: -1e9 });
  });
  return lines.join("\n");
}

/** Replaces unknown ids, secrets, instants and measured times of an answer, and shortens long lists. */
function withoutChance(answer: unknown, call: ExampleCall, shown: ReadonlySet<string>): unknown {
  const sent = JSON.stringify(call.members);
  const known = new Map<string, string>();
  const idOf = (value: string, path: string) => {
    if (shown.has(value) || sent.includes(value)) return value;
    const id = known.get(value) ?? exampleId(`${call.resource}${path}`);
    known.set(value, id);
    return id;
  };
  const plainOf = (value: unknown, path: string): unknown => {
    if (Array.isArray(value)) {
      const isOfRecords = isObject(value[0]) && Object.keys(value[0]).length > 15;
      const most = isOfRecords ? mostRecords : mostItems;
      const items = value.slice(0, most).map((each, index) => plainOf(each, `${path}.${index}`));
      return value.length > most ? [...items, rest] : items;
    }
    const names = path.split(".");
    // The page of "data" shows an explanation.
    if (names.at(-1) === "explain" && call.resource !== "data") return { rest };
    if (isObject(value))
      return Object.fromEntries(
        Object.entries(value).map(([name, each]) => [name, plainOf(each, `${path}.${name}`)]),
      );
    if (call.resource + path in atFirst) return atFirst[call.resource + path];
    if (typeof value === "number") return names.some((name) => measured.has(name)) ? 1 : value;
    if (typeof value !== "string" || sent.includes(JSON.stringify(value))) return value;
    if (secrets.has(names.at(-1) ?? "")) return "…";
    if (uuid.test(value)) return idOf(value, path);
    const next = upcoming[names.at(-1) ?? ""];
    if (next !== undefined) return next;
    return instant.test(value)
      ? shift(value)
      : value
          .replace(fileToken, `/exports/${exportToken}`)
          .replace(linkSecret, "#password=…")
          .replace(longQuery, "?…");
  };
  return plainOf(answer, "");
}

/** Shifts an instant of this run to the time of the examples. Instants far from the present stay. */
function shift(text: string): string {
  const offset = Date.parse(text) - Date.now();
  if (Math.abs(offset) < 600_000) return new Date(now).toISOString();
  if (Math.abs(offset) > 40 * 86_400_000) return text;
  return new Date(now + Math.round(offset / 3_600_000) * 3_600_000).toISOString();
}

/** Returns the id and the members that a call changed, of an answer that repeats the whole record. */
function changesOf(answer: unknown, { members, resource }: ExampleCall): unknown {
  if (!isObject(answer)) return answer;
  const { properties } = members;
  const sent = isObject(properties) ? Object.keys(properties) : [];
  const entries = Object.entries(answer);
  const kept = entries.filter(
    ([name]) => name === "id" || name === "code" || name === "warnings" || sent.includes(name),
  );
  const isWhole = kept.length === entries.length || resource === "hierarchy" || resource === "job";
  return isWhole ? answer : Object.fromEntries([...kept, ["…", rest]]);
}
