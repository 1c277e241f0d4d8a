import { listOf, objectOf } from "../../charts/index.ts";
import type { CallHost } from "../host/index.ts";

type Json = Readonly<Record<string, unknown>>;

/** The records that the token of a page can see. */
export interface Records {
  find(resource: string, where: Json, attributes: readonly string[]): Promise<readonly Json[]>;
  /** Resolves to undefined if the record does not exist or is hidden from the token. */
  findOne(resource: string, id: string, attributes: readonly string[]): Promise<Json | undefined>;
}

/** Reads records from a host until the signal aborts. Rejects as `callHost` does. */
export function createRecords(callHost: CallHost, signal: AbortSignal): Records {
  async function find(resource: string, where: Json, attributes: readonly string[]) {
    const { rows } = await callHost(
      resource,
      { action: "get", find: { where, attributes } },
      { signal },
    );
    return listOf(rows).map(objectOf);
  }
  return {
    find,
    findOne: async (resource, id, attributes) => (await find(resource, { id }, attributes))[0],
  };
}
