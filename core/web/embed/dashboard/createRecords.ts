import { listOf, objectOf } from "../../charts/index.ts";
import type { Ask } from "../host/index.ts";

type Json = Readonly<Record<string, unknown>>;

/** Records that the token of a page may see. */
export interface Records {
  find(resource: string, where: Json, attributes: readonly string[]): Promise<readonly Json[]>;
  /** Resolves to undefined for a record that is not there, or hidden. */
  findOne(resource: string, id: string, attributes: readonly string[]): Promise<Json | undefined>;
}

/** Reads records of a host, until the signal aborts. Rejects as `ask` does. */
export function createRecords(ask: Ask, signal: AbortSignal): Records {
  async function find(resource: string, where: Json, attributes: readonly string[]) {
    const { rows } = await ask(
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
