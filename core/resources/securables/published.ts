import type { Field } from "../kernel/index.ts";

/**
 * Shows the value that a member of a dashboard has in the version published in the token's environment, or null if no
 * version was published there. Callers without an environment see the last saved value.
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
