import { randomUUID } from "node:crypto";
import { reference } from "../../base/index.ts";
import { allowOrganization } from "../rights/allow.ts";
import {
  type Declaration,
  type Values,
  object,
  settable,
  text,
  textIdentity,
  timestamps,
  title,
  uuid,
} from "../kernel/index.ts";
import { themeWarning, themeWarnings } from "../securables/themeWarnings.ts";

const fields = {
  ...textIdentity(randomUUID),
  name: title({ description: "Name of the theme.", ...settable, required: true, nullable: false }),
  theme: object({
    description: "The look: colours, fonts, and the style of items.",
    ...settable,
    required: true,
    nullable: false,
    described: { given: reference("ThemeDefinition") },
  }),
  organization_id: uuid({ description: "The organization of the theme." }),
  suborganization: text({
    description: "The part of the organization to which the theme belongs.",
  }),
  user_id: uuid({ description: "The user who created the theme." }),
  ...timestamps,
};

function warningsOf(theme: unknown): Values {
  const warnings = themeWarnings(theme);
  return warnings.length > 0 ? { warnings } : {};
}

/** The look of dashboards. Built-in themes cannot be changed; other themes belong to the organization. */
export const theme: Declaration<typeof fields> = {
  name: "theme",
  description: "Colours, fonts and other looks that dashboards share.",
  rights:
    "Everyone can read and use the host's own themes. Users of the organization can read and use its themes; the author of a theme and owners of the organization have all rights on it.",
  actions: ["create", "get", "update", "delete", "validate"],
  fields,
  allow(query, alias, right, principal) {
    const { userId, organizationRole } = principal;
    const isReading = right === "read" || right === "use";
    if (isReading) query.whereNull(`${alias}.organization_id`);
    query.orWhere((own) => {
      allowOrganization(own, alias, right, principal);
      if (!isReading && organizationRole !== "owner") own.where(`${alias}.user_id`, userId);
    });
  },
  associations: {
    Organization: { kind: "one", resource: "organization", key: "organization_id" },
  },
  hooks: {
    async beforeCreate(values, { principal: { userId, organizationId, suborganization } }) {
      return {
        ...values,
        user_id: userId,
        organization_id: organizationId,
        suborganization: suborganization ?? null,
        ...warningsOf(values.theme),
      };
    },
    async beforeUpdate(_row, values) {
      return { ...values, ...warningsOf(values.theme) };
    },
    onValidate: async (values) => warningsOf(values.theme),
  },
  shownBeside: { create: themeWarning, update: themeWarning, validate: themeWarning },
};
