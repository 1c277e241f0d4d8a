import { isList, isObject, type Members } from "../../base/index.ts";

/** A key pair: `key` is its public half, and `token` its secret half. */
export interface Pair {
  readonly key: string;
  readonly token: string;
}

export interface Answer {
  readonly status: number;
  readonly body: unknown;
  readonly text: string;
}

/** Sends an API call with one key pair. Rejects if the host cannot be reached. */
export type Call = (resource: string, body: Members) => Promise<Answer>;

const mostWaits = 60;

/**
 * Creates a function that sends calls with a key pair. If a call is refused because there were too many calls, the
 * function waits and retries.
 */
export function createCall(url: string, { key, token }: Pair): Call {
  return async (resource, body) => {
    for (let waits = 0; ; waits++) {
      const answer = await fetch(`${url}/0.1.0/${resource}`, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ version: "0.1.0", ...body, key, token }),
      });
      const text = await answer.text();
      if (answer.status === 429 && waits < mostWaits) {
        const seconds = Number(answer.headers.get("Retry-After")) || 1;
        await new Promise((resolve) => void setTimeout(resolve, Math.min(seconds, 10) * 1_000));
        continue;
      }
      return { status: answer.status, body: parsed(text), text };
    }
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (failure) {
    if (!(failure instanceof SyntaxError)) throw failure;
    return undefined;
  }
}

/** Returns the objects in a list of an answer; an empty list if the value is not a list. */
export function objectsIn<Name extends string = never>(value: unknown): readonly Members<Name>[] {
  return isList(value) ? value.filter(isObject<Name>) : [];
}

/** Lists all records that a search finds, page by page; an empty list if the token may not search the resource. */
export async function listAll<Name extends string = never>(
  call: Call,
  resource: string,
  find: Members = {},
): Promise<Members<Name>[]> {
  const rows: Members<Name>[] = [];
  for (;;) {
    const paged = { ...find, limit: 500, offset: rows.length };
    const { status, body } = await call(resource, { action: "get", find: paged });
    if (status === 403 || status === 404 || status === 400) return rows;
    if (status !== 200)
      throw new Error(`the host returned status ${status} for a search of ${resource}`);
    const found = isObject<"rows" | "count">(body) ? body : {};
    const page = objectsIn<Name>(found.rows);
    rows.push(...page);
    if (page.length === 0 || rows.length >= Number(found.count)) return rows;
  }
}
