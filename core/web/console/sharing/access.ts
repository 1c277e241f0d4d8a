import type { Api } from "../api/index.ts";
import { textOf } from "../language/index.ts";
import type { Right } from "./rights.ts";
import type { RowFilter } from "./rowFilter.ts";

/** A person or a group with whom something is or may be shared. */
export interface Recipient {
  readonly kind: "user" | "group" | "integration";
  readonly id: string;
  /** Null for a person of another suborganization, whom the reader may not see. */
  readonly name: unknown;
  readonly email: string | null;
  readonly is_public: boolean;
}

/** A share of one record with one recipient. */
export interface Holder extends Recipient {
  readonly right: Right;
  readonly filters: readonly RowFilter[] | null;
}

/** A dataset behind a dashboard. `holders` is absent if the reader does not own the dataset. */
export interface SharedDataset {
  readonly id: string;
  readonly name: unknown;
  readonly right: Right;
  readonly holders?: readonly Holder[];
}

/** Who can see a dashboard and its data, as its owner learns it. */
export interface Access {
  readonly id: string;
  readonly name: unknown;
  readonly right: Right;
  readonly owner: { readonly id: string; readonly name: string; readonly email: string } | null;
  readonly holders: readonly Holder[];
  readonly memberships: readonly { readonly user_id: string; readonly id: string }[];
  readonly datasets: readonly SharedDataset[];
  readonly unseen_dataset_count: number;
  readonly candidates?: readonly Recipient[];
  readonly seen_as?: SeenAs;
}

/** The key pair with which an owner of a dashboard sees what another person sees. */
export interface SeenAs {
  readonly sees: boolean;
  readonly datasets: readonly string[];
  /** Datasets that the person sees, but the pair does not, because their rows can depend on the person. */
  readonly withheld_datasets: readonly string[];
  readonly has_embed_filters: boolean;
  readonly token: { readonly id: string; readonly token: string };
}

/** Returns who can see a record. Only owners of the record may ask for more than their own right. */
export const readAccess = (
  api: Api,
  id: string,
  options: Readonly<Record<string, unknown>> = {},
  signal?: AbortSignal,
): Promise<Access> => api.call<Access>("securable", "explain", { id, options }, { signal });

/** Returns the reader's own right on a record. */
export const readRight = async (api: Api, id: string, signal?: AbortSignal): Promise<Right> =>
  (await api.call<Pick<Access, "right">>("securable", "explain", { id }, { signal })).right;

/** Returns the datasets of an access that have shares with a recipient, directly or through its groups. */
export function sharesOf(
  { holders = [] }: Pick<SharedDataset, "holders">,
  { kind, id, is_public: isPublic }: Recipient,
  memberships: Access["memberships"],
): { readonly direct: Holder | undefined; readonly others: readonly Holder[] } {
  const own = new Set(memberships.flatMap((each) => (each.user_id === id ? each.id : [])));
  const direct = holders.find((each) => each.id === id && each.kind === kind);
  const others = holders.filter(
    (each) => each !== direct && !isPublic && (each.is_public || own.has(each.id)),
  );
  return { direct, others };
}

/** Returns the name of a record that a share names. */
export const nameOf = ({ name, id }: { readonly name: unknown; readonly id: string }): string =>
  textOf(name) || id;
