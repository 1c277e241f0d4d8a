import { reference } from "../../base/index.ts";
import { allowThrough } from "../rights/allow.ts";
import {
  type Declaration,
  choice,
  identity,
  multilingual,
  object,
  text,
  timestamps,
  uuid,
} from "../kernel/index.ts";
import { securable } from "./securable.ts";

const fields = {
  ...identity,
  name: multilingual({ description: "Name of the dashboard in this version, by language." }),
  contents: object({
    description: "Contents of the dashboard in this version.",
    onRequest: true,
    described: { given: reference("DashboardContents") },
  }),
  css: {
    ...text({ description: "Style sheet of the dashboard in this version." }),
    onRequest: true,
  },
  title: text({
    description:
      "What a person calls this version. Versions with a title are kept longer than others.",
    on: ["update"],
  }),
  environment: choice(["production", "acceptance", "development", "qa"], {
    description: "The environment in which readers see this version.",
    on: ["update"],
  }),
  securable_id: uuid({ description: "The dashboard of the version.", nullable: false }),
  user_id: uuid({ description: "The user who saved the version." }),
  ...timestamps,
};

/** A saved version of a dashboard. The host creates a version at each save; clients can only publish it. */
export const securableVersion: Declaration<typeof fields> = {
  name: "securableversion",
  description: "An earlier state of a dashboard. Saving the contents of a dashboard creates one.",
  rights: "A caller has the same rights as on the dashboard.",
  actions: ["get", "update", "validate"],
  fields,
  allow: allowThrough(() => securable, "securable_id"),
  associations: {
    Securable: { kind: "one", resource: "securable", key: "securable_id" },
    Modifier: { kind: "one", resource: "user", key: "user_id" },
  },
  hooks: {
    async afterUpdate(row, { environment }, _call, transaction) {
      if (!environment) return;
      await transaction("securableversion")
        .where({ securable_id: row.securable_id, environment })
        .whereNot({ id: row.id })
        .update({ environment: null });
    },
  },
};
