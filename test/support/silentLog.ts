import type { Log } from "../../core/catalog/index.ts";

export const silentLog: Log = {
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};
