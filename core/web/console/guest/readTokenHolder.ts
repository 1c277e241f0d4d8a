import { ApiFailure, isList, isRecord, type Api, type SignedInUser } from "../api/index.ts";

/** The holder of a token, as the pages see it, and what the token lets the holder edit. */
export interface TokenHolder {
  readonly user: SignedInUser;
  /** Whether the token may change a dashboard, as far as its record says. The host decides when it is saved. */
  mayEdit(dashboardId: string): boolean;
}

interface TokenRecord {
  readonly id: string;
  readonly user_id: string | null;
  readonly type: string;
  readonly role: string | null;
  readonly suborganization: string | null;
  readonly feature_overrides: unknown;
  readonly access: unknown;
}

const editingRights = ["modify", "own"];

/**
 * Reads the record of the token that makes the calls.
 * @throws {ApiFailure} if the host does not know the token
 */
export async function readTokenHolder(
  api: Api,
  key: string,
  signal?: AbortSignal,
): Promise<TokenHolder> {
  const find = { where: { id: key } };
  const { rows } = await api.get<TokenRecord>("authorization", find, { signal });
  const [record] = rows;
  if (!record)
    throw new ApiFailure(401, { message: "The host does not know this token.", type: {} });
  const overrides = isList(record.feature_overrides) ? record.feature_overrides.map(String) : [];
  const removed = overrides.filter((flag) => flag.startsWith("!")).map((flag) => flag.slice(1));
  const access = isRecord(record.access) ? record.access : {};
  const entries = [access["dashboards"], access["collections"]].flatMap((list) =>
    isList(list) ? list.filter(isRecord) : [],
  );
  const rightsOf = new Map(entries.map((each) => [String(each["id"]), String(each["rights"])]));
  const isReader = record.type === "embed" && (record.role ?? "viewer") === "viewer";
  return {
    user: {
      id: record.user_id ?? record.id,
      name: null,
      email: "",
      organization_id: "",
      role: "member",
      suborganization: record.suborganization,
      features: { assistant: !removed.includes("flag_add_ai_items"), removed },
    },
    mayEdit(dashboardId) {
      if (isReader) return false;
      const rights = rightsOf.get(dashboardId);
      return rights === undefined || editingRights.includes(rights);
    },
  };
}
