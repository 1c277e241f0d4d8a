import { account } from "./account.ts";
import { authorization } from "./authorization.ts";
import { column } from "./column.ts";
import { type Declaration } from "./kernel/index.ts";
import { organization } from "./organization.ts";
import { plugin } from "./plugin.ts";
import { securable } from "./securable.ts";
import { user } from "./user.ts";

const all = [organization, user, authorization, plugin, account, securable, column];

/** Every resource of the catalog, by name. */
export const declarations: ReadonlyMap<string, Declaration> = new Map(
  all.map((declaration) => [declaration.name, declaration]),
);
