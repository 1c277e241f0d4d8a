import { isRecord } from "../../../api/index.ts";
import { textOf } from "../../../language/index.ts";
import { createdColumn, nameColumn, type RecordOf } from "../../../records/index.ts";
import { holderKind } from "../shares/index.ts";
import { words } from "./words.ts";

type Integration = RecordOf<"integration">;

const path = "/access/integrations";

/** Returns the name of the owner; "" if the reader cannot see the owner. */
const ownerOf = ({ owner }: Integration): string =>
  isRecord(owner) ? textOf(owner["name"]) || textOf(owner["email"]) : "";

/** The declaration of the Integrations tab: places where dashboards are embedded. */
export const integrations = holderKind<Integration>({
  id: "integrations",
  resource: "integration",
  path,
  words,
  columns: () => [
    nameColumn(path),
    { label: words.owner, width: "minmax(120px, 1fr)", cell: (row) => ownerOf(row) || "–" },
    createdColumn(),
  ],
  include: [{ model: "User", as: "Owner", attributes: ["id", "name", "email"] }],
  dependents: ["user", "group", "securable"],
  members: ["user", "group"],
  mayCreate: (user) => user.role === "owner",
  isRuled: (row, user) => row.user_id === user.id,
  note: (row) => (ownerOf(row) === "" ? undefined : words.ownedBy(ownerOf(row))),
});
