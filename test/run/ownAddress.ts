import { pathToFileURL } from "node:url";

/** A rolldown plugin that keeps the address of each module, so that modules still find files next to them. */
export const ownAddress = {
  name: "own address",
  transform: (code: string, id: string) =>
    code.includes("import.meta.url")
      ? {
          code: code.replaceAll("import.meta.url", JSON.stringify(pathToFileURL(id).href)),
          map: null,
        }
      : undefined,
};
