import type { Reach } from "./reach.ts";

/**
 * Returns the reach of custom charts: the charts that `readable` allows and that a reachable dashboard uses, in its
 * current or a published version.
 */
export function reachCharts(securables: Reach, readable: Reach): Reach {
  return (query, alias, right, principal) => {
    const above = `${alias}_s`;
    const named = "strpos(??::text, ??.id::text) > 0";
    query
      .whereExists((one) => {
        one
          .select(`${above}.id`)
          .from(`securable as ${above}`)
          .where(`${above}.type`, "dashboard")
          .where((contents) => {
            contents.whereRaw(named, [`${above}.contents`, alias]).orWhereExists((version) => {
              version
                .select("v.id")
                .from("securableversion as v")
                .whereRaw("v.securable_id = ??.id and v.environment is not null", [above])
                .whereRaw(named, ["v.contents", alias]);
            });
          })
          .where((rights) => securables(rights, above, right, principal));
      })
      .where((rule) => readable(rule, alias, right, principal));
  };
}
