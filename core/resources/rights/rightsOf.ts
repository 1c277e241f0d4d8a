import { type Principal, type Records, type Right, rights } from "../../base/index.ts";

/** Returns the highest right of a principal on each dataset and dashboard that the principal can see. */
export async function rightsOf(
  ids: readonly string[],
  principal: Principal,
  records: Pick<Records, "visible">,
): Promise<ReadonlyMap<string, Right>> {
  const highest = new Map<string, Right>();
  for (const right of rights)
    for (const id of (await records.visible("securable", ids, right, principal)).keys())
      highest.set(id, right);
  return highest;
}
