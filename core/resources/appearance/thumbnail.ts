import { allowAny, allowLinked, allowOwner, allowReading } from "../rights/allow.ts";
import {
  type Association,
  type Declaration,
  type Link,
  identity,
  limits,
  settable,
  text,
  timestamps,
  uuid,
} from "../kernel/index.ts";
import {
  organizationThumbnail,
  pluginThumbnail,
  securableThumbnail,
  userThumbnail,
} from "../rights/links.ts";
import { organization } from "../people/organization.ts";
import { plugin } from "../sources/plugin.ts";
import { securable } from "../securables/securable.ts";
import { user } from "../people/user.ts";

const linked = (resource: string, link: Link): Association => ({
  kind: "through",
  resource,
  link,
  ownKey: "thumbnail_id",
  otherKey: `${resource}_id`,
  roles: ["read", resource === "plugin" ? "own" : "modify"],
});

const through = (parent: () => Declaration, link: Link, resource: string) =>
  allowReading(allowLinked(parent, link, { own: "thumbnail_id", parent: `${resource}_id` }));

const fields = {
  ...identity,
  size: text({
    description: "Size of the picture.",
    ...settable,
    required: true,
    nullable: false,
    check: (value) =>
      /^\d{1,4}px$/.test(String(value)) ? undefined : "be a number of pixels such as 32px",
  }),
  url: text({
    description: "URL of the picture.",
    ...settable,
    required: true,
    nullable: false,
    length: limits.thumbnailLength,
    check: (value) =>
      /^(?:https:\/\/\S{1,1000}|data:image\/(?:png|jpeg|webp|gif);base64,[A-Za-z0-9+/=]+)$/.test(
        String(value),
      )
        ? undefined
        : "be an https URL, or a data URL of a png, jpeg, webp or gif picture",
  }),
  user_id: uuid({ description: "The user who created the picture.", nullable: false }),
  ...timestamps,
};

/** A small picture of a plugin, dashboard, organization or user, stored as a URL or as image data. */
export const thumbnail: Declaration<typeof fields> = {
  name: "thumbnail",
  description: "A picture of a plugin, dataset, dashboard, organization or user.",
  rights:
    "Its creator has all rights. Whoever can read a record with which the picture is associated can read and use the picture.",
  actions: ["create", "get", "update", "delete", "associate", "dissociate", "validate"],
  fields,
  allow: allowAny(
    allowOwner("user_id"),
    through(() => plugin, pluginThumbnail, "plugin"),
    through(() => securable, securableThumbnail, "securable"),
    through(() => organization, organizationThumbnail, "organization"),
    through(() => user, userThumbnail, "user"),
  ),
  associations: {
    Plugins: linked("plugin", pluginThumbnail),
    Securables: linked("securable", securableThumbnail),
    Organizations: linked("organization", organizationThumbnail),
    Users: linked("user", userThumbnail),
    Owner: { kind: "one", resource: "user", key: "user_id" },
  },
  hooks: {
    async beforeCreate(values, { principal }) {
      return { ...values, user_id: principal.userId };
    },
  },
};
