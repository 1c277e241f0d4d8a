import { allowShared } from "../rights/allow.ts";
import {
  type Declaration,
  flag,
  identity,
  settable,
  timestamps,
  title,
  uuid,
} from "../kernel/index.ts";
import { collectionGroup, collectionSecurable, collectionUser } from "../rights/links.ts";

const fields = {
  ...identity,
  name: title({
    description: "Name of the collection.",
    ...settable,
    required: true,
    nullable: false,
  }),
  favorite: flag({
    description: "Whether the collection contains the user's favourites.",
    ...settable,
    nullable: false,
    default: false,
  }),
  user_id: uuid({ description: "The user who owns the collection.", nullable: false }),
  ...timestamps,
};

/** A named list of datasets and dashboards. A right on a collection gives no right on its entries. */
export const collection: Declaration<typeof fields> = {
  name: "collection",
  description: "A list of datasets and dashboards, such as a folder.",
  rights:
    "Its owner has all rights, and links give rights to users and groups. A right on a collection gives no right on the records in it.",
  actions: ["create", "get", "update", "delete", "associate", "dissociate", "validate"],
  ownedBy: "user_id",
  fields,
  allow: allowShared({
    ownerKey: "user_id",
    recordKey: "collection_id",
    users: collectionUser,
    groups: collectionGroup,
  }),
  associations: {
    Securables: {
      kind: "through",
      resource: "securable",
      link: collectionSecurable,
      ownKey: "collection_id",
      otherKey: "securable_id",
      roles: ["modify", "read"],
    },
    Users: {
      kind: "through",
      resource: "user",
      link: collectionUser,
      ownKey: "collection_id",
      otherKey: "user_id",
      roles: ["own", "organizationEditor"],
    },
    Groups: {
      kind: "through",
      resource: "group",
      link: collectionGroup,
      ownKey: "collection_id",
      otherKey: "group_id",
      roles: ["own", "use"],
    },
    Owner: { kind: "one", resource: "user", key: "user_id", roles: ["own", "organizationEditor"] },
  },
  hooks: {
    async beforeCreate(values, { principal }) {
      return { ...values, user_id: principal.userId };
    },
  },
};
