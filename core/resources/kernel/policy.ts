import type { RecordAction } from "../../base/index.ts";
import type { Association } from "./association.ts";
import type { Declaration } from "./declaration.ts";
import type { Role } from "./role.ts";

/**
 * An action of a resource, with the roles that it requires on the record and, for an association, on the other record.
 */
export interface Rule {
  readonly action: RecordAction;
  /** The role on the record. For `create` it is the role in the organization, because the record does not exist yet. */
  readonly own: Role;
  readonly association?: string;
  readonly other?: Role;
}

/** Returns the role that an action requires if it changes no association. */
export function roleOf(
  { roles = {} }: Declaration,
  action: Exclude<RecordAction, "associate" | "dissociate">,
): Role {
  switch (action) {
    case "create":
      return roles.create ?? "organizationMember";
    case "get":
      return "read";
    case "update":
    case "validate":
      return roles.update ?? "modify";
    case "delete":
      return roles.delete ?? "own";
  }
}

/** An association that callers may create and remove. */
export type Associable = Association & { readonly roles: readonly [own: Role, other: Role] };

/** Returns the associations that callers may create and remove. All other associations are only for includes. */
export function associable(declaration: Declaration): (readonly [string, Associable])[] {
  return Object.entries(declaration.associations).flatMap(([name, association]) =>
    association.roles ? [[name, { ...association, roles: association.roles }] as const] : [],
  );
}

/**
 * Returns every action that callers can use on a resource, with the roles that it requires. The actions themselves
 * check these roles.
 */
export function rulesOf(declaration: Declaration): Rule[] {
  return declaration.actions.flatMap((action): Rule[] =>
    action === "associate" || action === "dissociate"
      ? associable(declaration).map(
          ([
            association,
            {
              roles: [own, other],
            },
          ]) => ({
            action,
            association,
            own,
            other,
          }),
        )
      : [{ action, own: roleOf(declaration, action) }],
  );
}
