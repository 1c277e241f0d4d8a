import { inspect } from "../accept.ts";
import { ownRow, type KernelCall } from "../kernelCall.ts";

/** Tells whether a create (with `id`: an update) would accept the given properties, as far as they go. Nothing is changed. */
export async function validate(call: KernelCall): Promise<Record<string, unknown>> {
  const { declaration, body } = call;
  const isUpdate = body["id"] !== undefined;
  if (isUpdate) await ownRow(call, "modify");
  const { refusal } = inspect(
    declaration,
    isUpdate ? "update" : "create",
    body["properties"] ?? body["resource"],
    true,
  );
  if (!refusal) return { valid: true };
  const { message, validation = {} } = refusal;
  return { valid: false, message, validation };
}
