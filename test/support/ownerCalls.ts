import { setTimeout as pause } from "node:timers/promises";
import * as assert from "uvu/assert";
import { ownerKey, ownerToken } from "./hostProcess.ts";

/** Calls of a host's owner. Each call is sent once, without the typed client. */
export interface OwnerCalls {
  call(resource: string, members: object): Promise<Reply>;
  push(requestId: string, properties: object): Promise<Reply>;
  /** Repeats a push while the host responds that it is busy. Asserts that the host accepts the push. */
  pushUntilTaken(requestId: string, properties: object): Promise<Reply>;
  /** Counts the rows of a dataset. Asserts that the call succeeded. */
  count(datasetId: string): Promise<unknown>;
}

interface Reply {
  readonly status: number;
  readonly body: ReturnType<typeof Object>;
}

/**
 * Returns the calls of a host's owner. The host does not have to be open yet. `patienceMs` is the time limit of a call.
 */
export function ownerCalls(urlOf: () => string, patienceMs?: number): OwnerCalls {
  const call: OwnerCalls["call"] = async (resource, members) => {
    const answer = await fetch(`${urlOf()}/0.1.0/${resource}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ key: ownerKey, token: ownerToken, version: "0.1.0", ...members }),
      signal: patienceMs === undefined ? null : AbortSignal.timeout(patienceMs),
    });
    return { status: answer.status, body: Object(await answer.json()) };
  };
  const push: OwnerCalls["push"] = (request_id, properties) =>
    call("data", { action: "create", request_id, properties });
  return {
    call,
    push,
    async pushUntilTaken(requestId, properties) {
      let answer = await push(requestId, properties);
      while (answer.status === 503) {
        await pause(50);
        answer = await push(requestId, properties);
      }
      assert.is(answer.status, 200, JSON.stringify(answer.body));
      return answer;
    },
    async count(datasetId) {
      const query = { measures: [{ dataset_id: datasetId, column_id: "*", aggregation: "count" }] };
      const answer = await call("data", { action: "get", find: { queries: [query] } });
      assert.is(answer.status, 200, JSON.stringify(answer.body));
      return answer.body.data[0][0];
    },
  };
}
