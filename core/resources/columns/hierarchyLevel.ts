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
  name: multilingual({
    description: "Name of the level, by language.",
    ...settable,
    length: limits.nameLength,
  }),
  level: number({
    description: "Number of the level, from the coarsest.",
    ...settable,
    nullable: false,
    default: 0,
  }),
  color: colour({ ...settable, description: "Colour of the level in charts." }),
  column_id: uuid({ description: "The column of the level." }),
  user_id: uuid({ hidden: true }),
  ...timestamps,
};

/** One level in the tree of a hierarchy column. Its rights are those of the column. */
export const hierarchyLevel: Declaration<typeof fields> = {
  name: "hierarchylevel",
  description: "A level of a column's hierarchy, such as country, region and city.",
  rights:
    "A caller has the same rights as on the column. A level without a column belongs to its creator.",
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
