import { type Opened, openParts } from "./base/index.ts";
import type { Start } from "./start.ts";

/**
 * Opens the parts of one start-up step, like `openParts`. `act` is the name of the step in log messages about parts
 * that could not be closed after a failed start.
 */
export function openAct<Parts extends object>(
  act: string,
  { log }: Pick<Start, "log">,
  open: (opening: AsyncDisposableStack) => Promise<Parts>,
): Promise<Opened<Parts>> {
  return openParts(open, (err) =>
    log.error({ err }, `${act} could not be closed after a failed start`),
  );
}
