import { allowAny, allowThrough } from "../rights/allow.ts";
import { column } from "./column.ts";
import {
  type Declaration,
  colour,
  identity,
  limits,
  multilingual,
  number,
  settable,
  timestamps,
  uuid,
} from "../kernel/index.ts";

const fields = {
  ...identity,
  name: multilingual({ ...settable, length: limits.nameLength }),
  level: number({ ...settable, nullable: false, default: 0 }),
  color: colour(settable),
  column_id: uuid(),
  user_id: { ...uuid(), hidden: true },
  ...timestamps,
};

/** One level in the tree of a hierarchy column. It has the rights of its column. */
export const hierarchyLevel: Declaration<typeof fields> = {
  name: "hierarchylevel",
  actions: ["create", "get", "update", "delete", "associate", "dissociate", "validate"],
  fields,
  allow: allowAny(
    (query, alias, _right, { userId }) =>
      void query.whereNull(`${alias}.column_id`).where(`${alias}.user_id`, userId),
    allowThrough(() => column, "column_id"),
  ),
  associations: {
    Column: {
      kind: "one",
      resource: "column",
      key: "column_id",
      isPart: true,
      roles: ["modify", "modify"],
    },
  },
  hooks: {
    async beforeCreate(values, { principal }) {
      return { ...values, user_id: principal.userId };
    },
  },
};
