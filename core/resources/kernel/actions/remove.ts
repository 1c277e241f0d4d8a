import { writeAudit } from "../../../catalog/index.ts";
import { accept } from "../accept.ts";
import { hookCallOf, ownRow, type KernelCall } from "../kernelCall.ts";
import { roleOf } from "../policy.ts";
import { refuseDatabase } from "../refuseDatabase.ts";

/** Deletes a record with its parts and links. */
export async function remove(call: KernelCall): Promise<{ code: number }> {
  const { context, declaration, body } = call;
  const { records } = context;
  const hookCall = hookCallOf(call);
  const row = await ownRow(call, roleOf(declaration, "delete"));
  const values = accept(declaration, "delete", body.properties ?? {});
  await refuseDatabase(declaration.name, () =>
    records.transaction(async (transaction) => {
      await declaration.hooks?.beforeDelete?.(row, hookCall, transaction, values);
      await records.remove(declaration.name, [row.id], transaction);
      const event = { action: "delete", resource: declaration.name, recordId: row.id } as const;
      await writeAudit(records, hookCall, event, transaction);
    }),
  );
  await declaration.hooks?.afterDelete?.(row, hookCall);
  return { code: 200 };
}
