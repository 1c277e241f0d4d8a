import { writeAudit } from "../../../catalog/index.ts";
import { ApiError } from "../../../base/index.ts";
import { accept } from "../accept.ts";
import { hookCallOf, type KernelCall } from "../kernelCall.ts";
import { roleOf } from "../policy.ts";
import { checkReferences } from "../references.ts";
import { presentMade } from "../presentTo.ts";
import { refuseDatabase } from "../refuseDatabase.ts";
import { expectStanding } from "../select.ts";
import { link } from "./link.ts";
import { parseLinks } from "./parseLinks.ts";

/**
 * Creates a record and its associations, in one transaction. Returns the record with the secrets that the host
 * generated.
 */
export async function create(call: KernelCall): Promise<Record<string, unknown>> {
  const { context, declaration, body, principal, cipher, signal, requestId, address } = call;
  const { name, hooks, fields, shownOnce = [], chosenWith = {}, shownBeside } = declaration;
  const { records } = context;
  const hookCall = hookCallOf(call);
  expectStanding(roleOf(declaration, "create"), principal);
  const accepted = accept(declaration, "create", body.properties, { note: call.note });
  await checkReferences(call, accepted);
  const associations = parseLinks(declaration, body.associations, "associations");
  if (principal.restriction && associations.length > 0)
    throw new ApiError("FORBIDDEN", [
      "create a record with associations; embed tokens do not have this right, so use an api token",
    ]);
  const values = (await hooks?.beforeCreate?.(accepted, hookCall)) ?? accepted;
  const written = Object.fromEntries(
    Object.entries(values).filter(([member]) => Object.hasOwn(fields, member)),
  );
  const row = await refuseDatabase(name, () =>
    records.transaction(async (transaction) => {
      const inserted = await records.insert(name, written, transaction);
      const completed = await hooks?.afterCreate?.(inserted, hookCall, transaction, values);
      const event = { action: "create", resource: name, recordId: inserted.id } as const;
      const members = Object.keys(accepted);
      await writeAudit(records, hookCall, { ...event, members }, transaction);
      if (associations.length === 0) return completed ?? inserted;
      const linkCall = {
        context,
        cipher,
        declaration,
        principal,
        signal,
        requestId,
        address,
        id: inserted.id,
      };
      for (const parsed of associations)
        await link({ ...linkCall, parsed, action: "associate" }, transaction);
      const [linked] = await records.find(name, { id: inserted.id }, transaction);
      return linked ?? inserted;
    }),
  );
  const besides = Object.keys(shownBeside?.create ?? {});
  const generated = shownOnce.filter((member) => accepted[chosenWith[member] ?? ""] === undefined);
  const shown = [...generated, ...besides].map((member) => [member, values[member]]);
  const instead = await hooks?.showCreated?.(row, hookCall);
  return { ...(await presentMade(call, row)), ...instead, ...Object.fromEntries(shown) };
}
