import { randomUUID } from "node:crypto";
import { allowOrganization } from "../rights/allow.ts";
import {
  type Declaration,
  choice,
  identity,
  limits,
  object,
  settable,
  text,
  timestamps,
  title,
  uuid,
  type Values,
} from "../kernel/index.ts";
import { addChartVersion } from "./addChartVersion.ts";
import { writeAudit } from "../../catalog/index.ts";
import { isObject } from "../../base/index.ts";
import { approvalOf, chartStatuses, mayApprove, runningScript } from "./chartApproval.ts";

/** Members that a version stores. A save that contains none of them, such as an approval, creates no version. */
const versioned = ["name", "type", "script", "slots_config"];

const fields = {
  ...identity,
  name: title({ description: "Name of the chart.", ...settable, required: true, nullable: false }),
  type: text({
    description: "The type by which dashboards refer to the chart.",
    ...settable,
    required: true,
    nullable: false,
    check: (value) =>
      /^[a-z0-9-]{1,32}$/.test(String(value))
        ? undefined
        : "be 1 to 32 lowercase letters, digits and hyphens, such as flow-map",
  }),
  script: text({
    description: "The script that draws the chart. It runs in a frame without network access.",
    ...settable,
    required: true,
    nullable: false,
    length: limits.scriptLength,
    onRequest: true,
    ...runningScript,
  }),
  approved_version_id: uuid({
    description: "The version that dashboards draw. Setting it approves the version.",
    on: ["update"],
  }),
  status: choice(chartStatuses, {
    description: "Whether the script is a draft, has changed since its approval, or is approved.",
    nullable: false,
    default: "draft",
  }),
  slots_config: object({
    ...settable,
    description: "The slots of the chart, and which columns they accept.",
  }),
  organization_id: uuid({ description: "The organization of the chart.", nullable: false }),
  suborganization: text({
    description: "The part of the organization to which the chart belongs.",
  }),
  user_id: uuid({ description: "The user who created the chart." }),
  ...timestamps,
};

/**
 * A chart type of an organization: a script that draws the rows of an item in a frame. Other people see the chart only
 * after an owner has approved it, because a script can reveal the data it draws.
 */
export const customChart: Declaration<typeof fields> = {
  name: "customchart",
  description:
    "A kind of chart that you write yourself. Dashboards of the organization can contain it.",
  rights:
    "Users of the organization can read and use it. Its author and owners of the organization have all rights.",
  actions: ["create", "get", "update", "delete", "validate"],
  fields,
  allow(query, alias, right, principal) {
    allowOrganization(query, alias, right, principal);
    if (right === "read" || right === "use" || principal.organizationRole === "owner") return;
    query.where(`${alias}.user_id`, principal.userId);
  },
  inOrganization(query, alias, principal) {
    allowOrganization(query, alias, "read", principal);
  },
  associations: {
    Organization: { kind: "one", resource: "organization", key: "organization_id" },
    Author: { kind: "one", resource: "user", key: "user_id" },
  },
  hooks: {
    async beforeCreate(values, { principal }) {
      const { userId, organizationId, suborganization } = principal;
      const versionId = randomUUID();
      const approval = mayApprove(principal)
        ? { status: "approved", approved_version_id: versionId }
        : {};
      return {
        ...values,
        ...approval,
        versionId,
        user_id: userId,
        organization_id: organizationId,
        suborganization: suborganization ?? null,
      };
    },
    async afterCreate(row, { principal }, transaction, { versionId }) {
      const saved = { chartId: row.id, versionId: String(versionId) };
      await addChartVersion(saved, principal.userId, transaction);
    },
    async beforeUpdate(row, values, call) {
      const versionId = randomUUID();
      const approval = await approvalOf(row, values, versionId, call);
      return { ...values, ...approval, versionId, approval };
    },
    async afterUpdate(row, values, call, transaction) {
      const { principal, context } = call;
      const { versionId, approval }: Values = values;
      const approvedId = isObject<"approved_version_id">(approval)
        ? approval.approved_version_id
        : undefined;
      const saved = { chartId: row.id, versionId: String(versionId) };
      if (versioned.some((member) => Object.hasOwn(values, member)))
        await addChartVersion(saved, principal.userId, transaction);
      if (approvedId === undefined) return;
      const event = {
        action: approvedId === null ? "chart_withdraw" : "chart_approve",
        resource: "customchart",
        recordId: row.id,
      } as const;
      const version = { role: "Version", resource: "customchartversion", id: String(approvedId) };
      const change = { ...event, ...(approvedId !== null && { target: version }) };
      await writeAudit(context.records, call, change, transaction);
    },
  },
};
