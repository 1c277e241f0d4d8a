import { accept } from "../accept.ts";
import { hookCallOf, ownRow, type KernelCall } from "../kernelCall.ts";
import { refuseDatabase } from "../refuseDatabase.ts";

/** Changes a record; the answer is the whole record. */
export async function update(call: KernelCall): Promise<Record<string, unknown>> {
  const { context, declaration, body } = call;
  const { records } = context;
  const row = await ownRow(call, "modify");
  const accepted = accept(declaration, "update", body["properties"]);
  const values =
    (await declaration.hooks?.beforeUpdate?.(row, accepted, hookCallOf(call))) ?? accepted;
  const changed = await refuseDatabase(declaration.name, () =>
    records.change(declaration.name, row.id, values),
  );
  return records.present(declaration.name, changed);
}
