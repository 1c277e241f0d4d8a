import type { Knex } from "knex";
import { arrayBinding, type Catalog, type Cipher } from "../../catalog/index.ts";
import {
  ApiError,
  isUuid,
  type Linked,
  type Principal,
  type Records,
  type Right,
  type Row,
} from "../../base/index.ts";
import type { Declaration } from "./declaration.ts";
import type { Values } from "./field.ts";
import { loadRow, openSecret, presentRow, storeNew, storeValues } from "./rowForm.ts";
import { selectAllowed } from "./select.ts";
import { idTypeOf, isId } from "./recordId.ts";

export interface RecordsOptions {
  readonly catalog: Pick<Catalog, "knex" | "transactions">;
  readonly cipher: Cipher;
  readonly declarations: ReadonlyMap<string, Declaration>;
}

/**
 * Opens the records of a catalog for the host's own code. Executes one SQL statement per call (`insertMany` and
 * `changeMany`: one per 500 rows).
 */
export function recordsOver({ catalog, cipher, declarations }: RecordsOptions): Records {
  const { knex, transactions } = catalog;
  const declarationOf = (resource: string): Declaration => {
    const declaration = declarations.get(resource);
    if (!declaration) throw new TypeError(`there is no resource ${resource}`);
    return declaration;
  };
  const insertMany = async (
    resource: string,
    values: readonly Values[],
    transaction?: Knex.Transaction,
  ): Promise<Row[]> => {
    const declaration = declarationOf(resource);
    const rows: Row[] = [];
    for (let start = 0; start < values.length; start += 500) {
      const written = values
        .slice(start, start + 500)
        .map((each) => storeNew(declaration, each, cipher));
      const read: Record<string, unknown>[] = await (transaction ?? knex)(declaration.name).insert(
        written,
        "*",
      );
      rows.push(...read.map((row) => loadRow(declaration, row, cipher)));
    }
    return rows;
  };
  const records = {
    insertMany,
    async insert(resource: string, values: Values, transaction?: Knex.Transaction): Promise<Row> {
      const [row] = await insertMany(resource, [values], transaction);
      if (!row) throw new Error(`${resource} was not inserted`);
      return row;
    },
    async change(
      resource: string,
      id: string,
      values: Values,
      transaction?: Knex.Transaction,
    ): Promise<Row> {
      const declaration = declarationOf(resource);
      const written = { updated_at: new Date(), ...storeValues(declaration, id, values, cipher) };
      const read = isId(declaration, id)
        ? await (transaction ?? knex)(declaration.name).where({ id }).update(written, "*")
        : [];
      if (read.length === 0) throw new ApiError("RECORD_NOT_FOUND", [resource, id]);
      return loadRow(declaration, read[0], cipher);
    },
    async lock(resource: string, id: string, transaction: Knex.Transaction): Promise<void> {
      const declaration = declarationOf(resource);
      const locked = isId(declaration, id)
        ? await transaction(declaration.name).where({ id }).forNoKeyUpdate().first("id")
        : undefined;
      if (!locked) throw new ApiError("RECORD_NOT_FOUND", [resource, id]);
    },
    async changeMany(
      resource: string,
      valuesById: ReadonlyMap<string, Values>,
      transaction?: Knex.Transaction,
    ): Promise<Row[]> {
      const declaration = declarationOf(resource);
      const changes = [...valuesById].filter(([id]) => isId(declaration, id));
      const rows: Row[] = [];
      for (let start = 0; start < changes.length; start += 500) {
        const some = changes.slice(start, start + 500);
        const members = Object.keys(some[0]?.[1] ?? {});
        const stored = some.map(([id, values]) => storeValues(declaration, id, values, cipher));
        const lists = members.map((member) =>
          arrayBinding(stored.map((values) => values[member] ?? null)),
        );
        const types = members.map((member) => String(declaration.fields[member]?.storage));
        const { rows: read }: { rows: Record<string, unknown>[] } = await (transaction ?? knex).raw(
          `update ?? as r set updated_at = ?, ${members.map(() => "?? = n.??").join(", ")}
             from unnest(?::${idTypeOf(declaration)}[], ${types.map((type) => `?::${type}[]`).join(", ")})
               as n (id, ${members.map(() => "??").join(", ")})
            where r.id = n.id returning r.*`,
          [
            declaration.name,
            new Date(),
            ...members.flatMap((member) => [member, member]),
            arrayBinding(some.map(([id]) => id)),
            ...lists,
            ...members,
          ],
        );
        rows.push(...read.map((row) => loadRow(declaration, row, cipher)));
      }
      return rows;
    },
    async find(resource: string, where: Values, transaction?: Knex.Transaction): Promise<Row[]> {
      const declaration = declarationOf(resource);
      const query = (transaction ?? knex)(declaration.name).select("*");
      for (const [member, wanted] of Object.entries(where)) {
        const field = declaration.fields[member];
        if (!field || field.secret || field.sealed)
          throw new TypeError(`${resource} cannot be found by ${member}`);
        const isPossible = (value: unknown) => field.storage !== "uuid" || isUuid(value);
        if (Array.isArray(wanted)) {
          const list = arrayBinding(wanted.filter(isPossible));
          query.whereRaw(`?? = any(?::${field.storage}[])`, [member, list]);
        } else if (wanted === null || wanted === undefined) query.whereNull(member);
        else if (isPossible(wanted)) query.where(member, wanted);
        else query.whereRaw("false");
      }
      const read: Record<string, unknown>[] = await query;
      return read.map((row) => loadRow(declaration, row, cipher));
    },
    async linked(
      resource: string,
      association: string,
      ids: readonly string[],
    ): Promise<readonly Linked[]> {
      const found = declarationOf(resource).associations[association];
      if (found?.kind !== "through") throw new TypeError(`${resource} has no links ${association}`);
      const { link, ownKey, otherKey } = found;
      const known = arrayBinding(ids.filter(isUuid));
      if (known.length === 0) return [];
      return knex(link.table)
        .select({ ownId: ownKey, otherId: otherKey })
        .whereRaw("(?? = any(?::uuid[]) or ?? = any(?::uuid[]))", [ownKey, known, otherKey, known]);
    },
    async remove(
      resource: string,
      ids: readonly string[],
      transaction?: Knex.Transaction,
    ): Promise<void> {
      const declaration = declarationOf(resource);
      const known = arrayBinding(ids.filter((id) => isId(declaration, id)));
      if (known.length > 0)
        await (transaction ?? knex)(declaration.name)
          .whereRaw(`id = any(?::${idTypeOf(declaration)}[])`, [known])
          .delete();
    },
    async visible(
      resource: string,
      ids: readonly string[],
      right: Right,
      principal: Principal,
      transaction?: Knex.Transaction,
    ): Promise<Map<string, Row>> {
      const declaration = declarationOf(resource);
      const read = await selectAllowed(transaction ?? knex, declaration, ids, right, principal);
      const byId = new Map(
        read.map((row) => [String(row["id"]), loadRow(declaration, row, cipher)]),
      );
      const isUuids = idTypeOf(declaration) === "uuid";
      return new Map(
        ids.flatMap((id) => {
          const row = isId(declaration, id) ? byId.get(isUuids ? id.toLowerCase() : id) : undefined;
          return row ? [[id, row] as const] : [];
        }),
      );
    },
    present: (resource: string, row: Row) => presentRow(declarationOf(resource), row),
    reveal: (resource: string, row: Row, member: string) =>
      openSecret(declarationOf(resource), row, member, cipher),
    transaction: <T>(run: (transaction: Knex.Transaction) => Promise<T>) =>
      transactions.transaction(run),
  };
  // The cast is safe, because `ResourceRows` lists the row types of these declarations.
  return records as Records;
}
