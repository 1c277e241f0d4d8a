import { ApiError, type Principal } from "../../base/index.ts";
import type { Field, HookCall, Values } from "../kernel/index.ts";

/** `changed`: an owner approved an earlier version, which others still see. */
export const chartStatuses = ["draft", "changed", "approved"] as const;

/**
 * Shows the script that runs for a caller: the newest one for its author, the approved one for everyone else, owners
 * included, and null where none is approved. Versions have the script of each save.
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

/** Returns whether the saves of a user count as approved: those of owners of the whole organization. */
export function mayApprove({ organizationRole, suborganization, restriction }: Principal): boolean {
  return organizationRole === "owner" && !suborganization && !restriction;
}

interface Chart {
  readonly id: string;
  readonly script: string;
  readonly approved_version_id: string | null;
}

/**
 * Decides what a save means for the approval of a chart. A script that an owner saves is approved. One that somebody
 * else saves is a draft, unless it is the approved one. An owner approves the draft of another by the id of its
 * version, so that nothing is approved which came after the review; null withdraws the approval. Returns the members
 * that change; `approved_version_id` is among them where the approval does.
 * @throws {ApiError} FORBIDDEN for a non-owner who approves; RECORD_NOT_FOUND for a version of another chart; CONFLICT
 */
export async function approvalOf(
  chart: Chart,
  given: Values,
  versionId: string,
  { principal, context }: HookCall,
): Promise<Values> {
  const { script = chart.script, approved_version_id: sent } = given;
  // Clients send whole records back.
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
        "approve charts; ask an owner who is not in a suborganization",
      ]);
    if (isScript)
      throw new ApiError("CONFLICT", [
        "saving a script as an owner approves it; send script or approved_version_id, not both",
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
