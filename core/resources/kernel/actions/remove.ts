import { writeAudit } from "../../../audit/index.ts";
import { hookCallOf, ownRow, type KernelCall } from "../kernelCall.ts";
import { roleOf } from "../policy.ts";
import { refuseDatabase } from "../refuseDatabase.ts";

/** Deletes a record and what hangs on it. */
export async function remove(call: KernelCall): Promise<{ code: number }> {
  const { context, declaration } = call;
  const { records } = context;
  const hookCall = hookCallOf(call);
  const row = await ownRow(call, roleOf(declaration, "delete"));
  await refuseDatabase(declaration.name, () =>
    records.transaction(async (transaction) => {
      await declaration.hooks?.beforeDelete?.(row, hookCall, transaction);
      await records.remove(declaration.name, [row.id], transaction);
      const event = { action: "delete", resource: declaration.name, recordId: row.id } as const;
      await writeAudit(records, hookCall, event, transaction);
    }),
  );
  await declaration.hooks?.afterDelete?.(row, hookCall);
  return { code: 200 };
}
