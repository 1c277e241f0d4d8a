import type { Cipher } from "../../catalog/index.ts";
import { type ApiCall, ApiError, type Row } from "../../base/index.ts";
import type { Context, Declaration, HookCall } from "./declaration.ts";
import type { Role } from "./role.ts";
import { loadRow } from "./rowForm.ts";
import { selectWithRole } from "./select.ts";

/** One call as the actions see it. */
export interface KernelCall extends ApiCall {
  readonly context: Context;
  readonly cipher: Cipher;
  readonly declaration: Declaration;
}

export function hookCallOf(call: KernelCall): HookCall {
  const { context, principal, signal, requestId, address } = call;
  return { context, principal, signal, requestId, address };
}

/**
 * Refuses a call without an id. A value that is not an id of the resource is reported as not found.
 * @throws {ApiError} MEMBER_MISSING
 */
export function expectId(id: unknown, path: string, resource: string): unknown {
  if (id !== undefined && id !== null) return id;
  throw new ApiError("MEMBER_MISSING", [path, `the id of a record of ${resource}`]);
}

/**
 * Returns the record with the body's `id`.
 * @throws {ApiError} MEMBER_MISSING, RECORD_NOT_FOUND, FORBIDDEN
 */
export async function ownRow(call: KernelCall, role: Role): Promise<Row> {
  const { context, declaration, principal, body, cipher } = call;
  return loadRow(
    declaration,
    await selectWithRole(
      context.knex,
      declaration,
      expectId(body.id, "id", declaration.name),
      role,
      principal,
    ),
    cipher,
  );
}
