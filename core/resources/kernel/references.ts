import type { Values } from "./field.ts";
import type { KernelCall } from "./kernelCall.ts";
import { selectWithRole } from "./select.ts";

/**
 * Checks that the ids among accepted values refer to records on which the caller has the role that the field requires.
 * Executes one SQL statement per reference; most resources have no references.
 * @throws {ApiError} RECORD_NOT_FOUND, FORBIDDEN
 */
export async function checkReferences(
  { context, declaration, principal }: KernelCall,
  values: Values,
): Promise<void> {
  for (const [member, { refersTo }] of Object.entries(declaration.fields)) {
    const id = values[member];
    if (!refersTo || id === undefined || id === null) continue;
    const [resource, role] = refersTo;
    const target = context.declarations.get(resource);
    if (!target) throw new TypeError(`there is no resource ${resource}`);
    await selectWithRole(context.knex, target, id, role, principal);
  }
}
