import { ApiError, type Row } from "../../../base/index.ts";
import { holdsUnsettable, inspect } from "../accept.ts";
import type { Values } from "../field.ts";
import { hookCallOf, ownRow, type KernelCall } from "../kernelCall.ts";
import { presentTo } from "../presentTo.ts";
import { roleOf } from "../policy.ts";

/**
 * Checks whether a create (or, with `id`, an update) would accept the given properties. Required members may be
 * missing. Changes nothing.
 */
export async function validate(call: KernelCall): Promise<Record<string, unknown>> {
  const { declaration, body } = call;
  const isUpdate = body.id !== undefined;
  const row = isUpdate ? await ownRow(call, roleOf(declaration, "validate")) : undefined;
  const action = isUpdate ? "update" : "create";
  const given = body.properties ?? body.resource;
  const record =
    row && holdsUnsettable(declaration, action, given) ? await presentTo(call, row) : undefined;
  const { values, refusal } = inspect(declaration, action, given, { isPartial: true, record });
  const seen = refusal ?? (await lookCloser(call, values, row));
  if (!(seen instanceof ApiError)) return { valid: true, ...seen };
  const { message, validation = {} } = seen;
  return { valid: false, message, validation };
}

/**
 * Runs the `onValidate` hook on values whose members are valid one by one. Returns the result of the hook, or the error
 * with which the hook refused the values.
 */
async function lookCloser(
  call: KernelCall,
  values: Values,
  row: Row | undefined,
): Promise<Values | ApiError> {
  try {
    return (await call.declaration.hooks?.onValidate?.(values, hookCallOf(call), row)) ?? {};
  } catch (failure) {
    if (failure instanceof ApiError) return failure;
    throw failure;
  }
}
