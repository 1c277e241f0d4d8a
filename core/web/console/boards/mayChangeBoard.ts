import { ApiFailure, type Api } from "../api/index.ts";
import type { ListedBoard } from "./listedBoard.ts";

/**
 * Returns whether the reader may change a dashboard. The host decides, with a check that changes nothing; owners are
 * known without a call.
 */
export async function mayChangeBoard(
  api: Pick<Api, "call">,
  { id, owner_id: ownerId }: Pick<ListedBoard, "id" | "owner_id">,
  userId: string,
): Promise<boolean> {
  if (ownerId === userId) return true;
  try {
    await api.call("securable", "validate", { id, properties: {} });
    return true;
  } catch (failure) {
    const isRefused = failure instanceof ApiFailure && [403, 404].includes(failure.status);
    if (isRefused) return false;
    throw failure;
  }
}
