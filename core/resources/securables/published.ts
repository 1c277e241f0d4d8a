import type { Field } from "../kernel/index.ts";

/**
 * Has tokens that are made for an environment read a member of a dashboard as it was published there; null when nothing
 * is. Everyone else reads what was saved last.
 */
export function published(member: "contents" | "css"): Pick<Field, "instead"> {
  return {
    instead(knex, alias, { restriction }) {
      const { environment = null } = restriction ?? {};
      if (environment === null) return undefined;
      return knex.raw(
        "(select v.?? from securableversion v where v.securable_id = ??.id and v.environment = ?)",
        [member, alias, environment],
      );
    },
  };
}
