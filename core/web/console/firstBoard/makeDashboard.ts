import { notify, notifyFailure, type ConsoleContext } from "../parts/index.ts";
import { words } from "./words.ts";

/**
 * Makes a dashboard from the shape of a dataset and opens it. A notice says what was made, and undoes it. Shows
 * failures.
 */
export async function makeDashboard(
  { api, router }: Pick<ConsoleContext, "api" | "router">,
  datasetId: string,
): Promise<void> {
  try {
    const { makeBoard } = await import("./makeBoard.ts");
    const { id, notice } = await makeBoard(api, datasetId);
    router.go(`/dashboards/${id}`);
    const undo = async () => {
      try {
        await api.remove("securable", id);
        router.go(`/data/${datasetId}`);
        notify({ text: words.undone });
      } catch (failure) {
        notifyFailure(failure);
      }
    };
    notify({ text: notice, undo: () => void undo() });
  } catch (failure) {
    notifyFailure(failure);
  }
}
