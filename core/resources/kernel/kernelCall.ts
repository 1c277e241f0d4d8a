import type { Cipher } from "../../catalog/index.ts";
import { type ApiCall, ApiError, type Row } from "../../base/index.ts";
import type { Context, Declaration, HookCall } from "./declaration.ts";
import type { Role } from "./role.ts";
import { loadRow } from "./rowForm.ts";
import { selectWithRole } from "./select.ts";

/** A call of the API, with the declaration of its resource and the services that actions use. */
export interface KernelCall extends ApiCall {
  readonly context: Context;
  readonly cipher: Cipher;
  readonly declaration: Declaration;
}

export function hookCallOf(call: KernelCall): HookCall {
  const { context, principal, signal, requestId, address, warn } = call;
  return { context, principal, signal, requestId, address, warn };
}

/**
 * Returns an id that a call must contain. The format of the id is not checked here; a malformed id is reported later,
 * as not found.
 * @throws {ApiError} MEMBER_MISSING if there is no id
 */
export function expectId(id: unknown, path: string, resource: string): unknown {
  if (id !== undefined && id !== null) return id;
  throw new ApiError("MEMBER_MISSING", [path, `the id of a record of ${resource}`]);
}

/**
 * Returns the record with the body's `id`, on which the caller must have the role.
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
