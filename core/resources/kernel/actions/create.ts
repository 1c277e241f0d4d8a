import { ApiError } from "../../../errors.ts";
import { accept } from "../accept.ts";
import { isObject, kindOf } from "../json.ts";
import { hookCallOf, type KernelCall } from "../kernelCall.ts";
import { refuseDatabase } from "../refuseDatabase.ts";
import { link, parseLink } from "./link.ts";

/** The `associations` of a create: a list of `{role, id}`; some clients send `{}` for none. */
function parseAssociations({ body, declaration }: KernelCall) {
  const given = body["associations"];
  if (given === undefined || given === null || (isObject(given) && Object.keys(given).length === 0)) return [];
  if (!Array.isArray(given))
    throw new ApiError("MEMBER_INVALID", ["associations", `must be a list of {role, id}, not ${kindOf(given)}`]);
  return given.map((each, index) => ({
    parsed: parseLink(declaration, each, isObject(each) ? each["properties"] : undefined, `associations[${index}]`),
  }));
}

/** Creates a record and its associations, all or nothing; the answer is the record, secrets made by the server included this once. */
export async function create(call: KernelCall): Promise<Record<string, unknown>> {
  const { context, declaration, body, principal, cipher } = call;
  const { records } = context;
  const hookCall = hookCallOf(call);
  const accepted = accept(declaration, "create", body["properties"]);
  const associations = parseAssociations(call);
  const values = (await declaration.hooks?.beforeCreate?.(accepted, hookCall)) ?? accepted;
  const written = Object.entries(values).filter(([member]) => Object.hasOwn(declaration.fields, member));
  const row = await refuseDatabase(declaration.name, () =>
    records.transaction(async (transaction) => {
      const inserted = await records.insert(declaration.name, Object.fromEntries(written), transaction);
      await declaration.hooks?.afterCreate?.(inserted, hookCall, transaction);
      for (const { parsed } of associations)
        await link({ context, cipher, declaration, principal, id: inserted.id, parsed, action: "associate", signal: call.signal }, transaction);
      if (associations.length === 0) return inserted;
      const [linked] = await records.find(declaration.name, { id: inserted.id }, transaction);
      return linked ?? inserted;
    }),
  );
  const shown = (declaration.shownOnce ?? []).map((member) => [member, values[member]]);
  return { ...records.present(declaration.name, row), ...Object.fromEntries(shown) };
}
