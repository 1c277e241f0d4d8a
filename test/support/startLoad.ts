import { setTimeout as wait } from "node:timers/promises";
import type { HostGroup } from "./hostGroup.ts";

/** The load on a group of hosts. It consists of writers, whose pushes have request ids, and of one reader per host. */
export interface Load {
  /** Kills a host, waits until every writer has received two more responses, and then restarts the host. */
  round(killed: number): Promise<Round>;
  /** Stops the load and resolves to the responses. */
  end(): Promise<Written>;
}

export interface Round {
  /** The longest duration, in milliseconds, of a push that ended before the kill in this round. */
  readonly quietMs: number;
  /**
   * The longest time, in milliseconds, for which a writer waited for the response to a push after the kill. Each writer
   * waits for two responses.
   */
  readonly recoveredMs: number;
  /** Milliseconds until the restarted host listened. */
  readonly restartMs: number;
}

export interface Written {
  /** Request ids of acknowledged pushes to each dataset that writers append to, by dataset id. */
  readonly appended: ReadonlyMap<string, readonly string[]>;
  /**
   * The request id of the last acknowledged replace of each dataset, by dataset id. Only one writer replaces a given
   * dataset.
   */
  readonly replaced: ReadonlyMap<string, string>;
  /** Names of the datasets created under load. */
  readonly created: readonly string[];
  /** Unexpected responses: neither rows nor the errors that a killed host causes. */
  readonly faults: readonly string[];
  readonly pushCount: number;
  readonly questionCount: number;
}

const writersOfShared = 3;
/** Milliseconds between two queries of a reader, and between two checks of the responses. */
const pauseMs = 20;
const pollMs = 2;

/** Starts load on a group of hosts. */
export async function startLoad(group: HostGroup): Promise<Load> {
  const make = async (name: string): Promise<string> => {
    const request_id = `made-${name}`;
    const properties = { type: "create", data: [[request_id, 0]], options: { name: { en: name } } };
    const { body } = await group.push({ request_id, properties });
    const rows = body["rows"];
    return Array.isArray(rows) ? String(rows[0]?.id) : "";
  };
  const ids = [await make("shared"), await make("own")];
  const replacedId = await make("replaced");
  const appended = new Map(ids.map((id) => [id, [] as string[]]));
  const replaced = new Map<string, string>();
  const created: string[] = [];
  const faults: string[] = [];
  let named = 0;
  let pushCount = 0;
  let questionCount = 0;
  let isEnding = false;
  let killed: { readonly index: number; readonly atMs: number } | undefined;
  const answeredSince: number[] = [];
  let slowestMs = 0;
  let quietMs = 0;

  const push = async (writer: number, request_id: string, properties: object): Promise<boolean> => {
    const sentAtMs = performance.now();
    const { status, body } = await group.push({ request_id, properties });
    answeredSince[writer] = (answeredSince[writer] ?? 0) + 1;
    // The kill can delay a push only from the start of the push or the time of the kill, whichever is later.
    if (killed)
      slowestMs = Math.max(slowestMs, performance.now() - Math.max(sentAtMs, killed.atMs));
    else quietMs = Math.max(quietMs, performance.now() - sentAtMs);
    pushCount++;
    if (status === 200) return true;
    faults.push(`push ${request_id}: ${status} ${JSON.stringify(body).slice(0, 300)}`);
    return false;
  };
  const append = (writer: number, id: string) => async () => {
    const request_id = `push-${named++}`;
    if (await push(writer, request_id, { securable_id: id, data: [[request_id, 1]] }))
      appended.get(id)?.push(request_id);
  };
  const replace = (writer: number) => async () => {
    const request_id = `push-${named++}`;
    const properties = { type: "replace", securable_id: replacedId, data: [[request_id, 1]] };
    if (await push(writer, request_id, properties)) replaced.set(replacedId, request_id);
  };
  const create = (writer: number) => async () => {
    const request_id = `push-${named++}`;
    const options = { name: { en: request_id } };
    const properties = { type: "create", data: [[request_id, 1]], options };
    if (await push(writer, request_id, properties)) created.push(request_id);
  };
  const [shared = "", own = ""] = ids;
  const work = [
    ...Array.from({ length: writersOfShared }, (_, writer) => append(writer, shared)),
    append(writersOfShared, own),
    replace(writersOfShared + 1),
    create(writersOfShared + 2),
  ];
  const writers = work.map(async (next) => {
    while (!isEnding) await next();
  });
  const count = { dataset_id: shared, column_id: "*", aggregation: "count" };
  const readers = group.hosts.map(async (_, index) => {
    while (!isEnding) {
      await wait(pauseMs);
      if (killed?.index === index) continue;
      const sentAt = killed;
      const find = { measures: [count] };
      const { status, body } = await group.call(index, "data", { action: "get", find });
      questionCount++;
      const wasKilled = killed?.index === index || sentAt?.index === index;
      if (status !== 200 && !(wasKilled && status === 0))
        faults.push(`query to host ${index}: ${status} ${JSON.stringify(body).slice(0, 300)}`);
    }
  });
  return {
    async round(index) {
      const before = pushCount;
      quietMs = 0;
      while (pushCount < before + work.length) await wait(pollMs);
      answeredSince.length = 0;
      slowestMs = 0;
      killed = { index, atMs: performance.now() };
      await group.kill(index);
      while (work.some((_, writer) => (answeredSince[writer] ?? 0) < 2)) await wait(pollMs);
      const recoveredMs = slowestMs;
      const startMs = performance.now();
      await group.restart(index);
      killed = undefined;
      return { quietMs, recoveredMs, restartMs: performance.now() - startMs };
    },
    async end() {
      isEnding = true;
      await Promise.all([...writers, ...readers]);
      return { appended, replaced, created, faults, pushCount, questionCount };
    },
  };
}
