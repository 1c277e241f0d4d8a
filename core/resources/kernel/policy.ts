import type { RecordAction } from "../../base/index.ts";
import type { Association } from "./association.ts";
import type { Declaration } from "./declaration.ts";
import type { Role } from "./role.ts";

/** The roles that one action requires: on the record, and on the other record of an association. */
export interface Rule {
  readonly action: RecordAction;
  /** For `create`, the role in the organization, because there is no record yet. */
  readonly own: Role;
  readonly association?: string;
  readonly other?: Role;
}

/** The role that an action without an association takes. */
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

/** An association that a caller may make and end. */
export type Associable = Association & { readonly roles: readonly [own: Role, other: Role] };

/** The associations that a caller may make and end; every other one is for includes. */
export function associable(declaration: Declaration): (readonly [string, Associable])[] {
  return Object.entries(declaration.associations).flatMap(([name, association]) =>
    association.roles ? [[name, { ...association, roles: association.roles }] as const] : [],
  );
}

/** Everything that a caller may do with a resource, and what it takes. The actions ask the same functions. */
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
