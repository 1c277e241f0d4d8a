import { writeAudit } from "../../../catalog/index.ts";
import { accept, holdsUnsettable } from "../accept.ts";
import { hookCallOf, ownRow, type KernelCall } from "../kernelCall.ts";
import { presentTo } from "../presentTo.ts";
import { roleOf } from "../policy.ts";
import { checkReferences } from "../references.ts";
import { refuseDatabase } from "../refuseDatabase.ts";

/** Changes a record, and returns all its members. */
export async function update(call: KernelCall): Promise<Record<string, unknown>> {
  const { context, declaration, body } = call;
  const { name, hooks, fields, shownBeside } = declaration;
  const { records } = context;
  const hookCall = hookCallOf(call);
  const row = await ownRow(call, roleOf(declaration, "update"));
  const { properties } = body;
  const isEchoed = holdsUnsettable(declaration, "update", properties);
  const record = isEchoed ? await presentTo(call, row) : undefined;
  const accepted = accept(declaration, "update", properties, { record });
  await checkReferences(call, accepted);
  const values = (await hooks?.beforeUpdate?.(row, accepted, hookCall)) ?? accepted;
  const kept = Object.fromEntries(
    Object.entries(values).filter(([member]) => Object.hasOwn(fields, member)),
  );
  const changed = await refuseDatabase(name, () =>
    records.transaction(async (transaction) => {
      const written = await records.change(name, row.id, kept, transaction);
      await hooks?.afterUpdate?.(written, values, hookCall, transaction);
      const event = { action: "update", resource: name, recordId: row.id } as const;
      const members = Object.keys(accepted);
      await writeAudit(records, hookCall, { ...event, members }, transaction);
      return written;
    }),
  );
  await hooks?.afterCommit?.(row, changed, hookCall);
  const besides = Object.keys(shownBeside?.update ?? {}).map((member) => [member, values[member]]);
  return { ...(await presentTo(call, changed)), ...Object.fromEntries(besides) };
}
