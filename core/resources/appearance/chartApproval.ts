import { ApiError, type Principal } from "../../base/index.ts";
import type { Field, HookCall, Values } from "../kernel/index.ts";

/**
 * `draft`: no version is approved. `changed`: the script differs from the approved version, which other people still
 * see. `approved`: the script equals the approved version.
 */
export const chartStatuses = ["draft", "changed", "approved"] as const;

/**
 * Shows the script that runs for a caller: the newest script for its author, and the approved script for everyone else,
 * even for owners. It is null if no script is approved. Each version contains the script as it was saved.
 */
export const runningScript: Pick<Field, "instead"> = {
  instead(knex, alias, { userId, restriction }) {
    const approved = knex.raw(
      "(select v.script from customchartversion v where v.id = ??.approved_version_id)",
      [alias],
    );
    if (restriction) return approved;
    return knex.raw("case when ??.user_id = ?::uuid then ??.script else ? end", [
      alias,
      userId,
      alias,
      approved,
    ]);
  },
};

/**
 * Returns whether a caller's save of a chart also approves it: the caller must be an owner of the whole organization.
 */
export function mayApprove({ organizationRole, suborganization, restriction }: Principal): boolean {
  return organizationRole === "owner" && !suborganization && !restriction;
}

interface Chart {
  readonly id: string;
  readonly script: string;
  readonly approved_version_id: string | null;
}

/**
 * Decides how a save changes the approval of a chart. A script saved by an owner is approved. A script saved by anyone
 * else is a draft, unless it equals the approved script. Owners approve another person's draft by the id of its
 * version, so that later changes are not approved unseen. Null withdraws the approval. Returns the members that change,
 * including `approved_version_id` if the approval changes.
 * @throws {ApiError} FORBIDDEN for a non-owner who approves; RECORD_NOT_FOUND for a version of another chart; CONFLICT
 */
export async function approvalOf(
  chart: Chart,
  given: Values,
  versionId: string,
  { principal, context }: HookCall,
): Promise<Values> {
  const { script = chart.script, approved_version_id: sent } = given;
  // Clients send whole records back, so the version may be unchanged.
  const named = sent === chart.approved_version_id ? undefined : sent;
  const isScript = Object.hasOwn(given, "script");
  const scriptOf = async (id: string) => {
    const own = { id, customchart_id: chart.id };
    const [version] = await context.records.find("customchartversion", own);
    if (!version) throw new ApiError("RECORD_NOT_FOUND", ["version of this chart", id]);
    return version.script;
  };
  if (named !== undefined) {
    if (!mayApprove(principal))
      throw new ApiError("FORBIDDEN", [
        "approve charts; only owners outside of suborganizations have this right",
      ]);
    if (isScript)
      throw new ApiError("CONFLICT", [
        "an owner who saves a script approves it at once; send script or approved_version_id, not both",
      ]);
    if (named === null) return { status: "draft", approved_version_id: null };
    const approved = await scriptOf(String(named));
    const status = approved === script ? "approved" : "changed";
    return { status, approved_version_id: named };
  }
  if (!isScript) return {};
  if (mayApprove(principal)) return { status: "approved", approved_version_id: versionId };
  const { approved_version_id: approvedId } = chart;
  if (approvedId === null) return { status: "draft" };
  return { status: (await scriptOf(approvedId)) === script ? "approved" : "changed" };
}
