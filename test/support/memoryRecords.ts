import { randomUUID } from "node:crypto";
import { ApiError } from "../../core/base/errors.ts";
import {
  rights,
  type Principal,
  type Right,
  type Records,
  type Row,
} from "../../core/base/contracts/index.ts";

/**
 * Records in a Map, for tests that need no catalog. Every caller has the rights of an owner, and secrets are not
 * encrypted. At first, the Map contains the operator's organization `o1`, and the user `u1` of this organization.
 */
export interface MemoryRecords extends Records {
  /** Gives a user a right on somebody else's record. */
  grant(id: string, userId: string, right: Right): void;
  /** Links two records, as `associate` does. */
  link(resource: string, association: string, ownId: string, otherId: string): void;
}

export function createMemoryRecords(): MemoryRecords {
  const tables = new Map<string, Map<string, Row>>();
  const grants = new Map<string, Right>();
  const table = (resource: string): Map<string, Row> => {
    const found = tables.get(resource) ?? new Map<string, Row>();
    tables.set(resource, found);
    return found;
  };
  const insert = (resource: string, values: Readonly<Record<string, unknown>>): Row => {
    const now = new Date();
    const row = {
      created_at: now,
      updated_at: now,
      ...values,
      id: String(values["id"] ?? randomUUID()),
    };
    table(resource).set(row.id, row);
    return row;
  };
  const records = {
    async insert(resource: string, values: Readonly<Record<string, unknown>>) {
      return insert(resource, values);
    },
    async insertMany(resource: string, values: readonly Readonly<Record<string, unknown>>[]) {
      return values.map((each) => insert(resource, each));
    },
    async change(resource: string, id: string, values: Readonly<Record<string, unknown>>) {
      const row = table(resource).get(id);
      if (!row) throw new ApiError("RECORD_NOT_FOUND", [resource, id]);
      const changed = { ...row, ...values, id, updated_at: new Date() };
      table(resource).set(id, changed);
      return changed;
    },
    async lock(resource: string, id: string) {
      if (!table(resource).has(id)) throw new ApiError("RECORD_NOT_FOUND", [resource, id]);
    },
    async changeMany(
      resource: string,
      valuesById: ReadonlyMap<string, Readonly<Record<string, unknown>>>,
    ) {
      return [...valuesById].flatMap(([id, values]) => {
        const row = table(resource).get(id);
        if (!row) return [];
        const changed = { ...row, ...values, id, updated_at: new Date() };
        table(resource).set(id, changed);
        return [changed];
      });
    },
    async find(resource: string, where: Readonly<Record<string, unknown>>) {
      return [...table(resource).values()].filter((row) =>
        Object.entries(where).every(([member, wanted]) =>
          Array.isArray(wanted) ? wanted.includes(row[member]) : row[member] === wanted,
        ),
      );
    },
    async linked(resource: string, association: string, ids: readonly string[]) {
      return [...table(`${resource}.${association}`).values()]
        .map((row) => ({ ownId: String(row["own_id"]), otherId: String(row["other_id"]) }))
        .filter(({ ownId, otherId }) => ids.includes(ownId) || ids.includes(otherId));
    },
    async remove(resource: string, ids: readonly string[]) {
      for (const id of ids) table(resource).delete(id);
    },
    async visible(resource: string, ids: readonly string[], right: Right, principal: Principal) {
      const seen = ids.flatMap((id) => {
        const row = table(resource).get(id);
        if (!row) return [];
        const owner = row["owner_id"] ?? row["user_id"];
        const held = owner === principal.userId ? "own" : grants.get(`${id} ${principal.userId}`);
        return held && rights.indexOf(held) >= rights.indexOf(right) ? [[id, row] as const] : [];
      });
      return new Map(seen);
    },
    present(_resource: string, row: Row) {
      return Object.fromEntries(
        Object.entries(row).map(([member, value]) => [
          member,
          value instanceof Date ? value.toISOString() : value,
        ]),
      );
    },
    reveal(_resource: string, row: Row, member: string) {
      return row[member] == null ? undefined : String(row[member]);
    },
    async transaction<T>(run: (transaction: never) => Promise<T>): Promise<T> {
      const before = new Map([...tables].map(([name, rows]) => [name, new Map(rows)]));
      try {
        return await run(undefined as never);
      } catch (failure) {
        tables.clear();
        for (const [name, rows] of before) tables.set(name, rows);
        throw failure;
      }
    },
    link(resource: string, association: string, ownId: string, otherId: string) {
      insert(`${resource}.${association}`, { own_id: ownId, other_id: otherId });
    },
    grant(id: string, userId: string, right: Right) {
      grants.set(`${id} ${userId}`, right);
    },
  };
  insert("organization", { id: "o1", signed_up: false });
  records.link("user", "Organizations", "u1", "o1");
  return records as MemoryRecords;
}
