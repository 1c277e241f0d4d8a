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
  name: multilingual(),
  contents: object({ onRequest: true }),
  css: { ...text(), onRequest: true },
  environment: choice(["production", "acceptance", "development", "qa"], { on: ["update"] }),
  securable_id: uuid({ nullable: false }),
  user_id: uuid(),
  ...timestamps,
};

/** A saved version of a dashboard. The host creates a version at each save; clients can only publish it. */
export const securableVersion: Declaration<typeof fields> = {
  name: "securableversion",
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
