import type { Row } from "../../../base/index.ts";
import { expectId, type KernelCall } from "../kernelCall.ts";
import { refuseDatabase } from "../refuseDatabase.ts";
import { presentTo } from "../presentTo.ts";
import { link } from "./link.ts";
import { parseLink, type ParsedLink } from "./parseLink.ts";
import { parseLinks } from "./parseLinks.ts";

/**
 * Creates (associate) or removes (dissociate) an association of a record. `dissociations` and `associations` of the
 * body are further ones, which are removed and then created in the same transaction: all of them, or none. Returns the
 * record, with `code` 200.
 */
export async function associate(call: KernelCall): Promise<Record<string, unknown>> {
  const { context, declaration, body, cipher, principal, signal, requestId, address } = call;
  const { records } = context;
  const action = call.action === "dissociate" ? "dissociate" : "associate";
  const properties = action === "associate" ? body.properties : undefined;
  const id = expectId(body.id, "id", declaration.name);
  const paths = { resource: "resource", link: "properties" };
  const first = parseLink(declaration, body.resource, properties, paths);
  const changes = [
    ...parseLinks(declaration, body.dissociations, "dissociations").map(removing),
    { action, parsed: first } as const,
    ...(action === "associate"
      ? parseLinks(declaration, body.associations, "associations").map(creating)
      : []),
  ];
  const linkCall = { context, cipher, declaration, principal, signal, requestId, address, id };
  const row = await refuseDatabase(declaration.name, () =>
    records.transaction(async (transaction) => {
      let own: Row | undefined;
      for (const change of changes) own = await link({ ...linkCall, ...change }, transaction);
      if (!own) throw new TypeError("a call must change at least one association");
      const [changed] = await records.find(declaration.name, { id: own.id }, transaction);
      return changed ?? own;
    }),
  );
  return { ...(await presentTo(call, row)), code: 200 };
}

const creating = (parsed: ParsedLink) => ({ action: "associate", parsed }) as const;
const removing = (parsed: ParsedLink) => ({ action: "dissociate", parsed }) as const;
