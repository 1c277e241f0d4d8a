import type { Knex } from "knex";
import type { Principal } from "../../base/index.ts";
import { group } from "../people/group.ts";
import { inOrganizationOfUser } from "../rights/allowUser.ts";

/** A person or group with whom a caller may share records. */
export interface Candidate {
  readonly kind: "user" | "group";
  readonly id: string;
  readonly name: unknown;
  readonly email: string | null;
  /** Whether the group is the Public group, which contains everyone. */
  readonly is_public: boolean;
}

const mostOfEach = 8;

/** Escapes the wildcards of `like`. */
const literally = (text: string): string => text.replaceAll(/[\\%_]/g, "\\$&");

/**
 * Finds people by name or e-mail address and groups by name: at most 8 of each. Only editors and owners of the
 * organization may share with single people, and everyone may share with groups to which they belong. The caller is not
 * a candidate. Executes two SQL statements.
 */
export async function findCandidates(
  text: string,
  principal: Principal,
  knex: Knex,
): Promise<readonly Candidate[]> {
  const pattern = `%${literally(text.trim())}%`;
  const people: Candidate[] =
    principal.organizationRole === "member"
      ? []
      : await knex("user as u")
          .select("u.id", "u.email")
          .select(
            knex.raw(
              `'user' as kind, false as is_public, to_jsonb(coalesce(nullif(u.name, ''), u.email)) as name`,
            ),
          )
          .whereRaw("(u.name ilike ? or u.email ilike ?) and u.email <> '' and u.id <> ?", [
            pattern,
            pattern,
            principal.userId,
          ])
          .where((query) => inOrganizationOfUser(query, "u", principal))
          .orderByRaw("lower(coalesce(nullif(u.name, ''), u.email)), u.id")
          .limit(mostOfEach);
  const groups: Candidate[] = await knex("group as g")
    .select("g.id", "g.name", "g.public as is_public")
    .select(knex.raw("'group' as kind, null as email"))
    .whereRaw("g.deleted_at is null")
    .whereRaw(
      `exists (select 1 from jsonb_path_query(g.name, 'strict $.**') as part
                where jsonb_typeof(part) = 'string' and part #>> '{}' ilike ?)`,
      [pattern],
    )
    .where((query) => group.allow(query, "g", "use", principal))
    .orderByRaw("g.public, lower(g.name::text), g.id")
    .limit(mostOfEach);
  return [...people, ...groups];
}
