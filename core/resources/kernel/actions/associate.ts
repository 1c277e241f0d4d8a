import { expectId, type KernelCall } from "../kernelCall.ts";
import { refuseDatabase } from "../refuseDatabase.ts";
import { presentTo } from "../presentTo.ts";
import { link } from "./link.ts";
import { parseLink } from "./parseLink.ts";

/** Creates (associate) or removes (dissociate) an association. Returns the record, with `code` 200. */
export async function associate(call: KernelCall): Promise<Record<string, unknown>> {
  const { context, declaration, body, cipher, principal, signal, requestId, address } = call;
  const { records } = context;
  const action = call.action === "dissociate" ? "dissociate" : "associate";
  const properties = action === "associate" ? body.properties : undefined;
  const id = expectId(body.id, "id", declaration.name);
  const parsed = parseLink(declaration, body.resource, properties, "resource");
  const row = await refuseDatabase(declaration.name, () =>
    records.transaction(async (transaction) => {
      const own = await link(
        {
          context,
          cipher,
          declaration,
          principal,
          signal,
          requestId,
          address,
          id,
          parsed,
          action,
        },
        transaction,
      );
      const [changed] = await records.find(declaration.name, { id: own.id }, transaction);
      return changed ?? own;
    }),
  );
  return { ...(await presentTo(call, row)), code: 200 };
}
