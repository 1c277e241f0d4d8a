import { writeAudit } from "../../../audit/index.ts";
import { accept } from "../accept.ts";
import { hookCallOf, ownRow, type KernelCall } from "../kernelCall.ts";
import { roleOf } from "../policy.ts";
import { checkReferences } from "../references.ts";
import { refuseDatabase } from "../refuseDatabase.ts";

/** Changes a record; the answer is the whole record. */
export async function update(call: KernelCall): Promise<Record<string, unknown>> {
  const { context, declaration, body } = call;
  const { name, hooks } = declaration;
  const { records } = context;
  const hookCall = hookCallOf(call);
  const row = await ownRow(call, roleOf(declaration, "update"));
  const accepted = accept(declaration, "update", body["properties"]);
  await checkReferences(call, accepted);
  const values = (await hooks?.beforeUpdate?.(row, accepted, hookCall)) ?? accepted;
  const changed = await refuseDatabase(name, () =>
    records.transaction(async (transaction) => {
      const written = await records.change(name, row.id, values, transaction);
      await hooks?.afterUpdate?.(written, values, hookCall, transaction);
      const event = { action: "update", resource: name, recordId: row.id } as const;
      const members = Object.keys(accepted);
      await writeAudit(records, hookCall, { ...event, members }, transaction);
      return written;
    }),
  );
  return records.present(name, changed);
}
